# SPDX-License-Identifier: MIT
# A filter looks at all requests of a log for such as try to break in. In the slow run one of its rules
# has two .* one after the other before an equals sign, as the rule had that once took down a large
# network; the base has the rule without them. Both find the same.

about="a rule's regular expression that tries all ways to divide a line"
cause=real
traits="Ruby, Debian's own, and a script: C, one thread"
packages=(ruby)
stack_bytes=32768
half=fresh
says="the cause is a regular expression of the filter's rules, with which onig_search tries all ways to divide a request's line"
told='onig_|match_at|rb_reg_|regular expression'

build() {
	awk 'BEGIN {
		for (i = 0; i < 140000; i++) {
			line = "10.0." i % 7 "." i * 31 % 251 " GET /shop/articles/" i * 7919 % 99991
			if (i % 110 == 0)
				line = line "?session=" i * 13 % 100003 "_and_sorted_by_price"
			if (i % 5003 == 0)
				line = line "&comment=%3Cscript%3Ealert%281%29"
			print line
		}
	}' > requests.log
}

filter() {
	record ruby "$case_dir/filter.rb" "$built/requests.log" "$1"
	grep -q '^140000 requests, 28 refused' output
}

base() {
	filter new
}

slow() {
	filter old
}

truth() {
	echo '^onig_search$' '^libruby'
}
