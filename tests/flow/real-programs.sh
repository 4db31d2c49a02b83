#!/bin/bash
# SPDX-License-Identifier: MIT
#
# real-programs.sh BUILD-DIR: the table of README.md. Each program is carried out instruction by
# instruction, one after the other; what is not installed is left out. Exit status 1 if any answer
# was wrong.

set -u

[ $# -eq 1 ] || {
	echo "usage: ${0##*/} BUILD-DIR" >&2
	exit 2
}
steps=$1/tests/flow/steps
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
status=0

# row NAME OPTION… PROGRAM ARGUMENT…
row() {
	local name=$1
	shift
	"$steps" "$@" </dev/null >"$tmp/out" 2>"$tmp/errors" || status=1
	grep '^wrong: ' "$tmp/errors" | sort | uniq -c >&2
	awk -v name="$name" '
		/^steps / { gsub(",", ""); n = $2; calls = $4; wrong = $6; unknown = $10; right = $8 }
		/^boundaries, last/ { count = $5; last = $7 }
		/^boundaries, first/ { first = $7 }
		END {
			sub(":", "", count)
			printf "| %s | %d | %d | %d | %.2f %% | %d | %s %% | %s %% |\n", name, n, calls,
				wrong, 100 * unknown / (right + wrong + unknown), count, last, first
		}' "$tmp/out"
}

has() {
	command -v "$1" >/dev/null
}

# requests COMMAND…: makes requests until one fails after some were answered.
requests() {
	local answered=0
	sleep 4
	for _ in {1..200}; do
		"$@" >/dev/null 2>&1 || break
		answered=$((answered + 1))
	done
	echo "$answered requests answered: $*" >&2
}

head -c 300000 "$(command -v bash)" >"$tmp/input"
cat >"$tmp/script.lua" <<'END'
local t, s = {}, 0
for i = 1, 300 do t[i] = tostring(i * 7919 % 1000) end
table.sort(t)
for i = 1, 20 do local ok, e = pcall(function() error("x" .. i) end) s = s + #e end
print(s, table.concat(t, ","):gsub("%d+", function(x) return #x end):sub(1, 20))
END
cat >"$tmp/nginx.conf" <<END
daemon off; master_process off; error_log $tmp/nginx.log; pid $tmp/nginx.pid; events {}
http { access_log off; server { listen 127.0.0.1:18080; location / { return 200 "text"; } } }
END

echo "| program | steps | calls | wrong | unknown | boundaries | seen, last | seen, first |"
echo "|---|---|---|---|---|---|---|---|"
if has g++ && g++ -O2 -o "$tmp/throws" "$here/throws.cc"; then
	row throws.cc -n 2000000 "$tmp/throws"
fi
if has sqlite3; then
	row sqlite3 -n 1500000 sqlite3 :memory: "create table t(a,b);
		insert into t with recursive c(x) as (select 1 union all select x+1 from c where x<200)
			select x, x*7%31 from c;
		create index i on t(b);
		select b,count(*) from t group by b order by 2 desc limit 3; select sum(a) from t where b>5;"
fi
if has lua5.4; then
	row lua -n 1500000 lua5.4 "$tmp/script.lua"
fi
if has jq; then
	row jq -n 1500000 jq -n '[{a:1,b:[1,2]},{a:5,b:[4]}] | map(.a*2, (.b|add)) | tojson | test("[0-9]+")'
fi
# shellcheck disable=SC2016 # for the other shell
row bash -n 1500000 bash -c 'for i in 1 2 3 4 5 6 7 8; do
	x=$((i*3)); a[$i]="v$x"; case $x in *9) y=${x/9/z};; *) y=$x;; esac; done
	f() { local q=$1; [[ $q =~ ^[0-9]+$ ]] && echo $q; }; f 12; f ab; echo "${a[@]}" | cat'
row gzip -n 1200000 gzip -c "$tmp/input"
row "xz -1" -n 1200000 xz -1 -T1 -c "$tmp/input"
if has redis-server; then
	requests timeout 20 redis-cli -p 16399 eval \
		"redis.call('zadd','z',1,'a') return redis.call('zrange','z',0,-1)" 0 &
	row redis-server -w 3 -n 1500000 redis-server --port 16399 --save "" --dir "$tmp"
	wait
fi
if has nginx && has curl; then
	requests curl -sf -m 20 http://127.0.0.1:18080/ &
	row nginx -w 3 -n 1500000 nginx -c "$tmp/nginx.conf"
	wait
fi
row "ls with the dynamic linker" -l -n 700000 ls -l /usr
exit "$status"
