# SPDX-License-Identifier: MIT
# Three workers take mails from a queue and scan them. In the slow run a worker still holds the lock of
# the statistics, which it has taken for a counter, while it scans, so that the others wait; in the base
# it gives the lock back first.

about="lock held while a mail is scanned"
cause=real
traits="a program with GLib's GMutex and a pool of threads: C, several threads"
packages=(gcc libglib2.0-dev pkg-config)
stack_bytes=4096
half=fresh
says="the cause is that workers wait for a lock, which handle_mail holds while it scans the mail"
told='handle_mail'

build() {
	# shellcheck disable=SC2046 # flags are words
	gcc $stock_flags -o scanner "$case_dir/scanner.c" $(pkg-config --cflags --libs glib-2.0)
}

base() {
	record "$built/scanner" short
}

slow() {
	record "$built/scanner" long
}

truth() {
	echo '^handle_mail$' '^scanner$'
}
