# SPDX-License-Identifier: MIT
#
# Exports by the options of a request, without messages.

noinst_LTLIBRARIES += libitp-export-job.la

libitp_export_job_la_SOURCES = \
	common/export-job/export-job.c \
	common/export-job/export-job.h
