# SPDX-License-Identifier: MIT
# Gives each pallet that comes into a store a free place, whichever, and prints how far the lift went.
# A line is "in PALLET WEIGHT" or "out PALLET"; the number of places is the variable `places`.

BEGIN {
	for (i = 1; i <= places; i++)
		free["row" int(i / 50) "-" i % 50] = i
}

function any_free(place) {
	for (place in free)
		return place
	return ""
}

$1 == "in" {
	place = any_free()
	if (place == "") {
		refused++
		next
	}
	at[$2] = place
	number[$2] = free[place]
	weight[$2] = $3
	way += 2 + int(free[place] / 50)
	delete free[place]
	stored++
}

$1 == "out" && $2 in at {
	free[at[$2]] = number[$2]
	way += 2 + int(number[$2] / 50)
	load += weight[$2]
	delete at[$2]
	delete number[$2]
	delete weight[$2]
}

END {
	printf "%d stored, %d refused, %d kg left again, %d m by lift\n", stored, refused, load, way
}
