#!/bin/bash
# SPDX-License-Identifier: MIT
#
# manual.sh CMARK MAKEFILE: makes the manual of the pages in this directory. Meanwhile a log is
# packed, and vmstat writes down how busy the machine is.

set -euo pipefail
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait' EXIT

vmstat 1 > load &
running+=($!)
bzip2 -k access.log &
running+=($!)

make -rs -f "$2" CMARK="$1"
wait "${running[1]}"
