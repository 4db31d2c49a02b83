# SPDX-License-Identifier: MIT
# A script clears a log of its debug messages with ed, by g/…/d. In the slow run they are at the end of
# the log: to find the number of each line that is to be deleted, ed goes through the list of all lines
# from the first one. In the base there are as many, at the beginning of the log.

about="lines found again by counting from the first one"
cause=real
traits="ed: editor, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
stack_bytes=2048
half=fresh
says="the cause is get_line_node_addr of ed: for each line that the command g has found it counts all the lines before it in the list"
told='get_line_node_addr'

build() {
	fetch_source ed
	./configure CFLAGS="$stock_flags"
	make
}

# clear_log FIRST: 6000 messages from that one on are for debugging.
clear_log() {
	awk -v first="$1" 'BEGIN {
		for (i = 0; i < 300000; i++) {
			level = i >= first && i < first + 6000 ? "debug" : "info"
			printf "%06d %s order %d of %d: %d ms\n",
				i, level, i * 7919 % 100003, i * 31 % 9973, i * i % 977
		}
	}' > shop.log
	cat > commands <<-'ED'
		,s/order \([0-9]*\) of \(204\|1733\): \([0-9]*\) ms/order \1 of shop \2: \3 ms/
		,s/order \([0-9]*\) of 7403: \([0-9]*\) ms/order \1 of the agency: \2 ms/
		,s/order \([0-9]*\) of \(2918\|5566\): \([0-9]*\) ms/order \1 of press \2: \3 ms/
		g/ debug /d
		w
		q
	ED
	LC_ALL=C.UTF-8 record sh -c 'exec "$@" < commands' sh "$built/ed" -s shop.log
	[ "$(wc -l < shop.log)" -eq 294000 ]
}

base() {
	clear_log 0
}

slow() {
	clear_log 294000
}

truth() {
	echo '^get_line_node_addr$' '^ed$'
}
