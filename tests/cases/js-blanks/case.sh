# SPDX-License-Identifier: MIT
# Remarks of a shop's customers, as an old database gives them out, lose the blanks at the ends of
# their lines by a regular expression, /\s+$/. In the slow run some of them have many blanks in the
# middle of a line, from each of which on the expression is tried; in the base as many, but spread.

about="a regular expression for blanks at the end, and many in the middle"
cause=real
traits="a script with regular expressions: JavaScript, Node.js"
packages=(nodejs)
half=fresh
says="the cause is cleanRemarks: its regular expression for blanks at the end of a line is tried again from each blank in the middle"
told='cleanRemarks'

build() {
	:
}

clean() {
	record node --perf-basic-prof --interpreted-frames-native-stack "$case_dir/remarks.js" "$1"
	grep -q '^sum [0-9a-f]*: [0-9]* remarks' output
}

base() {
	clean spread
}

slow() {
	clean together
}

truth() {
	echo '(^|[^A-Za-z])cleanRemarks($|[^A-Za-z])' 'anon'
}
