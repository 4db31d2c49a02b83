#!/bin/bash
# SPDX-License-Identifier: MIT
#
# copy_logs.sh SSH DIRECTORY SERVERS LOG…: copies logs into a directory of the first of the servers
# that takes them.

set -euo pipefail
ssh=$1 directory=$2 servers=$3
shift 3

for log in "$@"; do
	copied=no
	for server in $servers; do
		if "$ssh" -F ssh_config "$server" "cat > $directory/copy-${log##*/}" < "$log"; then
			copied=yes
			break
		fi
	done
	[ "$copied" = yes ]
done
