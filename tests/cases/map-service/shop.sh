#!/bin/bash
# SPDX-License-Identifier: MIT
#
# shop.sh HAPROXY PORT COUNT LOG: starts haproxy with haproxy.cfg of the working directory, which is
# for PORT, asks it for so many old addresses of a shop from a log, and ends it.

set -euo pipefail
haproxy=$1 port=$2 count=$3 log=$4

"$haproxy" -db -f haproxy.cfg &
server=$!
trap 'kill "$server"; wait' EXIT
trap 'exit 1' INT TERM

for ((i = 0; i < 200; i++)); do
	if (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then
		break
	fi
	sleep 0.05
done
/usr/bin/python3 "$(dirname "$0")/addresses.py" "$port" "$count" "$log"
