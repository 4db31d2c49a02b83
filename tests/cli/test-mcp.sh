#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf mcp, as a program that talks uses it: which tools there are, what each answers, and what is
# no message.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

command -v python3 >/dev/null || skip_all "no python3"
enter_shop
program=$ITP_BUILD_DIR/perf-introperf

# asks LINE… prints what is answered to these messages.
asks() {
	printf '%s\n' "$@" | LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} timeout 300 "$program" mcp 2>errors.txt
}

# calls NAME ARGUMENTS prints the text of a tool's answer, behind "error: " where it is one.
calls() {
	asks "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":$2}}" |
		python3 -c '
import json, sys
answer = json.loads(sys.stdin.readline())
if "error" in answer:
    print(answer["error"]["code"], answer["error"]["message"])
else:
    result = answer["result"]
    print("error: " * result["isError"] + result["content"][0]["text"], end="")'
}

like "it says which version it speaks, and what it is" \
	"$(asks '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}')" \
	'"id":0,.*"protocolVersion":"2025-03-26".*"tools":.*"name":"introperf"'
like "its newest to who speaks another one" \
	"$(asks '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}')" \
	'"protocolVersion":"2025-06-18"'
is "notifications are not answered" \
	"$(asks '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":"a","method":"ping"}')" \
	'{"jsonrpc":"2.0","id":"a","result":{}}'
is "there are tools, each with a description and a schema" \
	"$(asks '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | python3 -c '
import json, sys
for tool in json.load(sys.stdin)["result"]["tools"]:
    schema = tool["inputSchema"]
    assert tool["description"] and set(schema["required"]) <= set(schema["properties"]), tool
    print(tool["name"], end=" ")')" "record report diff path functions waits units source "

like "diff has the sentence, and one entry where one is asked for" \
	"$(calls diff '{"good":"good.data","slow":"slow.data","top":1}')" \
	'^shop now sleeps in .*Sure\..* 1 +\+5[0-9]+ ms'
like "path shows one from nearby" "$(calls path '{"good":"good.data","slow":"slow.data","rank":1}')" 'Path 1'
like "report takes one recording" "$(calls report '{"recording":"slow.data"}')" '^shop sleeps in '
like "functions are ranked by their own time" "$(calls functions '{"recording":"slow.data","top":3}')" \
	'own +share'
like "what holds up others, too" "$(calls waits '{"recording":"slow.data"}')" 'hold|wait'
like "units are looked for" "$(calls units '{"recording":"good.data"}')" 'no loop that waits for events'
like "an error of a tool is its result" "$(calls report '{"recording":"none.data"}')" \
	'^error: introperf: none\.data: No such file'
is "an argument that there is not" "$(calls report '{"recoding":"slow.data"}')" \
	'-32602 report: it takes no argument "recoding"'
is "one that is missing" "$(calls diff '{"good":"good.data"}')" '-32602 diff: it needs the argument "slow"'
is "one of another kind" "$(calls report '{"recording":1}')" '-32602 report: "recording" is a text'
is "a name that looks like an option is a name" "$(calls report '{"recording":"--help"}')" \
	"error: introperf: --help: No such file or directory"
is "no such tool" "$(calls none '{}')" '-32602 none: there is no tool "none"'
is "neither a command nor a process" "$(calls record '{"output":"x.data"}')" \
	'-32602 record: it needs a command or a pid'

if perf record -q -e raw_syscalls:sys_enter -o /dev/null -- true >log.txt 2>&1; then
	like "record records a command" "$(calls record '{"output":"ls.data","command":["ls","/"]}')" ' → ls\.data \]'
	like "which can be reported" "$(calls report '{"recording":"ls.data"}')" '^ls '
else
	skip "record records a command" "perf may not record here"
	skip "which can be reported" "perf may not record here"
fi

# What is no message, or none of these.
is "a line that is cut" "$(asks '{"jsonrpc":' | grep -o '"code":-[0-9]*')" '"code":-32700'
is "a batch" "$(asks '[]' | grep -o '"code":-[0-9]*')" '"code":-32600'
is "a method that there is not" "$(asks '{"id":1,"method":"none"}' | grep -o '"code":-[0-9]*')" '"code":-32601'
is "an answer to nothing is passed over" "$(asks '{"id":1,"result":{}}')" ""
is "ten thousand brackets" "$(asks "$(printf '[%.0s' $(seq 10000))" | grep -o '"code":-[0-9]*')" '"code":-32700'
is "two megabytes, and the next message is answered" \
	"$({ head -c 2000000 /dev/zero | tr '\0' x; echo; echo '{"id":1,"method":"ping"}'; } |
		timeout 300 "$program" mcp | grep -oE '"code":-[0-9]*|"result"' | paste -sd ' ')" '"code":-32600 "result"'
is "an end in the middle of a line" "$(printf '{"id":1,"method":"ping"}' | timeout 300 "$program" mcp)" \
	'{"jsonrpc":"2.0","id":1,"result":{}}'
ok "it ends when nobody reads" timeout 60 bash -c "
	yes '{\"id\":1,\"method\":\"ping\"}' | '$program' mcp | head -n 1 >/dev/null"
is "words are refused" "$("$program" mcp x 2>&1)" \
	"introperf: mcp: it takes no arguments: messages come on standard input"

done_testing
