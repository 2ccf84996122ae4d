/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * branches N: N rounds of nine taken branches: a call, its return, a jump, an indirect call, a
 * call in that, two returns, an indirect jump, and the conditional branch to the next round, of
 * which the last one is not taken. A round is 13 instructions. The labels are what records of
 * branches are compared with: branches_1 to branches_9 are the branches in their order.
 */
#include "exact.h"

	.macro branch number
	.globl	branches_\number
branches_\number:
	.endm

	.macro function name
	.globl	\name
	.type	\name, %function
\name:
	.endm

#ifdef __aarch64__
	number	1, N
branches_round:
	branch 1
	bl	branches_leaf
branches_back1:
	branch 3
	b	branches_on
	brk	#0
branches_on:
	adr	x1, branches_outer
	branch 4
	blr	x1
branches_back4:
	adr	x1, branches_last
	branch 8
	br	x1
	brk	#0
branches_last:
	sub	N, N, #1
	branch 9
	cbnz	N, branches_round
	ending	0

	function branches_leaf
	branch 2
	ret
	function branches_outer
	mov	x9, x30
	branch 5
	bl	branches_inner
branches_back5:
	branch 7
	ret	x9
	function branches_inner
	nop
	branch 6
	ret
#else
	number	1, N
branches_round:
	branch 1
	call	branches_leaf
branches_back1:
	branch 3
	jmp	branches_on
	ud2
branches_on:
	lea	branches_outer(%rip), %rax
	branch 4
	call	*%rax
branches_back4:
	lea	branches_last(%rip), %rax
	branch 8
	jmp	*%rax
	ud2
branches_last:
	dec	N
	branch 9
	jne	branches_round
	ending	0

	function branches_leaf
	branch 2
	ret
	function branches_outer
	branch 5
	call	branches_inner
branches_back5:
	branch 7
	ret
	function branches_inner
	nop
	branch 6
	ret
#endif
