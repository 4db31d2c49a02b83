#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What scripts/check and scripts/demo share, on a small project that behaves as those of autoconf do: a
# clone in which somebody has built before is as good as a fresh one, and stays as it is.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cd "$tmp" || exit 99
mkdir -p clone/scripts clone/src
cp "$ITP_SOURCE_DIR/scripts/lib.sh" clone/scripts/
echo hello >clone/src/hello.txt
cat >clone/configure <<'END'
#!/bin/sh
srcdir=$(dirname "$0")
if [ "$(cd "$srcdir" && pwd)" != "$(pwd)" ] && [ -f "$srcdir/config.status" ]; then
	echo 'configure: error: source directory already configured; run "make distclean" there first' >&2
	exit 1
fi
touch config.status
cat >Makefile <<EOF
VPATH = $srcdir
prefix = ${1#--prefix=}
all: product
product: src/hello.txt
	cat \$< >product
install:
	mkdir -p \$(prefix) && cp product \$(prefix)/
distclean:
	rm -f product config.status Makefile
EOF
END
chmod +x clone/configure

# build BUILD-DIR as the scripts do.
build() {
	bash -c '. "$1/clone/scripts/lib.sh"; build_and_install "$2" "$2/prefix"' - "$tmp" "$1" >log.txt 2>&1
	echo "$? $(cat "$1/prefix/product" 2>&1)"
}

is "a fresh clone is built" "$(build "$tmp/fresh")" "0 hello"

# Somebody builds in the clone, and in a directory in it, and then goes on.
(cd clone && ./configure && make && mkdir other && touch other/config.status) >log.txt 2>&1
echo 'large' >clone/other/object
echo 'my own' >clone/notes.txt
echo 'hello again' >clone/src/hello.txt
(cd clone && find . -type f -exec md5sum {} + | sort) >before.txt
is "so is one in which somebody has built, with what is new in it" "$(build "$tmp/elsewhere")" "0 hello again"
is "what was built there is not taken for what is to be built" \
	"$(cd elsewhere/source && find . -type f | sort | tr '\n' ' ')" \
	"./configure ./notes.txt ./scripts/lib.sh ./src/hello.txt "
is "and is left as it was" "$(cd clone && find . -type f -exec md5sum {} + | sort | diff - ../before.txt)" ""
echo more >clone/scripts/extra.txt
is "also from a directory in it" "$(build "$tmp/clone/build")" "0 hello again"
ok "with what is beside it" [ -e clone/build/source/scripts/extra.txt ]
echo 'hello at last' >clone/src/hello.txt
rm clone/scripts/extra.txt
is "and once more" "$(build "$tmp/clone/build")" "0 hello at last"
ok "without what is there no more" [ ! -e clone/build/source/scripts/extra.txt ]
is "or in place" "$(build "$tmp/clone")" "0 hello at last"

done_testing
