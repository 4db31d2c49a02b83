#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A Go program, recorded with copies of its stacks: goroutines, the runtime's own stacks, and signal
# handlers. Nearly every stack reaches what it began with.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=record.sh
. "$(dirname "$0")/record.sh"

command -v go > "$tmp/which" || skip_all "go is not installed"

# What there is to test does not need C; the stacks of C in a Go program are those of its compiler.
HOME=$tmp GOCACHE=$tmp/cache GOFLAGS=-mod=mod CGO_ENABLED=0 \
	go build -o "$tmp/tests/perf/goroutines" "${ITP_SOURCE_DIR:-.}/tests/perf/goroutines.go" \
	> "$tmp/go.log" 2>&1 || skip_all "go does not build: $(head -n 1 "$tmp/go.log")"
build=$tmp record dwarf,8192 goroutines

"$build/tests/perf/dump-stacks" "$data" | sed 's/@goroutines//g' > "$tmp/stacks.txt"
"$build/tests/perf/unwind-compare" --frames "$data" > "$tmp/frames.txt"

# stacks_with PATTERN: how many there are.
stacks_with() {
	grep -cE "$1" "$tmp/stacks.txt"
}

ok "19 of 20 stacks reach their root" awk '
	{ roots += $3 == "root"; deep += $3 == "depth" }
	END { exit !(NR > 500 && roots > 0.95 * (NR - deep)) }' "$tmp/frames.txt"
ok "goroutines begin in what their creation made up" test "$(stacks_with \
	' main.readFile main.reader [^ ]* runtime.goexit.abi0$')" -ge 100
ok "no stack goes on behind that" test "$(stacks_with ' runtime.goexit.abi0 .')" -eq 0
ok "threads begin in the runtime" test "$(stacks_with ' runtime.mstart0 runtime.mstart.abi0$')" \
	-ge 10
ok "what the scheduler does stands on its own stack" test "$(stacks_with ' runtime.mcall$')" -ge 10
ok "and so does what the runtime does for a goroutine" test "$(stacks_with \
	' runtime.systemstack.abi0$')" -ge 10
ok "handlers of signals stand on what they interrupted" test "$(stacks_with \
	' runtime.sighandler .* runtime.sigtramp.abi0 runtime.sigreturn[^ ]* runtime.')" -ge 10

# ---- Without symbols ----

# As distributions have it: the C linker puts C's code beside it, with unwind tables for that alone.
mv "$tmp/tests/perf/goroutines" "$tmp/whole"
HOME=$tmp GOCACHE=$tmp/cache GOFLAGS=-mod=mod CGO_ENABLED=1 \
	go build -ldflags=-linkmode=external -o "$tmp/linked" "${ITP_SOURCE_DIR:-.}/tests/perf/goroutines.go" \
	> "$tmp/go.log" 2>&1 && strip -s -o "$tmp/tests/perf/goroutines" "$tmp/linked" || exit 99
build=$tmp record dwarf,8192 goroutines
"$build/tests/perf/dump-stacks" "$data" | sed 's/@goroutines//g' > "$tmp/stacks.txt"
"$build/tests/perf/unwind-compare" --frames "$data" > "$tmp/frames.txt"

go tool nm "$tmp/whole" | awk '{ sub(/\.abi0$/, "", $NF); print $NF }' | sort -u > "$tmp/known.txt"
tr ' ' '\n' < "$tmp/stacks.txt" | grep -E '^(main|runtime|os|syscall|internal/poll)\.' | sort -u > "$tmp/named.txt"
# What signals have interrupted has no rules then: how often that is, is chance.
ok "4 of 5 stacks of a stripped program reach their root" awk '
	{ roots += $3 == "root"; deep += $3 == "depth" }
	END { exit !(NR > 500 && roots > 0.8 * (NR - deep)) }' "$tmp/frames.txt"
ok "its goroutines begin where they do" test "$(stacks_with \
	' main.readFile main.reader [^ ]* runtime.goexit$')" -ge 100
ok "and what the scheduler does stands on its own stack" test "$(stacks_with ' runtime.mcall$')" -ge 10
ok "it has many functions" test "$(wc -l < "$tmp/named.txt")" -ge 20
is "which are called as they were" "$(comm -23 "$tmp/named.txt" "$tmp/known.txt")" ""

# ---- Go and C ----

HOME=$tmp GOCACHE=$tmp/cache GOFLAGS=-mod=mod CGO_ENABLED=1 \
	go build -o "$tmp/go-and-c" "${ITP_SOURCE_DIR:-.}/tests/perf/go-and-c.go" > "$tmp/go.log" 2>&1 || exit 99

# joined FILE: contexts in which C has called Go's runtime, or the runtime C, but for the way to it.
joined() {
	"$build_dir/perf-introperf" export "$1" 2> "$tmp/errors.txt" |
		grep -E ';(inner|outer);.*runtime\.|runtime\.(systemstack|callers)[^;]*;(.*;)?(inner|outer)\b'
}

# own_of FILE FUNCTION ABOVE: nanoseconds of FUNCTION itself in contexts with ABOVE.
own_of() {
	"$build_dir/perf-introperf" export "$1" 2> "$tmp/errors.txt" |
		grep -E ";$3;(.*;)?$2 [0-9]+\$" | awk '{ sum += $NF } END { print sum + 0 }'
}

build_dir=${ITP_BUILD_DIR:-.}
for stacks in --fp --dwarf; do
	timeout 100 "$build_dir/perf-introperf" record -q $stacks -o "$tmp/mixed.data" -- "$tmp/go-and-c" \
		> "$tmp/log" 2>&1 || exit 99
	is "C has called nothing of Go ($stacks)" "$(joined "$tmp/mixed.data")" ""
	ok "and was called, by whom is known or said to be unknown ($stacks)" test "$(own_of "$tmp/mixed.data" inner \
		'(\[unknown callers\]|runtime\.goexit\.abi0|runtime\.main)')" -gt 1000000
done

# damaged SEED changes what the program holds of its functions: offsets of tables, and names and places.
damaged() {
	python3 - "$1" "$tmp/tests/perf/goroutines" $(readelf -SW "$tmp/sound" |
		sed -n 's/.* \.gopclntab *[A-Z]* *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p') <<'END'
import random, sys
generator, path = random.Random(int(sys.argv[1])), sys.argv[2]
begin, size = (int(text, 16) for text in sys.argv[3:])
program = bytearray(open(path, "rb").read())
for _ in range(200 * generator.randrange(1, 4)):
    at = generator.randrange(size)
    program[begin + at:begin + at + 4] = generator.randbytes(4)
if generator.random() < 0.7:
    at = 8 * generator.randrange(1, 9)
    program[begin + at:begin + at + 8] = generator.choice([bytes(8), b"\xff" * 8, generator.randbytes(2) + bytes(6)])
open(path, "wb").write(program)
END
}
mv "$tmp/tests/perf/goroutines" "$tmp/sound"
faults=
for seed in {1..12}; do
	cp "$tmp/sound" "$tmp/tests/perf/goroutines"
	damaged "$seed"
	"$build/tests/perf/dump-stacks" "$data" > "$tmp/stacks.txt" || faults+=" $seed:$?"
done
is "what it holds may be damaged" "$faults" ""

done_testing
