# SPDX-License-Identifier: MIT
# A directory is synchronised that has not changed; in the slow run every file is read to compare
# checksums instead of times and sizes.

about="checksums of all files (--checksum)"
cause=real
traits="rsync: client and server, C, several processes"

build() {
	need rsync
}

synchronise() {
	mkdir files
	for i in {1..300}; do
		head -c 300000 "$software/rsync/rsync" > "files/part$i"
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
