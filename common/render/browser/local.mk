# SPDX-License-Identifier: MIT
#
# A ranking to walk through: what is on its pages, without the terminal that shows them.

noinst_LTLIBRARIES += libitp-browser.la

libitp_browser_la_SOURCES = \
	common/render/browser/browser.c \
	common/render/browser/browser.h \
	common/render/browser/keys.h \
	common/render/browser/list.c \
	common/render/browser/page.c \
	common/render/browser/page.h \
	common/render/browser/path.c \
	common/render/browser/text.c \
	common/render/browser/tree.c
