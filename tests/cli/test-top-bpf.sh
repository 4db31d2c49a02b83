#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf top with programs in the kernel: the default, its budget, its ends, and what waits.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording

# end_top interrupts the one that was started last.
end_top() {
	kill -INT "$top"
	wait "$top"
}

# A program that waits for what nobody writes, from before top begins.
mkfifo never
cat <>never >/dev/null &
waiting=$!
wait_until grep -q pipe "/proc/$waiting/wchan"
"$program" top --period 500ms --format jsonl -p "$waiting" >top.txt 2>errors.txt &
top=$!
wait_until grep -q '"period":3' top.txt
end_top
is "top of a program that waits" "$? $(cat errors.txt)" "0 "
is "shows where, in each period, and for all of it" "$(python3 -c '
import json
periods = set()
for row in map(json.loads, open("top.txt")):
    if row["type"] == "header" and "period" in row:
        length = row["period_end_ns"] - row["period_begin_ns"]
    elif row["type"] == "header":
        break
    elif row["type"] == "path":
        calls = [frame["function"] for frame in row["frames"]]
        periods.add(("syscall:read" in calls, 0.95 < row["cost_ns"] / length <= 1))
print(periods)')" "{(True, True)}"
kill "$waiting"
wait "$waiting" 2>>log.txt

# A command, its output and its status.
"$program" top --period 300ms --format jsonl -- bash -c 'for i in {1..300}; do echo; sleep 0.001; done; exit 3' \
	>top.txt 2>errors.txt
is "a command ends it" "$?" 0
is "its output goes to standard error" "$(wc -l <errors.txt)" 300
ok "its calls are known" grep -q '"syscall":"syscall:wait4"' top.txt
is "no event was lost" "$(grep -o '"lost_events":[0-9]*' top.txt | sort -u)" '"lost_events":0'

# shellcheck disable=SC2016 # the command expands
introperf top --period 1s -- bash -c 'yes | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"' >top.txt 2>errors.txt
is "it has the signals that it has without" "$(cat errors.txt)" 141

# What runs already is held to a budget.
dd if=/dev/zero of=/dev/null bs=1 2>>log.txt &
busy=$!
"$program" top --period 1s -p "$busy" >top.txt 2>errors.txt &
top=$!
wait_until grep -q '^Period 3' top.txt
end_top
like "what runs already has its system calls in windows" "$(cat top.txt)" 'system calls in windows'
rm top.txt # or its periods would be taken for this one's
"$program" top --period 500ms --overhead none -p "$busy" >top.txt 2>errors.txt &
top=$!
wait_until grep -q '^Period 2' top.txt
kill "$busy"
wait "$top"
is "unless none is wanted; it ends with its process, and says so" "$? $(cat errors.txt)" \
	"0 introperf: process $busy has ended"
wait "$busy" 2>>log.txt
unlike "then all are seen" "$(cat top.txt)" 'system calls in windows'

# What has ended before it begins.
sleep 0.05 &
gone=$!
wait "$gone"
introperf top -p "$gone" >top.txt 2>errors.txt
is "a process that is not there is told" "$? $(cat errors.txt)" \
	"1 introperf: -p $gone: no such process"
rm top.txt

# Of the machine, all but itself.
bash -c 'while :; do sleep 0.01; done' &
loop=$!
"$program" top -a --light --period 500ms --group-by pid --top 0 --idle ranked --format jsonl >top.txt 2>errors.txt &
top=$!
wait_until grep -q '"period":3' top.txt
recorder=$(pgrep -P "$top")
end_top
# Others' programs may be gone with their files before anybody has read these.
is "top of the machine" "$? $(grep -v ': no such file; ' errors.txt)" "0 "
like "has what runs" "$(grep -o '"process":"bash/[0-9]*"' top.txt | sort -u)" "\"process\":\"bash/$loop\""
is "but not what looks at it" "$(grep -coE "\"process\":\"[^\"]*/($top|$recorder)\"" top.txt)" 0
kill "$loop"
wait "$loop" 2>>log.txt

# The recorder is killed.
rm top.txt
sleep 600 &
sleeper=$!
"$program" top --period 300ms -p "$sleeper" >top.txt 2>errors.txt &
top=$!
wait_until grep -q '^Period 1' top.txt
kill -KILL "$(pgrep -P "$top")"
wait "$top"
is "when it is lost, that is an error" "$? $(cat errors.txt)" \
	"1 introperf: the recorder was ended by signal 9 (Killed); what came last may be missing"
like "with what was read until then" "$(cat top.txt)" 'All [0-9]+ periods together'

# Whoever may not.
complains "programs in the kernel and an option of perf's" 1 "--bpf and --fp: choose one" top --bpf --fp -p "$sleeper"
like "help names both" "$(introperf top --help)" '--bpf .*--no-bpf '
kill "$sleeper"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	setpriv --reuid=65534 --regid=65534 --clear-groups "$program" top --bpf -- true >top.txt 2>errors.txt
	like "a user who may not is told" "$? $(cat errors.txt)" '^1 introperf: --bpf: .'
else
	skip "a user who may not is told" "not root"
fi

done_testing
