# SPDX-License-Identifier: MIT
# The module that writes the access log is slow.

about="delay in ap_default_log_writer"
cause=injected
traits="Apache with a plug-in: server, C, several threads and processes"

# shellcheck source-path=SCRIPTDIR source=../apache.sh
. "$cases/apache.sh"

build() {
	need apache
	delayed_module modules/loggers/mod_log_config.c ap_default_log_writer 3000
}

get_logged() {
	local port
	port=$(free_port)
	mkdir html
	seq 2000 > html/numbers.txt
	serve_apache "$port" "$1" "CustomLog $PWD/access.log \"%h %t %r %>s %b\""
	get "$port" 200 /numbers.txt
	end_server
}

base() {
	get_logged log_config
}

slow() {
	get_logged "log_config=$built/mod_log_config.so"
}

truth() {
	echo '^ap_default_log_writer$' '^mod_log_config\.so$'
}
