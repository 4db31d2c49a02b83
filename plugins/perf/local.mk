# SPDX-License-Identifier: MIT
#
# Common parts of all with programs in the kernel.

EXTRA_DIST += $(bpf_headers)
bpf_headers = \
	plugins/perf/bpf/copying.h \
	plugins/perf/bpf/registers.h
if HAVE_GUARD
noinst_LTLIBRARIES += libitp-bpf.la
libitp_bpf_la_SOURCES = \
	plugins/perf/bpf/bpf.h \
	plugins/perf/bpf/price.c \
	plugins/perf/bpf/price.h \
	plugins/perf/bpf/refusal.c \
	plugins/perf/bpf/refusal.h
libitp_bpf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(LIBBPF_CFLAGS)
libitp_bpf_la_LIBADD = $(LIBBPF_LIBS)
endif

# Guards. Their program in the kernel is compiled by clang and becomes a header, whose structures the
# loader fits to the running kernel.

EXTRA_DIST += \
	plugins/perf/guard/guard.bpf.c \
	$(guard_headers)
guard_headers = \
	plugins/perf/guard/guard-bpf.h \
	plugins/perf/guard/guard-late.h \
	plugins/perf/guard/guard-state.h \
	plugins/perf/guard/guard-units.h
if HAVE_GUARD
noinst_LTLIBRARIES += libitp-guarding.la
libitp_guarding_la_SOURCES = \
	plugins/perf/guard/alarms.c \
	plugins/perf/guard/alarms.h \
	plugins/perf/guard/answers.c \
	plugins/perf/guard/answers.h \
	plugins/perf/guard/attaching.c \
	plugins/perf/guard/attaching.h \
	plugins/perf/guard/guard.h \
	plugins/perf/guard/guarding.c \
	plugins/perf/guard/guarding.h \
	plugins/perf/guard/kernel.c \
	plugins/perf/guard/kernel.h \
	plugins/perf/guard/lines.c \
	plugins/perf/guard/lines.h \
	plugins/perf/guard/printer.c \
	plugins/perf/guard/printer.h \
	plugins/perf/guard/recorder.c \
	plugins/perf/guard/reasons.c \
	plugins/perf/guard/reasons.h \
	plugins/perf/guard/recorder.h \
	plugins/perf/guard/shifts.c \
	plugins/perf/guard/shifts.h \
	plugins/perf/guard/processes.c \
	plugins/perf/guard/processes.h \
	plugins/perf/guard/unseen.c \
	plugins/perf/guard/unseen.h \
	plugins/perf/guard/wakers.c \
	plugins/perf/guard/wakers.h \
	plugins/perf/guard/windows.c \
	plugins/perf/guard/windows.h
libitp_guarding_la_CPPFLAGS = $(AM_CPPFLAGS) -isystem plugins/perf/guard
libitp_guarding_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(LIBBPF_CFLAGS) $(JANSSON_CFLAGS) \
	$(ELFUTILS_CFLAGS)
libitp_guarding_la_LIBADD = $(LIBBPF_LIBS)

guard_program = plugins/perf/guard/guard.bpf.c
plugins/perf/guard/guard.bpf.o: $(guard_program) $(guard_headers) $(bpf_headers) common/guard/inference.h
	$(AM_V_GEN)$(MKDIR_P) plugins/perf/guard && $(CLANG) -target bpf -g -O2 -Wall -ffreestanding \
		-D__TARGET_ARCH_$(BPF_ARCH) -I$(top_srcdir) $(BPF_INCLUDES) $(LIBBPF_CFLAGS) \
		-c $(srcdir)/$(guard_program) -o $@
plugins/perf/guard/guard.skel.h: plugins/perf/guard/guard.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton $< name itp_guard_bpf >$@.new && mv $@.new $@
BUILT_SOURCES += plugins/perf/guard/guard.skel.h
CLEANFILES += plugins/perf/guard/guard.skel.h plugins/perf/guard/guard.bpf.o
endif

# What makes recordings: the target, and perf as a child, or else the recorder below.

