# SPDX-License-Identifier: MIT
# A program asks for each order whether its customer is in a collection of 200 names, which is a list
# in the slow run, and a set in the base.

about="list instead of a set"
cause=real
traits="Python: interpreter, C, one thread"
packages=(python3)
half=fresh
says="the cause is that Python looks for a string by comparing it with the strings of a list one after another, in PyUnicode_RichCompare"
told='PyUnicode_RichCompare'

build() {
	seq 2000000 | awk '{ printf "%d;customer %05d;%d\n", $1, $1 * 7919 % 30000, $1 % 200 }' > orders.txt
	seq 200 | awk '{ printf "customer %05d\n", $1 * 149 }' > blocked.txt
}

base() {
	record /usr/bin/python3 "$case_dir/orders.py" "$built/orders.txt" "$built/blocked.txt" set
}

slow() {
	record /usr/bin/python3 "$case_dir/orders.py" "$built/orders.txt" "$built/blocked.txt" list
}

truth() {
	echo '^PyUnicode_RichCompare$' '^python3'
}
