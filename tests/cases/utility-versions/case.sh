# SPDX-License-Identifier: MIT
# The translation of a program is brought up to date with its new messages. For each message that was
# changed msgmerge up to 0.17 compares all old ones with it, one after another; 0.18 asks an index for
# those that are alike ("up to 10 times faster", says its NEWS). The second msgmerge takes the old
# way, which is still in the source.

about="two versions of msgmerge, one without the index of similar messages"
cause=real
traits="msgmerge of GNU gettext: two versions by their file names, C, one thread"
packages=(dpkg-dev g++ gcc make)
half=fresh
says="the cause is message_list_search_fuzzy, in msgmerge-0.17: it compares each changed message with all messages of the old translation, one after another"
told='message_list_search_fuzzy|definitions_search_fuzzy'

build() {
	fetch_source gettext
	cd gettext-tools
	./configure --disable-shared --disable-nls --disable-openmp --disable-java --disable-csharp \
		--disable-curses --disable-dependency-tracking --with-included-libxml \
		--with-included-libunistring --without-emacs --without-git CFLAGS="$stock_flags"
	make -j"$(nproc)" -C gnulib-lib
	make -C libgettextpo textstyle.h
	make_version 0.18
	sed -i '/^definitions_search_fuzzy/,/^}/s/if (false)/if (true)/' src/msgmerge.c
	rm src/msgmerge-msgmerge.o
	make_version 0.17
	! cmp -s "$built/msgmerge-0.17" "$built/msgmerge-0.18"
	make_messages
}

make_version() {
	make -C src msgmerge
	mv src/msgmerge "$built/msgmerge-$1"
}

# shop.pot has the messages of the program as it is now, de.po those of last year with translations,
# as good as they may be; a third of the messages was changed. Some are short, some are a paragraph.
make_messages() {
	awk -v old="$built/de.po" -v new="$built/shop.pot" '
		function random(limit) {
			state = (state * 69069 + 12345) % 2147483648
			return int(state / 256) % limit
		}
		function word(  i, text) {
			for (i = random(3); i >= 0; i--)
				text = text syllables[1 + random(40)]
			return text
		}
		function message(  i, text) {
			if (random(8) == 0) {
				for (i = 8 + random(12); i > 0; i--)
					text = text words[random(300)] " "
				return text word() "."
			}
			text = phrases[1 + random(12)]
			while (sub(/_/, word(), text))
				continue
			return text
		}
		function write(file, number, id, translation) {
			printf "#: src/part%d.c:%d\n", number % 40, number > file
			printf "msgid \"%s\"\nmsgstr \"%s\"\n\n", id, translation > file
		}
		BEGIN {
			split("bar ber con dan den ers fil gat hol ind kap lin lor mas mel nam net nor opt " \
				"par per rel rin rol sam sel sin tal tem tin tor tra und ven ver vil wer win " \
				"zug zus", syllables)
			split("The _ of this order was not found in _|Cannot write _: the disk of _ is full|" \
				"Please choose another _ for the _ of this parcel|Remove _|" \
				"_ has been moved to the shelf of _|Send a _ to _|No _ without a _|" \
				"The _ must be signed by _ before it is sent to _|%d _ of _ are missing|" \
				"Show the _ of all _ of this year|Copy the _ from _ to _|" \
				"_ and _ belong to another customer, who has no _ yet", phrases, "|")
			state = 7
			for (i = 0; i < 300; i++)
				words[i] = word()
			header = "Language: de\\nContent-Type: text/plain; charset=UTF-8\\n" \
				"Content-Transfer-Encoding: 8bit\\n"
			write(old, 0, "", header)
			write(new, 0, "", header)
			while (number < 5500) {
				text = message()
				if (seen[text]++)
					continue
				write(old, ++number, text, "de: " text)
				if (number % 3 == 1) {
					sub(/the/, "your", text)
					text = text "!"
				}
				write(new, number, text, "")
			}
		}'
}

# merge NUMBER: by the msgmerge of this number.
merge() {
	record "$built/msgmerge-$1" --quiet -o merged.po "$built/de.po" "$built/shop.pot"
	[ "$(grep -c '^#, fuzzy' merged.po)" -gt 1800 ]
}

base() {
	merge 0.18
}

slow() {
	merge 0.17
}

truth() {
	echo '^(message_list_search_fuzzy(_inner)?|definitions_search_fuzzy)$' '^msgmerge-0[.]17$'
}
