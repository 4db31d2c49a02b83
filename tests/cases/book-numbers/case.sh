# SPDX-License-Identifier: MIT
# The articles of a catalogue are printed with their numbers in the chapter. The new style sheet has
# them counted (xsl:number level="any"), for which libxslt walks from each article back to where the
# chapter begins; the old one takes the position, which is known. The catalogue of the slow run has
# fewer articles than the base's.

about="numbers counted from the beginning each time"
cause=real
traits="xsltproc: client, C, one thread, another amount of work"
packages=(xsltproc)
half=fresh
says="the cause is xsltNumberFormat, which counts all articles of the chapter before it for each article (xsl:number)"
told='xsltNumberFormat|xsl:number'

# catalogue ARTICLES
catalogue() {
	awk -v articles="$1" 'BEGIN {
		print "<catalogue>"
		for (i = 0; i < articles; i++) {
			if (i % 500 == 0)
				print (i ? "</chapter>" : "") "<chapter>"
			printf "<article><name>Thing  no %d of %d</name><price>%d</price></article>\n",
				i * 7919 % 10007, i % 97, i * 31 % 5000
		}
		print "</chapter></catalogue>"
	}'
}

build() {
	catalogue 50000 > large.xml
	catalogue 40000 > small.xml
}

base() {
	record /usr/bin/xsltproc -o list.txt "$case_dir/position.xsl" "$built/large.xml"
}

slow() {
	record /usr/bin/xsltproc -o list.txt "$case_dir/number.xsl" "$built/small.xml"
}

truth() {
	echo '^xsltNumberFormat$' '^libxslt\.so'
}
