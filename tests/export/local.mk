# SPDX-License-Identifier: MIT
#
# Exported files, opened by the programs that they are for. speedscope comes from npm: scripts/check
# puts it into readers/ of the build directory.

EXTRA_DIST += tests/export/package.json tests/export/package-lock.json
EXTRA_DIST += tests/export/check.py tests/export/hostile.py tests/export/speedscope.js

check_PROGRAMS += tests/export/scene
tests_export_scene_SOURCES = tests/export/scene.c
tests_export_scene_LDADD = libitp-export.la libitp-render.la libitp-infer.la libitp-known.la libitp-base.la $(GLIB_LIBS)

export_tests = tests/export/test-export.sh tests/export/test-export-errors.sh \
	tests/export/test-export-limits.sh \
	tests/export/test-perf-introperf-export.sh
dist_check_SCRIPTS += $(export_tests)
TESTS += $(export_tests)
