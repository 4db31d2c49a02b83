# SPDX-License-Identifier: MIT
# Profiles, of one workload or of two, → ranking.

noinst_LTLIBRARIES += libitp-rank.la
libitp_rank_la_SOURCES = \
	common/rank/culprit.c \
	common/rank/culprit.h \
	common/rank/ranking.c \
	common/rank/ranking.h
libitp_rank_la_LIBADD = $(GLIB_LIBS)
