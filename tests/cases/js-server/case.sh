# SPDX-License-Identifier: MIT
# A server writes the prices of a page with toLocaleString and options, which makes a formatter of
# the language's rules for each of them. In the base one formatter is made when the server starts.

about="a formatter of prices made for each price"
cause=real
traits="an HTTP server: JavaScript, Node.js"
packages=(nodejs)
half=fresh
says="the cause is priceList: for each price it calls toLocaleString with options, which makes a new formatter"
told='priceList'

build() {
	:
}

get_prices() {
	local port
	port=$(free_port)
	serve "$port" node --perf-basic-prof --interpreted-frames-native-stack \
		"$case_dir/shop.js" "$port" "$1"
	get "$port" 150 /prices Accept-Encoding:gzip
	end_server
}

base() {
	get_prices once
}

slow() {
	get_prices each
}

truth() {
	echo '(^|[^A-Za-z])priceList($|[^A-Za-z])' 'anon'
}