noinst_LTLIBRARIES += libitp-record.la
libitp_record_la_SOURCES = \
	plugins/perf/record/bpf-run.h \
	plugins/perf/record/claim.c \
	plugins/perf/record/claim.h \
	plugins/perf/record/costs.c \
	plugins/perf/record/costs.h \
	plugins/perf/record/descendants.c \
	plugins/perf/record/descendants.h \
	plugins/perf/record/held.c \
	plugins/perf/record/held.h \
	plugins/perf/record/like.c \
	plugins/perf/record/like.h \
	plugins/perf/record/live-bpf.c \
	plugins/perf/record/live-bpf.h \
	plugins/perf/record/live-recorder.c \
	plugins/perf/record/live-recorder.h \
	plugins/perf/record/overhead.c \
	plugins/perf/record/overhead.h \
	plugins/perf/record/perf-run.c \
	plugins/perf/record/perf-run.h \
	plugins/perf/record/probes.c \
	plugins/perf/record/probes.h \
	plugins/perf/record/rates.c \
	plugins/perf/record/rates.h \
	plugins/perf/record/recipe.c \
	plugins/perf/record/recipe.h \
	plugins/perf/record/record-options.c \
	plugins/perf/record/record-options.h \
	plugins/perf/record/record-values.h \
	plugins/perf/record/record.h \
	plugins/perf/record/speed-meter.c \
	plugins/perf/record/speed-meter.h \
	plugins/perf/record/target.c \
	plugins/perf/record/target.h
if HAVE_RECORDER
libitp_record_la_SOURCES += plugins/perf/record/bpf-run.c
else
libitp_record_la_SOURCES += plugins/perf/record/bpf-run-missing.c
endif
libitp_record_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(ELFUTILS_CFLAGS)

# The recorder that does without perf, which has programs in the kernel likewise.

EXTRA_DIST += \
	plugins/perf/record/record.bpf.c \
	$(record_headers)
record_headers = \
	plugins/perf/record/computation.h \
	plugins/perf/record/record-bpf.h \
	plugins/perf/record/record-interpreted.h \
	plugins/perf/record/record-kernel-stack.h \
	plugins/perf/record/record-memory.h \
	plugins/perf/record/record-speed.h \
	plugins/perf/record/record-state.h \
	plugins/perf/record/record-threads.h \
	plugins/perf/record/record-waiting.h \
	plugins/perf/record/record-walk.h
if HAVE_RECORDER
noinst_LTLIBRARIES += libitp-recorder.la
libitp_recorder_la_SOURCES = \
	plugins/perf/record/build-ids.c \
	plugins/perf/record/build-ids.h \
	plugins/perf/record/existing.c \
	plugins/perf/record/existing.h \
	plugins/perf/record/followed.c \
	plugins/perf/record/followed.h \
	plugins/perf/record/formats.c \
	plugins/perf/record/formats.h \
	plugins/perf/record/groups.c \
	plugins/perf/record/groups.h \
	plugins/perf/record/images.c \
	plugins/perf/record/images.h \
	plugins/perf/record/interpreted.c \
	plugins/perf/record/interpreted.h \
	plugins/perf/record/interpreters.c \
	plugins/perf/record/interpreters.h \
	plugins/perf/record/kernel.c \
	plugins/perf/record/kernel.h \
	plugins/perf/record/kernel-text.c \
	plugins/perf/record/kernel-text.h \
	plugins/perf/record/output.c \
	plugins/perf/record/output.h \
	plugins/perf/record/recording.c \
	plugins/perf/record/recording.h \
	plugins/perf/record/samples.c \
	plugins/perf/record/samples.h \
	plugins/perf/record/sideband.c \
	plugins/perf/record/sideband.h \
	plugins/perf/record/spending.c \
	plugins/perf/record/spending.h \
	plugins/perf/record/stacks.c \
	plugins/perf/record/stacks.h \
	plugins/perf/record/windows.c \
	plugins/perf/record/windows.h
libitp_recorder_la_CPPFLAGS = $(AM_CPPFLAGS) -isystem plugins/perf/record
libitp_recorder_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(LIBBPF_CFLAGS) $(ELFUTILS_CFLAGS) \
	$(ZSTD_CFLAGS)
