#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How a mined fleet is judged: on results made by hand.

/usr/bin/python3 -B "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/fleet/test_judging.py"
