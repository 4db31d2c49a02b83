# SPDX-License-Identifier: MIT
# Lines are sorted by the rules of a language; in the base by their bytes.

about="sorting in a locale instead of C"
cause=real
traits="sort: client, C, two threads"
packages=(locales)

build() {
	need coreutils
	localedef -i en_GB -f UTF-8 "$built/en_GB.UTF-8" || [ -e "$built/en_GB.UTF-8/LC_COLLATE" ]
	awk 'BEGIN { for (i = 0; i < 200000; i++) print "Order of part", i * 7919 % 1000003 }' > orders
}

sort_in() {
	export LOCPATH=$built LC_ALL=$1
	record "$software/coreutils/src/sort" --parallel=2 -o sorted "$built/orders"
}

base() {
	sort_in C
}

slow() {
	sort_in en_GB.UTF-8
}

truth() {
	echo '^compare$' '^sort$'
}
