# SPDX-License-Identifier: MIT
# Lists of parts are read, of which one is part of another. In the slow run they are nested very deeply,
# and libyaml looks for each of its tokens at all the lists that are still open, as one of them may turn
# out to be a key; in the base as many lists lie side by side.

about="lists nested very deeply"
cause=real
traits="a program with libyaml: C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is yaml_parser_fetch_more_tokens of libyaml: for each token of a deeply nested list it goes through all lists that are open"
told='yaml_parser_fetch_more_tokens|yaml_parser_stale_simple_keys'

build() {
	mkdir source
	(
		cd source
		fetch_source libyaml
	)
	gcc $stock_flags -Isource/include -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 \
		'-DYAML_VERSION_STRING="0.2.5"' -o parts "$case_dir/parts.c" source/src/*.c
}

# count DEPTH LISTS: so many lists, each of them nested so deeply.
count() {
	awk -v depth="$1" -v lists="$2" 'BEGIN {
		print "parts:"
		for (i = 0; i < lists; i++) {
			printf "- "
			for (j = 0; j < depth; j++)
				printf "[a" j % 10 ", "
			for (j = 0; j < depth; j++)
				printf "]"
			print ""
		}
	}' > parts.yaml
	record "$built/parts" parts.yaml
	grep -q '^[0-9]* parts$' output
}

base() {
	count 10 60000
}

slow() {
	count 900 660
}

truth() {
	echo '^(yaml_parser_fetch_more_tokens|yaml_parser_stale_simple_keys)$' '^parts$'
}
