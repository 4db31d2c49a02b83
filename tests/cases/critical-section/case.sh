# SPDX-License-Identifier: MIT
# Threads look for words in letters, and note what they find in one list. In the slow run the
# whole note is made within the critical section; in the base only the list is.

about="critical section around more than it needs"
cause=real
traits="a program with OpenMP: C, several threads"
packages=(gcc libc6-dev)
half=fresh
says="the cause is note_letter: threads wait for one another, as all of a note is made within the critical section"
told='note_letter'

build() {
	for kind in base slow; do
		mkdir "$kind"
	done
	# shellcheck disable=SC2086 # several flags
	gcc $stock_flags -fopenmp -o base/letters "$case_dir/letters.c"
	# shellcheck disable=SC2086 # several flags
	gcc $stock_flags -fopenmp -DLONG_SECTION -o slow/letters "$case_dir/letters.c"
}

look_for_words() {
	export OMP_NUM_THREADS=6 OMP_WAIT_POLICY=passive
	record "$built/$1/letters"
	grep -q '^34000 letters' output
}

base() {
	look_for_words base
}

slow() {
	look_for_words slow
}

truth() {
	echo '^note_letter$' '^letters$'
}
