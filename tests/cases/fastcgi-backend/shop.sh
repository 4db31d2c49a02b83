#!/bin/bash
# SPDX-License-Identifier: MIT
#
# shop.sh NGINX BACKEND PRICES file|now GET PORT: the backend and nginx in front of it, with
# nginx.conf of the working directory, and a client that asks for a price many times. Ends what it
# started.

set -euo pipefail
nginx=$1 backend=$2 prices=$3 time=$4 get=$5 port=$6

pids=()
end() {
	if [ ${#pids[@]} -gt 0 ]; then
		kill "${pids[@]}" 2>/dev/null || true
	fi
	wait
}
trap end EXIT
trap 'exit 1' INT TERM

"$backend" backend.socket "$prices" "$time" &
pids+=($!)
"$nginx" -p . -c nginx.conf &
pids+=($!)
for ((i = 0; i < 200; i++)); do
	if [ -S backend.socket ] && (: < "/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
		break
	fi
	sleep 0.05
done
python3 "$get" "$port" 2000 '/?article-01907'
