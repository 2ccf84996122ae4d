// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * pfm_user_page_read() for x86_64.
 *
 * In assembly, as for Armv8, so that a read is always the same number of instructions:
 * 29 and, for each counter, 19.  RDPMC has the counter's number in a register, so one piece
 * of code reads all counters.
 */
#include "user_page/user_page.h"

#ifdef PFMI_USER_PAGE_X86

_Static_assert(offsetof(struct pfm_user_page_map, ctl) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, cell) == 8, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, layout) == 16, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, slots) == 32, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, tls) == 40, "see below");
_Static_assert(offsetof(struct pfmi_user_page_cell, owner) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page, seq) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page, until) == 8, "see below");
_Static_assert(offsetof(struct pfm_user_page, layout) == 16, "see below");
_Static_assert(offsetof(struct pfm_user_page_reg, base) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page_reg, index) == 8, "see below");
_Static_assert(offsetof(struct pfm_user_page_reg, width) == 20, "see below");
_Static_assert(PFM_USER_PAGE_IN_MEMORY == 32 && PFMI_USER_PAGE_END == 33,
	       "see below");

/* clang-format off */

/*
 * rdi page, rsi vals: kept for pfmi_user_page_slow(), which may have to be called
 * r8 user page, r10 its seq, r9 next slot, r11 next value
 *
 * The processor executes loads in order, so nothing but the order of the instructions is
 * needed between those of until and layout.  The entry of a register is read three times,
 * which saves a register; a change in between is one of seq.
 */
__asm__(
"	.text\n"
"	.balign	64\n"
"	.globl	pfm_user_page_read\n"
"	.type	pfm_user_page_read, @function\n"
"pfm_user_page_read:\n"
"	.globl	pfmi_user_page_begin\n"
"	.hidden	pfmi_user_page_begin\n"
"pfmi_user_page_begin:\n"
"	.cfi_startproc\n"
"	endbr64\n"
".Lpfmi_again:\n"
"	mov	(%rdi), %r8\n"
"	mov	8(%rdi), %rax\n"
"	mov	16(%rdi), %r9\n"
"	mov	40(%rdi), %rdx\n"
"	mov	(%rax), %rax\n"
"	cmp	%fs:(%rdx), %rax\n"
"	jne	.Lpfmi_slow\n"
"	mov	(%r8), %r10\n"
"	mov	8(%r8), %r11\n"
/* member until may be another thread's; that thread's CPU wrote member layout before it */
"	cmp	16(%r8), %r9\n"
"	jne	.Lpfmi_slow\n"
"	rdtsc\n"
"	shl	$32, %rdx\n"
"	or	%rdx, %rax\n"
"	cmp	%rax, %r11\n"
"	jb	.Lpfmi_slow\n"
"	mov	32(%rdi), %r9\n"
"	mov	%rsi, %r11\n"
".Lpfmi_next:\n"
"	mov	(%r9), %rdx\n"
"	mov	8(%rdx), %rcx\n"
"	lea	-32(%rcx), %rax\n"
"	cmp	$1, %rax\n"
"	jbe	.Lpfmi_other\n"
"	rdpmc\n"
"	shl	$32, %rdx\n"
"	or	%rdx, %rax\n"
"	mov	(%r9), %rdx\n"
"	sub	(%rdx), %rax\n"
/* the low bits, as many as the counter's width: shift the others out */
"	movzwl	20(%rdx), %ecx\n"
"	neg	%ecx\n"
"	shl	%cl, %rax\n"
"	shr	%cl, %rax\n"
"	add	(%rdx), %rax\n"
"	mov	%rax, (%r11)\n"
"	add	$8, %r9\n"
"	add	$8, %r11\n"
"	jmp	.Lpfmi_next\n"
".Lpfmi_other:\n"
"	je	.Lpfmi_end\n"
"	mov	(%rdx), %rax\n"
"	mov	%rax, (%r11)\n"
"	add	$8, %r9\n"
"	add	$8, %r11\n"
"	jmp	.Lpfmi_next\n"
".Lpfmi_end:\n"
"	cmp	(%r8), %r10\n"
"	jne	.Lpfmi_again\n"
"	xor	%eax, %eax\n"
"	ret\n"
"	.globl	pfmi_user_page_resume\n"
"	.hidden	pfmi_user_page_resume\n"
"pfmi_user_page_resume:\n"
".Lpfmi_slow:\n"
"	jmp	pfmi_user_page_slow\n"
"	.cfi_endproc\n"
"	.size	pfm_user_page_read, . - pfm_user_page_read\n"
"	.globl	pfmi_user_page_end\n"
"	.hidden	pfmi_user_page_end\n"
"pfmi_user_page_end:\n"

/* Each register is read by its own width. */
"	.type	pfmi_user_page_code, @function\n"
"	.globl	pfmi_user_page_code\n"
"	.hidden	pfmi_user_page_code\n"
"pfmi_user_page_code:\n"
"	.cfi_startproc\n"
"	endbr64\n"
"	lea	.Lpfmi_next(%rip), %rax\n"
"	ret\n"
"	.cfi_endproc\n"
"	.size	pfmi_user_page_code, . - pfmi_user_page_code\n");

/* clang-format on */

#endif
