# SPDX-License-Identifier: MIT
# Every other row of each day is asked for by counting the rows before it, one by one and for
# each row again; in the base by its position.

about="XPath that counts all nodes before each node"
cause=real
traits="xmllint: command, C, a library"
packages=(libxml2-utils)
half=fresh
says="the cause is that xmllint's XPath walks back over all the rows before it for each row (xmlXPathNextPrecedingSibling of libxml2)"
told='xmlXPathNextPrecedingSibling'

build() {
	seq 300000 | awk '
		BEGIN { print "<sales>" }
		NR % 1000 == 1 { print "<day>" }
		{ printf "<row><name>article %d</name><price>%d</price></row>\n", $1, $1 * 7 }
		NR % 1000 == 0 { print "</day>" }
		END { print "</sales>" }' > sales.xml
}

base() {
	record xmllint --xpath '//row[position() mod 2 = 0]/price' "$built/sales.xml"
}

slow() {
	record xmllint --xpath '//row[count(preceding-sibling::row) mod 2 = 1]/price' "$built/sales.xml"
}

truth() {
	echo '^xmlXPathNextPrecedingSibling$' '^libxml2[.]so'
}
