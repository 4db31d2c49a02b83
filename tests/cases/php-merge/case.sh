# SPDX-License-Identifier: MIT
# A report puts each page of orders before those that it has: array_merge in a loop copies all of
# them again and again. In the base it is called once, with all pages.

about="array_merge in a loop"
cause=real
traits="PHP as Debian has it: interpreter, C, one thread, stripped"
packages=(php-cli)
half=worked
says="the cause is php_array_merge: it copies all orders so far for each page put before them"
told='array_merge'

build() {
	:
}

base() {
	record php -n -d memory_limit=512M "$case_dir/report.php" once
}

slow() {
	record php -n -d memory_limit=512M "$case_dir/report.php" loop
}

truth() {
	echo '^php_array_merge$' '^php'
}
