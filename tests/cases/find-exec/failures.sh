#!/bin/sh
# SPDX-License-Identifier: MIT
#
# failures.sh FOLDER END: the ten logs with the most failed requests. END is find's: ; or +
# shellcheck disable=SC2067 # the end is in the variable
find "$1" -name '*.log' -exec grep -cHE '^10\.0\.[0-9]+\.[0-9]+ (GET|POST) /[a-z]+/[0-9]+ 50[0-9]' {} "$2" |
	sort -t: -k2,2nr -k1,1 | head -n 10
