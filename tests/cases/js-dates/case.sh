# SPDX-License-Identifier: MIT
# Bookings are sorted by day for a statement. In the slow run the function that compares two of them makes
# dates of their texts each time; in the base that was done once for each.

about="dates parsed in each comparison"
cause=real
traits="a program that sorts bookings: JavaScript, Node.js"
packages=(nodejs)
half=fresh
says="the cause is compareDates: it parses the dates of two bookings anew for each comparison"
told='compareDates'

build() {
	:
}

sort_bookings() {
	record node --perf-basic-prof --interpreted-frames-native-stack "$case_dir/statement.js" "$1"
	grep -q '^first ' output
}

base() {
	sort_bookings once
}

slow() {
	sort_bookings each
}

truth() {
	echo '(^|[^A-Za-z])compareDates($|[^A-Za-z])' 'anon'
}
