# SPDX-License-Identifier: MIT
# Mail comes in four letters at a time, and each has to pass a filter. In the slow run the recipe for
# the filter has a lock file, so that only one letter is filtered at a time: the other procmails sleep
# for a second before they try again. In the base the recipe has none. Each letter is then a file.

about="filter behind a lock file"
cause=real
traits="procmail: client, C, many processes"
packages=(dpkg-dev gcc make perl)
half=fresh
says="the cause is the lock file of the filter's recipe: procmail finds it there, and sleeps for a second each time before it tries again (lockit)"
told='lockit'

build() {
	local options=(CFLAGS0="$stock_flags" LDFLAGS0= LOCKINGTEST=100 SEARCHLIBS=-lm)
	fetch_source procmail
	make "${options[@]}" autoconf.h < /dev/null
	make "${options[@]}" -C src procmail < /dev/null || make "${options[@]}" < /dev/null
	[ -x src/procmail ]
}

# deliver LOCK: with this lock file for the filter, which may be none.
deliver() {
	mkdir -m 700 inbox inbox/new inbox/tmp inbox/cur letters
	cat > rc <<-RC
		SHELL=/bin/sh
		PATH=/usr/bin:/bin
		MAILDIR=$PWD
		DEFAULT=$PWD/inbox/
		LOCKSLEEP=1
		LOGFILE=$PWD/log

		:0 fw$1
		| /usr/bin/perl $case_dir/classify.pl

		:0
		inbox/
	RC
	chmod 600 rc
	for ((i = 0; i < 32; i++)); do
		{
			printf 'From shop@office.example Mon Nov 30 12:00:00 2026\nFrom: shop@office.example\nSubject: Order %d\n\n' "$i"
			seq -f "Article %.0f was sent on the next day, and arrived without damage" "$i" 400
		} > "letters/$i"
	done
	record "$case_dir/deliver" "$built/src/procmail"
}

base() {
	deliver ''
}

slow() {
	deliver ': filter.lock'
}

truth() {
	echo '^lockit$' '^procmail$'
}
