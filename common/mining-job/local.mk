# SPDX-License-Identifier: MIT
#
# Mining by the options of a request, without messages.

noinst_LTLIBRARIES += libitp-mining-job.la

libitp_mining_job_la_SOURCES = \
	common/mining-job/mined-recordings.c \
	common/mining-job/mined-recordings.h \
	common/mining-job/mining-job.c \
	common/mining-job/mining-job.h \
	common/mining-job/stack-files.c \
	common/mining-job/stack-files.h
