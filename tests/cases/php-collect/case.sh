# SPDX-License-Identifier: MIT
# A worker writes the invoices of many orders. In the slow run it has PHP look for unused cycles of
# objects after each order, to save memory, and each time all customers are walked; in the base after
# each two hundred. The slow run has a twentieth more orders besides.

about="garbage collected after each order"
cause=real
traits="PHP, Debian's own, and a script: C, one thread"
packages=(php-cli)
half=fresh
says="the cause is zend_gc_collect_cycles: the script has PHP collect garbage after each order, and each time all of its objects are walked"
told='gc_collect_cycles|garbage'

write_invoices() {
	record php "$case_dir/invoices.php" "$@"
	grep -q "^$1 invoices" output
}

build() {
	true
}

base() {
	write_invoices 130000 200
}

slow() {
	write_invoices 136000 1
}

truth() {
	echo '^zend_gc_collect_cycles$' '^php8'
}
