# SPDX-License-Identifier: MIT
# A script estimates what each shop will sell. In the slow run NumPy multiplies its matrices with the
# reference library of BLAS, which a machine has where nobody installed another; in the base with
# OpenBLAS, which is unpacked here, but not installed, as that would change the whole machine.

about="reference library instead of a tuned one"
cause=real
traits="NumPy, Debian's own, and a script: Python and C, one thread"
packages=(libblas3 python3-numpy)
half=fresh
says="the cause is that matrices are multiplied by dgemm_ of the reference library libblas, which is much slower than that of OpenBLAS"
told='dgemm|libblas'

build() {
	apt-get -q download libopenblas0-pthread
	dpkg-deb -x libopenblas0-pthread_*.deb openblas
	awk 'BEGIN {
		for (shop = 0; shop < 500; shop++)
			for (article = 0; article < 700; article++)
				printf "%d%s", (shop * 7919 + article * article * 31) % 97, article < 699 ? "," : "\n"
	}' > sales.csv
}

# estimate DIRECTORY: with the library that is there.
estimate() {
	record env LD_LIBRARY_PATH="$1" OPENBLAS_NUM_THREADS=1 \
		/usr/bin/python3 "$case_dir/estimate.py" "$built/sales.csv"
	grep -q '^500 shops, best shop' output
}

base() {
	estimate "$(echo "$built"/openblas/usr/lib/*/openblas-pthread)"
}

slow() {
	estimate "$(dirname "$(dpkg -L libblas3 | grep '/blas/libblas\.so\.3$')")"
}

truth() {
	echo '^dgemm_$' '^libblas\.so'
}
