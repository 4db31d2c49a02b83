#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Files of saved profiles: every command says of one what it says of the same profile as a trace in CTF,
# which an older version has saved; the file needs no Babeltrace, and what is wrong with it is said.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
enter_shop
files=(--symfs symfs --kallsyms kallsyms)
mkdir ctf file
tar -xJf "$ITP_SOURCE_DIR/tests/data/saved-by-graph.tar.xz" -C ctf || exit 99
for run in good slow; do
	introperf report "${files[@]}" --save file/$run.profile $run.data >"$tmp/output.txt" 2>&1
	is "$run: saving says nothing" "$? $(cat "$tmp/output.txt")" "0 "
	records_of -- $run.data --params="$symbols" "${profile[@]}" >graph.txt
	records_of file/$run.profile >file.txt
	ok "$run: there are records" test -s file.txt
	same "$run: they are those of a graph" file.txt graph.txt
	facts_of ctf/$run.profile >ctf.txt
	facts_of file/$run.profile >file.txt
	same "$run: what it says of its recording is what an older version said" file.txt ctf.txt
	introperf report --save anew.profile ctf/$run.profile >"$tmp/output.txt" 2>&1
	records_of anew.profile >file.txt
	same "$run: the older one has the same records once it is saved anew" file.txt graph.txt
	facts_of anew.profile >file.txt
	same "$run: and says the same of its recording" file.txt ctf.txt
	rm anew.profile
done
ok "a file is less than half as large" test \
	$((2 * $(stat -c %s file/slow.profile))) -lt "$(du -sb ctf/slow.profile | cut -f 1)"

# both SENTENCE ARGUMENT…: the same bytes and status for GOOD and SLOW, files or traces.
both() {
	local sentence=$1 kind
	shift
	for kind in ctf file; do
		(cd $kind && introperf "$@" >../$kind.out 2>../$kind.err; echo "status $?" >>../$kind.err)
	done
	ok "$sentence: there is a result" test -s file.out
	same "$sentence" file.out ctf.out
	same "$sentence, and what is said" file.err ctf.err
}
for format in text tree csv jsonl json markdown; do
	both "report --format $format" report --top 0 --format $format slow.profile
	both "diff --format $format" diff --top 0 --format $format good.profile slow.profile
done
both "report --path" report --path 1 slow.profile
both "diff --path" diff --path 1 good.profile slow.profile
both "report -v" report -v slow.profile
both "diff -v" diff -v good.profile slow.profile
both "diff --by" diff --by function good.profile slow.profile
both "diff --focus" diff --focus 'shop|x' --process shop --max-depth 9 good.profile slow.profile
both "the page" diff --html /dev/stdout good.profile slow.profile
for format in folded pprof callgrind svg speedscope; do
	both "export --format $format" export --format $format slow.profile
done
both "export of a difference" export --format svg --base good.profile slow.profile

# Recordings beside them.
introperf diff "${files[@]}" file/good.profile slow.data >file.out 2>&1
introperf diff "${files[@]}" ctf/good.profile slow.data >ctf.out 2>&1
sed -i 's#ctf/good#file/good#' ctf.out
same "beside a recording" file.out ctf.out
introperf diff ctf/good.profile file/slow.profile >mixed.out 2>&1
introperf diff file/good.profile file/slow.profile >file.out 2>&1
sed -i 's#ctf/good#file/good#' mixed.out
same "and beside a trace" mixed.out file.out

# A base may be named in another way.
for base in file/good.profile "$PWD/file/good.profile" ./file/../file/good.profile; do
	introperf diff --base "$base" file/slow.profile >named.out 2>&1
	ok "a base called ${base/#$PWD/…}" grep -q take_price_lock named.out
done

# Babeltrace's plugins read and write CTF.
LD_DEBUG=files introperf report --save plain.profile file/slow.profile 2>loaded.txt
is "no plugin of Babeltrace is loaded for a file" "$(grep -c 'babeltrace-plugin' loaded.txt)" 0
LD_DEBUG=files introperf report ctf/slow.profile >output.txt 2>loaded.txt
ok "as it is for a trace" grep -q babeltrace-plugin loaded.txt

# What is wrong.
cut() { head -c "$1" file/good.profile >cut.profile; }
size=$(stat -c %s file/good.profile)
cut $((size - 1))
complains "a file that was cut" 1 \
	"cut.profile: the file is truncated at byte $((size - 1)) of $size; fetch it once more" report cut.profile
cut 20
complains "amid its header" 1 \
	"cut.profile: a damaged saved profile: it ends amid its header (at byte 20); save it anew, or fetch it once more" \
	report cut.profile
cp file/good.profile flipped.profile
printf x | dd of=flipped.profile bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
wrong="flipped.profile: a damaged saved profile: its checksum does not fit what is in it (at byte $((size - 32))); save it anew, or fetch it once more"
complains "another byte" 1 "$wrong" report flipped.profile
complains "in a base" 1 "$wrong" diff flipped.profile file/slow.profile
complains "in what is compared" 1 "$wrong" diff file/good.profile flipped.profile
complains "in what is exported" 1 "$wrong" export flipped.profile
complains "in what is saved anew" 1 "$wrong" report --save new.profile flipped.profile
complains "in a base of top, before it records" 1 "$wrong" top --base flipped.profile -- touch started
is "nothing is written then" "$(ls -d new.profile* started 2>/dev/null)" ""
cp file/good.profile later.profile
printf '\2' | dd of=later.profile bs=1 seek=16 conv=notrunc 2>/dev/null
complains "a later version" 1 \
	"later.profile: a profile in version 2 of its format, and this program reads version 1; take a later program, or save the profile anew with this one" \
	report later.profile
complains "calls of it" 1 \
	'--format: "chrome" shows single calls, and there are none in a saved profile; name the recording that it was made of' \
	export --format chrome file/slow.profile
introperf mine file/slow.profile >output.txt 2>errors.txt
is "nothing to mine" "$(cat errors.txt output.txt)" \
	"introperf: file/slow.profile: holds no symptoms, nor what these are found in
introperf: none of the recordings could be read"

done_testing
