# The core: stack events → function instances → PA-CCT.

noinst_LTLIBRARIES += libitp-infer.la

libitp_infer_la_SOURCES = \
	common/infer/activity.c \
	common/infer/activity.h \
	common/infer/boundary.c \
	common/infer/boundary.h \
	common/infer/broken.c \
	common/infer/broken.h \
	common/infer/continuity.c \
	common/infer/continuity.h \
	common/infer/demand.c \
	common/infer/demand.h \
	common/infer/ended-threads.c \
	common/infer/ended-threads.h \
	common/infer/event-check.c \
	common/infer/event-check.h \
	common/infer/gap.c \
	common/infer/gap.h \
	common/infer/habits.c \
	common/infer/habits.h \
	common/infer/infer.c \
	common/infer/infer.h \
	common/infer/infer-options.h \
	common/infer/instance.h \
	common/infer/kept.c \
	common/infer/kept.h \
	common/infer/latencies.c \
	common/infer/latencies.h \
	common/infer/match.c \
	common/infer/match.h \
	common/infer/meanwhile.c \
	common/infer/meanwhile.h \
	common/infer/node-fields.c \
	common/infer/node-fields.h \
	common/infer/node-stats.h \
	common/infer/node-table.c \
	common/infer/node-table.h \
	common/infer/normalize.c \
	common/infer/normalize.h \
	common/infer/options.c \
	common/infer/options.h \
	common/infer/profile-source.c \
	common/infer/profile-source.h \
	common/infer/profile.c \
	common/infer/profile.h \
	common/infer/shares.c \
	common/infer/slowest.c \
	common/infer/slowest.h \
	common/infer/speed-sums.h \
	common/infer/unit-sums.c \
	common/infer/unit-sums.h \
	common/infer/strata-sums.h \
	common/infer/strata.c \
	common/infer/strata.h \
	common/infer/stretch.h \
	common/infer/stretches.c \
	common/infer/stretches.h \
	common/infer/thread.c \
	common/infer/thread.h \
	common/infer/thread-state.h \
	common/infer/throttle.c \
	common/infer/throttle.h \
	common/infer/tick-length.c \
	common/infer/tick-length.h \
	common/infer/wait-ends.c \
	common/infer/wait-ends.h \
	common/infer/wait-places.c \
	common/infer/wait-places.h \
	common/infer/wake-stack.c \
	common/infer/wake-stack.h \
	common/infer/wakers.c \
	common/infer/wakers.h \
	common/infer/window.h
libitp_infer_la_LIBADD = $(GLIB_LIBS) -lm
