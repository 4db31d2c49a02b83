# SPDX-License-Identifier: MIT
#
# sink.introperf.report: what it writes, and the page in a real browser.

check_PROGRAMS += tests/report/draw
tests_report_draw_SOURCES = tests/report/draw.c
tests_report_draw_LDADD = libitp-report.la libitp-html.la libitp-render-formats.la libitp-render-records.la libitp-render-text.la libitp-render.la libitp-view.la libitp-rank.la libitp-wait.la libitp-unit.la libitp-infer.la libitp-known.la libitp-base.la \
	$(GLIB_LIBS) -lm

EXTRA_DIST += tests/report/browser.py tests/report/details.py tests/report/large.py tests/report/measures.py \
	tests/report/mining.py tests/report/opening.py tests/report/page.py tests/report/source.py tests/report/timeline.py
dist_noinst_SCRIPTS += tests/report/picture

dist_check_SCRIPTS += tests/report/test-report.sh tests/report/test-report-page.sh
TESTS += tests/report/test-report.sh tests/report/test-report-page.sh

# The pictures of the page are kept for whoever built it.
clean-local: clean-report-screenshots
clean-report-screenshots:
	rm -rf tests/report/screenshots
.PHONY: clean-report-screenshots
