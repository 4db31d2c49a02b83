#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The bench of the cases itself: its figures on inputs made by hand.

/usr/bin/python3 -B "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/cases/test_bench.py"
