# SPDX-License-Identifier: MIT
# A backup runs on the CPU on which gzip compresses a log. In the base gzip has that CPU alone.

about="CPU taken by another process"
cause=real
traits="gzip and a job beside it: C, two processes on one CPU"
packages=(dpkg-dev gcc make)

half=worked
says="the cause is that gzip has to wait for its CPU, which is taken by backupd, a job on the same CPU; compressing takes no more work than before"
told='taken by .*backupd'

build() {
	mkdir source
	(
		cd source
		fetch_source gzip
		./configure CFLAGS="$stock_flags"
		make -j"$(nproc)" MAKEINFO=true
		cp gzip ..
	)
	rm -r source
	gcc $stock_flags -o backupd "$case_dir/backupd.c"
}

# compress [PROGRAM]: with that program beside it.
compress() {
	awk 'BEGIN { for (srand(1); i++ < 300000;) print i, "order", int(1e6 * rand()), "was sent" }' > log
	record bash "$case_dir/compress.sh" "$built/gzip" log "$@"
	[ -s log.gz ]
}

base() {
	compress
}

slow() {
	compress "$built/backupd"
}

# longest_match may be inlined into deflate.
truth() {
	echo '^(deflate|longest_match)$' '^gzip$'
}
