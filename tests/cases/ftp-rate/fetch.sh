#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Starts an FTP server, fetches the list of orders from it and compresses that, and ends the server.
# Use: fetch.sh PROFTPD PORT, with proftpd.conf in the working directory.
set -euo pipefail
"$1" --nodaemon --quiet --config "$PWD/proftpd.conf" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for ((i = 0; i < 200; i++)); do
	if (: < "/dev/tcp/127.0.0.1/$2") 2>/dev/null; then
		break
	fi
	sleep 0.02
done
curl -sS --disable-epsv "ftp://127.0.0.1:$2/orders.csv" | gzip -3 > copy.gz
kill "$server"
wait "$server" || true
trap - EXIT
