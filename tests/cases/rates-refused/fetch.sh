#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Starts the server of rates, runs the program that fetches them, and ends the server.
# Use: fetch.sh PROGRAM SERVER RATES REQUESTS-A-SECOND PORT
set -euo pipefail
/usr/bin/python3 "$2" "$5" "$4" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for ((i = 0; i < 200; i++)); do
	if (: < "/dev/tcp/127.0.0.1/$5") 2>/dev/null; then
		break
	fi
	sleep 0.02
done
"$1" "$5" "$3"
kill "$server"
wait "$server" || true
trap - EXIT
