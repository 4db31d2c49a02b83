/* SPDX-License-Identifier: MIT */
/*
 * Small functions for cases.txt, one situation each. A point is a label that begins with ".p.",
 * which stays in the symbol table and is nobody's function.
 *
 * Built as a shared library, with -DLIBRARY as another one that it calls.
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

	/* A frame pointer, and none any more. */
	.macro ENTER
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	.endm

	.macro LEAVE
	pop %rbp
	.cfi_remember_state
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	.endm

	.macro REENTER
	.cfi_restore_state
	.endm

	.macro POINT point
.p.\point:
	.endm

	/* A call and the point behind it. */
	.macro MAKE point, callee
	call \callee
.p.\point:
	.endm

	/* A function with a frame pointer that makes one call. */
	.macro FRAMED name, callee
FUNCTION \name
	ENTER
	call \callee
	LEAVE
	ret
END \name
	.endm

	/* One that keeps no frame pointer, and in which threads are met. */
	.macro FRAMELESS name
FUNCTION \name
	nop
	POINT \name
	ret
END \name
	.endm

	.text
#ifdef LIBRARY

FRAMELESS library_leaf
FRAMED library_work, library_leaf@PLT
FRAMED twice, library_leaf@PLT
FRAMELESS library_shared
FRAMELESS library_taken

/* What others cannot call but through a pointer that they do not have. */
FUNCTION library_private
	ENTER
	call library_shared@PLT
	LEAVE
	ret
END library_private
	.hidden library_private

	.section .data.rel.ro, "aw", @progbits
	.quad library_private

#else

FRAMELESS leaf
FRAMED work, leaf
FRAMED twice, leaf

FUNCTION direct
	ENTER
	MAKE direct, work
	LEAVE
	ret
END direct

/* What stands above is the function that was called. */
FUNCTION shown
	ENTER
	MAKE shown, shown_work
	LEAVE
	ret
END shown

FUNCTION shown_work
	ENTER
	nop
	POINT shown_work
	LEAVE
	ret
END shown_work

/* Interrupted before it has its frame, and when it has it no more. */
FUNCTION prologue
	POINT prologue.first
	nop
	POINT prologue.second
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	POINT prologue.pushed
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	POINT prologue.framed
	LEAVE
	POINT prologue.left
	ret
END prologue

/* The frame pointer serves as another register. */
FUNCTION busy
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov $1, %ebp
	POINT busy
	pop %rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbp
	ret
END busy

/* By way of the linkage table, and of its slots alone. */
FUNCTION linked
	ENTER
	MAKE linked.plt, library_work@PLT
	call *library_work@GOTPCREL(%rip)
	POINT linked.got
	MAKE linked.twice, twice@PLT
	MAKE linked.nobody, nobody@PLT
	LEAVE
	ret
END linked

/* Ends in a jump to one that keeps no frame pointer, and can then not be what is missing. */
FUNCTION jumps_to_leaf
	ENTER
	call leaf
	LEAVE
	jmp leaf
END jumps_to_leaf

/* Keeps none itself, but jumps to one that does. */
FUNCTION trampoline
	nop
	jmp work
END trampoline

FUNCTION jumps_to_work
	ENTER
	call leaf
	LEAVE
	jmp work
END jumps_to_work

FUNCTION jumps_anywhere
	ENTER
	call leaf
	LEAVE
	jmp *%rax
END jumps_anywhere

FUNCTION tails
	ENTER
	MAKE tails.leaf, jumps_to_leaf
	MAKE tails.trampoline, trampoline
	MAKE tails.work, jumps_to_work
	MAKE tails.anywhere, jumps_anywhere
	LEAVE
	ret
END tails

/* A jump table inside of a function whose frame stands. */
FUNCTION switches
	ENTER
	call leaf
	notrack jmp *%rax
	LEAVE
	ret
END switches

FUNCTION calls_switches
	ENTER
	MAKE switches, switches
	LEAVE
	ret
END calls_switches

/* The call is in a part that lies elsewhere, and so is a jump of the called function. */
FUNCTION warm
	ENTER
	test %eax, %eax
	jne warm.cold
	LEAVE
	ret
END warm

	.type warm.cold, @function
warm.cold:
	.cfi_startproc
	.cfi_def_cfa %rbp, 16
	.cfi_offset %rbp, -16
	MAKE cold, split
	jmp warm
	.cfi_endproc
	.size warm.cold, . - warm.cold

FUNCTION split
	ENTER
	call leaf
	test %eax, %eax
	jne split.cold
	LEAVE
	ret
END split

	.type split.cold, @function
split.cold:
	.cfi_startproc
	.cfi_def_cfa %rbp, 16
	.cfi_offset %rbp, -16
	pop %rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	jmp work
	.cfi_endproc
	.size split.cold, . - split.cold

