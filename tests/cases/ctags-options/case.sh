# SPDX-License-Identifier: MIT
# The tags of a source tree are made. In the slow run the options have kept the regular expressions
# for the macros of other projects, each of which is tried at each line; in the base they have the
# one for this project's. The tags are the same.

about="options with expressions for other projects"
cause=real
traits="Exuberant Ctags: client, C, one thread"
packages=(dpkg-dev gcc make autoconf)
half=fresh
says="the cause is the regular expressions in ctags' options: matchRegex tries each of them at each line"
told='matchRegex|regexec|re_search|regular expression'

build() {
	fetch_source exuberant-ctags
	./configure CFLAGS="$stock_flags" || { autoreconf -fi && ./configure CFLAGS="$stock_flags"; }
	make -j"$(nproc)" ctags
}

# tag EXPRESSION…: with these options beside the project's own.
tag() {
	local expression
	mkdir tree
	awk 'BEGIN {
		for (i = 0; i < 4000; i++) {
			print "static int order_" i "(struct order *order, const char *name, unsigned amount)\n{"
			print "\tunsigned i, sum = 0; /* what is left after " i " orders of this customer */\n"
			print "\tfor (i = 0; i < amount && name[i] != 0; i++)"
			print "\t\tsum += order->lines[i].amount * order->lines[i].price + " i ";"
			print "\torder->sum = sum > order->most ? order->most : sum;"
			print "\treturn sum == 0 ? -1 : (int)sum;\n}\n"
			if (i % 100 == 0)
				print "SHOP_HANDLER(handle_" i ", order_" i ");\n"
		}
	}' > orders.c
	for ((i = 0; i < 30; i++)); do
		cp orders.c "tree/orders$i.c"
	done
	printf '%s\n' '--regex-C=/^SHOP_HANDLER\(([a-z0-9_]+)/\1/h,handler/' > options
	for expression in "$@"; do
		printf '%s\n' "--regex-C=/$expression/\\2/h,handler/"
	done >> options
	record "$built/ctags" --options=options --sort=yes -R -f tags tree
}

base() {
	tag
}

slow() {
	tag '(EXPORT|DECLARE)_SYMBOL\(([a-z0-9_]+)' '(NS|PHP)_METHOD\(([a-z0-9_]+)' \
		'(PG|ZEND)_FUNCTION\(([a-z0-9_]+)' '(DEF|SUB)UN\(([a-z0-9_]+)' \
		'(TEST|CASE)_F\(([a-z0-9_]+)'
}

truth() {
	echo '^matchRegex$' '^ctags$'
}
