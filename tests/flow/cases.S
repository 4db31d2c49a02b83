/* SPDX-License-Identifier: MIT */
/*
 * Small functions for cases.txt, one situation each. A point is a label that begins with ".p.",
 * which stays in the symbol table and is nobody's function.
 *
 * Built as a shared library and, with -DFIXED, as a program with fixed addresses.
 */
	.macro FUNCTION name
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm

	.macro END name
	.cfi_endproc
	.size \name, . - \name
	.endm

	/* A call and the point behind it. */
	.macro MAKE point, callee = work
	call \callee
.p.\point:
	.endm

	.macro POINT point
.p.\point:
	.endm

	.macro SAVE register
	push \register
	.cfi_adjust_cfa_offset 8
	.endm

	.macro RESTORE register
	pop \register
	.cfi_adjust_cfa_offset -8
	.endm

	.text
FUNCTION work
	ret
END work

FUNCTION straight
	POINT straight.entry
	MAKE straight.a
	MAKE straight.b
	POINT straight.return
	ret
END straight

FUNCTION recursion
	MAKE recursion.a, recursion
	MAKE recursion.b, recursion
	ret
END recursion

FUNCTION loop
	MAKE loop.before
1:	MAKE loop.a
	MAKE loop.b
	dec %ebx
	jnz 1b
	MAKE loop.after
	ret
END loop

FUNCTION entry_loop
	MAKE entry_loop.a
	test %eax, %eax
	jnz entry_loop
	ret
END entry_loop

FUNCTION branches
	test %edi, %edi
	jz 1f
	MAKE branches.a
	jmp 2f
1:	MAKE branches.b
2:	MAKE branches.c
	ret
END branches

FUNCTION system_calls
	syscall
	POINT system_calls.a
	syscall
	POINT system_calls.b
	ret
END system_calls

FUNCTION system_call_loop
1:	syscall
	POINT system_call_loop.a
	cmp $-4, %rax
	je 1b
	ret
END system_call_loop

FUNCTION either_system_call
	test %edi, %edi
	jz 1f
	syscall
	POINT either_system_call.a
	ret
1:	syscall
	POINT either_system_call.b
	ret
END either_system_call

	/* As glibc does from 2.41 on, with and without other threads. */
FUNCTION call_or_system_call
	test %edi, %edi
	jz 1f
	MAKE call_or_system_call.a
	ret
1:	syscall
	POINT call_or_system_call.b
	ret
END call_or_system_call

	/* As glibc does where a thread may be cancelled. */
FUNCTION system_call_or_end
	test %edi, %edi
	jnz never_returns
	syscall
	POINT system_call_or_end.a
	ret
END system_call_or_end

FUNCTION system_call_or_another
	test %edi, %edi
	jnz straight
	syscall
	POINT system_call_or_another.a
	ret
END system_call_or_another

FUNCTION ends_in_call
	MAKE ends_in_call.a
	MAKE ends_in_call.b
END ends_in_call

	/* Right behind it, without a gap. */
	.type next, @function
next:
	.cfi_startproc
	MAKE next.a
	ret
END next

FUNCTION never_returns
1:	MAKE never_returns.a
	test %eax, %eax
	jnz 2f
	MAKE never_returns.abort, abort@plt
2:	MAKE never_returns.b
	jmp 1b
END never_returns

FUNCTION tail_call
	MAKE tail_call.a
	jmp straight
END tail_call

FUNCTION double_tail_call
	MAKE double_tail_call.a
	jmp tail_call
END double_tail_call

FUNCTION conditional_tail_call
	MAKE conditional_tail_call.a
	test %eax, %eax
	jne straight
	MAKE conditional_tail_call.b
	jmp getpid@plt
END conditional_tail_call

FUNCTION slot_tail_call
	MAKE slot_tail_call.a
	jmp *getpid@GOTPCREL(%rip)
END slot_tail_call

FUNCTION has_cold
	SAVE %rbx
	MAKE has_cold.a
	test %eax, %eax
	jne has_cold.cold
.Lhas_cold.back:
	MAKE has_cold.c
	RESTORE %rbx
	ret
END has_cold

	/* Entered without a frame of its own: only the name and the way back tell what it is. */
FUNCTION has_bare_cold
	test %edi, %edi
	jne has_bare_cold.cold
.Lhas_bare_cold.back:
	MAKE has_bare_cold.a
	test %eax, %eax
	jne has_bare_cold.cold
	ret
END has_bare_cold

	.section .text.unlikely, "ax", @progbits
	.type has_cold.cold, @function
has_cold.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	MAKE has_cold.b
	jmp .Lhas_cold.back
END has_cold.cold

	.type has_bare_cold.cold, @function
has_bare_cold.cold:
	.cfi_startproc
	MAKE has_bare_cold.b
	jmp .Lhas_bare_cold.back
END has_bare_cold.cold
	.text

FUNCTION two_entries
	MAKE two_entries.a
	.globl second_entry
	.type second_entry, @function
second_entry:
	MAKE two_entries.b
	ret
	.size second_entry, . - second_entry
