# SPDX-License-Identifier: MIT
# What a gauge has measured is stored by a relay. In the slow run it was told to write each block to the
# disk at once (sync), and waits for it each time; in the base the kernel does that in time.

about="each block written to the disk at once"
cause=real
traits="socat: relay, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is that socat waits for the disk in each write of xiotransfer, as it was told to write synchronously"
told='xiotransfer|writefull|xiowrite'

build() {
	fetch_source socat
	./configure --disable-openssl --disable-readline --disable-libwrap CFLAGS="$stock_flags"
	make -j"$(nproc)" socat
	awk 'BEGIN {
		for (i = 0; i < 7000000; i++)
			print "gauge " i % 97 " " i * 7919 % 99991
	}' > measured
}

# relay [OPTION]
relay() {
	record "$built/socat" -u -b 4096 "FILE:$built/measured,rdonly" "OPEN:stored,creat$1"
	cmp stored "$built/measured"
}

base() {
	relay ''
}

slow() {
	relay ,sync=1
}

truth() {
	echo '^(xiotransfer|xiowrite|writefull)$' '^socat$'
}
