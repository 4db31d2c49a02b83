# SPDX-License-Identifier: MIT
# A log's visitors are counted once each. In the slow run those who were seen are looked up in an
# array, all of which is read for whoever is new; in the base in a set.

about="Array.includes in a loop"
cause=real
traits="a program with arrays: JavaScript, Node.js"
packages=(nodejs)
half=worked
says="the cause is unique: it looks each visitor up in an array of all that were seen"
told='unique'

build() {
	:
}

base() {
	record node --perf-basic-prof "$case_dir/visitors.js" set
}

slow() {
	record node --perf-basic-prof "$case_dir/visitors.js" array
}

truth() {
	echo '(^|[^A-Za-z])unique($|[^A-Za-z])' 'anon'
}
