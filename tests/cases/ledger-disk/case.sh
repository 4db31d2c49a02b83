# SPDX-License-Identifier: MIT
# Bookings are put into a database of LMDB. In the slow run each is a transaction of its own, which is
# on the disk before the next one begins; in the base all of a day are one transaction.

about="a transaction for each booking"
cause=real
traits="a program with LMDB: C, one thread"
packages=(dpkg-dev gcc libc6-dev)
stack_bytes=2048
half=fresh
says="the cause is save_bookings: it makes a transaction of each booking, and mdb_txn_commit waits for the disk each time"
told='save_bookings|mdb_txn_commit|mdb_env_sync'

build() {
	mkdir source
	(
		cd source
		fetch_source lmdb
		cp "$(dirname "$(find . -name mdb.c)")"/{mdb.c,midl.c,midl.h,lmdb.h} ..
	)
	rm -r source
	gcc $stock_flags -I. -o ledger "$case_dir/ledger.c" mdb.c midl.c -lpthread
}

base() {
	record "$built/ledger" day 6000 6000000
	grep -q '^6000 bookings' output
}

slow() {
	record "$built/ledger" each 6000 6000000
	grep -q '^6000 bookings' output
}

truth() {
	echo '^(save_bookings|mdb_txn_commit)$' '^ledger$'
}
