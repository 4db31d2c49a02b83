# SPDX-License-Identifier: MIT
# A script works out plans of payments. In the slow run the expression of each month's interest is not
# in braces: Tcl puts the numbers into its text before expr sees it, so that each time it is another
# text, which is parsed and compiled again. In the base it is in braces, and compiled with the script.

about="an expression without braces"
cause=real
traits="Tcl: interpreter in a library, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is CompileExprObj of libtcl8.6.so: the text of an expression is parsed and compiled anew each time that the script works it out"
told='CompileExprObj|TclCompileExpr'

build() {
	fetch_source tcl8.6
	cd unix
	./configure --enable-shared --enable-threads CFLAGS="$stock_flags"
	make -j"$(nproc)" tclsh
}

plan() {
	export LD_LIBRARY_PATH=$built/unix TCL_LIBRARY=$built/library
	record "$built/unix/tclsh" "$case_dir/loans.tcl" "$1"
	grep -qx "total 4022676345" output
}

base() {
	plan braced
}

slow() {
	plan plain
}

truth() {
	echo '^CompileExprObj$' '^libtcl8[.]6[.]so'
}
