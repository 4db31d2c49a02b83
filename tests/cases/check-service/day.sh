#!/bin/bash
# SPDX-License-Identifier: MIT
# day.sh CARDD SHOP: a day of two shops.

set -e
"$1" cards &
service=$!
for ((i = 0; i < 200; i++)); do
	[ ! -S cards ] || break
	sleep 0.02
done
"$2" cards 1 &
first=$!
"$2" cards 2 &
second=$!
wait "$first" "$second"
kill "$service"
wait "$service" || true
