# SPDX-License-Identifier: MIT
#
# Records, of which messages and saved profiles are made.

noinst_LTLIBRARIES += libitp-records.la

libitp_records_la_SOURCES = \
	common/record/check.c \
	common/record/field.c \
	common/record/field.h \
	common/record/id-map.c \
	common/record/id-map.h \
	common/record/layouts.c \
	common/record/profile-records.c \
	common/record/profile-records.h \
	common/record/record.h \
	common/record/unit-records.c \
	common/record/unit-records.h
