# SPDX-License-Identifier: MIT
#
# Ways of control inside of a function, from a place to another.

noinst_LTLIBRARIES += libitp-control-flow.la
libitp_control_flow_la_SOURCES = \
	common/control-flow/address-set.c \
	common/control-flow/address-set.h \
	common/control-flow/answers.c \
	common/control-flow/answers.h \
	common/control-flow/call.c \
	common/control-flow/call.h \
	common/control-flow/code.c \
	common/control-flow/code.h \
	common/control-flow/control-flow.c \
	common/control-flow/control-flow.h \
	common/control-flow/decode.c \
	common/control-flow/decode.h \
	common/control-flow/explore.c \
	common/control-flow/explore.h \
	common/control-flow/follow.c \
	common/control-flow/follow.h \
	common/control-flow/graph.c \
	common/control-flow/graph.h \
	common/control-flow/imports.c \
	common/control-flow/imports.h \
	common/control-flow/jump.c \
	common/control-flow/jump.h \
	common/control-flow/landing.c \
	common/control-flow/landing.h \
	common/control-flow/operand.c \
	common/control-flow/operand.h \
	common/control-flow/patches.c \
	common/control-flow/patches.h \
	common/control-flow/point.h \
	common/control-flow/stack-depth.c \
	common/control-flow/stack-depth.h \
	common/control-flow/value.c \
	common/control-flow/value.h \
	common/control-flow/values.h
libitp_control_flow_la_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS) $(CAPSTONE_CFLAGS)
libitp_control_flow_la_LIBADD = $(CAPSTONE_LIBS)
