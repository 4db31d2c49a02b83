/* SPDX-License-Identifier: MIT */
/*
 * Functions of a kernel, with the tables of what it changes in them. P(NAME) is the point .p.NAME:
 * behind a call, or in front of an instruction.
 */
#define P(name) .globl .p.name; .p.name:
#define FUNCTION(name) .p2align 4, 0x90; .globl name; .type name, @function; name:
#define END(name) .size name, . - name
/* A jump label that does not jump yet, or one that does. */
#define LABEL(target) 1: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00; ENTRY(target)
#define ENTRY(target) .pushsection .jump_labels, "a"; \
	.long 1b - ., target - .; .quad 0; .popsection
/* What other processors do in place of the five bytes behind. */
#define ALTERNATIVE(...) 661: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00; \
	.pushsection .replacement, "ax"; 662: __VA_ARGS__; 663: .popsection; \
	.pushsection .altinstructions, "a"; \
	.long 661b - ., 662b - .; .word 0; .byte 5, 663b - 662b; .popsection
#define FAULT(pad) .pushsection __ex_table, "a"; .long 1b - ., pad - ., 0; .popsection

	.section .jump_labels, "a"
	.globl __start___jump_table
__start___jump_table:

	.text
	.globl _text
_text:

FUNCTION(callee)
	P(callee.entry)
	ret
END(callee)

FUNCTION(label)
0:	call callee; P(label.a)
	LABEL(2f)
	ret
2:	jmp 0b
END(label)

FUNCTION(label_ways)
	call callee; P(label_ways.a)
	LABEL(2f)
	call callee; P(label_ways.b)
	ret
2:	call callee; P(label_ways.c)
	ret
END(label_ways)

FUNCTION(label_on)
	call callee; P(label_on.a)
1:	jmp 2f
	ENTRY(2f)
	call callee; P(label_on.b)
	ret
2:	call callee; P(label_on.c)
	ret
END(label_on)

FUNCTION(jump)
	call callee; P(jump.a)
	jmp 2f
	call callee; P(jump.b)
2:	call callee; P(jump.c)
	ret
END(jump)

FUNCTION(straight_alternative)
	call callee; P(straight_alternative.a)
	ALTERNATIVE(stac)
	call callee; P(straight_alternative.b)
	ret
END(straight_alternative)

FUNCTION(jumping_alternative)
0:	call callee; P(jumping_alternative.a)
	ALTERNATIVE(jmp 0b)
	call callee; P(jumping_alternative.b)
	ret
END(jumping_alternative)

FUNCTION(fault)
0:	call callee; P(fault.a)
	stac
1:	mov (%rdi), %rax
	FAULT(2f)
	call callee
	call callee; P(fault.b)
	ret
2:	jmp 0b
END(fault)

FUNCTION(warning)
	call callee; P(warning.a)
	ud2
	call callee; P(warning.b)
	ret
END(warning)

FUNCTION(breakpoint)
	call callee; P(breakpoint.a)
	int3
	call callee; P(breakpoint.b)
	ret
END(breakpoint)

FUNCTION(thunks)
	call callee; P(thunks.a)
	jz 1f
	jmp __x86_return_thunk
1:	call callee; P(thunks.b)
	jmp __x86_return_thunk
END(thunks)

FUNCTION(indirect)
	call callee; P(indirect.a)
	jmp __x86_indirect_thunk_rax
END(indirect)

FUNCTION(outer)
	call callee
0:	call callee; P(outer.a)
	jmp inner
END(outer)
FUNCTION(inner)
	jnz 0b
	call callee; P(inner.a)
	ret
END(inner)

FUNCTION(tail)
	call callee; P(tail.a)
	jmp callee
END(tail)

FUNCTION(ends_in_call)
	call callee; P(ends_in_call.a)
	call callee; P(ends_in_call.b)
END(ends_in_call)

FUNCTION(behind)
	call callee; P(behind.a)
	ret
END(behind)

FUNCTION(__x86_return_thunk)
	ret
END(__x86_return_thunk)

FUNCTION(__x86_indirect_thunk_rax)
	jmp *%rax
END(__x86_indirect_thunk_rax)

FUNCTION(last)
	ret
END(last)

	.section .init.text, "ax"
	ret

	.section .jump_labels, "a"
	.globl __stop___jump_table
__stop___jump_table:
