# SPDX-License-Identifier: MIT
# Orders are collected by customer. In the slow run each one is appended to its customer's list, which
# copies the list; in the base it is put in front, and the lists are turned round at the end.

about="items appended to lists"
cause=real
traits="a program that collects orders: OCaml, one thread"
packages=(ocaml-nox)
half=fresh
says="the cause is add_order: it appends each order to the list of its customer, which copies all of the list"
told='add_order'

build() {
	cp "$case_dir/orders.ml" .
	ocamlopt -inline 0 orders.ml -o orders
}

base() {
	record "$built/orders" front
	grep -q '^sum ' output
}

slow() {
	record "$built/orders" end
	grep -q '^sum ' output
}

truth() {
	echo '^camlOrders__add_order' '^orders$'
}
