#!/bin/bash
# SPDX-License-Identifier: MIT
#
# report.sh [LOG…]: makes a report of the orders, on one processor as a small machine has it, and
# compresses the logs meanwhile.
set -e
taskset -pc "$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')" $$ > /dev/null
for log; do
	gzip -9 "$log" &
	rotating+=" $!"
done
trap 'if [ -n "$rotating" ]; then kill $rotating; fi' EXIT
sqlite3 < "$(dirname "$0")/report.sql"
