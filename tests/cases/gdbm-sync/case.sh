# SPDX-License-Identifier: MIT
# A script keeps receipts in a GNU dbm file. In the slow run it opens the file with the flag that has
# each change written to the disk; in the base the file is written when the kernel likes.

about="database file synchronized after each change"
cause=real
traits="a script and libgdbm: Python and C, one thread, disk"
packages=(python3 python3-gdbm libgdbm6)
half=fresh
says="the cause is that the script's database waits for the disk after each change: gdbm_store, which ends with _gdbm_end_update, has the file synchronized (flag s)"
told='gdbm_store|_gdbm_end_update|gdbm_file_sync|_gdbm_mapped_sync'

build() { :; }

base() {
	record /usr/bin/python3 "$case_dir/archive.py" n
}

slow() {
	record /usr/bin/python3 "$case_dir/archive.py" ns
}

truth() {
	echo '^_gdbm_end_update$' '^libgdbm\.so'
}
