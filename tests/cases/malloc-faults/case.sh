# SPDX-License-Identifier: MIT
# Somebody has set malloc's threshold to what is its default, which keeps it from growing: each large
# buffer is mapped anew, faults page by page, and is unmapped. In the base malloc learns and reuses it.

about="buffers that are mapped for each use"
cause=real
traits="a program with large buffers: C, one thread"
packages=(gcc libc6-dev)
half=fresh
says="the cause is that the buffer of put_together is taken from the kernel for each message (mmap, munmap), so that each of its pages faults again"
told='fault|mmap|munmap|clear_page'

build() {
	gcc $stock_flags -o messages "$case_dir/messages.c"
}

base() {
	record "$built/messages" 3000
}

slow() {
	export MALLOC_MMAP_THRESHOLD_=131072
	record "$built/messages" 3000
}

truth() {
	echo '^put_together$' '^messages$'
}
