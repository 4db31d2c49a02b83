# SPDX-License-Identifier: MIT
# A report of a site's visits keeps the networks of the last addresses in a map. When that is full, the
# slow run puts all of its keys into an array to take the first of them, the oldest, out of the map; the
# base asks for the first key alone.

about="all keys of a cache listed to find the oldest"
cause=real
traits="a script with a cache: JavaScript, Node.js"
packages=(nodejs)
half=fresh
says="the cause is addNetworks: for each address that its full cache does not know it makes an array of all keys to find the oldest one"
told='addNetworks'

build() {
	:
}

report_visits() {
	record node --perf-basic-prof --interpreted-frames-native-stack "$case_dir/visits.js" "$1"
	grep -q '^sum [0-9a-f]*: [0-9]* addresses looked up' output
}

base() {
	report_visits first
}

slow() {
	report_visits all
}

truth() {
	echo '(^|[^A-Za-z])addNetworks($|[^A-Za-z])' 'anon'
}
