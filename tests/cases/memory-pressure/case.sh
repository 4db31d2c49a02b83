# SPDX-License-Identifier: MIT
# A script reads a large catalogue and names many orders by command substitutions. In the slow run
# it reads the catalogue first: each substitution is a copy of the shell, and the kernel copies the
# tables of all of its memory, and takes them down again. In the base it reads the catalogue last.

about="processes made by one that has much memory"
cause=real
traits="zsh: interpreter, C, many processes"
packages=(zsh)
half=fresh
says="the cause is getoutput: for each command substitution it forks a shell that has much memory, whose page tables the kernel copies"
told='getoutput|fork|clone|copy_p(age|te|md|ud)|page tables'

build() {
	:
}

name() {
	awk 'BEGIN {
		for (i = 0; i < 300000; i++)
			printf "article %06d of the catalogue: a thing of which there are several, in %d colours and %d sizes, with a description of its own that tells about all of its use, its weight, and what it is made of\n", i, i % 7, i % 11
	}' > catalogue
	record zsh -f "$case_dir/orders.zsh" "$1"
}

base() {
	name late
}

slow() {
	name early
}

truth() {
	echo '^getoutput$' '^zsh'
}
