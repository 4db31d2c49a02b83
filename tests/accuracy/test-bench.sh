#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The accuracy bench itself: its matcher and figures on cases made by hand.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"

here=${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/accuracy
/usr/bin/python3 -c 'import numpy' 2>"$tmp/numpy" || skip_all "python3-numpy is not installed"
/usr/bin/python3 -B "$here/test_bench.py"
