#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Where results go: never over what is read, never where somebody else's link leads, and nothing is
# left behind by who is ended.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

enter_shop
files=(--symfs symfs --kallsyms kallsyms)
umask 022
cp good.data kept.data
mkdir link
ln -s good.data soft.data
ln good.data hard.data
ln -s .. link/up
graph "${good[@]}" "${profile[@]}" -c sink.ctf.fs --params="${as_ctf_1}path=\"good.profile\"" >/dev/null 2>&1
cp -r good.profile kept.profile
introperf report "${files[@]}" --save saved.file good.data >/dev/null 2>&1
cp saved.file kept.file

# Over an input.
lost="cannot write: this is the input good.data, which would be lost; name another file"
for output in good.data soft.data hard.data link/up/good.data; do
	complains "report --output is not written over its input by $output" 1 "$output: $lost" \
		report "${files[@]}" --output "$output" good.data
	complains "nor is report --html by $output" 1 "$output: $lost" \
		report "${files[@]}" --html "$output" good.data
	complains "nor is export by $output" 1 "$output: $lost" \
		export "${files[@]}" -o "$output" good.data
	fails_with "nor is a sink of babeltrace2 by $output" "sink.introperf.rank: $output: $lost" \
		"${good[@]}" "${profile[@]}" "${rank[@]}" --params="output=\"$output\""
	same "and it is as before" good.data kept.data
done
complains "diff is not written over its base" 1 "good.data: $lost" \
	diff "${files[@]}" --output good.data good.data slow.data
complains "nor is its page" 1 "good.data: $lost" \
	diff "${files[@]}" --html good.data good.data slow.data
complains "nor an export that compares" 1 "good.data: $lost" \
	export "${files[@]}" --format folded2 -o good.data --base good.data slow.data
complains "nor the ranking of top" 1 "good.data: $lost" \
	top --base good.data "${files[@]}" --output good.data -- true
for class in export report; do
	fails_with "nor is sink.introperf.$class" "sink.introperf.$class: good.data: $lost" \
		"${good[@]}" "${slow[@]}" "${profile[@]}" -c "sink.introperf.$class" \
		--params="$([ $class = export ] && echo 'format="folded2",')base=\"good.data\",output=\"good.data\""
done
introperf report "${files[@]}" good.data 2>errors.txt >>good.data
is "nor is standard output, when that is the input" "$? $(cat errors.txt)" \
	"1 introperf: standard output: $lost"
introperf report "${files[@]}" --output soft.data - 2>errors.txt <good.data
is "nor what comes through standard input" "$? $(cat errors.txt)" \
	"1 introperf: soft.data: cannot write: this is the input standard input, which would be lost; name another file"
same "and it is as before all this" good.data kept.data

# In an input.
inside="cannot write: this lies in the input good.profile; name a file elsewhere"
ln -s good.profile profile.link
for output in good.profile/page good.profile/good.data/stream profile.link/good.data/more; do
	[ "$output" = good.profile/good.data/stream ] || complains "nothing is saved into an input: $output" 1 \
		"$output: $inside" report --save "$output" good.profile
	complains "nothing is written into an input: $output" 1 "$output: $inside" \
		report --output "$output" good.profile
	complains "nor exported there: $output" 1 "$output: $inside" \
		export -o "$output" good.profile
done
fails "good.profile" "${rank[@]}" --params='output="good.profile/good.data/more"'
like "nor written there by babeltrace2" "$status $causes" \
	'^[1-9].*good.profile/good.data/more: cannot write: this lies in the input /.*/good.profile/good.data; name a file elsewhere$'
is "and it is as before" "$(diff -r good.profile kept.profile)" ""
for output in --output "--html" "--save"; do
	wanted="saved.file: cannot write: this is the input saved.file, which would be lost; name another file"
	[ $output != --save ] || wanted="saved.file: the profile cannot be saved: File exists"
	complains "report $output is not written over a saved profile" 1 "$wanted" \
		report $output saved.file saved.file
done
complains "nor is export" 1 "saved.file: cannot write: this is the input saved.file, which would be lost; name another file" \
	export -o saved.file saved.file
same "and it is as before" saved.file kept.file

# What perf reads.
if [ -e "$ITP_BUILD_DIR/.libs/introperf.so" ] && command -v perf >/dev/null &&
	perf script --help 2>&1 | grep -q dlfilter; then
	LD_PRELOAD=${ITP_PRELOAD:-} perf script -i good.data --dlfilter "$ITP_BUILD_DIR/.libs/introperf.so" \
		--dlarg output=hard.data >output.txt 2>errors.txt
	like "a dlfilter does not write over what perf reads" "$(cat errors.txt)" \
		'introperf.so: hard.data: cannot write: this is the input .*/(good|hard).data, which would be lost'
	same "and it is as before" good.data kept.data
else
	skip "a dlfilter does not write over what perf reads" "no perf with dlfilters"
fi

# What is replaced.
report=(report "${files[@]}" good.data)
introperf "${report[@]}" >expected.txt 2>/dev/null
introperf "${report[@]}" --output new.txt 2>/dev/null
is "a new file has the mode that the umask leaves" "$(stat -c %a new.txt)" 644
for mode in 600 640 664; do
	echo old >private.txt
	chmod $mode private.txt
	introperf "${report[@]}" --output private.txt 2>/dev/null
	is "mode $mode stays" "$(stat -c %a private.txt) $(cmp private.txt expected.txt)" "$mode "
done
ln -s private.txt mine.txt
introperf "${report[@]}" --output mine.txt 2>/dev/null
ok "an own link stays, and leads to the result" \
	eval 'test -L mine.txt && test "$(stat -c %a private.txt)" = 664'
