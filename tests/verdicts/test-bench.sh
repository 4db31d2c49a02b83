#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The bench of the verdicts itself: its figures on results made by hand.

/usr/bin/python3 -B "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/verdicts/test_bench.py"
