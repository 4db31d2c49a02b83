# SPDX-License-Identifier: MIT
# The module that compresses answers is slow.

about="delay in deflate_out_filter"
cause=injected
traits="Apache with a plug-in: server, C, several threads and processes"

# shellcheck source-path=SCRIPTDIR source=../apache.sh
. "$cases/apache.sh"

build() {
	need apache
	delayed_module modules/filters/mod_deflate.c deflate_out_filter 5000 -lz
}

get_compressed() {
	local port
	port=$(free_port)
	mkdir html
	seq 20000 > html/numbers.txt
	serve_apache "$port" "mime filter $1" "TypesConfig /dev/null
		AddType text/plain .txt
		SetOutputFilter DEFLATE"
	get "$port" 120 /numbers.txt Accept-Encoding:gzip
	end_server
}

base() {
	get_compressed deflate
}

slow() {
	get_compressed "deflate=$built/mod_deflate.so"
}

truth() {
	echo '^deflate_out_filter$' '^mod_deflate\.so$'
}
