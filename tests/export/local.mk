# SPDX-License-Identifier: MIT
#
# Exported files, opened by the programs that they are for. speedscope comes from npm: scripts/check
# puts it into readers/ of the build directory.

EXTRA_DIST += tests/export/package.json tests/export/package-lock.json
EXTRA_DIST += tests/export/check.py tests/export/speedscope.js

export_tests = tests/export/test-export.sh tests/export/test-export-errors.sh
dist_check_SCRIPTS += $(export_tests)
TESTS += $(export_tests)
