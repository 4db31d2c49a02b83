#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Real live sessions of LTTng-UST: periods, silence, a daemon that is stalled and one that is killed,
# a session that ends and one that does not.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

command -v lttng-sessiond >/dev/null && command -v lttng-relayd >/dev/null || skip_all "no lttng-tools"
[ -n "$(ldconfig -p 2>/dev/null | grep liblttng-ust-cyg-profile.so.1)" ] ||
	skip_all "no liblttng-ust-cyg-profile"

# A daemon of one's own needs a user who is not root.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
	nobody=$(id -u nobody) || skip_all "no user nobody"
	as_user=(setpriv --reuid="$nobody" --regid="$nobody" --clear-groups)
	chmod 711 "$tmp"
fi
cp "$ITP_BUILD_DIR/tests/lttng/serve" "$ITP_SOURCE_DIR/tests/lttng/live-ust.sh" "$tmp"
cd "$tmp" || exit 99

# begin NAME begins a session in the directory NAME, to which lines are sent with `tell`.
begin() {
	mkdir "$1"
	[ ${#as_user[@]} -eq 0 ] || chown "$nobody" "$1"
	mkfifo "$1.commands"
	"${as_user[@]}" bash "$tmp/live-ust.sh" "$tmp/$1" "$tmp/serve" <"$1.commands" &
	session=$!
	exec {commands}>"$1.commands"
	wait_until test -s "$1/url" || diag "$(cat "$1"/*.txt)"
	cd "$1" || exit 99
}

tell() {
	echo "$1" >&"$commands"
}

finish() {
	cd "$tmp" || exit 99
	exec {commands}>&-
	wait "$session"
}

# watch NAME [PARAMS] ranks the session, second by second, in the background.
watch() {
	# Not as a job that ignores SIGINT.
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' env LD_PRELOAD="${ITP_PRELOAD:-}" \
		LIBBABELTRACE2_NO_DLCLOSE="${ITP_PRELOAD:+1}" \
		babeltrace2 --plugin-path="$ITP_BUILD_DIR" --input-format=lttng-live "$(cat url)" \
		"${infer[@]}" --params='period="1s"' -c filter.introperf.normalize "${rank[@]}" \
		--params="${2:-format=\"jsonl\",top=0}" >"$tmp/$1.txt" 2>"$tmp/$1.errors.txt" &
	viewer=$!
}

# periods NAME prints the number of periods in a result.
periods() {
	grep -cs '"period":' "$tmp/$1.txt"
}

more_periods() {
	[ "$(periods "$1")" -ge "$2" ]
}

# end_of_viewer waits for it and sets $status.
end_of_viewer() {
	wait_until not_running "$viewer" || kill -KILL "$viewer"
	wait "$viewer"
	status=$?
}

# is_connected: somebody talks to the relay daemon's port for viewers.
is_connected() {
	local port
	port=$(sed 's/.*:\([0-9]*\)\/.*/\1/' url)
	grep -q "$(printf ':%04X 01 ' "$port")" /proc/net/tcp
}

not_running() {
	[ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"
}

begin first
watch first
wait_until is_connected
tell start
ok "a session is ranked period by period" wait_until more_periods first 3
like "its calls have their names, each with its latency" "$(cat "$tmp/first.txt")" \
	'"function":"leaf","module":"serve",.*"count":[0-9]{2}'
like "and so has one that has not ended" \
	"$(grep -m 1 -A 9 '"period":3' "$tmp/first.txt")" '"function":"hang".*"total_ns":1[0-9]{9},.*"count":0'
is "the workload is called like the session" \
	"$(grep -o '"suspect":"[^"]*"' "$tmp/first.txt" | sort -u)" '"suspect":"live"'

# Nothing happens any more, but time goes by.
kill -STOP "$(cat program)"
before=$(periods first)
ok "periods go on while nothing happens" wait_until more_periods first $((before + 3))
last=$(grep '"type":"header"' "$tmp/first.txt" | tail -n 1)
like "and show who still waits" "$(grep -A 9 -F "$last" "$tmp/first.txt")" '"function":"hang"'
kill -CONT "$(cat program)"

# A stalled relay daemon.
kill -STOP "$(cat relayd)"
before=$(periods first)
kill -CONT "$(cat relayd)"
ok "a daemon that was stalled goes on" wait_until more_periods first $((before + 2))

kill -INT "$viewer"
end_of_viewer
is "the viewer of a session without an end can be interrupted" "$status" 2
like "the last ranking is that of all periods" "$(grep '"type":"header"' "$tmp/first.txt" | tail -n 1)" \
	'"periods":[0-9]+'
like "and says so" "$(tail -n 1 "$tmp/first.txt")" \
	'"complete":false,.*"ended_by_error":false,"interrupted":true'

# While the daemon is stalled, the viewer waits for its answer and hears nothing else.
watch stalled 'format="text"'
wait_until grep -qs '^Period 2' "$tmp/stalled.txt"
kill -STOP "$(cat relayd)"
kill -INT "$viewer"
kill -CONT "$(cat relayd)"
end_of_viewer
is "an interrupt while the daemon is stalled" "$status" 2
like "gives what came before" "$(cat "$tmp/stalled.txt")" 'INTERRUPTED: .*periods together'

watch killed 'format="text"'
wait_until grep -qs '^Period 2' "$tmp/killed.txt"
kill -KILL "$(cat relayd)"
end_of_viewer
is "a daemon that is killed is an error" "$status" 1
like "after which what came before is ranked" "$(cat "$tmp/killed.txt")" \
	'INCOMPLETE: an error ended .*cut short'
finish

begin second
watch second
wait_until is_connected
tell start
wait_until more_periods second 2
tell destroy
end_of_viewer
is "when the session ends, so does the viewer" "$status" 0
like "with all of it" "$(tail -n 1 "$tmp/second.txt")" '"complete":true,.*"interrupted":false'
finish

done_testing
