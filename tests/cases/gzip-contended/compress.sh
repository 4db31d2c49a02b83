#!/bin/bash
# SPDX-License-Identifier: MIT
#
# compress.sh GZIP FILE [JOB]: compresses the file on one CPU, on which also JOB runs meanwhile.

set -euo pipefail
taskset -cp 0 $$
if [ $# -gt 2 ]; then
	"$3" "$2" &
	trap 'kill $!; wait $! || true' EXIT
fi
"$1" -9 -k "$2"
