# SPDX-License-Identifier: MIT
# A directory is synchronised that has not changed; in the slow run every file is read to compare
# checksums instead of times and sizes.

about="checksums of all files (--checksum)"
cause=real
traits="rsync: client and server, C, several processes"
stack_bytes=32768

build() {
	need rsync
}

synchronise() {
	mkdir files
	for i in {1..100}; do
		head -c 800000 "$software/rsync/rsync" > "files/part$i"
	done
	cp -a files copy
	record "$software/rsync/rsync" -a "$@" files/ copy/
}

base() {
	synchronise
}

slow() {
	synchronise --checksum
}

truth() {
	echo '^file_checksum$' '^rsync$'
}
