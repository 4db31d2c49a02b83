# SPDX-License-Identifier: MIT
# The people of a mailing list are looked up by address in a directory, and letters to them are
# written. In the slow run the directory has an index of user names only, not of addresses: the server
# then reads all entries for each question. The script waits for ldapsearch, and this for slapd.

about="missing index, in a server that is waited for"
cause=real
traits="OpenLDAP's slapd and ldapsearch: a server and a client, C, several processes"
packages=(dpkg-dev gcc groff-base libsasl2-dev make)
stack_bytes=4096
half=fresh
says="the cause is mdb_search in slapd: for each address that ldapsearch asks for it goes through all entries of the directory, as there is no index"
told='mdb_search'

build() {
	mkdir source
	(
		cd source
		fetch_source openldap
		./configure --disable-shared --enable-static --without-tls --disable-relay --disable-syncprov \
			CFLAGS="$stock_flags"
		make depend
		for part in libraries clients servers; do
			make -j"$(nproc)" -C "$part"
		done
		cp servers/slapd/slapd clients/tools/ldapsearch ..
		mkdir ../schema
		cp debian/schema/{core,cosine,inetorgperson}.schema ../schema
	)
	rm -r source
	awk 'BEGIN {
		print "dn: dc=example\nobjectClass: domain\ndc: example\n"
		for (i = 0; i < 20000; i++) {
			print "dn: uid=u" i ",dc=example\nobjectClass: inetOrgPerson\nuid: u" i
			print "cn: Person " i * 7919 % 20011 "\nsn: " i * 7919 % 20011 "\nou: shop" i % 70
			print "mail: person." i * 7919 % 20011 "@shop" i % 70 ".example\ntelephoneNumber: +49 30 " 100000 + i "\n"
		}
	}' > people.ldif
}

# write_letters INDEX…: with these attributes indexed.
write_letters() {
	local port
	port=$(free_port)
	mkdir people
	{
		printf 'include %s\n' "$built"/schema/{core,cosine,inetorgperson}.schema
		cat <<-CONF
			pidfile $PWD/slapd.pid
			database mdb
			maxsize 268435456
			suffix dc=example
			directory $PWD/people
		CONF
		printf 'index %s eq\n' "$@"
	} > slapd.conf
	"$built/slapd" -T add -q -f slapd.conf -l "$built/people.ldif"
	sed -n 's/^mail: //p' "$built/people.ldif" | awk 'NR % 100 == 0' > addresses
	record bash "$case_dir/letters.sh" "$built/slapd" "$built/ldapsearch" "$port"
	[ "$(zcat letters.gz | grep -c '^To: Person')" -eq 200 ]
}

base() {
	write_letters objectClass uid mail
}

slow() {
	write_letters objectClass uid
}

truth() {
	echo '^mdb_search$' '^slapd$'
}
