#!/bin/bash
# SPDX-License-Identifier: MIT
#
# print.sh SPOOLD SUBMIT FILE: the spooler for the directory `spool`, and two clients that give the
# file to it. Ends the spooler.

set -euo pipefail
"$1" spool.socket spool &
spooler=$!
trap 'kill "$spooler"; wait' EXIT
for ((i = 0; i < 200; i++)); do
	if [ -S spool.socket ]; then
		break
	fi
	sleep 0.02
done

clients=()
for _ in 1 2; do
	/usr/bin/python3 "$2" spool.socket "$3" &
	clients+=($!)
done
for client in "${clients[@]}"; do
	wait "$client"
done
