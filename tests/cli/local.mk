# SPDX-License-Identifier: MIT
#
# The tools as a user meets them, and the sources as a reader does.

EXTRA_DIST += tests/lib/tap.sh tests/data/README.md tests/data/shop.tar.xz
dist_noinst_SCRIPTS += tests/data/record

dist_check_SCRIPTS += tests/cli/test-source-style.sh
TESTS += tests/cli/test-source-style.sh