/* What is called through a pointer is one of those that are stored somewhere. */
FRAMELESS lone_leaf
FRAMED lone, lone_leaf
FRAMED not_stored, lone_leaf
FRAMELESS pair_leaf
FRAMED pair_a, pair_leaf
FRAMED pair_b, pair_leaf
FRAMELESS taken_leaf
FRAMED calls_taken, taken_leaf

FUNCTION wrapper
	call wrapped_leaf
	ret
END wrapper
FRAMELESS wrapped_leaf
FRAMED wraps, wrapper

/* With another use for the frame pointer, below which no chain would be. */
FUNCTION busy_wrapper
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov $1, %ebp
	call wrapped_leaf
	pop %rbp
	.cfi_adjust_cfa_offset -8
	ret
END busy_wrapper
FRAMED wraps_busy, busy_wrapper

FUNCTION hops
	nop
	jmp hopped_work
END hops
FRAMELESS hopped_leaf
FRAMED hopped_work, hopped_leaf

/* The rules of a jump out of a function do not tell that the frame pointer is back. */
FUNCTION jumps_back_out
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	pop %rbp
	.cfi_def_cfa %rsp, 8
	jmp out_leaf
END jumps_back_out
FRAMELESS out_leaf
FRAMED calls_out, jumps_back_out

FRAMED calls_shared, library_shared@PLT

/* Others that keep no frame pointer lie between, on two ways. */
	.macro UNFRAMED name, callee
FUNCTION \name
	call \callee
	ret
END \name
	.endm

FRAMELESS forked_leaf
UNFRAMED fork_end, forked_leaf
UNFRAMED fork_left, fork_end
UNFRAMED fork_right, fork_end

FUNCTION forks
	ENTER
	call fork_left
	call fork_right
	LEAVE
	ret
END forks

/* One way is longer than the other. */
FUNCTION forks_early
	ENTER
	call fork_left
	call fork_end
	LEAVE
	ret
END forks_early

/* It may go round once or several times. */
FRAMELESS round_leaf
FUNCTION rounds
	call rounds
	call round_leaf
	ret
END rounds
UNFRAMED before_rounds, rounds
FRAMED calls_rounds, before_rounds

/* The address of what lies between is known, so that a pointer may lead there. */
FRAMELESS known_leaf
UNFRAMED known_way, known_leaf
FRAMED calls_known, known_way
FUNCTION points_to_known
	ENTER
	call known_way
	call *%rax
	LEAVE
	ret
END points_to_known

FUNCTION calls_ways
	ENTER
	MAKE ways.forks, forks
	MAKE ways.early, forks_early
	MAKE ways.round, calls_rounds
	MAKE ways.known, calls_known
	MAKE ways.pointer, points_to_known
	LEAVE
	ret
END calls_ways

FUNCTION calls_library_taken
	ENTER
	call library_taken@PLT
	LEAVE
	ret
END calls_library_taken

FUNCTION points
	ENTER
	call *%rax
	POINT points
	/* One call looks like the end of another. */
	call *0xd0ff(%rax)
	POINT points.far
	LEAVE
	ret
END points

	.section .data.rel.ro, "aw", @progbits
	.quad lone, pair_a, pair_b, calls_taken, taken_leaf, wraps, wraps_busy, hops, calls_out
	.quad calls_shared, calls_library_taken, library_taken, known_way
	.text

/* No function of a compiler: no rules, no name, not behind a call, other rules. */
	.globl by_hand
	.type by_hand, @function
by_hand:
	call leaf
	nop
	POINT by_hand
	ret
	.size by_hand, . - by_hand

FUNCTION strange
	ENTER
	MAKE strange.by_hand, by_hand
	call .Lnameless
	POINT strange.nameless
	MAKE strange.unframed, unframed
	nop
	POINT strange.no_call
	syscall
	POINT strange.syscall
	LEAVE
	ret
END strange

.Lnameless:
	.cfi_startproc
	ENTER
	call leaf
	LEAVE
	ret
	.cfi_endproc

FUNCTION unframed
	call leaf
	ret
END unframed

/* As longjmp() and setcontext() have them: the frame is that which is gone to. */
FUNCTION jump_back
	.cfi_def_cfa %rdi, 0
	.cfi_offset %rip, 8
	.cfi_offset %rbp, 16
	nop
	POINT jump_back
	ret
END jump_back

/* A stack begins here. */
FUNCTION begins
	.cfi_undefined %rip
	nop
	POINT begins
	ret
END begins

FUNCTION handler_return
	.cfi_signal_frame
	nop
	POINT handler_return
	ret
END handler_return

#endif
	.section .note.GNU-stack, "", @progbits
