# SPDX-License-Identifier: MIT
#
# For the tests of traces by LTTng-UST: records programs, and counts what is inferred. Sourced behind
# tap.sh and graph.sh; goes to $tmp.
# shellcheck shell=bash disable=SC2154

command -v lttng-sessiond >/dev/null && command -v lttng >/dev/null || skip_all "no lttng-tools"
[ -n "$(ldconfig -p 2>/dev/null | grep liblttng-ust-cyg-profile-fast.so.1)" ] ||
	skip_all "no liblttng-ust-cyg-profile"

# A daemon of one's own needs a user who is not root.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
	nobody=$(id -u nobody) || skip_all "no user nobody"
	as_user=(setpriv --reuid="$nobody" --regid="$nobody" --clear-groups)
	chmod 711 "$tmp"
fi
cp "$ITP_SOURCE_DIR/tests/lttng/record-ust.sh" "$tmp"
cd "$tmp" || exit 99

# record_program NAME VARIANT PROGRAM CONTEXT… records ./PROGRAM; the trace is in NAME/trace…
record_program() {
	local name=$1 variant=$2 program=$3
	shift 3
	mkdir "$name"
	[ ${#as_user[@]} -eq 0 ] || chown "$nobody" "$name"
	"${as_user[@]}" timeout 600 bash "$tmp/record-ust.sh" "$tmp/$name" "$variant" "$tmp/$program" "$@" ||
		diag "$(cat "$name"/*.txt)"
}

# calls TRACE prints "COUNT FUNCTION DEPTH" for each function below the process, with "exact" where
# the bounds of the instances have no width.
calls() {
	graph "$1" "${infer[@]}" 2>errors.txt |
		sed -n '/introperf:instance/ {
			s/.*function = "\([^"]*\)".* depth = \([0-9]*\).* lower_ns = \([0-9]*\), upper_ns = \3,.*/\1 \2 exact/
			s/.*function = "\([^"]*\)".* depth = \([0-9]*\),.*/\1 \2/
			p
		}' | grep -vE ' 0( exact)?$' | sort | uniq -c | sed 's/^ *//'
}
