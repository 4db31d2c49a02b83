#!/bin/bash
# SPDX-License-Identifier: MIT
# shop.sh PRICED PORT PRICES once|always COUNT: asks the service so often, which ends then.
"$1" "$2" "$3" "$4" &
service=$!
trap 'kill "$service"; wait "$service"' EXIT
/usr/bin/python3 "$(dirname "$0")/ask.py" "$2" "$5"
