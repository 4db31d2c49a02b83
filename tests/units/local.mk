# SPDX-License-Identifier: MIT
#
# Servers whose requests are counted: run by hand, see tests/units/run.

EXTRA_DIST += tests/units/servers.py
dist_noinst_SCRIPTS += tests/units/run
