# SPDX-License-Identifier: MIT
# Letters to customers are checked for words that are spelled wrong. In the slow run the list of the
# names of products is missing in the settings, so each such name is a wrong word, and hunspell looks
# for words to suggest instead of it; in the base it has the list. The slow run has fewer letters than
# the base.

about="a list of known words that is not used"
cause=real
traits="hunspell: client, C++, one thread, another amount of work"
packages=(hunspell hunspell-en-us)
half=fresh
says="the cause is Hunspell::suggest, which looks for suggestions for words that are not known"
told='[Ss]uggest'

build() {
	printf '%s\n' Quorvexa Blentorix Zandapril Mirvotane Peltrasyn Hoxatrend Wumbrolyte Kravestin \
		Yoltacore Drumexil Fantovere Glispenta > products
	awk -F/ '$1 ~ /^[a-z][a-z][a-z][a-z]+$/ { print $1 }' /usr/share/hunspell/en_US.dic > words
	awk -v seed=5 '
		FILENAME == "products" { product[products++] = $1; next }
		{ word[words++] = $1 }
		END {
			srand(seed)
			for (i = 0; i < 4000; i++) {
				line = "Dear customer"
				for (j = 0; j < 12; j++)
					line = line " " word[int(rand() * words)]
				if (i % 80 == 7)
					line = line " " product[int(rand() * products)]
				if (i % 1000 == 3)
					line = line " recieveing"
				print line
			}
		}' products words > letters
}

# check LETTERS ARGUMENT…
check() {
	head -n "$1" "$built/letters" > letters
	shift
	record /usr/bin/hunspell -d en_US "$@" -a letters
}

base() {
	check 4000 -p "$built/products"
}

slow() {
	check 3200
}

truth() {
	echo '^Hunspell::suggest(\(.*)?$' '^libhunspell-'
}
