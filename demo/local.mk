# SPDX-License-Identifier: MIT
#
# The program that scripts/demo traces. Its own flags: every function keeps its frame and its
# name, so that frame-pointer stacks show what the source shows, whatever CFLAGS are.

DEMO_CFLAGS = -std=gnu11 $(WARNING_CFLAGS) -O1 -g -fno-omit-frame-pointer \
	-fno-optimize-sibling-calls -fno-inline -fno-ipa-cp -fno-ipa-sra

noinst_DATA = demo/shop
EXTRA_DIST += demo/shop.c
CLEANFILES += demo/shop

demo/shop: demo/shop.c
	$(AM_V_CC)$(MKDIR_P) demo && $(CC) $(DEMO_CFLAGS) -o $@ $(top_srcdir)/demo/shop.c -pthread
