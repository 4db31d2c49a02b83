# SPDX-License-Identifier: MIT
# Addresses and numbers of cards are masked in a log, by regular expressions. In the slow run PHP's
# setting pcre.jit is off, and the expressions are interpreted; in the base they are translated into
# the machine's code.

about="regular expressions not compiled"
cause=real
traits="a script: PHP, one thread, code made at run time in the base"
packages=(php-cli)
half=fresh
says="the cause is pcre2_match_8, which interprets the regular expressions (pcre.jit is off)"
told='pcre2_match|pcre\.jit'

build() {
	awk 'BEGIN {
		srand(3)
		for (i = 0; i < 220000; i++)
			printf "2024-03-%02d order %d of customer no. %d <someone.%d@shop-%d.example.org> card %04d-%04d-%04d-%04d accepted by desk %d\n",
				i % 28 + 1, rand() * 100000, rand() * 100000, rand() * 10000, rand() * 50,
				rand() * 10000, rand() * 10000, rand() * 10000, rand() * 10000, rand() * 20
	}' > log
}

base() {
	record /usr/bin/php -d pcre.jit=1 "$case_dir/mask.php" "$built/log" masked
}

slow() {
	record /usr/bin/php -d pcre.jit=0 "$case_dir/mask.php" "$built/log" masked
}

truth() {
	echo '^pcre2_match_8$' '^libpcre2-8\.so'
}
