# SPDX-License-Identifier: MIT
# The day's receipts of a shop are summed up by groups of goods. In the slow run the articles are a list
# of pairs, as they were read from their file, which is searched for each item of a receipt; in the
# base they have been made a map.

about="articles searched in a list for each item of a receipt"
cause=real
traits="a program with lists and maps: Erlang, one process and the threads of its machine"
packages=(erlang-base)
half=fresh
says="the cause is till:find_article: for each item of a receipt it walks the list of all articles"
told='till:find_article'

build() {
	erlc "$case_dir/till.erl"
}

# sum_up KIND: with the articles as a list or as a map.
sum_up() {
	record erl +JPperf true +S 1:1 -noshell -pa "$built" -run till main "$1"
	grep -q '^sum 170244653 of 340000 items' output
}

base() {
	sum_up map
}

slow() {
	sum_up list
}

truth() {
	echo 'till:find_article' 'jit'
}
