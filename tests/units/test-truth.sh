#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What units are held against, on cases made by hand: when a request was the server's, whether types are kinds,
# and whether a request is followed.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"

/usr/bin/python3 -B "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/units/test_truth.py"
