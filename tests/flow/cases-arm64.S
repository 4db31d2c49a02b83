/* SPDX-License-Identifier: MIT */
/*
 * Small functions for cases-arm64.txt, like those in cases.S.
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

	.macro MAKE point, callee = work
	bl \callee
.p.\point:
	.endm

	.text
FUNCTION work
	ret
END work

FUNCTION straight
	MAKE straight.a
	MAKE straight.b
	ret
END straight

FUNCTION loop
	MAKE loop.before
1:	MAKE loop.a
	cbnz w0, 1b
2:	MAKE loop.b
	tbz w0, #3, 2b
	cmp w0, #4
	b.eq 3f
	MAKE loop.c
	b 4f
3:	MAKE loop.d
4:	ret
END loop

FUNCTION system_call
	svc #0
.p.system_call.a:
	ret
END system_call

FUNCTION tail_call
	MAKE tail_call.a
	b straight
END tail_call

FUNCTION indirect
	cbz w0, 1f
	MAKE indirect.a
	br x16
1:	MAKE indirect.b
	ret
END indirect

FUNCTION set_jump
	MAKE set_jump.set, _setjmp
	MAKE set_jump.a
	MAKE set_jump.b
	ret
END set_jump
	.section .note.GNU-stack, "", @progbits
