# SPDX-License-Identifier: MIT
# A warehouse's orders are booked one after another, and an order that the stock has not enough for
# is taken back. In the slow run a copy of the whole stock, made by way of JSON, is kept for that with
# each order; in the base only the amounts that this order has changed.

about="a copy by way of JSON for each order"
cause=real
traits="a script with objects: JavaScript, Node.js"
packages=(nodejs)
half=fresh
says="the cause is bookOrders: for each order it copies the whole stock with JSON.parse and JSON.stringify"
told='bookOrders'

build() {
	:
}

book() {
	record node --perf-basic-prof --interpreted-frames-native-stack "$case_dir/warehouse.js" "$1"
	grep -q '^sum [0-9a-f]*: [0-9]* orders booked' output
}

base() {
	book amounts
}

slow() {
	book stock
}

truth() {
	echo '(^|[^A-Za-z])bookOrders($|[^A-Za-z])' 'anon'
}
