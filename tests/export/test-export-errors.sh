#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What sink.introperf.export cannot do is one clear error, and leaves no file.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

enter_shop

# wrong SENTENCE CAUSE PARAMS FILTER…
wrong() {
	local sentence=$1 cause=$2 params=$3
	shift 3
	fails_with "$sentence" "sink.introperf.export: $cause" \
		"${good[@]}" "$@" -c sink.introperf.export --params="$params"
}

wrong "a format that is none" \
	'parameter "format": "flame" is not one of folded, folded2, speedscope, pprof, firefox, chrome, callgrind, svg' \
	'format="flame"' "${profile[@]}"
wrong "an unknown name" \
	'unknown parameter "top"; known are format, output, begin, end, base, per, in, names, names-file, process, focus, ignore, hide, root, fold-recursion, max-depth, pair' \
	'top=3' "${profile[@]}"
for format in chrome firefox; do
	wrong "$format behind normalize" \
		"parameter \"format\": \"$format\" shows single calls, and no introperf:instance events arrived; put filter.introperf.infer, and not filter.introperf.normalize, before this sink" \
		"format=\"$format\"" "${profile[@]}"
done
for format in folded pprof callgrind; do
	wrong "$format behind infer alone" \
		"no introperf:node events arrived; put filter.introperf.normalize before this sink" \
		"format=\"$format\"" "${infer[@]}"
done
wrong "speedscope behind neither" \
	"no introperf:node events arrived; put filter.introperf.normalize before this sink" \
	'format="speedscope"'
wrong "two values without a base" \
	'parameter "base": "format" is "folded2", which compares; name the input that behaves' \
	'format="folded2"' "${profile[@]}"
wrong "one value with a base" \
	'parameter "base": "format" is "folded", which has no place for it; "folded2" has' \
	'base="good.data"' "${profile[@]}"
wrong "a base for a timeline" \
	'parameter "base": "format" is "chrome", which shows single calls; it is for profiles' \
	'format="chrome",base="good.data"' "${infer[@]}"
wrong "a view for a timeline" \
	'parameter "hide": "format" is "firefox", which shows single calls; it is for profiles' \
	'format="firefox",hide="x"' "${infer[@]}"
wrong "a window for a tree" \
	'parameter "begin": "format" is "folded", which shows no time; babeltrace2 --begin and --end choose a part of a recording' \
	'begin="1"' "${profile[@]}"
wrong "a view for calls in a format that shows both" \
	'parameter "root": single calls arrived; it is for profiles, which filter.introperf.normalize before this sink makes of them' \
	'format="speedscope",root="x"' "${infer[@]}"
wrong "a window for a profile in a format that shows both" \
	'parameter "end": a profile arrived, which has no time; it is for single calls, of filter.introperf.infer without filter.introperf.normalize' \
	'format="speedscope",end="1"' "${profile[@]}"
for time in soon 1.1234567890 -1 1.2.3 1. 99999999999; do
	wrong "a time that is none: $time" \
		"parameter \"begin\": \"$time\" is no time; such are \"1234\" and \"1234.567\", in seconds as babeltrace2 --clock-seconds prints them" \
		"format=\"chrome\",begin=\"$time\"" "${infer[@]}"
done
wrong "a window without inside" 'parameter "end": "1" is not after "begin", "2"' \
	'format="chrome",begin="2",end="1"' "${infer[@]}"
wrong "a directory that is not there" 'nowhere/out: cannot write: No such file or directory' \
	'output="nowhere/out"' "${profile[@]}"
wrong "a directory as output" '.: cannot write: Is a directory' 'output="."' "${profile[@]}"
wrong "a full device" '/dev/full: cannot write: No space left on device' \
	'output="/dev/full"' "${profile[@]}"
fails_with "two inputs on one timeline" \
	"sink.introperf.export: calls of several inputs, and a timeline shows those of one; export one after the other" \
	"${good[@]}" "${slow[@]}" "${infer[@]}" -c sink.introperf.export --params='format="chrome"'
TMPDIR=$tmp/nowhere fails_with "no directory for what is too large" \
	"sink.introperf.export: $tmp/nowhere: no room for the calls: No such file or directory; the environment variable TMPDIR may name another directory" \
	"${good[@]}" "${infer[@]}" -c sink.introperf.export --params='format="chrome"'

# A disk that is too small: an old file stays, a new one is not left behind.
if mkdir small && mount -t tmpfs -o size=64k introperf small 2>mount.txt; then
	echo old >small/old
	for file in old new; do
		fails "${good[@]}" "${infer[@]}" -c sink.introperf.export \
			--params="format=\"chrome\",output=\"small/$file\""
		is "a disk that is full fails" "$((status > 0)) $causes" \
			"1 sink.introperf.export: small/$file: cannot write: No space left on device"
	done
	is "and keeps what was there" "$(ls small) $(cat small/old)" "old old"
	TMPDIR=small fails "${good[@]}" "${infer[@]}" -c sink.introperf.export --params='format="chrome"'
	like "a disk that is full of calls fails too" "$((status > 0)) $causes" \
		'^1 sink.introperf.export: small: no room for the calls: No space left on device; '
	umount small
else
	skip "a disk that is full fails" "no tmpfs: $(cat mount.txt)"
fi

# An input that ends with an error.
head -c 200000 good.data >cut.data
fails cut.data --params="$symbols" "${profile[@]}" -c sink.introperf.export --params='output="cut.folded"'
ok "an input that fails leaves no file" test "$status" -ne 0 -a ! -e cut.folded

# Nothing to show is no error.
graph "${good[@]}" "${infer[@]}" -c sink.introperf.export \
	--params='format="chrome",end="1",output="none.json"' >errors.txt 2>&1
is "an empty window is an empty file that can be read" \
	"$? $(cat errors.txt)$(python3 -c 'import json; print(json.load(open("none.json"))["traceEvents"])')" "0 []"
for format in speedscope firefox; do
	graph "${good[@]}" "${infer[@]}" -c sink.introperf.export \
		--params="format=\"$format\",end=\"1\",output=\"none.json\"" >errors.txt 2>&1
	is "so for $format" "$? $(python3 -m json.tool none.json >/dev/null 2>errors.txt; cat errors.txt)" "0 "
done

# A terminal gets no binary.
if command -v script >/dev/null; then
	like "binary to a terminal is refused" \
		"$(ITP_PLUGINS=$ITP_BUILD_DIR script -qec "LD_PRELOAD=${ITP_PRELOAD:-} LIBBABELTRACE2_NO_DLCLOSE=1 \
			babeltrace2 --plugin-path='$ITP_BUILD_DIR' good.data -c filter.introperf.infer \
			-c filter.introperf.normalize -c sink.introperf.export --params='format=\"pprof\"'" \
			typescript </dev/null 2>&1 | tr -d '\r\n' | tr -s ' ')" \
		'parameter "output": "format" is "pprof", which is nothing for a terminal; name a file'
else
	skip "binary to a terminal is refused" "no script (package bsdutils)"
fi

done_testing
