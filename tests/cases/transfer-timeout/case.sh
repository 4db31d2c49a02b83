# SPDX-License-Identifier: MIT
# A boot image is fetched from a server over TFTP. In the slow run some of the server's packets get
# lost on the way, each of which the client waits for until its time is out, and asks again.

about="lost packets of a transfer"
cause=real
traits="busybox tftp: client, C, one thread, and a server outside of the recording"
packages=(dpkg-dev gcc make python3)
half=fresh
says="the cause is that tftp waits in tftp_protocol, by poll, for packets of the server that got lost, until the time is out"
told='tftp_(protocol|main)'

build() {
	fetch_source busybox
	make allnoconfig
	sed -i 's/^# CONFIG_TFTP is not set/CONFIG_TFTP=y/; s/^# CONFIG_LFS is not set/CONFIG_LFS=y/' .config
	yes '' | make oldconfig || true
	sed -i 's/^# CONFIG_FEATURE_TFTP_GET is not set/CONFIG_FEATURE_TFTP_GET=y/' .config
	grep -q '^CONFIG_FEATURE_TFTP_GET=y' .config
	make -j"$(nproc)" CONFIG_EXTRA_CFLAGS="$stock_flags" SKIP_STRIP=y
}

# fetch LOST: of each so many packets one gets lost; 0 = none.
fetch() {
	local port
	mkfifo ports
	python3 "$case_dir/server.py" "$1" 14000 > ports &
	server=$!
	trap 'kill "$server" 2>/dev/null || true; wait; clean_up' EXIT
	read -r port < ports
	record "$built/busybox_unstripped" tftp -g -r image -l image 127.0.0.1 "$port"
	[ "$(stat -c %s image)" -eq $((14000 * 512 + 100)) ]
}

base() {
	fetch 0
}

slow() {
	fetch 300
}

truth() {
	# The compiler may make the first part of the second.
	echo '^(tftp_protocol|tftp_main)$' '^busybox_unstrip'
}
