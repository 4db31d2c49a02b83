# SPDX-License-Identifier: MIT
#
# Who is blamed for waits whose causes are known: run by hand, see tests/waits/run.

EXTRA_DIST += tests/waits/schedule.c
dist_noinst_SCRIPTS += tests/waits/run
