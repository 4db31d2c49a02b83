# SPDX-License-Identifier: MIT
# Four threads sort the readings of meters, and note each in one log. In the slow run the log has no
# buffer, as standard error has none, so that each note is written by itself while the others wait for
# the stream's lock; in the base it has one.

about="a log without a buffer, which all threads write to"
cause=real
traits="a program with a stdio stream that threads share: C, several threads"
packages=(gcc)
stack_bytes=4096
half=fresh
says="the cause is note: all threads write to one log without a buffer, and wait for its lock while one of them writes"
told='\bnote\b'

build() {
	gcc $stock_flags -pthread -o meters "$case_dir/meters.c"
}

base() {
	record "$built/meters" buffer notes
}

slow() {
	record "$built/meters" none notes
}

truth() {
	echo '^note$' '^meters$'
}
