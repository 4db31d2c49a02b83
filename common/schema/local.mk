# SPDX-License-Identifier: MIT
#
# Records, of which messages and saved profiles are made.

noinst_LTLIBRARIES += libitp-schema.la

libitp_schema_la_SOURCES = \
	common/schema/check.c \
	common/schema/field.c \
	common/schema/field.h \
	common/schema/id-map.c \
	common/schema/id-map.h \
	common/schema/layouts.c \
	common/schema/profile-records.c \
	common/schema/profile-records.h \
	common/schema/schema.h \
	common/schema/unit-records.c \
	common/schema/unit-records.h
