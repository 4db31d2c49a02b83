# SPDX-License-Identifier: MIT
# A matrix is walked along its rows, which lie far apart in memory; in the base along its columns.

about="array walked across the memory"
cause=real
traits="a simulation: Fortran, one thread"
packages=(gfortran)

build() {
	gfortran $stock_flags -o heat "$case_dir/heat.f90"
}

base() {
	record "$built/heat" columns
}

slow() {
	record "$built/heat" rows
}

truth() {
	echo '^__grid_MOD_spread_by$' '^heat$'
}
