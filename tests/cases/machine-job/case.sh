# SPDX-License-Identifier: MIT
# A report is made on a machine with one processor. In the slow run the logs are rotated at the same
# time, and three processes of gzip -9 take most of the processor. In the base the logs wait.

about="logs compressed beside the program"
cause=real
traits="SQLite and gzip: clients, C, several processes, the whole machine"
packages=(dpkg-dev gcc make util-linux)
stack_bytes=12288
case_options=(-a)
half=fresh
says="the cause is that gzip, which compresses logs at the same time, takes the CPU"
told='gzip'

build() {
	need sqlite
	fetch_source gzip
	./configure CFLAGS="$stock_flags"
	make -j"$(nproc)" MAKEINFO=true
	awk 'BEGIN {
		for (i = 0; i < 1500000; i++)
			print "10.0.3." i % 251, "GET /orders/" i * 7919 % 100003, "took", i * 31 % 977, "ms"
	}' > access.log
}

make_report() {
	export PATH=$built:$software/sqlite:$PATH
	record bash "$case_dir/report.sh" "$@"
}

base() {
	make_report
}

slow() {
	cp "$built/access.log" shop.log
	cp "$built/access.log" stock.log
	cp "$built/access.log" mail.log
	make_report shop.log stock.log mail.log
}

truth() {
	echo '^deflate$' '^gzip$'
}
