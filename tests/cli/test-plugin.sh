#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What Babeltrace sees of the plugin before it runs a graph.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

plugins=$(graph list-plugins 2>/dev/null | sed -n '/^introperf:/,/^$/p')
like "list-plugins shows introperf" "$plugins" 'Path: .*introperf'
like "its licence is MIT" "$plugins" 'License: MIT'
for class in source.introperf.perf filter.introperf.infer filter.introperf.normalize \
	filter.introperf.symbolize filter.introperf.unit filter.introperf.wait sink.introperf.mine sink.introperf.rank sink.introperf.report \
	sink.introperf.export; do
	like "it has $class" "$plugins" "'$class': [A-Z]"
done

# weight TYPE INPUT prints how much the source wants an input.
weight() {
	graph query source.introperf.perf babeltrace.support-info \
		--params="type=\"$1\",input=\"$2\"" 2>&1 | sed 's/^weight: //; /^group: introperf$/d'
}

enter_shop
mkdir directory
: >empty.data
printf 'PERF' >short.data
head -c 4096 /dev/urandom >noise.data
cp noise.data noise
is "the source wants a recording" "$(weight file good.data)" "0.750000"
is "it does not want a directory" "$(weight directory directory)" "0.000000"
is "it does not want a directory that is called a file" "$(weight file directory)" "0.000000"
is "it does not want a string" "$(weight string something)" "0.000000"
is "a file is asked about as a file" "$(weight string good.data)" "0.000000"
is "it does not want a file of another kind" "$(weight file noise)" "0.000000"
for file in empty short noise; do
	is "it can say what is wrong with a recording that is $file" \
		"$(weight file $file.data)" "0.010000"
done
is "it can say that a recording is missing" "$(weight string missing.data)" "0.010000"
not_ok "it knows no other query" \
	graph query source.introperf.perf babeltrace.trace-infos --params='inputs=["good.data"]'

# Parameters are in manual pages.
for page in "$ITP_SOURCE_DIR"/doc/man/babeltrace2-*.7; do
	name=$(basename "$page" .7)
	like "help of ${name#babeltrace2-} names its page" "$(graph help "${name#babeltrace2-}")" "man $name\$"
done

done_testing
