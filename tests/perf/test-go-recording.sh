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

done_testing
