/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * victim: writes its /proc/self/maps to its output, and ends with status 0.
 *
 * It is linked at an address of its own (see the Makefile).  Its data begins with
 * a chain of stack frames, whose return addresses are VICTIM_SECRET and up: who
 * walks the stack from there has read its memory.  The kernel itself touches that
 * page during exec, since the page also holds the beginning of .bss.
 */
#include "victim.h"

#define FRAMES 8

#ifdef __aarch64__
#define WORD .xword

.macro call number
	mov	x8, \number
	svc	#0
.endm

	.globl	_start
_start:
	mov	x0, #-100
	adr	x1, path
	mov	x2, #0
	call	#56		/* openat */
	mov	x19, x0
	ldr	x20, =buffer
1:	mov	x0, x19
	mov	x1, x20
	mov	x2, #4096
	call	#63		/* read */
	cmp	x0, #0
	b.le	2f
	mov	x2, x0
	mov	x0, #1
	mov	x1, x20
	call	#64		/* write */
	b	1b
2:	mov	x0, #0
	call	#93		/* exit */
#else
#define WORD .quad

	.globl	_start
_start:
	mov	$-100, %edi
	lea	path(%rip), %rsi
	xor	%edx, %edx
	mov	$257, %eax	/* openat */
	syscall
	mov	%eax, %ebx
1:	mov	%ebx, %edi
	lea	buffer(%rip), %rsi
	mov	$4096, %edx
	xor	%eax, %eax	/* read */
	syscall
	test	%rax, %rax
	jle	2f
	mov	%rax, %rdx
	mov	$1, %edi
	lea	buffer(%rip), %rsi
	mov	$1, %eax	/* write */
	syscall
	jmp	1b
2:	xor	%edi, %edi
	mov	$60, %eax	/* exit */
	syscall
#endif

path:
	.asciz	"/proc/self/maps"
	.balign	8

	.data
	.balign	16
	.globl	secret
secret:
	.set	i, 0
	.rept	FRAMES
	WORD	secret + 16 * (i + 1)
	WORD	VICTIM_SECRET + i
	.set	i, i + 1
	.endr
	WORD	0
	WORD	0

	.bss
	.balign	16
buffer:
	.skip	VICTIM_BSS
