# SPDX-License-Identifier: MIT
# A program turns the lines of orders into JSON, by cJSON. Before 1.7.13 cJSON went from the first item
# of an array to its last one to add another; since then the first one knows the last. The second
# program has that change taken out.

about="two versions of a program with cJSON, the fix of a quadratic step reverted"
cause=real
traits="a program with cJSON: C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is add_item_to_array, of cJSON in orders-2.3: for each item that is added to an array it goes through all items before it"
told='add_item_to_array|cJSON_AddItemToArray'

build() {
	mkdir source
	(
		cd source
		fetch_source cjson
	)
	make_program 2.4
	sed -i '/^static cJSON_bool add_item_to_array/,/^}/{
		/if (child->prev)/i\        while (child->next) {\n            child = child->next;\n        }
		s/if (child->prev)/if (child)/
		s/suffix_object(child->prev, item)/suffix_object(child, item)/
		/array->child->prev = item/d
	}' source/cJSON.c
	grep -q 'child = child->next;' source/cJSON.c
	make_program 2.3
	! cmp -s orders-2.3 orders-2.4
	awk 'BEGIN {
		for (i = 0; i < 42000; i++)
			print i ";" i * 7919 % 99991 ";item " i * 31 % 977 ";" i * 17 % 4001
	}' > orders.csv
}

# make_program VERSION
make_program() {
	# shellcheck disable=SC2086 # flags are words
	gcc $stock_flags -Isource -o "orders-$1" "$case_dir/orders.c" source/cJSON.c -lm
}

base() {
	record "$built/orders-2.4" "$built/orders.csv" orders.json
}

slow() {
	record "$built/orders-2.3" "$built/orders.csv" orders.json
}

truth() {
	echo '^(add_item_to_array|cJSON_AddItemToArray)$' '^orders-2[.]3$'
}
