# SPDX-License-Identifier: MIT
# A token that comes in many pieces is parsed from its beginning with each of them: the bug of
# CVE-2023-52425, put back by taking Debian's patch for it out again. Later patches are out in both.

about="large tokens parsed again and again, the fix reverted"
cause=real
traits="Expat's xmlwf: client, C, one thread"
packages=(dpkg-dev gcc patch)
quick=yes

build() {
	local patches
	fetch_source expat
	mapfile -t patches < <(sed '1,/CVE-2023-52425/d' debian/patches/series | tac)
	take_out "${patches[@]}"
	cp -r expat base
	take_out "$(grep CVE-2023-52425 debian/patches/series)"
	cp -r expat slow
	compile base
	compile slow
}

take_out() {
	local name
	for name in "$@"; do
		patch -R -f -s -p1 < "debian/patches/$name"
	done
}

compile() {
	(
		cd "$1"
		printf '#define %s\n' 'BYTEORDER 1234' 'XML_CONTEXT_BYTES 1024' 'XML_DTD 1' 'XML_NS 1' \
			'XML_GE 1' 'HAVE_GETRANDOM 1' 'HAVE_UNISTD_H 1' 'XML_DEV_URANDOM 1' \
			'PACKAGE "expat"' 'VERSION "2"' > expat_config.h
		gcc $stock_flags -DHAVE_EXPAT_CONFIG_H -I. -Ilib -o xmlwf.bin \
			lib/xmlparse.c lib/xmltok.c lib/xmlrole.c xmlwf/{xmlwf,xmlfile,codepage,unixfilemap}.c
		mv xmlwf.bin xmlwf/xmlwf
	)
}

# In pieces of what read returns at once, not mapped as a whole.
check() {
	{
		printf '<notes><!--'
		head -c 2500000 /dev/zero | tr '\0' n
		printf -- '--></notes>'
	} > notes.xml
	record "$built/$1/xmlwf/xmlwf" -r notes.xml
}

base() {
	check base
}

slow() {
	check slow
}

truth() {
	echo '^XML_ParseBuffer$' '^xmlwf$'
}
