# SPDX-License-Identifier: MIT
#
# Servers whose requests are counted: run by hand, see tests/units/run. What the kernel does
# meanwhile is noted by a program of its own.

EXTRA_DIST += tests/units/chains.py tests/units/client.py tests/units/follow.py \
	tests/units/fresh.py tests/units/fresh_kinds.py tests/units/kernel.py tests/units/kinds.py \
	tests/units/loads.py tests/units/newest.py tests/units/perfguard.py tests/units/pool.c \
	tests/units/recording.py tests/units/servers.py tests/units/test_truth.py tests/units/times.py \
	tests/units/unseen.py tests/units/variance.py
dist_noinst_SCRIPTS += tests/units/run tests/units/through

dist_check_SCRIPTS += tests/units/test-truth.sh
TESTS += tests/units/test-truth.sh

EXTRA_DIST += tests/units/kernel-events.bpf.c
if HAVE_RECORDER
check_PROGRAMS += tests/units/kernel-events
tests_units_kernel_events_SOURCES = tests/units/kernel-events.c tests/units/kernel-events.h
# The header that bpftool makes is not ours: its warnings count for nothing.
tests_units_kernel_events_CPPFLAGS = $(AM_CPPFLAGS) -isystem tests/units
tests_units_kernel_events_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS)
tests_units_kernel_events_LDADD = $(LIBBPF_LIBS)

kernel_events_program = tests/units/kernel-events.bpf.c
tests/units/kernel-events.bpf.o: $(kernel_events_program) tests/units/kernel-events.h
	$(AM_V_GEN)$(MKDIR_P) tests/units && $(CLANG) -target bpf -mcpu=v3 -g -O2 -Wall \
		-ffreestanding -D__TARGET_ARCH_$(BPF_ARCH) -I$(top_srcdir) $(BPF_INCLUDES) \
		$(LIBBPF_CFLAGS) -c $(srcdir)/$(kernel_events_program) -o $@
tests/units/kernel-events.skel.h: tests/units/kernel-events.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton $< name kernel_events_bpf >$@.new && mv $@.new $@
BUILT_SOURCES += tests/units/kernel-events.skel.h
CLEANFILES += tests/units/kernel-events.skel.h tests/units/kernel-events.bpf.o
endif
