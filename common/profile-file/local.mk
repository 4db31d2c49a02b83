# SPDX-License-Identifier: MIT
#
# The file of saved profiles, without messages.

noinst_LTLIBRARIES += libitp-profile-file.la

libitp_profile_file_la_SOURCES = \
	common/profile-file/bytes.c \
	common/profile-file/bytes.h \
	common/profile-file/format.h \
	common/profile-file/intake.c \
	common/profile-file/intake.h \
	common/profile-file/layouts.c \
	common/profile-file/layouts.h \
	common/profile-file/profile-file.h \
	common/profile-file/reading.c \
	common/profile-file/writing.c
