# SPDX-License-Identifier: MIT
# Texts are looked through for mistakes. In the slow run the spelling checker is asked for what to write
# instead, and the text, which is shorter, was scanned badly, so that many words are unknown: it looks for
# like ones of the whole dictionary for each. In the base hardly any are.

about="suggestions for many unknown words, in less text"
cause=real
traits="hunspell: command, C++, one thread"
packages=(dpkg-dev g++ hunspell-en-us make)
half=fresh
says="the cause is that hunspell looks for words to suggest (HunspellImpl::suggest) for each unknown word, of which the text has many, though it is shorter"
told='suggest|ngram'

build() {
	fetch_source hunspell
	./configure --disable-nls --disable-shared --enable-static CXXFLAGS="$stock_flags"
	make -j"$(nproc)" -C src
}

# check WORDS PART: so many words of the dictionary, of which one of so many has a mistake.
check() {
	sed -n '2,$s:/.*::p' /usr/share/hunspell/en_US.dic | grep -E '^[a-z]{5,9}$' |
		awk -v words="$1" -v part="$2" '{ word[NR] = $0 }
			END {
				for (i = 0; i < words; i++) {
					text = word[i * 7919 % NR + 1]
					if (i % part == 0)
						text = substr(text, 1, 2) "x" substr(text, 4)
					print text
				}
			}' > text
	record "$built/src/tools/hunspell" -d /usr/share/hunspell/en_US -a text
	grep -q '^[&#*+-]' output
}

base() {
	check 24000 4000
}

slow() {
	check 12000 300
}

truth() {
	echo '^HunspellImpl::suggest' '^hunspell$'
}
