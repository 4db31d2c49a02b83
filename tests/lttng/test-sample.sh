#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A function trace of a real program that others have published: the sample "glxgears-cyg-profile" of
# Trace Compass, which lies in ../shared/data beside the sources, or is not there.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

sample=$ITP_SOURCE_DIR/../shared/data/glxgears-cyg-profile
[ -d "$sample" ] || skip_all "no sample glxgears-cyg-profile"
count=$ITP_SOURCE_DIR/tests/lttng/count-calls.py
cd "$tmp" || exit 99

graph --clock-seconds --clock-gmt "$sample" >events.txt 2>errors.txt
is "the sample has so many events" "$(grep -c . events.txt)" 4977
python3 "$count" events <events.txt >wanted.txt
graph "$sample" "${infer[@]}" >instances.txt 2>errors.txt
is "it is read" "$?" 0
python3 "$count" instances <instances.txt >got.txt
is "it has as many entries as calls" "$(awk '{ n += $1 } END { print n }' got.txt)" \
	"$(grep -c func_entry events.txt)"
same "contexts, counts and times are those of an independent count" got.txt wanted.txt
is "all calls but those that never end are exact, and counted" \
	"$(grep -cE 'introperf:instance.* depth = [1-9].* flags = 24,' instances.txt)" \
	"$(grep -c func_exit events.txt)"
like "all events are counted" "$(grep introperf:workload instances.txt)" ' stacks = 4977,'
like "nothing is known of where its files were" "$(cat errors.txt)" \
	'the trace does not say what was mapped where'
graph "$sample" "${profile[@]}" "${rank[@]}" --params='format="jsonl",top=1' >ranking.txt 2>&1
like "it can be ranked" "$(cat ranking.txt)" '"process":"glxgears"'

done_testing
