# SPDX-License-Identifier: MIT
# A calendar of a year is printed from the rents of flats. In the slow run the file has a variable for
# each flat's rent, where it had one for each house: remind keeps variables in 64 lists, and goes through
# one of them for each that it sets or reads. There are only two thirds of the reminders.

about="thousands of variables in a few lists, of fewer reminders"
cause=real
traits="remind: command, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is that remind goes through a long list of variables for each one that it sets or reads (FindVar), as the file has thousands of them, though it has fewer reminders"
told='FindVar'

build() {
	fetch_source remind
	./configure CFLAGS="$stock_flags"
	make -C src remind
}

# print_year REMINDERS VARIABLES
print_year() {
	awk -v reminders="$1" -v variables="$2" 'BEGIN {
		for (i = 0; i < variables; i++)
			print "SET rent" i * 7919 % 100000 " " 400 + i * 7919 % 997
		split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", month)
		for (i = 0; i < reminders; i++)
			print "REM " i % 28 + 1 " " month[i % 12 + 1] " MSG Flat " i " pays [rent" \
				i % variables * 7919 % 100000 "] EUR"
	}' > rents.rem
	record "$built/src/remind" -s12 rents.rem 2026-01-01
	[ "$(grep -c 'pays [1-9]' output)" -eq "$1" ]
}

base() {
	print_year 6000 40
}

slow() {
	print_year 4000 3600
}

truth() {
	echo '^FindVar$' '^remind$'
}
