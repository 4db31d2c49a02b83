# SPDX-License-Identifier: MIT
# What a compiler has made of a program is assembled, each function in a section of its own, so that
# the linker may leave out those that nobody calls. For each directive nasm up to 2.14 searches the
# section by its name among all before it; 2.15 has them in a hash ("outelf: hash sections for
# performance", says the change). The second nasm has the search by name back.

about="two versions of nasm, one that compares each section's name with those of all others"
cause=real
traits="nasm: assembler, two versions by their file names, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is elf_section_names, in nasm-2.14: for each section directive it compares the name with those of all sections before it, one after another"
told='elf_section_names'

build() {
	fetch_source nasm
	./configure CFLAGS="$stock_flags"
	make_version 2.15
	sed -i '/^static int32_t elf_section_names(/,/^}/{
		s/^    void [*][*]hp;$/    int i;/
		/^    struct hash_insert hi;$/d
		s/^    hp = hash_find(.*/    for (i = 0; i < nsects; i++)\
        if (!strcmp(name, sects[i]->name))\
            break;/
		s/^    if (hp) {$/    if (i < nsects) {/
		s/^        s = [*]hp;$/        s = sects[i];/
		/^        hash_add(/d
	}' output/outelf.c
	grep -q '!strcmp(name, sects\[i\]->name)' output/outelf.c
	make_version 2.14
	! cmp -s nasm-2.14 nasm-2.15
	make_program
}

make_version() {
	make -j"$(nproc)" nasm
	mv nasm "nasm-$1"
}

# Functions that each make some checks, and report what is wrong. The compiler writes a message where
# it meets it, and goes back to the section of the code.
make_program() {
	awk 'BEGIN {
		split("order price stock parcel invoice customer article shelf", things)
		split("read_ write_ find_ check_ count_ print_ remove_", verbs)
		print "default rel\nbits 64\nextern report"
		for (i = 0; i < 4500; i++) {
			name = verbs[i % 7 + 1] things[i * 31 % 8 + 1] "_" i
			code = "section .text." name " progbits alloc exec nowrite align=16"
			messages = "section .rodata." name " progbits alloc noexec nowrite align=1"
			print "\n" code "\nglobal " name "\n" name ":\n\tpush rbx\n\tmov rbx, rdi"
			for (j = 1; j < 5; j++) {
				print "\tmov eax, [rbx + " i * j % 64 * 8 "]\n\timul eax, eax, " i * 17 % 401
				print "\tsub eax, [rbx + " i % 31 * 8 "]\n\tcmp eax, " 10 + i * 7919 % 300
				print "\tjl .right" j "\n" messages
				print ".message" j ":\n\tdb \"" name ": wrong item \", \"" i * j "\", 10, 0"
				print code "\n\tlea rdi, [.message" j "]\n\tmov rsi, rbx\n\tcall report"
				print ".right" j ":\n\tadd rbx, 16"
			}
			print "\tpop rbx\n\tret"
		}
	}' > program.asm
}

# assemble NUMBER: by the nasm of this number.
assemble() {
	record "$built/nasm-$1" -f elf64 -o program.o "$built/program.asm"
	[ "$(wc -c < program.o)" -gt 2000000 ]
}

base() {
	assemble 2.15
}

slow() {
	assemble 2.14
}

truth() {
	echo '^elf_section_names$' '^nasm-2[.]14$'
}
