# SPDX-License-Identifier: MIT
# Two clients give a long list to a print spooler, and wait until it has been taken. In the slow run
# the spooler looks for a document's end from its beginning each time that another piece of it has
# come; in the base from where it has looked before.

about="a document's end searched again for each piece of it"
cause=real
traits="a print spooler with libevent and its clients in Python: C, several processes"
packages=(gcc libc6-dev libevent-dev python3)
stack_bytes=4096
half=fresh
says="the cause is find_end in spoold: each time that a piece of a document has come it searches all of the document for its end, while the clients wait for their answers"
told='find_end'

build() {
	for kind in base slow; do
		mkdir "$kind"
	done
	gcc $stock_flags -o base/spoold "$case_dir/spoold.c" -levent
	gcc $stock_flags -DFROM_BEGINNING -o slow/spoold "$case_dir/spoold.c" -levent
}

# print_lists KIND: with that spooler.
print_lists() {
	mkdir spool
	awk 'BEGIN {
		for (i = 0; i < 120000; i++)
			printf "%d  order %d of customer %d (%d pieces), to be sent in week %d%s\r\n",
				i, i * 7919 % 999983, i * 31 % 977, i * i % 31, i % 52, i % 60 == 59 ? "\f" : ""
	}' > orders
	record "$case_dir/print.sh" "$built/$1/spoold" "$case_dir/submit.py" orders
	[ "$(grep -c '^1 queued, 2000 pages' output)" = 2 ]
}

base() {
	print_lists base
}

slow() {
	print_lists slow
}

truth() {
	echo '^find_end$' '^spoold$'
}
