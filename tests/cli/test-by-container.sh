#!/bin/bash
# SPDX-License-Identifier: MIT
#
# report and diff --by container: whose time it is, by the control groups that containers and services
# run in.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording

# Groups in the first hierarchy where they may be made, with paths longer than in the others.
number=0f2a9c0d1b22aabbccddeeff00112233445566778899aabbccddeeff00112233
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/pids /sys/fs/cgroup/cpuacct; do
	parent=$hierarchy/introperf-test-of-containers-and-of-services.$$
	[ -e "$hierarchy/cgroup.procs" ] && mkdir "$parent" 2>/dev/null && break
	parent=
done
[ -n "$parent" ] || skip_all "no control group can be made"
trap 'rmdir "$parent/docker-$number.scope" "$parent/shop.service" "$parent"; rm -rf "$tmp"' EXIT
mkdir "$parent/docker-$number.scope" "$parent/shop.service" || skip_all "no control group can be made"

cat >computes.c <<'END'
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	const long limit_ms = argc > 1 ? atol(argv[1]) : 0;
	struct timespec now;

	do {
		for (volatile int i = 0; i < 1000000; i++) {
		}
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < limit_ms);
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o computes computes.c || exit 99
# As a container's runtime does: into the group, then the program.
cat >run-in <<END
#!/bin/sh
echo \$\$ >"$parent/\$1/cgroup.procs" && shift && exec "\$@"
END
chmod +x run-in

# work MS: the container computes for so long, the service for 100 ms, in two processes each.
work() {
	cat <<END
./run-in docker-$number.scope sh -c './computes $1 & ./computes $1; wait' &
./run-in shop.service sh -c './computes 50 & ./computes 50; wait' & wait
END
}
# times RECORDING: whole tens of milliseconds on a CPU of the container and the service.
times() {
	introperf report --by container --top 0 --format jsonl "$1" 2>errors.txt | python3 -c '
import json, sys
rows = {row.get("process"): row for row in map(json.loads, sys.stdin) if row["type"] == "process"}
print(*(round(rows[name]["own_cpu_ns"] / 1e7) if name in rows else None for name in ("0f2a9c0d1b22", "shop.service")))'
}
is_about() {
	local of_container of_service
	read -r of_container of_service < <(times "$2")
	ok "$1 ($of_container, $of_service)" test "${of_container:-0}" -ge $(($3 / 10 - 2)) \
		-a "${of_container:-0}" -le $(($3 / 10 + 4)) -a "${of_service:-0}" -ge 8 -a "${of_service:-0}" -le 14
}
introperf record -q -o good.data -- sh -c "$(work 100)" >log.txt 2>&1 || diag "$(cat log.txt)"
introperf record -q -o slow.data -- sh -c "$(work 200)" >log.txt 2>&1 || diag "$(cat log.txt)"
is_about "each container has the time of its processes" good.data 200
is_about "and of other recordings, too" slow.data 400
like "the text names them" "$(introperf report --by container slow.data 2>errors.txt | tr -s ' ')" \
	$' blocked container\n 1 [^\n]* 0f2a9c0d1b22\n'
like "against a base, what was added of each" "$(introperf diff --by container good.data slow.data 2>errors.txt |
	tr -s ' ')" $' blocked container\n 1 \+[^\n]* 0f2a9c0d1b22\n'
like "paths begin there, when they are to" "$(introperf report --group-by container slow.data 2>errors.txt)" \
	'0f2a9c0d1b22: .*main'
is "as perf says it" "$(introperf report -s cgroup --format jsonl slow.data 2>errors.txt |
	grep -c '"type":"process".*"process":"0f2a9c0d1b22"')" 1
like "a saved profile keeps them" "$(introperf report --group-by container --save saved.profile slow.data 2>errors.txt
	introperf report --by process saved.profile 2>errors.txt | tr -s ' ')" $' container\n 1 [^\n]* 0f2a9c0d1b22\n'

# ---- Processes from before ----

mkfifo gate
exec 3<>gate
./run-in docker-$number.scope sh -c 'read go <&3; ./computes 200' &
inside=$!
wait_until grep -q "$number" "/proc/$inside/cgroup"
introperf record -q -o attached.data -p $inside -- sh -c "echo go >gate; tail -f --pid=$inside /dev/null" >log.txt 2>&1
wait "$inside"
exec 3>&-
read -r of_container _ < <(times attached.data)
ok "a process that runs already is in its container, and so is what it starts ($of_container)" \
	test "${of_container:-0}" -ge 18 -a "${of_container:-0}" -le 24

# ---- perf's own recordings ----

if perf record --all-cgroups -e cpu-clock -g -o perf.data -- ./run-in shop.service ./computes 50 >log.txt 2>&1; then
	like "recordings of perf with --all-cgroups tell them, too" \
		"$(introperf report --by container perf.data 2>errors.txt | tr -s ' ')" $' container\n 1 '
else
	skip "recordings of perf with --all-cgroups tell them, too" "this kernel does not"
fi
perf record -e cpu-clock -g -o plain.data -- sh -c 'exit' >log.txt 2>&1
complains "others are refused, with what to do" 1 \
	'plain.data: the recording does not tell containers; record with `perf introperf record`, or with `perf record --all-cgroups`' \
	report --by container plain.data

done_testing
