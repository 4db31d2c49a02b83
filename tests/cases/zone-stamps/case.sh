# SPDX-License-Identifier: MIT
# A log with times as seconds is printed with local times. In the slow run TZ is not set, as in most
# containers, and libc asks for each line whether /etc/localtime is still the same file; in the base
# TZ=:/etc/localtime is set, so that it need not ask.

about="time zone's file asked for with each time (TZ not set)"
cause=real
traits="a program that prints a log: C, one thread"
packages=(gcc libc6-dev tzdata)
half=fresh
says="the cause is format_time, whose localtime looks at the file /etc/localtime again for each line, as TZ is not set"
told='format_time|localtime|tzset|tz_convert'

build() {
	gcc $stock_flags -o stamps "$case_dir/stamps.c"
	awk 'BEGIN {
		for (i = 0; i < 700000; i++)
			printf "%d 10.0.%d.%d %d /orders/%d?page=%d\n", 1700000000 + i * 7, i % 7, i * 31 % 251,
				i * 7919 % 99991, i * 13 % 9973, i % 17
	}' > visits.log
}

base() {
	record env TZ=:/etc/localtime "$built/stamps" "$built/visits.log" visits.txt
	grep -q '^700000 lines' output
}

slow() {
	record env -u TZ "$built/stamps" "$built/visits.log" visits.txt
	grep -q '^700000 lines' output
}

truth() {
	echo '^format_time$' '^stamps$'
}
