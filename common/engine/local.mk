# SPDX-License-Identifier: MIT
# A request → a result, without messages.

noinst_LTLIBRARIES += libitp-engine.la
libitp_engine_la_SOURCES = \
	common/engine/analysis.c \
	common/engine/analysis.h \
	common/engine/conclude.c \
	common/engine/conclude.h \
	common/engine/engine.h \
	common/engine/host-graphs.h \
	common/engine/inputs.c \
	common/engine/inputs.h \
	common/engine/interrupt.c \
	common/engine/interrupt.h \
	common/engine/limit.c \
	common/engine/limit.h \
	common/engine/live.c \
	common/engine/live.h \
	common/engine/memory-profile.c \
	common/engine/memory-profile.h \
	common/engine/missing-names.c \
	common/engine/missing-names.h \
	common/engine/page-job.c \
	common/engine/page-job.h \
	common/engine/params.c \
	common/engine/params.h \
	common/engine/perf-inputs.c \
	common/engine/perf-inputs.h \
	common/engine/period.c \
	common/engine/period.h \
	common/engine/place.c \
	common/engine/place.h \
	common/engine/ranking-job.c \
	common/engine/ranking-job.h \
	common/engine/ranking-params.c \
	common/engine/ranking-params.h \
	common/engine/recordings.c \
	common/engine/recordings.h \
	common/engine/result.c \
	common/engine/result.h \
	common/engine/saving.c \
	common/engine/saving.h \
	common/engine/stages.c \
	common/engine/stages.h \
	common/engine/symbol-params.c \
	common/engine/symbol-params.h \
	common/engine/symbol-warnings.c \
	common/engine/symbol-warnings.h \
	common/engine/values.c \
	common/engine/values.h \
	common/engine/view-options.c \
	common/engine/view-options.h \
	common/engine/wait-params.c \
	common/engine/wait-params.h \
	common/engine/write.c \
	common/engine/write.h \
	common/engine/written-ranking.c \
	common/engine/written-ranking.h
