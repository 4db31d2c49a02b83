# SPDX-License-Identifier: MIT
#
# For the tests of Babeltrace graphs: the plugin that was built, the shipped recordings, and what
# an error says. Sourced after tests/lib/tap.sh.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # $tmp comes from tap.sh; the rest is for the tests

: "${ITP_BUILD_DIR:?}" "${ITP_SOURCE_DIR:?}"

command -v babeltrace2 >/dev/null || skip_all "no babeltrace2"

infer=(-c filter.introperf.infer)
profile=("${infer[@]}" -c filter.introperf.normalize)
rank=(-c sink.introperf.rank)
# For sed: without the lines in which each host says in its own words how one asks for more.
rest='\(Shown: \|More about \|.* smaller entr\)'
asking="/^Calls of path 1: /d; /^$rest/,/^[^ ]/{/^$rest/d; /^  /d}; s/--idle ranked/idle=\"ranked\"/"
no_stacks="no stack events in the input: it must come from source.introperf.perf, or be a trace \
with stacks (LTTng's contexts callstack-kernel and callstack-user, perf_callchain) or with \
lttng_ust_cyg_profile events"

# For the parameters of sink.ctf.fs: CTF 1.8, for readers of its metadata and below plug-ins in Python,
# which are made for that. Babeltrace 2.0 knows nothing else, and not this parameter.
as_ctf_1=$(babeltrace2 --version | grep -qwF 2.0 || echo 'ctf-version="1",')

# graph ARGUMENT… runs babeltrace2 with the plugin, in at most five minutes. ITP_PRELOAD is the
# runtime of the sanitizers, when the plugin was built with them. Beside plugins in Python, it needs
# whole stacks to know whose a leak is.
graph() {
	LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} \
		ASAN_OPTIONS=${BABELTRACE_PLUGIN_PATH:+fast_unwind_on_malloc=0} \
		LSAN_OPTIONS=suppressions=$ITP_SOURCE_DIR/tests/lib/python.leaks:print_suppressions=0 \
		timeout 300 env LD_PRELOAD="${ITP_PRELOAD:-}" babeltrace2 --plugin-path="$ITP_BUILD_DIR" "$@"
}

# fails ARGUMENT… runs a graph that should end with an error: sets $status, $output (a file's
# name), and $causes to the error causes that are ours, one a line without line breaks.
fails() {
	output=$tmp/output.txt
	graph "$@" >"$output" 2>"$tmp/errors.txt"
	status=$?
	causes=$(awk '
		function finish() { if (ours) { print text }; ours = 0; text = "" }
		/^(ERROR:|CAUSED BY) / { finish(); ours = /\.introperf\.[a-z]+\047\]/; next }
		/^  / { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
		{ finish() }
		END { finish() }' "$tmp/errors.txt")
}

# fails_with SENTENCE CAUSE ARGUMENT…: the graph fails with exactly this one cause of ours, and
# writes no result.
fails_with() {
	local sentence=$1 cause=$2
	shift 2
	fails "$@"
	if [ "$status" -eq 0 ] || [ "$status" -ge 124 ]; then
		causes="exit status $status
$causes"
	fi
	if [ -s "$output" ]; then
		causes="$causes
and a result on standard output"
	fi
	is "$sentence" "$causes" "$cause"
}

# Unpacks good.data, slow.data and what their symbols need into $tmp, and goes there. Recordings
# are given by name, as source.introperf.perf with these symbols: "${good[@]}", "${slow[@]}".
enter_shop() {
	cd "$tmp" || exit 99
	tar -xJf "$ITP_SOURCE_DIR/tests/data/shop.tar.xz" || exit 99
	symbols='symfs="symfs",kallsyms="kallsyms"'
	good=(good.data --params="$symbols")
	slow=(slow.data --params="$symbols")
}
