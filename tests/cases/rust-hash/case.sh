# SPDX-License-Identifier: MIT
# A type's own hash leaves out the fields that differ between most of its values; in the base it
# has them all.

about="hash that leaves out what differs"
cause=real
traits="an inventory: Rust, one thread"
packages=(rustc)
quick=yes

build() {
	for kind in base slow; do
		mkdir "$kind"
	done
	rustc -C opt-level=2 -g -o base/inventory "$case_dir/inventory.rs"
	rustc -C opt-level=2 -g --cfg coarse -o slow/inventory "$case_dir/inventory.rs"
}

base() {
	record "$built/base/inventory"
}

slow() {
	record "$built/slow/inventory"
}

truth() {
	echo '^inventory::Inventory::count' '^inventory$'
}
