# SPDX-License-Identifier: MIT
# Threads that edit pages wait for the lock on all pages, which another one holds while it renders a
# page: in an expression that `match` looks at, the lock's guard lives until the end of the match. In
# the base the page is copied by a statement of its own before.

about="lock held to the end of a match"
cause=real
traits="a program with std::sync::Mutex: Rust, several threads"
packages=(rustc)
half=fresh
says="the cause is that threads that edit pages wait for a lock, which wiki::Wiki::publish holds while it renders a page"
told='Wiki::publish'

build() {
	for kind in base slow; do
		mkdir "$kind"
	done
	/usr/bin/rustc -C opt-level=2 -o base/wiki "$case_dir/wiki.rs"
	/usr/bin/rustc -C opt-level=2 --cfg held -o slow/wiki "$case_dir/wiki.rs"
}

base() {
	record "$built/base/wiki"
}

slow() {
	record "$built/slow/wiki"
}

truth() {
	echo '^wiki::Wiki::publish' '^wiki$'
}
