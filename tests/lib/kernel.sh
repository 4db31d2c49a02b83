# SPDX-License-Identifier: MIT
#
# A kernel for tests: tests/flow/cases-kernel.S as an image, and as a copy of its memory. Sourced
# behind tap.sh.
# shellcheck shell=bash

# build_kernel IMAGE BUILD-ID [ADDRESS]
build_kernel() {
	gcc -nostdlib -static -no-pie -Wl,-e,_text,-Ttext="${3:-0xffffffff81000000}" \
		-Wl,--build-id="0x$2",-z,noexecstack -o "$1" \
		"${ITP_SOURCE_DIR:-.}/tests/flow/cases-kernel.S" 2>/dev/null
}

# list_symbols IMAGE DISTANCE: its functions as /proc/kallsyms has them, so far from where the image
# has them.
list_symbols() {
	nm "$1" | while read -r address type name; do
		case $name in
		.p.*) ;;
		*) printf '%x %s %s\n' $((0x$address + $2)) "$type" "$name" ;;
		esac
	done
}

# copy_memory IMAGE DIRECTORY: what perf record --kcore makes of a kernel that lies where its image
# says, without its tables. As ELF has it, bytes 16 and 40 to 47 are type and place of sections, 60
# to 63 their number and names.
copy_memory() {
	objcopy -S -j .text "$1" "$2/kcore" 2>/dev/null
	printf '\4' | dd of="$2/kcore" bs=1 seek=16 conv=notrunc status=none
	head -c 8 /dev/zero | dd of="$2/kcore" bs=1 seek=40 conv=notrunc status=none
	head -c 4 /dev/zero | dd of="$2/kcore" bs=1 seek=60 conv=notrunc status=none
	list_symbols "$1" 0 | grep -v _table >"$2/kallsyms"
}