ln -s later.txt dangling.txt
introperf "${report[@]}" --output dangling.txt 2>/dev/null
ok "also one that led nowhere" eval 'test -L dangling.txt && cmp later.txt expected.txt'
ln -s loop.txt loop.txt
complains "a loop of links is an error" 1 \
	"loop.txt: cannot write: Too many levels of symbolic links" "${report[@]}" --output loop.txt
introperf "${report[@]}" --output /dev/stdout 2>/dev/null >stdout.txt
same "/dev/stdout is standard output, a file" stdout.txt expected.txt
introperf "${report[@]}" --output /dev/stdout 2>/dev/null | cat >stdout.txt
same "or a pipe" stdout.txt expected.txt
introperf "${report[@]}" --output /dev/fd/7 2>/dev/null 7>fd.txt
same "so is any descriptor" fd.txt expected.txt
mkfifo fifo
timeout 60 cat fifo >fifo.txt &
reader=$!
introperf "${report[@]}" --output fifo 2>/dev/null
wait "$reader"
ok "a named pipe is written to and stays" eval 'test -p fifo && cmp fifo.txt expected.txt'
introperf "${report[@]}" --output /dev/null 2>/dev/null
ok "and a device" test -c /dev/null
# Where there are no files without a name.
echo old >private.txt
chmod 600 private.txt
ITP_NO_TMPFILE=1 preloaded "${report[@]}" --output private.txt 2>/dev/null
is "a file system without unnamed files changes none of this" \
	"$(stat -c %a private.txt) $(cmp private.txt expected.txt)" "600 "

# Another user's links.
if [ "$(id -u)" -eq 0 ] && chown -h nobody mine.txt 2>/dev/null; then
	mkdir -m 1777 shared
	mkdir -m 755 shared/own
	echo precious >precious.txt
	ln -s ../precious.txt shared/trap
	ln -s ../link shared/way
	ln -s ../precious.txt shared/root
	ln -s ../../precious.txt shared/own/nobodys
	echo theirs >shared/theirs
	chown -h nobody shared/trap shared/way shared/own/nobodys shared/theirs
	not_followed() {
		echo "$1: the symbolic link \"$2\" on the way there belongs to another user ($(id -u nobody)), in a directory that others can write to, and is not followed; name the file itself"
	}
	complains "another's link in a shared directory is not followed" 1 \
		"$(not_followed shared/trap trap)" "${report[@]}" --output shared/trap
	complains "nor one on the way" 1 \
		"$(not_followed shared/way/x way)" "${report[@]}" --html shared/way/x
	complains "nor for a profile" 1 \
		"$(not_followed shared/way/x way)" "${report[@]}" --save shared/way/x
	fails "${good[@]}" "${profile[@]}" "${rank[@]}" --params='output="shared/trap"'
	is "nor by babeltrace2" "$((status > 0)) $causes" \
		"1 sink.introperf.rank: $(not_followed shared/trap trap)"
	is "and nothing is written" "$(cat precious.txt) $(ls link)" "precious up"
	introperf "${report[@]}" --output shared/root 2>/dev/null
	same "root's are" precious.txt expected.txt
	introperf "${report[@]}" --top 1 --output shared/own/nobodys 2>/dev/null
	not_ok "and any where only its owner can make one" cmp -s precious.txt expected.txt
	introperf "${report[@]}" --output shared/theirs 2>/dev/null
	is "another's file there is replaced, and not given away" "$(stat -c %u shared/theirs)" 0
	mkdir -m 755 home
	echo old >home/file
	chown -R nobody home
	chmod 600 home/file
	introperf "${report[@]}" --output home/file 2>/dev/null
	is "a file in its owner's directory keeps its owner" "$(stat -c '%U %a' home/file)" "nobody 600"
else
	skip "another's link in a shared directory is not followed" "not root"
fi

# Ended.
before=$(ls -A)
ITP_END_AT=fsync preloaded "${report[@]}" --output ended.txt >/dev/null 2>&1
is "who is ended while a file is written leaves nothing" "$?$(ls -A | diff - <(echo "$before"))" 143
ITP_NO_TMPFILE=1 ITP_END_AT=fsync preloaded "${report[@]}" --output new.txt >/dev/null 2>&1
is "also without unnamed files, when it is the whole file that is left" \
	"$?$(ls -A | diff - <(echo "$before"))$(cmp new.txt expected.txt)" 143
ITP_END_AT=fsync preloaded "${report[@]}" --save ended.profile >/dev/null 2>&1
is "and while a profile is saved" "$?$(ls -A | diff - <(echo "$before"))" 143

# A disk that takes nothing.
for arguments in --help --version "report --help" "export --help" "${report[*]}" "annotate ${files[*]} good.data" \
	"export ${files[*]} good.data" "export ${files[*]} --format pprof good.data" \
	"export ${files[*]} --format chrome good.data"; do
	# shellcheck disable=SC2086 # words
	introperf $arguments >/dev/full 2>errors.txt
	is "$arguments to a full disk is an error" "$? $(cat errors.txt)" \
		"1 introperf: standard output: cannot write: No space left on device"
done

# A file that may not become as large as the page: the first write of it takes a part.
(
	trap '' XFSZ
	ulimit -f 10
	introperf "${report[@]}" --html large.html 2>errors.txt
	echo $? >status.txt
)
is "what fits only in part is an error, and no page" "$(cat status.txt errors.txt; ls large.html 2>&1)" \
	"1
introperf: large.html: cannot write: File too large
ls: cannot access 'large.html': No such file or directory"

done_testing