END two_entries

FUNCTION falls_into_next
	MAKE falls_into_next.a
	nop
END falls_into_next
	.type fallen_into, @function
fallen_into:
	.cfi_startproc
	MAKE fallen_into.a
	ret
END fallen_into

	/* What compilers make of a switch statement. */
	.macro CASES name
.L\name\().0:
	MAKE \name\().0
	jmp .L\name\().end
.L\name\().1:
	MAKE \name\().1
	jmp .L\name\().end
.L\name\().2:
	MAKE \name\().2
.L\name\().end:
	MAKE \name\().after
	.endm

	.macro TABLE name
	.section .rodata
	.balign 4
.Ltable.\name:
	.long .L\name\().0 - .Ltable.\name
	.long .L\name\().1 - .Ltable.\name
	.long .L\name\().2 - .Ltable.\name
	/* Behind the table: something that is none of it. */
	.long 0x12345678
	.text
	.endm

FUNCTION switch
	MAKE switch.before
	cmp $2, %edi
	ja .Lswitch.end
	lea .Ltable.switch(%rip), %rdx
	mov %edi, %edi
	movslq (%rdx, %rdi, 4), %rax
	add %rdx, %rax
	notrack jmp *%rax
	CASES switch
	ret
END switch
	TABLE switch

	/* A frame of its own, the table's address outside of the loop, the index from memory. */
FUNCTION switch_loop
	SAVE %r12
	lea .Ltable.switch_loop(%rip), %r12
	MAKE switch_loop.before
1:	cmpl $2, 8(%rsp)
	jbe 2f
	jmp .Lswitch_loop.end
2:	mov 8(%rsp), %eax
	movslq (%r12, %rax, 4), %rax
	add %r12, %rax
	jmp *%rax
	CASES switch_loop
	test %eax, %eax
	jne 1b
	RESTORE %r12
	ret
END switch_loop
	TABLE switch_loop

	/* As compilers do without optimizing. */
FUNCTION switch_plain
	SAVE %rbp
	mov %rsp, %rbp
	cmpl $2, -20(%rbp)
	ja .Lswitch_plain.end
	mov -20(%rbp), %eax
	lea 0(, %rax, 4), %rdx
	lea .Ltable.switch_plain(%rip), %rax
	mov (%rdx, %rax, 1), %eax
	cltq
	lea .Ltable.switch_plain(%rip), %rdx
	add %rdx, %rax
	notrack jmp *%rax
	CASES switch_plain
	RESTORE %rbp
	ret
END switch_plain
	TABLE switch_plain

	/* The index has two bits, the fourth case is the end. */
FUNCTION switch_masked
	and $3, %edi
	lea .Ltable.switch_masked(%rip), %rax
	movslq (%rax, %rdi, 4), %rdx
	add %rax, %rdx
	jmp *%rdx
	CASES switch_masked
	ret
END switch_masked
	.section .rodata
	.balign 4
.Ltable.switch_masked:
	.long .Lswitch_masked.0 - .Ltable.switch_masked
	.long .Lswitch_masked.1 - .Ltable.switch_masked
	.long .Lswitch_masked.2 - .Ltable.switch_masked
	.long .Lswitch_masked.end - .Ltable.switch_masked
	.text

	/* Nothing says how large the table is. */
FUNCTION switch_unbounded
	MAKE switch_unbounded.before
	lea .Ltable.switch_unbounded(%rip), %rdx
	movslq (%rdx, %rdi, 4), %rax
	add %rdx, %rax
	jmp *%rax
	CASES switch_unbounded
	ret
END switch_unbounded
	TABLE switch_unbounded

	/* The comparison is of something else. */
FUNCTION switch_other_bound
	MAKE switch_other_bound.before
	cmp $2, %edi
	ja .Lswitch_other_bound.end
	lea .Ltable.switch_other_bound(%rip), %rdx
	movslq (%rdx, %rsi, 4), %rax
	add %rdx, %rax
	jmp *%rax
	CASES switch_other_bound
	ret
END switch_other_bound
	TABLE switch_other_bound

	/* Two ways to the jump, with different tables. */
FUNCTION switch_two_tables
	MAKE switch_two_tables.before
	lea .Ltable.switch_two_tables(%rip), %rdx
	test %esi, %esi
	je 1f
	lea .Ltable.switch(%rip), %rdx
1:	cmp $2, %edi
	ja .Lswitch_two_tables.end
	mov %edi, %edi
	movslq (%rdx, %rdi, 4), %rax
	add %rdx, %rax
	jmp *%rax
	CASES switch_two_tables
	ret
END switch_two_tables
	TABLE switch_two_tables

#ifdef FIXED
FUNCTION switch_fixed
	MAKE switch_fixed.before
	cmp $2, %edi
	ja .Lswitch_fixed.end
	mov %edi, %edi
	jmp *.Ltable.switch_fixed(, %rdi, 8)
	CASES switch_fixed
	ret
END switch_fixed
	.section .rodata
	.balign 8
