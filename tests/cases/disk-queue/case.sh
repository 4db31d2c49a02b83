# SPDX-License-Identifier: MIT
# An image of a system is unpacked that lies on a volume whose provider lets only so many bytes a
# second be read; in the base there is no such limit. The thread that reads waits for the disk, and
# those that unpack and write wait for it. The limit is that of a control group.

about="disk limited to so many bytes a second"
cause=real
traits="unsquashfs from a disk of its own: command, C, several threads"
packages=(dpkg-dev e2fsprogs gcc make mount python3 zlib1g-dev)
stack_bytes=4096
half=fresh
says="the cause is that unsquashfs waits for the disk in read_fs_bytes, of the thread reader, and its other threads wait for that"
told='read_fs_bytes|reader'

build() {
	fetch_source squashfs-tools
	make -j"$(nproc)" -C squashfs-tools EXTRA_CFLAGS="$stock_flags -fgnu89-inline" XATTR_SUPPORT=0 \
		XZ_SUPPORT=0 LZMA_XZ_SUPPORT=0 LZO_SUPPORT=0 LZ4_SUPPORT=0 ZSTD_SUPPORT=0 unsquashfs mksquashfs
	mkdir system
	python3 - <<-'END'
		import random
		chance = random.Random(3)
		words = [chance.randbytes(chance.randrange(3, 12)) for _ in range(50000)]
		for number in range(90):
		    with open(f"system/lib{number}.so", "wb") as out:
		        out.write(b"".join(chance.choices(words, k=300000)))
	END
	mkdir volume
	squashfs-tools/mksquashfs system volume/system.squashfs -quiet -no-progress
	rm -r system
	truncate -s 240M image
	/sbin/mkfs.ext4 -q -d volume image
	rm -r volume
}

# enter_group DEVICE [BYTES]: puts this process into a control group of its own, which may read so
# many bytes a second from the device.
enter_group() {
	local old=/sys/fs/cgroup/blkio
	if [ -e "$old/cgroup.procs" ]; then
		group=$old/introperf-case.$$
		mkdir "$group"
		if [ -n "${2:-}" ]; then
			echo "$1 $2" > "$group/blkio.throttle.read_bps_device"
		fi
	else
		group=/sys/fs/cgroup/introperf-case.$$
		mkdir "$group"
		if [ -n "${2:-}" ]; then
			echo +io > /sys/fs/cgroup/cgroup.subtree_control
			echo "$1 rbps=$2" > "$group/io.max"
		fi
	fi
	parent=$(dirname "$group")
	echo "$BASHPID" > "$group/cgroup.procs"
}

leave_group() {
	umount disk || umount -l disk
	if [ -n "$group" ]; then
		echo "$BASHPID" > "$parent/cgroup.procs"
		rmdir "$group"
	fi
}

# unpack [BYTES]: so many a second.
unpack() {
	[ "$(id -u)" -eq 0 ] || fail "only root may mount a disk"
	mkdir disk
	trap 'exit 1' HUP INT TERM
	(
		group=
		trap leave_group EXIT
		mount -o loop,ro "$built/image" disk
		enter_group "$(mountpoint -d disk)" "$@"
		record "$built/squashfs-tools/unsquashfs" -quiet -no-progress -p 2 -d system disk/system.squashfs
	)
	[ "$(find system -name '*.so' | wc -l)" -eq 90 ]
}

base() {
	unpack
}

slow() {
	unpack 36000000
}

truth() {
	echo '^read_fs_bytes$' '^unsquashfs$'
}
