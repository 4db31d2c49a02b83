#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A saved profile is a CTF trace, and ranks as the recording does that it was made from.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

ok "saving the good profile" graph "${good[@]}" "${profile[@]}" \
	-c sink.ctf.fs --params='path="good.profile"'
ok "saving the slow profile" graph "${slow[@]}" "${profile[@]}" \
	-c sink.ctf.fs --params="${as_ctf_1}path=\"slow.profile\""

for format in text csv jsonl; do
	for name in good slow; do
		graph $name.data --params="$symbols" "${profile[@]}" "${rank[@]}" \
			--params="format=\"$format\"" >direct.txt 2>/dev/null
		graph $name.profile "${rank[@]}" --params="format=\"$format\"" >saved.txt 2>/dev/null
		ok "there is a $format result for $name.data" test -s direct.txt
		same "$name.profile gives the same $format" saved.txt direct.txt
	done
	graph "${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
		--params="base=\"good.data\",format=\"$format\"" >direct.txt 2>/dev/null
	for base in good.profile good.profile/good.data good.data "$PWD/good.profile"; do
		graph good.profile slow.profile "${rank[@]}" \
			--params="base=\"$base\",format=\"$format\"" >saved.txt 2>errors.txt
		same "base=${base/#$PWD/…} gives the same $format" saved.txt direct.txt
	done
	graph good.profile "${slow[@]}" "${profile[@]}" "${rank[@]}" \
		--params="base=\"good.profile\",format=\"$format\"" >saved.txt 2>errors.txt
	same "a saved base beside a recording gives the same $format" saved.txt direct.txt
done

graph "${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base="good.data",path=1,format="jsonl"' >direct-path.txt 2>errors.txt
graph good.profile slow.profile "${rank[@]}" --params='base="good.profile",path=1,format="jsonl"' \
	>saved.txt 2>errors.txt
same "the slowest calls are saved, with their times" saved.txt direct-path.txt
like "which are there" "$(cat saved.txt)" '"slowest":\[\{"begin_ns":[0-9]+,"time":"20'

close=("${profile[@]}" --params=latencies=yes)
graph "${good[@]}" "${close[@]}" -c sink.ctf.fs --params='path="close.profile"' >/dev/null 2>&1
graph "${good[@]}" "${close[@]}" "${rank[@]}" --params='path=1' >direct-close.txt 2>errors.txt
graph close.profile "${rank[@]}" --params='path=1' >saved.txt 2>errors.txt
same "so are all latencies, where they are wanted" saved.txt direct-close.txt
unlike "and are no estimates then" "$(cat saved.txt)" "Median and p99 are estimates"

mkdir moved
mv good.profile moved/monday
graph moved/monday slow.profile "${rank[@]}" --params='base="monday",format="jsonl"' \
	>saved.txt 2>/dev/null
same "a profile may be moved and renamed" saved.txt direct.txt

graph "${good[@]}" "${infer[@]}" -c sink.ctf.fs --params='path="timeline"' >/dev/null 2>&1
graph "${good[@]}" "${profile[@]}" "${rank[@]}" >direct.txt 2>/dev/null
graph timeline -c filter.introperf.normalize "${rank[@]}" >saved.txt 2>/dev/null
same "a saved timeline of instances ranks the same" saved.txt direct.txt
graph "${good[@]}" -c sink.ctf.fs --params='path="stacks"' >/dev/null 2>&1
graph stacks "${profile[@]}" "${rank[@]}" >saved.txt 2>/dev/null
same "so does a saved trace of stack events" saved.txt direct.txt

# Event classes of another name are nobody's business.
cp -r slow.profile old.profile
sed -i 's/"introperf:\(waker\|slowest\)"/"elsewhere:\1"/' old.profile/slow.data/metadata
graph slow.profile "${rank[@]}" --params='by="function"' >direct.txt 2>/dev/null
graph old.profile "${rank[@]}" --params='by="function"' >saved.txt 2>errors.txt
same "a profile from before there were wakers and slowest calls is read as well" \
	saved.txt direct.txt
graph old.profile "${rank[@]}" --params='path=1' >saved.txt 2>errors.txt
like "and says that it keeps no calls" "$(cat saved.txt)" "
Slowest calls of [a-z_]+: none kept\.
"

cp -r slow.profile strange.profile
sed -i '/"introperf:waker"/,/};/{s/ _process;/ _kept;/; s/ _node;/ _process;/; s/ _kept;/ _node;/}' \
	strange.profile/slow.data/metadata
# The first whose process is no node, or whose node is no function, by then.
strange=$(graph slow.profile 2>/dev/null | tr -d , | awk '
	{ type = "" }
	match($0, /introperf:(node|function): \{ id = [0-9]+/) {
		split(substr($0, RSTART, RLENGTH), word, /[: ]+/)
		known[word[2], word[6]] = 1 }
	match($0, /introperf:waker: \{ node = [0-9]+ process = [0-9]+/) {
		split(substr($0, RSTART, RLENGTH), word, /[: ]+/)
		if (!(("node", word[9]) in known)) type = "node " word[9]
		else if (!(("function", word[6]) in known)) type = "function " word[6] }
	type != "" { print type; exit }')
fails_with "a waker of what was never introduced is an error" \
	"sink.introperf.rank: $strange is used but was not introduced; is the beginning of the \
trace missing?" strange.profile "${rank[@]}"

cp -r slow.profile odd.profile
sed -i '/"introperf:slowest"/,/};/{s/; } _node;/; signed = true; } _pid;/; t; s/ signed = true; } _pid;/ } _node;/}' \
	odd.profile/slow.data/metadata
pid=$(graph slow.profile 2>/dev/null |
	sed -n 's/.*introperf:slowest: { node = [0-9]*, pid = \([0-9]*\),.*/\1/p' | head -n 1)
fails_with "a slow call of what was never introduced is an error" \
	"sink.introperf.rank: node $pid is used but was not introduced; is the beginning of the trace \
missing?" odd.profile "${rank[@]}"

fails_with "a profile as the only input cannot be its own base" \
	"sink.introperf.rank: parameter \"base\": names all inputs, so nothing is left to compare \
with it: \"slow.data\" ($PWD/slow.profile/slow.data/stream)" \
	slow.profile "${rank[@]}" --params='base="slow.profile"'

done_testing
