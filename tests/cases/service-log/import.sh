#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Imports orders, and has all reports of that kept in ./log.
# Use: import.sh MULTILOG COMPRESSOR SCRIPT ORDERS
set -eu
mawk -f "$3" "$4" | "$1" s200000 n100 "!$2" ./log
