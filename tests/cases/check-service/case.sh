# SPDX-License-Identifier: MIT
# Two shops have the numbers of cards checked by a service. In the slow run this makes a regular
# expression anew for each question; in the base it has made it when it began.

about="a regular expression made for each question"
cause=real
traits="a service on a Unix socket and its clients: C++, several processes"
packages=(g++)
half=fresh
says="the cause is check_number in cardd: it makes its regular expression anew for each question, for whose answer the shops wait"
told='check_number'

build() {
	for kind in base slow; do
		mkdir "$kind"
	done
	# shellcheck disable=SC2086 # several flags
	g++ $stock_flags -o base/cardd "$case_dir/cardd.cpp"
	# shellcheck disable=SC2086 # several flags
	g++ $stock_flags -DMADE_EACH_TIME -o slow/cardd "$case_dir/cardd.cpp"
	# shellcheck disable=SC2086 # several flags
	g++ $stock_flags -o shop "$case_dir/shop.cpp"
}

check_cards() {
	record bash "$case_dir/day.sh" "$built/$1/cardd" "$built/shop"
	[ "$(grep -c '^9000 cards, 4500 good' output)" = 2 ]
}

base() {
	check_cards base
}

slow() {
	check_cards slow
}

truth() {
	echo '^check_number' '^cardd$'
}
