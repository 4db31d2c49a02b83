# SPDX-License-Identifier: MIT
# A plan of exams is computed by a SAT solver, so that nobody has two exams on a day. In the slow run
# two nightly jobs, which compress the pages of a web site as small as can be, have been put on the
# same processor; they are not recorded.

about="processor taken by nightly jobs"
cause=real
traits="minisat and jobs outside of the recording: solver, C++, one thread, linked statically"
packages=(brotli dpkg-dev g++ make python3 util-linux zlib1g-dev)
half=fresh
says="the cause is that brotli took the processor while minisat was to propagate values in Minisat::Solver::propagate"
told='taken by .*brotli'

build() {
	mkdir source
	(
		cd source
		fetch_source minisat2
		make -j"$(nproc)" r MINISAT_REL="$stock_flags -D NDEBUG" MINISAT_RELSYM=
		cp build/release/bin/minisat ..
	)
	rm -r source
	python3 "$case_dir/exams.py" 120 6 990 exams.cnf
	awk 'BEGIN {
		for (i = 0; i < 200000; i++)
			print "<li class=\"exam\">exam " i * 7919 % 99991 " of course " i % 70 ": room " i * i % 977 "</li>"
	}' > pages
}

prepare() {
	processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
}

# The solver's exit status is 10 when there is a plan.
plan() {
	record taskset -c "$processor" sh -c "$built/minisat -verb=0 $built/exams.cnf plan || [ \$? -eq 10 ]"
	grep -q '^SAT$' plan
}

base() {
	prepare
	plan
}

slow() {
	prepare
	jobs=()
	trap 'kill "${jobs[@]}" 2>/dev/null || true; wait; clean_up' EXIT
	for _ in 1 2; do
		taskset -c "$processor" brotli -q 11 -c "$built/pages" > /dev/null &
		jobs+=($!)
	done
	plan
}

truth() {
	echo '^Minisat::Solver::propagate' '^minisat$'
}
