# SPDX-License-Identifier: MIT
# A manual's pages are made by make. In the slow run the makefile asks a command for the version by a
# variable that is expanded where it is used, and so once more for each page; in the base by one that
# is expanded once.

about="command in a variable, run for each page"
cause=real
traits="GNU make: client, C, many short processes"
packages=(dpkg-dev gcc make autoconf automake autopoint gettext pkg-config)
half=fresh
says="the cause is that make runs the makefile's \$(shell …) again for each page, and waits for it: func_shell_base"
told='func_shell'

build() {
	fetch_source make-dfsg
	autoreconf -fi
	ac_cv_lib_util_getloadavg=no ./configure --disable-nls --without-guile CFLAGS="$stock_flags"
	make -j"$(nproc)" -C lib
	make -j"$(nproc)" make
}

# make_pages ASSIGNMENT
make_pages() {
	mkdir pages
	seq -f 'Release %.0f of the shop' 100 -1 1 > version
	for ((i = 0; i < 300; i++)); do
		{
			echo "<h1>Page $i of the manual, @VERSION@</h1>"
			seq -f "<p>Article %.0f is sent on the next day, and arrives without damage.</p>" "$i" $((i + 600))
		} > "pages/$i.in"
	done
	cat > Makefile <<-MAKE
		VERSION $1 \$(shell head -n 1 version)
		pages: \$(patsubst %.in,%.html,\$(wildcard pages/*.in))
		%.html: %.in
			@sed 's/@VERSION@/\$(VERSION)/' \$< | fold -s -w 60 > \$@
	MAKE
	sed -i 's/^@sed/\t@sed/' Makefile
	record "$built/make" pages
}

base() {
	make_pages ':='
}

slow() {
	make_pages '='
}

truth() {
	echo '^func_shell_base$' '^make$'
}
