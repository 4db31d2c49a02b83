#!/bin/bash
# SPDX-License-Identifier: MIT
#
# letters.sh DNSMASQ PORT: looks up the keys of the senders that a file names, at a name server that
# it starts. Meanwhile a log is compressed and checked, and top writes down who is busy.

set -euo pipefail
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait' EXIT

"$1" --keep-in-foreground --log-facility=- --conf-file="$PWD/keys.conf" --user=root --pid-file= --port="$2" \
	--listen-address=127.0.0.1 --bind-interfaces --no-resolv --no-hosts --cache-size=10000 &
running+=($!)
until (: < "/dev/tcp/127.0.0.1/$2") 2>/dev/null; do
	kill -0 "${running[0]}"
	sleep 0.02
done

top -b -d 0.5 > load &
running+=($!)
xz -T1 -c access.log > access.log.xz &
running+=($!)
sha256sum access.log > sums &
running+=($!)

dig -p "$2" @127.0.0.1 -f senders > keys &
running+=($!)
for job in "${running[@]:2}"; do
	wait "$job"
done
