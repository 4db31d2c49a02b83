# SPDX-License-Identifier: MIT
# Makes HTML of pages/*.md.

all: $(patsubst %.md,%.html.gz,$(wildcard pages/*.md))

%.html: %.md
	$(CMARK) --smart $< > $@

%.html.gz: %.html
	gzip -9 -n < $< > $@

.SECONDARY:
