# SPDX-License-Identifier: MIT
# Four threads share a cache; in the slow run one lock guards all of it instead of a part, and it is
# held while a missing entry is made.

about="lock contention between threads"
cause=real
traits="a program with std::mutex: C++, several threads"
packages=(g++)
quick=yes

build() {
	g++ $stock_flags -pthread -o cache "$case_dir/cache.cc"
}

base() {
	record "$built/cache" 64
}

slow() {
	record "$built/cache" 1
}

truth() {
	echo '^Cache::find' '^cache$'
}
