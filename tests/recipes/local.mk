# SPDX-License-Identifier: MIT
#
# The commands in the README, in the manual pages and in those of doc/recipes.

EXTRA_DIST += tests/recipes/recipe.awk
EXTRA_DIST += tests/recipes/commands.awk
dist_check_SCRIPTS += tests/recipes/test-pages.sh tests/recipes/test-readme.sh tests/recipes/test-recipes.sh
TESTS += tests/recipes/test-pages.sh tests/recipes/test-readme.sh tests/recipes/test-recipes.sh
