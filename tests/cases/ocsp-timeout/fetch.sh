#!/bin/bash
# SPDX-License-Identifier: MIT
#
# fetch.sh STUNNEL CONFIGURATION PROGRAM PORT: starts a proxy, and the program that fetches the
# reports through its port.

set -euo pipefail

"$1" "$2" &
proxy=$!
trap 'kill "$proxy"; wait "$proxy" || true' EXIT
"$3" "$4"
