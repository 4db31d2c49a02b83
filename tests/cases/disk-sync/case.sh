# SPDX-License-Identifier: MIT
# Images of disks, most of them zeros, are copied onto a file system that is mounted with the option
# sync: each write waits for the disk. In the base the kernel writes when it likes to.

about="file system mounted with sync"
cause=real
traits="cp onto a disk of its own: command, C, one thread"
packages=(e2fsprogs mount)

half=worked
says="the cause is that cp waits for the disk in each write of sparse_copy, as the file system that it writes to is mounted with sync"
told='sparse_copy|copy_internal.*write|waits for the disk'

build() {
	need coreutils
}

# copy_to OPTIONS: onto a disk that is mounted with them, and unmounted also when the step is ended
# before its time.
copy_to() {
	[ "$(id -u)" -eq 0 ] || fail "only root may mount a disk"
	mkdir disk files
	head -c 4M /dev/zero | tr '\0' x > files/1
	head -c 12M /dev/zero >> files/1
	for ((i = 2; i <= 60; i++)); do
		ln files/1 "files/$i"
	done
	truncate -s 600M image
	/sbin/mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 image
	sync -f image
	trap 'exit 1' HUP INT TERM
	(
		trap 'umount disk || umount -l disk' EXIT
		mount -o "loop,$1" image disk
		record "$software/coreutils/src/cp" -r --sparse=always files disk
		cmp files/60 disk/files/60
	)
}

base() {
	copy_to async
}

slow() {
	copy_to sync
}

truth() {
	echo '^sparse_copy$' '^cp$'
}
