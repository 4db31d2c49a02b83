# SPDX-License-Identifier: MIT
# Two switchboards ask a service for the telephone numbers of people. In the slow run the service is
# set up to take small letters for capital ones, and then looks through all names of its list and folds
# each of them anew, as it has kept no folded names to look one up in.

about="a service that folds the case of all names for each question"
cause=real
traits="a service with libevent and libunistring and two clients in Python: C, several processes"
packages=(gcc libc6-dev libevent-dev libunistring-dev python3)
half=fresh
says="the cause is find_caseless in phoned: for each question that the clients wait for, it looks through all people of the list, and folds each of their names anew"
told='find_caseless'

build() {
	gcc $stock_flags -o phoned "$case_dir/phoned.c" -levent -lunistring
	python3 "$case_dir/people.py" 48000 people
}

# ask MODE: whether case matters.
ask() {
	record "$case_dir/office.sh" "$built/phoned" "$(free_port)" "$built/people" "$1" 180
	[ "$(grep -c '^180 calls' output)" -eq 2 ]
}

base() {
	ask exact
}

slow() {
	ask caseless
}

truth() {
	echo '^find_caseless$' '^phoned$'
}
