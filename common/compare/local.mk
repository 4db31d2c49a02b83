# SPDX-License-Identifier: MIT
#
# Workloads and what is compared with what.

noinst_LTLIBRARIES += libitp-compare.la

libitp_compare_la_SOURCES = \
	common/compare/compare.c \
	common/compare/compare.h \
	common/compare/countable.c \
	common/compare/countable.h \
	common/compare/first-path.c \
	common/compare/first-path.h \
	common/compare/unit-work.c \
	common/compare/unit-work.h \
	common/compare/workload-set.c \
	common/compare/workload-set.h
