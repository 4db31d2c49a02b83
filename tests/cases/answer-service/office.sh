#!/bin/bash
# SPDX-License-Identifier: MIT
# office.sh PHONED PORT PEOPLE exact|caseless COUNT: two switchboards that ask the service so often
# each; it ends then.
"$1" "$2" "$3" "$4" &
service=$!
trap 'kill "$service"; wait "$service"' EXIT
directory=$(dirname "$0")
/usr/bin/python3 "$directory/switchboard.py" "$2" "$5" "$3" 0 &
other=$!
/usr/bin/python3 "$directory/switchboard.py" "$2" "$5" "$3" 500
wait "$other"
