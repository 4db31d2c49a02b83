# SPDX-License-Identifier: MIT
# Profiles as recorded → profiles to rank: names, chosen contexts, what two recordings have in common.

noinst_LTLIBRARIES += libitp-view.la
libitp_view_la_SOURCES = \
	common/view/names.c \
	common/view/names.h \
	common/view/pair-parts.c \
	common/view/pair-parts.h \
	common/view/pairs.c \
	common/view/pairs.h \
	common/view/pair-input.h \
	common/view/patterns.c \
	common/view/patterns.h \
	common/view/renamed.c \
	common/view/renamed.h \
	common/view/short-names.c \
	common/view/short-names.h \
	common/view/view-names.c \
	common/view/view-names.h \
	common/view/view-processes.c \
	common/view/view-processes.h \
	common/view/view.c \
	common/view/view.h \
	common/view/view-input.h
