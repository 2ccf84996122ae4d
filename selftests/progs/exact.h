/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs whose number of user-level instructions is known.
 *
 * A program is a sequence of the macros below.  Each executes a number of
 * instructions that depends on its operands only; COST_* is that number, so
 * that a test can add up what a program must count.  An instruction that enters
 * the kernel belongs to the user level.  Of a fork the parent executes the
 * call; the child begins behind it.
 *
 * number ARG, REG	REG = decimal number in argv[ARG]
 * loop REG		goes REG times around two instructions; REG is not 0
 * repeat REG, LABEL	REG -= 1, and to LABEL unless that gave 0
 * new_process		fork
 * new_vfork		vfork
 * new_thread		a thread of the same process
 * if_child LABEL	behind new_*: the child goes to LABEL
 * reap			waits for a child
 * nap			sleeps 100 ms
 * yield		sched_yield
 * execute ARG		executes argv[ARG] with the arguments from there on
 * ending STATUS	exit, of the thread only
 *
 * REG is K, N or M, which system calls preserve.
 */
#ifndef _SELFTESTS_EXACT_H
#define _SELFTESTS_EXACT_H

#ifdef __aarch64__
#define COST_NUMBER(digits)	(4ULL + 6 * (digits))
#define COST_NEW		7ULL
#define COST_NEW_THREAD		8ULL
#define COST_IF_CHILD		1ULL
#else
#define COST_NUMBER(digits)	(6ULL + 7 * (digits))
#define COST_NEW		2ULL
#define COST_NEW_THREAD		7ULL
#define COST_IF_CHILD		2ULL
#endif
#define COST_LOOP(n)		(1ULL + 2 * (n))
#define COST_REPEAT		2ULL
#define COST_REAP		6ULL
#define COST_NAP		4ULL
#define COST_YIELD		2ULL
#define COST_EXECUTE		5ULL
#define COST_ENDING		3ULL

#ifdef __ASSEMBLER__
#ifdef __aarch64__

#define K x19
#define N x20
#define M x21

.macro number arg, reg
	ldr	x1, [sp, #(8 + 8 * \arg)]
	mov	\reg, #0
.Ldigit\@:
	ldrb	w2, [x1], #1
	cbz	w2, .Lend\@
	sub	w2, w2, #48
	add	\reg, \reg, \reg, lsl #2
	add	\reg, x2, \reg, lsl #1
	b	.Ldigit\@
.Lend\@:
.endm

.macro loop reg
	mov	x9, \reg
.Lloop\@:
	subs	x9, x9, #1
	b.ne	.Lloop\@
.endm

.macro repeat reg, label
	subs	\reg, \reg, #1
	b.ne	\label
.endm

/* clone(x0, 0, ...): the child goes on with the parent's stack pointer. */
.macro new_task
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #220
	svc	#0
.endm

/* SIGCHLD */
.macro new_process
	mov	x0, #17
	new_task
.endm

/* CLONE_VM | CLONE_VFORK | SIGCHLD */
.macro new_vfork
	mov	x0, #0x4111
	new_task
.endm

/* CLONE_VM | _FS | _FILES | _SIGHAND | _THREAD | _SYSVSEM */
.macro new_thread
	mov	x0, #0x0f00
	movk	x0, #0x5, lsl #16
	new_task
.endm

.macro if_child label
	cbz	x0, \label
.endm

.macro reap
	mov	x0, #-1
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #260
	svc	#0
.endm

.macro nap
	adr	x0, .Lnap
	mov	x1, #0
	mov	x8, #101
	svc	#0
.endm

.macro yield
	mov	x8, #124
	svc	#0
.endm

.macro execute arg
	ldr	x0, [sp, #(8 + 8 * \arg)]
	add	x1, sp, #(8 + 8 * \arg)
	mov	x2, #0
	mov	x8, #221
	svc	#0
.endm

.macro ending status
	mov	x0, #\status
	mov	x8, #93
	svc	#0
.endm

#elif defined(__x86_64__)

#define K %r12
#define N %r13
#define M %r14

.macro number arg, reg
	mov	(8 + 8 * \arg)(%rsp), %rsi
	mov	$0, \reg
.Ldigit\@:
	movzbl	(%rsi), %eax
	inc	%rsi
	sub	$48, %eax
	jb	.Lend\@
	lea	(\reg, \reg, 4), \reg
	lea	(%rax, \reg, 2), \reg
	jmp	.Ldigit\@
.Lend\@:
.endm

.macro loop reg
	mov	\reg, %r9
.Lloop\@:
	dec	%r9
	jne	.Lloop\@
.endm

.macro repeat reg, label
	dec	\reg
	jne	\label
.endm

.macro new_process
	mov	$57, %eax
	syscall
.endm

.macro new_vfork
	mov	$58, %eax
	syscall
.endm

.macro new_thread
	mov	$0x50f00, %edi
	xor	%esi, %esi
	xor	%edx, %edx
	xor	%r10d, %r10d
	xor	%r8d, %r8d
	mov	$56, %eax
	syscall
.endm

.macro if_child label
	test	%eax, %eax
	je	\label
.endm

.macro reap
	mov	$-1, %rdi
	xor	%esi, %esi
	xor	%edx, %edx
	xor	%r10d, %r10d
	mov	$61, %eax
	syscall
.endm

.macro nap
	lea	.Lnap(%rip), %rdi
	xor	%esi, %esi
	mov	$35, %eax
	syscall
.endm

.macro yield
	mov	$24, %eax
	syscall
.endm

.macro execute arg
	mov	(8 + 8 * \arg)(%rsp), %rdi
	lea	(8 + 8 * \arg)(%rsp), %rsi
	xor	%edx, %edx
	mov	$59, %eax
	syscall
.endm

.macro ending status
	mov	$\status, %edi
	mov	$60, %eax
	syscall
.endm

#else
#error "write the macros for this architecture"
#endif

/* Time that a nap takes: seconds, nanoseconds. */
	.section .rodata
	.balign 8
.Lnap:	.quad	0, 100000000

	.section .note.GNU-stack, "", %progbits

	.text
	.globl _start
_start:

#endif /* __ASSEMBLER__ */
#endif /* _SELFTESTS_EXACT_H */
