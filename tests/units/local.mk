# SPDX-License-Identifier: MIT
#
# Servers whose requests are counted: run by hand, see tests/units/run.

EXTRA_DIST += tests/units/loads.py tests/units/servers.py tests/units/variance.py
dist_noinst_SCRIPTS += tests/units/run
