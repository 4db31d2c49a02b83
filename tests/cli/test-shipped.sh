#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The whole job on the shipped recordings, against the output that it had before, byte for byte.
#
# ITP_REWRITE_EXPECTED=1 writes tests/data/expected anew; look at the difference before you keep it.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop
expected=$ITP_SOURCE_DIR/tests/data/expected

# gives SENTENCE FILE ARGUMENT… compares what a graph prints with an expected file.
gives() {
	local sentence=$1 file=$2
	shift 2
	graph "$@" >"$file" 2>errors.txt || cat errors.txt >>"$file"
	if [ -n "${ITP_REWRITE_EXPECTED:-}" ]; then
		cp "$file" "$expected/$file"
	fi
	same "$sentence" "$file" "$expected/$file"
}

base=(--params='base="good.data"')
gives "the comparison as text" comparison.txt \
	"${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" "${base[@]}"
gives "the comparison as text, with all there is to say" verbose.txt \
	"${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='base="good.data",verbose=yes'
sed -n '/^    \$ perf introperf diff /,/^    Calls of path 1:/p' "$ITP_SOURCE_DIR/README.md" |
	sed '1d; s/^    //' >readme.txt
timeout 300 "$ITP_BUILD_DIR/perf-introperf" diff --symfs symfs --kallsyms kallsyms good.data slow.data \
	>command.txt 2>errors.txt
same "the README shows what the command says" <(sed '$d' readme.txt) <(sed '$d' command.txt)
same "and a graph says the same" <(sed "$asking" command.txt) <(sed "$asking" comparison.txt)
gives "the comparison as CSV" comparison.csv "${good[@]}" "${slow[@]}" "${profile[@]}" \
	"${rank[@]}" "${base[@]}" --params='format="csv",top=3'
gives "the comparison as JSON lines" comparison.jsonl "${good[@]}" "${slow[@]}" "${profile[@]}" \
	"${rank[@]}" "${base[@]}" --params='format="jsonl",top=3'
gives "the comparison by the paper's method" paper.txt "${good[@]}" "${slow[@]}" \
	"${infer[@]}" --params='continuity="function"' -c filter.introperf.normalize \
	--params='estimate="conservative"' "${rank[@]}" "${base[@]}" \
	--params='method="paper",top=3'
gives "the first path from nearby as text" path.txt "${good[@]}" "${slow[@]}" "${profile[@]}" \
	"${rank[@]}" "${base[@]}" --params='path=1'
gives "the first path from nearby as CSV" path.csv "${good[@]}" "${slow[@]}" "${profile[@]}" \
	"${rank[@]}" "${base[@]}" --params='path=1,format="csv"'
gives "the first path from nearby as JSON lines" path.jsonl "${good[@]}" "${slow[@]}" \
	"${profile[@]}" "${rank[@]}" "${base[@]}" --params='path=1,format="jsonl"'
gives "one recording as text" single.txt "${slow[@]}" "${profile[@]}" "${rank[@]}"

# fits FILE: prints what is wrong with a document by the schema that is installed.
fits() {
	python3 - "$ITP_SOURCE_DIR/doc/introperf-result.schema.json" "$1" 2>&1 <<'END'
import json, sys
from jsonschema import Draft202012Validator
schema, document = (json.load(open(name)) for name in sys.argv[1:])
Draft202012Validator.check_schema(schema)
for error in Draft202012Validator(schema).iter_errors(document):
    print(error.json_path, error.message[:200])
END
}
if python3 -c 'from jsonschema import Draft202012Validator' 2>errors.txt; then
	for kind in comparison single rows path; do
		inputs=("${good[@]}" "${slow[@]}")
		wanted=("${base[@]}")
		case $kind in
		single) inputs=("${slow[@]}") wanted=() ;;
		rows) wanted+=(--params='by="function"') ;;
		path) wanted+=(--params='path=1') ;;
		esac
		graph "${inputs[@]}" "${profile[@]}" "${rank[@]}" --params='format="json"' "${wanted[@]}" \
			>$kind.json 2>errors.txt
		is "a document fits the schema: $kind" "$(fits $kind.json)" ""
	done
	sed 's/"verdict":"sure"/"verdict":"perhaps"/' comparison.json >wrong.json
	like "another one does not" "$(fits wrong.json)" 'perhaps'
else
	skip "a document fits the schema" "python3-jsonschema is not installed"
fi

graph "${good[@]}" "${infer[@]}" >timeline.txt 2>/dev/null
is "the timeline is the same every time" "$(sha256sum <timeline.txt)" \
	"$(graph "${good[@]}" "${infer[@]}" 2>/dev/null | sha256sum)"

done_testing
