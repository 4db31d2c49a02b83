# SPDX-License-Identifier: MIT
#
# For the cases with Apache: a server with two processes and their threads.

# serve_apache PORT MODULES [DIRECTIVES]: each module is NAME=FILE, or NAME for the server's own.
serve_apache() {
	local port=$1 module
	mkdir -p html
	{
		cat <<-CONF
			ServerRoot $PWD
			ServerName localhost
			Listen 127.0.0.1:$port
			PidFile $PWD/httpd.pid
			ErrorLog /dev/stderr
			DocumentRoot $PWD/html
			StartServers 1
			ServerLimit 1
			ThreadsPerChild 4
			MaxRequestWorkers 4
			KeepAlive On
			MaxKeepAliveRequests 0
		CONF
		for module in mpm_event unixd authz_core $2; do
			if [ -e "$software/apache/installed/modules/mod_${module%%=*}.so" ]; then
				echo "LoadModule ${module%%=*}_module" \
					"$(module_file "$module")"
			fi
		done
		printf '%s\n' "${3:-}"
	} > httpd.conf
	if [ "$(id -u)" -eq 0 ]; then
		printf 'User nobody\nGroup nogroup\n' >> httpd.conf
	fi
	chmod 755 .
	serve "$port" "$software/apache/installed/bin/httpd" -d . -f "$PWD/httpd.conf" -D FOREGROUND
}

module_file() {
	case $1 in
	*=*) echo "${1#*=}" ;;
	*) echo "$software/apache/installed/modules/mod_$1.so" ;;
	esac
}

# delayed_module SOURCE FUNCTION MICROSECONDS [LIBRARY…]: the server's module, built anew with a
# delay, as ./NAME.so.
delayed_module() {
	local source=$1 function=$2 microseconds=$3 name
	shift 3
	name=$(basename "$source" .c)
	cp "$software/apache/$source" "$(dirname "$software/apache/$source")"/*.h . 2>/dev/null || true
	delay "$name.c" "$function" "$microseconds"
	"$software/apache/installed/bin/apxs" -c -o "$name.so" "$name.c" "$@"
	cp ".libs/$name.so" .
}
