# SPDX-License-Identifier: MIT
# The visits of a site are counted by page. In the slow run each visit makes a copy of all counts with
# the spread operator, as reduce is to give a new value; in the base one object is changed.

about="all counts copied with the spread operator for each visit"
cause=real
traits="a script with reduce: JavaScript, Node.js"
packages=(nodejs)
half=fresh
says="the cause is countVisit: it copies all counts for each visit, with the spread operator"
told='countVisit'

build() {
	:
}

count_visits() {
	record node --perf-basic-prof --interpreted-frames-native-stack "$case_dir/visits.js" "$1"
	grep -q '^1200 pages' output
}

base() {
	count_visits changed
}

slow() {
	count_visits copied
}

truth() {
	echo '(^|[^A-Za-z])countVisit($|[^A-Za-z])' 'anon|jit'
}
