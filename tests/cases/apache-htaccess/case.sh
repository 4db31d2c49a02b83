# SPDX-License-Identifier: MIT
# Each request looks for settings in every directory above the file, and reads those it finds. In
# the base it is told not to.

about=".htaccess files read for each request"
cause=real
traits="Apache: server, C, several threads and processes"

# shellcheck source-path=SCRIPTDIR source=../apache.sh
. "$cases/apache.sh"

build() {
	need apache
}

get_deep() {
	local port path=html i
	port=$(free_port)
	for i in {1..12}; do
		path+=/level$i
		mkdir -p "$path"
		printf 'AddType text/x-kind-%d .kind%d\n' {1..400} > "$path/.htaccess"
	done
	seq 40 > "$path/numbers.txt"
	serve_apache "$port" mime "TypesConfig /dev/null
		<Directory />
		AllowOverride $1
		</Directory>"
	get "$port" 80 "${path#html}/numbers.txt"
	end_server
}

base() {
	get_deep None
}

slow() {
	get_deep All
}

truth() {
	echo '^ap_parse_htaccess$' '^httpd$'
}
