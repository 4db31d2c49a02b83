# SPDX-License-Identifier: MIT
# A script searches log files with `find -exec … \;`, which starts a process for each file. In the
# base it ends with +, and one process reads hundreds of files.

about="a process for each file that is found"
cause=real
traits="a shell script with find and grep: C, many processes"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is that find starts a process (grep) for each file that it finds, by launch"
told='launch|pred_exec'

build() {
	fetch_source findutils
	touch aclocal.m4
	find . '(' -name Makefile.in -o -name configure -o -name config.h.in ')' -exec touch {} +
	FORCE_UNSAFE_CONFIGURE=1 ./configure --disable-nls CFLAGS="$stock_flags"
	for folder in gl lib find; do
		make -C "$folder" -j"$(nproc)"
	done
	mkdir logs
	awk 'BEGIN {
		for (file = 0; file < 600; file++) {
			name = "logs/shop-" file ".log"
			for (i = 0; i < 3300; i++)
				print "10.0." file % 256 "." i % 100 " GET /orders/" i * 7919 % 10007,
					i * file % 97 ? 200 : 503, "took " i % 50 " ms" > name
			close(name)
		}
	}'
}

search() {
	export PATH=$built/find:$PATH
	record sh "$case_dir/failures.sh" "$built/logs" "$1"
}

base() {
	search +
}

slow() {
	search ';'
}

truth() {
	echo '^launch$' '^find$'
}