libitp_recorder_la_LIBADD = libitp-bpf.la $(ZSTD_LIBS)

record_program = plugins/perf/record/record.bpf.c
plugins/perf/record/record.bpf.o: $(record_program) $(record_headers) $(bpf_headers) common/unwind/step.h
	$(AM_V_GEN)$(MKDIR_P) plugins/perf/record && $(CLANG) -target bpf -mcpu=v3 -g -O2 -Wall \
		-ffreestanding -D__TARGET_ARCH_$(BPF_ARCH) -I$(top_srcdir) $(BPF_INCLUDES) \
		$(LIBBPF_CFLAGS) -c $(srcdir)/$(record_program) -o $@
plugins/perf/record/record.skel.h: plugins/perf/record/record.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton $< name itp_record_bpf >$@.new && mv $@.new $@
BUILT_SOURCES += plugins/perf/record/record.skel.h
CLEANFILES += plugins/perf/record/record.skel.h plugins/perf/record/record.bpf.o
endif

# perf-introperf, which `perf introperf` runs when it is in PATH.

bin_PROGRAMS += perf-introperf
perf_introperf_SOURCES = \
	plugins/perf/command/annotate.c \
	plugins/perf/command/awaited.c \
	plugins/perf/command/awaited.h \
	plugins/perf/command/browse.h \
	plugins/perf/command/command.h \
	plugins/perf/command/export.c \
	plugins/perf/command/familiar.c \
	plugins/perf/command/familiar.h \
	plugins/perf/command/program.h \
	plugins/perf/command/main.c \
	plugins/perf/mcp/mcp.c \
	plugins/perf/mcp/mcp.h \
	plugins/perf/mcp/run.c \
	plugins/perf/mcp/run.h \
	plugins/perf/mcp/tools.c \
	plugins/perf/mcp/tools.h \
	plugins/perf/command/mine-options.c \
	plugins/perf/command/mine-options.h \
	plugins/perf/command/mine.c \
	plugins/perf/command/options.c \
	plugins/perf/command/options.h \
	plugins/perf/command/page-requests.c \
	plugins/perf/command/page-requests.h \
	plugins/perf/command/page-source.c \
	plugins/perf/command/page-source.h \
	plugins/perf/command/program.c \
	plugins/perf/command/quality.c \
	plugins/perf/command/quality.h \
	plugins/perf/command/reading.c \
	plugins/perf/command/reading.h \
	plugins/perf/command/record.c \
	plugins/perf/command/report.c \
	plugins/perf/command/source-reading.c \
	plugins/perf/command/source-reading.h \
	plugins/perf/command/through.c \
	plugins/perf/command/through.h \
	plugins/perf/command/top.c \
	plugins/perf/command/units.c \
	plugins/perf/command/words.c \
	plugins/perf/command/words.h
if HAVE_BROWSER
perf_introperf_SOURCES += plugins/perf/command/browse.c
else
perf_introperf_SOURCES += plugins/perf/command/browse-missing.c
endif
if HAVE_RECORDER
perf_introperf_recorder = libitp-recorder.la libitp-bpf.la
endif
if HAVE_GUARD
perf_introperf_SOURCES += plugins/perf/command/guard-start.c
else
perf_introperf_SOURCES += plugins/perf/command/guard-missing.c
endif
perf_introperf_CPPFLAGS = $(AM_CPPFLAGS) -DITP_PLUGIN_DIR='"$(plugindir)"' \
	-DITP_PROGRAM_DIR='"$(pkglibexecdir)"'
perf_introperf_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(ELFUTILS_CFLAGS) $(NCURSES_CFLAGS) $(JANSSON_CFLAGS)
perf_introperf_LDADD = libitp-record.la $(perf_introperf_recorder) libitp-guard.la libitp-exporting.la libitp-graphs.la libitp-sink-export.la libitp-export-job.la libitp-export.la \
	libitp-render-source.la libitp-source-lines.la libitp-render-unit.la libitp-render-through.la libitp-sink-mine.la libitp-mining-job.la libitp-render-mining.la libitp-mine.la \
	libitp-browser.la $(everything) $(JANSSON_LIBS) $(NCURSES_LIBS)

