# SPDX-License-Identifier: MIT
# The messages of a partner, in EDIFACT, are turned into tables by the sed of BusyBox. In the base each
# segment has a line of its own; in the slow run the partner sends the same segments without ends of
# lines, so that a message is one long line. For each match of s/…/…/g this sed gives regexec all that
# is left of the line, which takes the length of that each time.

about="messages that are one long line each"
cause=real
traits="BusyBox: sed, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
stack_bytes=2048
half=fresh
says="the cause is process_files of busybox, which has do_subst_command: for each match that is replaced it gives regexec all the rest of a long line, whose length is counted each time"
told='process_files|do_subst_command'

# sed alone. The makefile leaves out the tables that unwinders need, so they are asked for.
build() {
	fetch_source busybox
	make allnoconfig
	sed -i -e 's/^# CONFIG_SED is not set/CONFIG_SED=y/' \
		-e "s/^CONFIG_EXTRA_CFLAGS=.*/CONFIG_EXTRA_CFLAGS=\"$stock_flags -fasynchronous-unwind-tables\"/" \
		.config
	make oldconfig < /dev/null
	make -j"$(nproc)" SKIP_STRIP=y busybox
}

# make_messages END: 130 orders, whose segments end in this.
make_messages() {
	local order
	for order in {1..130}; do
		awk -v order="$order" -v end="'$1" 'BEGIN {
			printf "UNB+UNOC:3+4012345%06d:14+4098765000006:14+210403:0815+%d%s", order * 7919, order, end
			for (i = 1; i <= 2200; i++) {
				printf "LIN+%d++40%011d:SRV%s", i, i * 7919 + order, end
				printf "IMD+F++:::ITEM %d%s", i * 31 % 9973, end
				printf "QTY+21:%d:PCE%s", i * order % 50 + 1, end
				printf "PRI+AAA:%d.%02d%s", i % 300, i * 7 % 100, end
			}
			printf "UNT+%d+%d%s\n", i * 4, order, end
		}' > "order-$order.edi"
	done
}

# convert END: the messages with this end of segments.
convert() {
	make_messages "$1"
	cat > rules <<- 'END'
		s/\([0-9]\)[.]\([0-9][0-9]\)/\1,\2/g
		s/[+:]/;/g
		s/'/;\n/g
	END
	record "$built/busybox" sed -i -f rules order-*.edi
	[ "$(cat order-*.edi | grep -c '^PRI;AAA;[0-9]*,[0-9][0-9];$')" = 286000 ]
}

base() {
	convert '\n'
}

slow() {
	convert ''
}

truth() {
	echo '^(process_files|do_subst_command)$' '^busybox$'
}
