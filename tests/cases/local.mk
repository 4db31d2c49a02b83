# SPDX-License-Identifier: MIT
#
# The cases: run by hand, see tests/cases/README.md. The bench itself and the quick cases are tests.

EXTRA_DIST += \
	tests/cases/.shellcheckrc \
	tests/cases/README.md \
	tests/cases/apache-deflate/case.sh \
	tests/cases/apache-htaccess/case.sh \
	tests/cases/apache-log/case.sh \
	tests/cases/apache.sh \
	tests/cases/bash-subshell/case.sh \
	tests/cases/bench/__init__.py \
	tests/cases/bench/cases.py \
	tests/cases/bench/ranking.py \
	tests/cases/bench/report.py \
	tests/cases/bench/today.py \
	tests/cases/expat-tokens/case.sh \
	tests/cases/fortran-stride/case.sh \
	tests/cases/fortran-stride/heat.f90 \
	tests/cases/get.py \
	tests/cases/go-regexp/case.sh \
	tests/cases/go-regexp/server.go \
	tests/cases/lib.sh \
	tests/cases/lua-collisions/case.sh \
	tests/cases/lua-collisions/keys.lua \
	tests/cases/mariadb-index/case.sh \
	tests/cases/mariadb-locks/case.sh \
	tests/cases/mariadb.sh \
	tests/cases/nginx-debug-log/case.sh \
	tests/cases/nginx-gzip/case.sh \
	tests/cases/nginx-regex/case.sh \
	tests/cases/nginx-tls/case.sh \
	tests/cases/postgresql-index/case.sh \
	tests/cases/qt-dispatcher/case.sh \
	tests/cases/qt-dispatcher/clock.cc \
	tests/cases/redis-fsync/case.sh \
	tests/cases/redis-keys/case.sh \
	tests/cases/redis-match/case.sh \
	tests/cases/redis-module/case.sh \
	tests/cases/rsync-checksum/case.sh \
	tests/cases/rust-hash/case.sh \
	tests/cases/rust-hash/inventory.rs \
	tests/cases/software/apache.sh \
	tests/cases/software/bash.sh \
	tests/cases/software/coreutils.sh \
	tests/cases/software/git.sh \
	tests/cases/software/lua.sh \
	tests/cases/software/nginx.sh \
	tests/cases/software/postgresql.sh \
	tests/cases/software/redis.sh \
	tests/cases/software/rsync.sh \
	tests/cases/software/sqlite.sh \
	tests/cases/software/zlib.sh \
	tests/cases/sort-locale/case.sh \
	tests/cases/sqlite-cold-cache/case.sh \
	tests/cases/sqlite-csv/case.sh \
	tests/cases/sqlite-index/case.sh \
	tests/cases/sqlite-synchronous/case.sh \
	tests/cases/test_bench.py \
	tests/cases/threads-mutex/cache.cc \
	tests/cases/threads-mutex/case.sh \
	tests/cases/zlib-curl/case.sh \
	tests/cases/zlib-curl/compressed.py
dist_noinst_SCRIPTS += tests/cases/run tests/cases/step

dist_check_SCRIPTS += tests/cases/test-bench.sh tests/cases/test-cases.sh
TESTS += tests/cases/test-bench.sh tests/cases/test-cases.sh
