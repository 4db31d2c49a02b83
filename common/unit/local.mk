# SPDX-License-Identifier: MIT
#
# Units of work: the iterations of event-processing loops, and types of them.

noinst_LTLIBRARIES += libitp-unit.la

libitp_unit_la_SOURCES = \
	common/unit/returns.c \
	common/unit/returns.h \
	common/unit/begin-end.c \
	common/unit/begin-end.h \
	common/unit/births.c \
	common/unit/births.h \
	common/unit/asked.c \
	common/unit/asked.h \
	common/unit/call-contexts.c \
	common/unit/call-contexts.h \
	common/unit/causes.c \
	common/unit/causes.h \
	common/unit/conversations.c \
	common/unit/conversations.h \
	common/unit/coroutines.c \
	common/unit/coroutines.h \
	common/unit/halts.c \
	common/unit/halts.h \
	common/unit/distances.c \
	common/unit/distances.h \
	common/unit/deviation.c \
	common/unit/deviation.h \
	common/unit/features-parts.h \
	common/unit/features.c \
	common/unit/features.h \
	common/unit/finder.c \
	common/unit/finder.h \
	common/unit/gates.c \
	common/unit/gates.h \
	common/unit/groups.c \
	common/unit/groups.h \
	common/unit/inheritance.c \
	common/unit/inheritance.h \
	common/unit/kindred.c \
	common/unit/kindred.h \
	common/unit/kinds.c \
	common/unit/kinds.h \
	common/unit/like-sets.c \
	common/unit/like-sets.h \
	common/unit/log.c \
	common/unit/log.h \
	common/unit/looks.c \
	common/unit/looks.h \
	common/unit/loops.c \
	common/unit/loops.h \
	common/unit/modes.c \
	common/unit/modes.h \
	common/unit/open-unit.c \
	common/unit/open-unit.h \
	common/unit/own-contexts.c \
	common/unit/own-contexts.h \
	common/unit/owners.c \
	common/unit/owners.h \
	common/unit/path-sets.c \
	common/unit/path-sets.h \
	common/unit/profiles.c \
	common/unit/profiles.h \
	common/unit/purposes.c \
	common/unit/purposes.h \
	common/unit/requests.c \
	common/unit/requests.h \
	common/unit/rests.c \
	common/unit/rests.h \
	common/unit/scores.c \
	common/unit/signals.c \
	common/unit/signals.h \
	common/unit/sizes.c \
	common/unit/sizes.h \
	common/unit/spans.c \
	common/unit/spans.h \
	common/unit/succession.c \
	common/unit/succession.h \
	common/unit/summary.c \
	common/unit/summary.h \
	common/unit/suspensions.c \
	common/unit/suspensions.h \
	common/unit/spread.c \
	common/unit/spread.h \
	common/unit/telling.c \
	common/unit/telling.h \
	common/unit/turns.c \
	common/unit/turns.h \
	common/unit/types.c \
	common/unit/types.h \
	common/unit/unit.h \
	common/unit/waits.c \
	common/unit/waits.h \
	common/unit/within.c \
	common/unit/within.h
libitp_unit_la_LIBADD = $(GLIB_LIBS) -lm
