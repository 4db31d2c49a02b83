# SPDX-License-Identifier: MIT
#
# A fleet of recordings whose causes are known: run by hand, see tests/fleet/run.

EXTRA_DIST += tests/fleet/causes.c
dist_noinst_SCRIPTS += tests/fleet/run
