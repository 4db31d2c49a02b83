# SPDX-License-Identifier: MIT
# Lists of revoked certificates are decoded and printed. To come from an entry back to the list that
# holds it, libtasn1 up to 4.19 goes through all entries before it; 4.20 remembers the list
# (CVE-2024-12133, as Debian's 4.19 has it too). The second asn1Decoding is of the same source with
# that change taken out.

about="two versions of asn1Decoding, the fix of a quadratic step reverted"
cause=real
traits="asn1Decoding with libtasn1: two versions by their file names, C, several processes"
packages=(dpkg-dev gcc make openssl)
half=fresh
says="the cause is asn1_der_decoding2, in asn1Decoding-4.19: after each entry of a list it goes back through all entries before, in _asn1_find_up, to come to the list"
told='asn1_der_decoding2|_asn1_find_up'

build() {
	fetch_source libtasn1-6
	[ "$(grep -c 'tcache.tail == p' lib/decoding.c)" = 1 ]
	./configure --disable-shared --disable-doc --disable-dependency-tracking CFLAGS="$stock_flags"
	make_version 4.20
	sed -i '/^\t  if (tcache[.]tail == p)$/,/^\t  else$/d' lib/decoding.c
	[ "$(grep -c 'tcache.tail == p' lib/decoding.c)" = 0 ]
	make_version 4.19
	! cmp -s asn1Decoding-4.19 asn1Decoding-4.20
	make_lists
}

make_version() {
	make -j"$(nproc)" -C lib
	make -j"$(nproc)" -C src
	mv src/asn1Decoding "asn1Decoding-$1"
}

# An authority's lists of the certificates that it has taken back, one for each day of a month.
make_lists() {
	local day
	cat > authority.conf <<- 'END'
		[ca]
		default_ca = authority
		[authority]
		database = index
		default_md = sha256
		default_crl_days = 30
	END
	openssl req -x509 -newkey rsa:2048 -nodes -subj '/O=Example/CN=Authority' \
		-keyout authority.key -out authority.pem
	mkdir lists
	for day in $(seq -w 30); do
		revoked "$day" > index
		openssl ca -config authority.conf -gencrl -keyfile authority.key -cert authority.pem |
			openssl crl -outform DER -out "lists/2021-04-$day.crl"
	done
}

# revoked DAY: those of a day, as openssl has them in its database.
revoked() {
	awk -v day="$1" 'BEGIN {
		for (i = 0; i < 11000; i++)
			printf "R\t240501000000Z\t2104%s%02d%02d%02dZ\t%s%08X\tunknown\t/CN=host-%d\n", day,
				i / 500, i / 10 % 60, i % 60, day, i * 7919, i
	}'
}

# decode NUMBER: the lists, by the asn1Decoding of this number, which writes each at once.
decode() {
	# shellcheck disable=SC2016 # for sh
	record stdbuf -o 4M sh -c \
		'for list in "$2"/*; do "$0" "$1" "$list" PKIX1Implicit88.CertificateList || exit; done' \
		"$built/asn1Decoding-$1" "$built/examples/pkix.asn" "$built/lists"
	[ "$(grep -c 'Decoding: SUCCESS' output)" = 30 ]
}

base() {
	decode 4.20
}

slow() {
	decode 4.19
}

truth() {
	echo '^asn1_der_decoding2$' '^asn1Decoding-4[.]19$'
}
