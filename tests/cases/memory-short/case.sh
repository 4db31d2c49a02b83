# SPDX-License-Identifier: MIT
# A mail server's list of addresses is made into a hash file. DB_CONFIG still sets the cache that a
# list of an eighth of the length needed: pages are thrown out of it, and written and read again
# before the next address is put into them. In the base there is room for all of them.

about="cache too small for the file"
cause=real
traits="Berkeley DB's db_load: C, one thread"
packages=(db5.3-util)
stack_bytes=4096
half=fresh
says="the cause is that the pages of the hash file do not fit into the library's cache (__memp_fget misses), so that they are written out and read back again and again"
told='pread|pwrite|__memp_(alloc|bhwrite|pgread)'

build() {
	for ((i = 0; i < 300000; i++)); do
		printf 'user%d@example.net\n/var/mail/example.net/%d/\n' "$i" "$i"
	done > addresses
}

# load MIB: with so much cache
load() {
	echo "set_cachesize 0 $(($1 * 1024 * 1024)) 1" > DB_CONFIG
	record db5.3_load -h . -T -t hash -f "$built/addresses" addresses.db
}

base() {
	load 64
}

slow() {
	load 5
}

truth() {
	echo '^__memp_fget(@@DB5_3)?$' '^libdb[.]so$'
}
