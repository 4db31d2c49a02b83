# SPDX-License-Identifier: MIT
# Mails that are to be looked at are told by file, from a list of phrases that begin them or are somewhere
# in them. In the slow run the list says that small letters stand for capital ones, too ("search/65536/c"):
# file then compares each phrase at each byte, where it had memmem() search for it. There is
# only a seventh of the mails.

about="phrases searched without regard to case, of fewer files"
cause=real
traits="file: command with libmagic, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
stack_bytes=4096
half=fresh
says="the cause is that file compares each phrase of its list with the text at every byte (file_strncmp, called by magiccheck), as the list asks for no regard to case, though there are fewer files"
told='magiccheck|file_strncmp'

build() {
	fetch_source file
	./configure --disable-shared --enable-static --disable-libseccomp --disable-zlib \
		--disable-bzlib --disable-xzlib --disable-zstdlib --disable-lzlib CFLAGS="$stock_flags"
	make -j"$(nproc)" -C src
	make_list '' > exact.magic
	make_list /c > any-case.magic
}

# make_list FLAGS: a phrase in each line.
make_list() {
	local phrase
	while read -r phrase; do
		printf '0\tsearch/65536%s\t%s\tmail with "%s"\n' "$1" "${phrase// /\\ }" "$phrase"
	done <<- END
		account suspended
		act now
		bank account
		bitcoin wallet
		cash bonus
		click here
		confidential
		credit card
		dear friend
		free trial
		gift card
		inheritance
		invoice overdue
		kindly reply
		limited offer
		lottery
		million dollars
		no obligation
		password
		private key
		prize
		risk free
		secret
		tax refund
		unsubscribe
		urgent request
		verify your
		western union
		winner
		wire transfer
	END
}

# tell MAILS LIST
tell() {
	mkdir -p mails
	awk -v mails="$1" 'BEGIN {
		for (i = 0; i < mails; i++) {
			mail = "mails/" i
			print "From: shop" i % 97 "\nSubject: bill " i "\n" > mail
			for (j = 0; j < 1000; j++)
				print "article " (i + j) * 7919 % 99991 " for " j * 31 % 997 \
					" EUR, bill of beginning " i * j % 31 ", was delivered" > mail
			if (i % 100 == 0)
				print "Please tell us your password." > mail
			close(mail)
		}
	}'
	record "$built/src/file" -m "$built/$2.magic" mails/*
	[ "$(grep -c 'mail with "password"' output)" -eq $(($1 / 100)) ]
}

base() {
	tell 2100 exact
}

slow() {
	tell 300 any-case
}

# The compiler may make one function of the two.
truth() {
	echo '^(magiccheck|file_strncmp)$' '^file$'
}