.Ltable.switch_fixed:
	.quad .Lswitch_fixed.0, .Lswitch_fixed.1, .Lswitch_fixed.2, 0
	.text
#endif

FUNCTION pointer_tail_call
	SAVE %rbx
	MAKE pointer_tail_call.a
	mov 16(%rbx), %rax
	RESTORE %rbx
	jmp *%rax
END pointer_tail_call

FUNCTION argument_tail_call
	mov %rsi, %rdi
	jmp *%rdx
	POINT argument_tail_call.a
END argument_tail_call

	/* Not a tail call: there is still something on the stack. */
FUNCTION pointer_jump
	SAVE %rbx
	MAKE pointer_jump.a
	mov 16(%rbx), %rax
	jmp *%rax
END pointer_jump

	/* Not a tail call for certain: an address of the function's own code is made. */
FUNCTION label_jump
	lea 1f(%rip), %rax
	mov %rax, 8(%rdi)
	MAKE label_jump.a
	mov 8(%rdi), %rax
	jmp *%rax
1:	MAKE label_jump.b
	ret
END label_jump

	/* The address is in the data. */
FUNCTION data_label_jump
	MAKE data_label_jump.a
	mov (%rdi), %rax
	jmp *%rax
.Ldata_label_jump:
	MAKE data_label_jump.b
	ret
END data_label_jump
	.data
	.quad .Ldata_label_jump
	.text

	/* Entered again by somebody who kept the address. */
FUNCTION made_label
	lea 1f(%rip), %rax
	MAKE made_label.a
	ret
1:	MAKE made_label.b
	MAKE made_label.c
	ret
END made_label

FUNCTION set_jump
	MAKE set_jump.set, _setjmp@plt
	test %eax, %eax
	jne 1f
	MAKE set_jump.a
	MAKE set_jump.b
	ret
1:	MAKE set_jump.c
	ret
END set_jump

	/* Its name says nothing, but it begins like no other function. */
	.type hidden_set_jump, @function
hidden_set_jump:
	.cfi_startproc
	mov %rbx, (%rdi)
	mov %rbp, 8(%rdi)
	xor %eax, %eax
	ret
END hidden_set_jump

FUNCTION calls_hidden
	MAKE calls_hidden.set, hidden_set_jump
	MAKE calls_hidden.a
	MAKE calls_hidden.b
	ret
END calls_hidden

FUNCTION skipped_prefix
	MAKE skipped_prefix.a
	test %eax, %eax
	je 1f + 1
1:	lock cmpxchg %ecx, (%rdx)
	POINT skipped_prefix.both
	MAKE skipped_prefix.b
	ret
END skipped_prefix

FUNCTION undecoded
	MAKE undecoded.a
	test %eax, %eax
	je 1f
	MAKE undecoded.b
	ret
1:	MAKE undecoded.c
	.byte 0x06
	MAKE undecoded.d
	ret
END undecoded

FUNCTION strange_call
	MAKE strange_call.a
	call 1f
	nop
1:	pop %rax
	MAKE strange_call.b
	ret
END strange_call

FUNCTION stray_jump
	MAKE stray_jump.a
	jmp 0x10
	POINT stray_jump.not_behind_call
END stray_jump

	/* Exceptions. The personality is not called by anyone. */
	.type personality, @function
personality:
	ret
	.size personality, . - personality

	.macro THROWING name, table
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.cfi_personality 0x1b, personality
	.cfi_lsda 0x1b, \table
.L\name\().start:
	MAKE \name\().before
.L\name\().try:
	MAKE \name\().in_try
.L\name\().behind:
	MAKE \name\().after
	ret
.L\name\().pad:
	MAKE \name\().in_pad
	ret
	END \name
	.endm

	THROWING throws, .Ltable.throws
	.section .gcc_except_table, "a", @progbits
.Ltable.throws:
	.byte 0xff, 0xff, 1
	.uleb128 2f - 1f
1:	.uleb128 .Lthrows.try - .Lthrows.start, .Lthrows.behind - .Lthrows.try
	.uleb128 .Lthrows.pad - .Lthrows.start, 0
2:
	.text

	/* The same with all that is optional, and numbers of four bytes. */
	THROWING throws_wide, .Ltable.throws_wide
	.section .gcc_except_table, "a", @progbits
.Ltable.throws_wide:
	.byte 0x1b
	.long .Lthrows_wide.start - .
	.byte 0x9b
	.uleb128 2f - 3f
3:	.byte 3
	.uleb128 2f - 1f
1:	.long .Lthrows_wide.try - .Lthrows_wide.start
	.long .Lthrows_wide.behind - .Lthrows_wide.try
	.long .Lthrows_wide.pad - .Lthrows_wide.start
	.uleb128 1
2:
	.text

	/* More entries than there are bytes. */
	THROWING throws_broken, .Ltable.throws_broken
	.section .gcc_except_table, "a", @progbits
.Ltable.throws_broken:
	.byte 0xff, 0xff, 1
	.uleb128 0x7fffffff
	.uleb128 0
	.text
	.section .note.GNU-stack, "", @progbits
