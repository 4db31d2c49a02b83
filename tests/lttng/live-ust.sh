#!/bin/bash
# SPDX-License-Identifier: MIT
#
# live-ust.sh DIRECTORY PROGRAM runs a live session of user space, named "live", with a relay daemon
# on loopback, until its standard input ends. Lines of that: "start" starts the program under it,
# "destroy" ends the session. All live in DIRECTORY and end with this; file "url" there tells
# babeltrace2 where to connect, files "relayd" and "program" the processes. For a user other than root:
# root's daemons all share one place.

set -eu

directory=$1
program=$2
export HOME=$directory LTTNG_HOME=$directory
cd "$directory"

pids=()
finish() {
	for pid in "${pids[@]}"; do
		# One that was stopped or killed must not keep the others waiting.
		kill -CONT "$pid" 2>/dev/null || true
		kill "$pid" 2>/dev/null || true
	done
	for pid in "${pids[@]}"; do
		timeout 60 tail --pid="$pid" -f /dev/null || kill -KILL "$pid" 2>/dev/null || true
	done
}
trap finish EXIT

session() {
	lttng --no-sessiond "$@" >>session.txt 2>&1
}

# Ports that nobody has now, at an address of loopback that no other session has.
address=127.$((1 + $$ / 65536)).$(($$ / 256 % 256)).$(($$ % 256))
choose_ports() {
	read -r control data live < <(python3 -c '
import socket, sys
sockets = [socket.socket() for _ in range(3)]
for one in sockets:
    one.bind((sys.argv[1], 0))
print(*(one.getsockname()[1] for one in sockets))' "$address")
}

is_listening() {
	grep -q "$(printf ':%04X [0-9A-F]*:0000 0A ' "$1")" /proc/net/tcp
}

# start_relay: false when somebody took one of the ports before the daemon did, which then ends.
start_relay() {
	choose_ports
	lttng-relayd --control-port="tcp://$address:$control" --data-port="tcp://$address:$data" \
		--live-port="tcp://$address:$live" --output="$directory/relay" >>relayd.txt 2>&1 &
	relay=$!
	while kill -0 "$relay" 2>/dev/null; do
		if is_listening "$control" && is_listening "$data" && is_listening "$live"; then
			pids+=("$relay")
			echo "$relay" >relayd
			return 0
		fi
		sleep 0.05
	done
	return 1
}

tries=1
until start_relay; do
	((tries++ < 9))
done
lttng-sessiond --no-kernel >daemon.txt 2>&1 &
pids+=($!)
for _ in {1..3000}; do
	session list && break
	sleep 0.1
done
session create live --live=200000 --set-url="net://$address:$control:$data"
session enable-event --userspace 'lttng_ust_cyg_profile*:*,lttng_ust_statedump:*,lttng_ust_lib:*'
for context in vpid vtid procname; do
	session add-context --userspace --type="$context"
done
session start
echo "net://$address:$live/host/$(uname -n)/live" >url.new
mv url.new url
while read -r command; do
	if [ "$command" = start ]; then
		LD_PRELOAD=liblttng-ust-cyg-profile.so.1 "$program" &
		pids+=($!)
		echo $! >program
	else
		session destroy
	fi
done
