#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Real traces of function entries and exits by LTTng-UST: every call counted, with exact times.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

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
cp "$ITP_BUILD_DIR/tests/lttng/calls" "$ITP_SOURCE_DIR/tests/lttng/record-ust.sh" "$tmp"
cd "$tmp" || exit 99

# record NAME VARIANT CONTEXT… records the program; the trace is in NAME/trace…
record() {
	local name=$1 variant=$2
	shift 2
	mkdir "$name"
	[ ${#as_user[@]} -eq 0 ] || chown "$nobody" "$name"
	"${as_user[@]}" timeout 60 bash "$tmp/record-ust.sh" "$tmp/$name" "$variant" "$tmp/calls" "$@" ||
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

# The exit of throw_jump() is missing: it seems to go on until catch_jump() ends, and may have ended
# before.
wanted='1 catch_jump 2 exact
60 leaf 3 exact
1 leaf 4 exact
1 main 1 exact
20 middle 2 exact
1 run 1 exact
1 throw_jump 3'

record full "" vpid vtid procname
is "all calls are counted, and exact" "$(calls full/trace)" "$wanted"
is "functions have their module" \
	"$(graph full/trace "${infer[@]}" 2>/dev/null | grep -c 'name = "middle", module = "calls"')" 1
is "a call of leaf() takes at least as long as it sleeps" \
	"$(graph full/trace "${infer[@]}" 2>/dev/null |
		grep -cE 'function = "leaf".* lower_ns = [1-9][0-9]{5}')" 61
record fast -fast vpid vtid procname
unlike "the fast variant does not say which function ends" \
	"$(graph fast/trace-fast 2>/dev/null | grep -m 1 func_exit)" 'addr ='
# So nobody can tell which exit is missing.
is "all calls are counted there, too" "$(calls fast/trace-fast | grep -E 'leaf|middle|run')" \
	"$(grep -E 'leaf|middle|run' <<<"$wanted")"

record bare "" procname
fails bare/trace "${profile[@]}" "${rank[@]}"
like "a trace that does not tell threads is refused" "$status $causes" \
	'^1 filter.introperf.infer: .*: event "lttng_ust_cyg_profile:func_entry" does not tell its thread \(tid\); record with `lttng add-context --userspace --type=vtid --type=vpid --type=procname`$'
done_testing
