# SPDX-License-Identifier: MIT
# The records of shops' tills wait in an array to be booked, one after another. In the slow run each is
# taken out of it with shift(), which moves all that are behind it; in the base a number tells which
# is the next one.

about="a long array as a queue, from which shift() takes"
cause=real
traits="a script with a queue: JavaScript, Node.js"
packages=(nodejs)
half=fresh
says="the cause is bookRecords: it takes each record out of a long array with shift, which moves all the others"
told='bookRecords'

build() {
	:
}

book() {
	record node --perf-basic-prof --interpreted-frames-native-stack "$case_dir/records.js" "$1"
	grep -q '^sum [0-9a-f]*: [0-9]* sales booked' output
}

base() {
	book index
}

slow() {
	book shift
}

truth() {
	echo '(^|[^A-Za-z])bookRecords($|[^A-Za-z])' 'anon'
}