# The program for guard, with as few libraries as possible.

if HAVE_GUARD
pkglibexec_PROGRAMS = introperf-guard
introperf_guard_SOURCES = \
	plugins/perf/command/guard-main.c \
	plugins/perf/command/guard.c \
	plugins/perf/command/program.h \
	plugins/perf/command/program.c \
	plugins/perf/command/words.c \
	plugins/perf/command/words.h
introperf_guard_CPPFLAGS = $(AM_CPPFLAGS) -DITP_BIN_DIR='"$(bindir)"'
introperf_guard_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(ELFUTILS_CFLAGS)
introperf_guard_LDFLAGS = $(AM_LDFLAGS) -Wl,--as-needed
introperf_guard_LDADD = libitp-record.la libitp-guarding.la libitp-bpf.la libitp-guard.la libitp-render-unit.la libitp-render.la \
	libitp-engine.la libitp-terminal.la libitp-stacks.la libitp-symbol.la libitp-unwind.la \
	libitp-elf.la libitp-view.la libitp-rank.la libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la $(BABELTRACE_LIBS) \
	$(JANSSON_LIBS)
endif

completiondir = $(datadir)/bash-completion/completions
dist_completion_DATA = plugins/perf/command/perf-introperf.bash
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = plugins/perf/command/_perf-introperf

# Common parts of a dlfilter and a script.

noinst_LTLIBRARIES += libitp-delivery.la
libitp_delivery_la_SOURCES = \
	plugins/perf/dlfilter/code-pages.c \
	plugins/perf/dlfilter/code-pages.h \
	plugins/perf/dlfilter/dlfilter.h \
	plugins/perf/dlfilter/delivery.c \
	plugins/perf/dlfilter/delivery.h \
	plugins/perf/dlfilter/dlargs.c \
	plugins/perf/dlfilter/dlargs.h \
	plugins/perf/dlfilter/early-events.c \
	plugins/perf/dlfilter/early-events.h
libitp_delivery_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)

# Dlfilter, inside of perf. Only the symbols that perf looks for leave it.

dlfilter_LTLIBRARIES = introperf.la

introperf_la_SOURCES = \
	plugins/perf/dlfilter/dlfilter-abi.h \
	plugins/perf/dlfilter/dlfilter.c
introperf_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS)
introperf_la_LDFLAGS = \
	-module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^(start|stop|filter_event|filter_description|perf_dlfilter_fns)$$'
introperf_la_LIBADD = libitp-delivery.la libitp-graphs.la $(everything)

# Module for perf's Python. The engine is a library of its own for the sake of its tests.

noinst_LTLIBRARIES += libitp-script.la
libitp_script_la_SOURCES = \
	plugins/perf/script/chain.c \
	plugins/perf/script/chain.h \
	plugins/perf/script/engine.c \
	plugins/perf/script/script.h \
	plugins/perf/script/engine.h \
	plugins/perf/script/places.c \
	plugins/perf/script/places.h \
	plugins/perf/script/sample.h \
	plugins/perf/script/threads.c \
	plugins/perf/script/threads.h
libitp_script_la_CFLAGS = $(AM_CFLAGS) $(BABELTRACE_CFLAGS) $(ELFUTILS_CFLAGS)

script_LTLIBRARIES = _introperf.la
_introperf_la_SOURCES = \
	plugins/perf/script/fields.c \
	plugins/perf/script/fields.h \
	plugins/perf/script/module.c \
	plugins/perf/script/python.h
_introperf_la_CFLAGS = $(AM_CFLAGS) $(PYTHON_CFLAGS)
_introperf_la_LDFLAGS = -module -avoid-version -shared -export-symbols-regex '^PyInit__introperf$$'
_introperf_la_LIBADD = libitp-script.la libitp-delivery.la libitp-graphs.la $(everything)

dist_script_SCRIPTS = plugins/perf/script/introperf.py
scriptbindir = $(scriptdir)/bin
dist_scriptbin_SCRIPTS = \
	plugins/perf/script/introperf-record \
	plugins/perf/script/introperf-report
