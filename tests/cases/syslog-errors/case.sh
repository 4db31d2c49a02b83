# SPDX-License-Identifier: MIT
# A mail server's messages are given to syslogd. It has been told to write each line to disk before it
# takes the next (--sync), except for files that its configuration names with a dash. In the slow run
# the dash is missing for the file of errors, and while syslogd waits for the disk its socket is full
# and the sender waits too.

about="errors' file synced for each line: a dash is missing"
cause=real
traits="GNU syslogd and logger: C, two processes"
packages=(bsdutils dpkg-dev gcc make)
stack_bytes=16384
half=fresh
says="the cause is fprintlog of syslogd, which waits in fsync for the disk after each line of the errors' file"
told='fprintlog|fsync'

build() {
	fetch_source inetutils
	# Debian's patches have touched what these are made from; they need not be made again.
	find . -name aclocal.m4 -exec touch {} +
	sleep 1
	find . \( -name Makefile.in -o -name config.hin -o -name config.h.in -o -name configure \) \
		-exec touch {} +
	./configure --disable-clients --disable-servers --enable-syslogd --without-wrap --without-pam \
		CFLAGS="$stock_flags"
	make -C lib -j"$(nproc)"
	make -C libinetutils -j"$(nproc)"
	make -C src syslogd
	cp src/syslogd mail-syslogd
	awk 'BEGIN {
		for (i = 0; i < 120000; i++)
			if (i % 80 == 0)
				printf "<19>postfix/smtp[%d]: %d: to=<customer%d@example.com>, status=bounced (no such user)\n",
					i % 997, i, i * 7919 % 99991
			else
				printf "<22>postfix/smtp[%d]: %d: to=<customer%d@example.com>, status=sent (250 ok)\n",
					i % 997, i, i * 7919 % 99991
		print "<22>postfix/master[1]: that was all"
	}' > messages
}

# log_messages DASH: for the errors' file.
log_messages() {
	printf 'mail.*\t-%s/mail.log\nmail.err\t%s%s/mail.err\n' "$PWD" "$1" "$PWD" > syslog.conf
	record "$case_dir/send.sh" "$built/mail-syslogd" "$built/messages"
	[ "$(wc -l < mail.log) $(wc -l < mail.err)" = "120001 1500" ]
}

base() {
	log_messages -
}

slow() {
	log_messages ""
}

truth() {
	echo '^fprintlog$' '^mail-syslogd$'
}
