# SPDX-License-Identifier: MIT
# Two versions of a list are compared. In the base it is long, and little has changed; in the slow run
# it is a quarter as long, but was sorted anew, so that hardly a line stands where it was.

about="shorter lists, with lines in another order"
cause=real
traits="diff: command, C, one thread"
packages=(dpkg-dev gcc libc6-dev make)
stack_bytes=16384
half=fresh
says="the cause is that diff looks for the way from one list to the other in compareseq (diag), which takes long where nearly all lines have moved"
told='compareseq|diag'

build() {
	mkdir source
	(
		cd source
		fetch_source diffutils
		./configure CFLAGS="$stock_flags"
		make -j"$(nproc)" -C lib
		make -C src version.h
		make -j"$(nproc)" -C src diff
		cp src/diff ..
	)
	rm -r source
	awk 'BEGIN {
		for (i = 0; i < 3600000; i++)
			print "article " i ";" i * 31 % 9973 ";" (i % 50021 == 7 ? "new" : "")
	}' > long.new
	sed 's/;new$/;/' long.new > long.old
	awk 'BEGIN { for (i = 0; i < 36000; i++) print "article " i ";" i * 31 % 9973 ";" }' > short.old
	awk 'BEGIN { for (i = 0; i < 36000; i++) { n = i * 7919 % 36000; print "article " n ";" n * 31 % 9973 ";" } }' > short.new
}

# compare LIST: diff tells by its status that they differ.
compare() {
	# shellcheck disable=SC2016 # for sh
	record sh -c '"$0" --minimal "$1" "$2" > changes || [ $? -eq 1 ]' "$built/diff" \
		"$built/$1.old" "$built/$1.new"
	[ -s changes ]
}

base() {
	compare long
}

slow() {
	compare short
}

# The compiler may make one function of the two.
truth() {
	echo '^(compareseq|diag)$' '^diff$'
}
