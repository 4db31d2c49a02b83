#!/bin/bash
# SPDX-License-Identifier: MIT
#
# shop.sh REDIS-SERVER PORT LIMIT PYTHON TILL: a server that keeps hashes of up to LIMIT fields as
# lists, until the till has sold its articles.

set -euo pipefail
server=$1 port=$2 limit=$3
shift 3

"$server" --port "$port" --bind 127.0.0.1 --save "" --hash-max-listpack-entries "$limit" > server.log &
started=$!
trap 'kill "$started"; wait' EXIT
for ((i = 0; i < 200; i++)); do
	if (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then
		break
	fi
	sleep 0.05
done
"$@" "$port"
