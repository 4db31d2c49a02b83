# SPDX-License-Identifier: MIT
# Profiles, of one workload or of two, → what explains the time.

noinst_LTLIBRARIES += libitp-rank.la
libitp_rank_la_SOURCES = \
	common/rank/amount.c \
	common/rank/apart.c \
	common/rank/apart.h \
	common/rank/candidates.c \
	common/rank/candidates.h \
	common/rank/chance.c \
	common/rank/chance.h \
	common/rank/contention.c \
	common/rank/culprit.c \
	common/rank/detail.c \
	common/rank/detail.h \
	common/rank/doubts.c \
	common/rank/effects.c \
	common/rank/entries.c \
	common/rank/entries.h \
	common/rank/entry.h \
	common/rank/error-model.c \
	common/rank/error-model.h \
	common/rank/evidence-waits.c \
	common/rank/evidence-waits.h \
	common/rank/evidence-parts.h \
	common/rank/evidence.c \
	common/rank/evidence.h \
	common/rank/felt.c \
	common/rank/felt.h \
	common/rank/flat.c \
	common/rank/gathered.c \
	common/rank/held-up.c \
	common/rank/held-up.h \
	common/rank/idle.c \
	common/rank/idle.h \
	common/rank/idle-proofs.c \
	common/rank/idle-proofs.h \
	common/rank/idle-waits.c \
	common/rank/machine-speed.c \
	common/rank/machine-speed.h \
	common/rank/lasting.c \
	common/rank/lasting.h \
	common/rank/never-taken.c \
	common/rank/never-taken.h \
	common/rank/path.c \
	common/rank/path.h \
	common/rank/often.c \
	common/rank/often.h \
	common/rank/order.c \
	common/rank/rank.c \
	common/rank/rank.h \
	common/rank/ranking.c \
	common/rank/ranking.h \
	common/rank/scale.c \
	common/rank/scale.h \
	common/rank/side.c \
	common/rank/side.h \
	common/rank/spread.c \
	common/rank/steps.h \
	common/rank/started.c \
	common/rank/trunk.c \
	common/rank/unplaced.c \
	common/rank/unplaced.h \
	common/rank/unwanted.c \
	common/rank/unwanted.h \
	common/rank/verdict.c \
	common/rank/verdict.h \
	common/rank/waited-out.c \
	common/rank/waited-out.h
libitp_rank_la_LIBADD = libitp-wait.la $(GLIB_LIBS) -lm
