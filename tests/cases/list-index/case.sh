# SPDX-License-Identifier: MIT
# Orders are read with cJSON, and their totals added up. The library keeps an array as a list; in the
# slow run the program asks for each order by its number, for which the list is walked from its
# beginning; in the base it goes from one to the next.

about="a list asked for its items by their numbers"
cause=real
traits="a program with cJSON: C, one thread"
packages=(dpkg-dev gcc libc6-dev)
stack_bytes=2048
half=fresh
says="the cause is total_of_orders: it asks cJSON for each order by its number, for which the list is walked from its beginning"
told='total_of_orders'

build() {
	mkdir source
	(
		cd source
		fetch_source cjson
		cp cJSON.c cJSON.h ..
	)
	rm -r source
	gcc $stock_flags -I. -o orders "$case_dir/orders.c" cJSON.c -lm
	awk 'BEGIN {
		printf "["
		for (i = 0; i < 24000; i++)
			printf "%s\n{\"order\": %d, \"customer\": \"customer %d\", \"cents\": %d}", i ? "," : "", i,
				i * 7919 % 9973, i * i % 97701
		print "]"
	}' > orders.json
}

base() {
	record "$built/orders" next 24 "$built/orders.json"
	grep -q '^24000 orders' output
}

slow() {
	record "$built/orders" number 24 "$built/orders.json"
	grep -q '^24000 orders' output
}

truth() {
	echo '^total_of_orders$' '^orders$'
}
