# SPDX-License-Identifier: MIT
# The largest set of chemicals that may be stored together is searched as a clique of a graph. In the
# slow run two nightly jobs, which compute recovery data for backups with par2, have been put on the
# same processor; they are not recorded.

about="processor taken by recovery data of backups"
cause=real
traits="cliquer and jobs outside of the recording: search in a graph, C, a library, one thread"
packages=(dpkg-dev gcc make par2 python3 util-linux)
half=fresh
says="the cause is that par2 took the processor while cliquer was to search a graph for cliques in sub_unweighted_single"
told='taken by .*par2'

build() {
	mkdir source
	(
		cd source
		fetch_source cliquer
		make cliquer CFLAGS="$stock_flags"
		cp cliquer libcliquer.so ..
	)
	rm -r source
	ln -s libcliquer.so libcliquer.so.1
	python3 "$case_dir/chemicals.py" 210 70 chemicals.col
}

prepare() {
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

search() {
	record taskset -c "$processor" env LD_LIBRARY_PATH="$built" \
		"$built/cliquer" --unweighted --single -qq "$built/chemicals.col"
	grep -q '^size=' output
}

base() {
	prepare
	search
}

slow() {
	prepare
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for backup in mail photos; do
		truncate -s 200M "$backup"
		taskset -c "$processor" par2 create -q -q -n1 -b2000 -c100 "$backup.par2" "$backup" > /dev/null &
		jobs+=($!)
	done
	search
}

truth() {
	echo '^sub_unweighted_single$' '^libcliquer[.]so'
}
