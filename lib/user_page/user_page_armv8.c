// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * pfm_user_page_read() for Armv8.
 *
 * In assembly, because the number of a counter is part of the instruction that reads
 * it.  There is a piece of code for each counter, which reads the counter, stores the
 * value and jumps to the piece for the next register.  A read of n counters executes
 * 25 + 8n instructions, or 25 + 6n when the counters have 64 bits.
 */
#include "user_page/user_page.h"

#ifdef PFMI_USER_PAGE_ARMV8

_Static_assert(offsetof(struct pfm_user_page_map, ctl) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, cell) == 8, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, layout) == 16, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, code) == 24, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, slots) == 32, "see below");
_Static_assert(offsetof(struct pfm_user_page_map, tls) == 40, "see below");
_Static_assert(offsetof(struct pfmi_user_page_cell, owner) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page, seq) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page, until) == 8, "see below");
_Static_assert(offsetof(struct pfm_user_page, layout) == 16, "see below");
_Static_assert(offsetof(struct pfm_user_page_reg, base) == 0, "see below");
_Static_assert(offsetof(struct pfm_user_page_reg, index) == 8, "see below");
_Static_assert(PFM_USER_PAGE_IN_MEMORY == 32 && PFMI_USER_PAGE_END == 33,
	       "see below");

/* clang-format off */

/*
 * SHIFT: log2 of the bytes of a piece.  Each piece is the target of an indirect jump,
 * which with BTI must be marked.
 */
#ifdef __ARM_FEATURE_BTI_DEFAULT
#define SHIFT "6"
#define ENTRY "	hint	#36\n"	/* bti j */
#define BEGIN "	hint	#34\n"	/* bti c */
#else
#define SHIFT "5"
#define ENTRY
#define BEGIN
#endif

/*
 * x0 page, x1 vals: kept for pfmi_user_page_slow(), which may have to be called
 * x2 user page, x8 its seq, x5 code, x6 next slot, x12 next value
 *
 * A piece is entered with the base of its register in x14.
 */
__asm__(
"	.text\n"
"	.macro	pfmi_next\n"
"	ldr	x13, [x6], #8\n"
"	ldp	x14, x15, [x13]\n"
"	add	x15, x5, x15, lsl #" SHIFT "\n"
"	br	x15\n"
"	.endm\n"

"	.macro	pfmi_piece\n"
"	.balign	1 << " SHIFT "\n"
	ENTRY
"	.endm\n"

"	.macro	pfmi_narrow n\n"
"	pfmi_piece\n"
"	mrs	x15, pmevcntr\\n\\()_el0\n"
"	sub	w15, w15, w14\n"
"	add	x14, x14, x15\n"
"	str	x14, [x12], #8\n"
"	pfmi_next\n"
"	.endm\n"

/* A counter of 64 bits holds the whole value. */
"	.macro	pfmi_wide n\n"
"	pfmi_piece\n"
"	mrs	x14, pmevcntr\\n\\()_el0\n"
"	str	x14, [x12], #8\n"
"	pfmi_next\n"
"	.endm\n"

/* Indices 31 (cycle counter), 32 (value in memory) and 33 (end). */
"	.macro	pfmi_others\n"
"	pfmi_piece\n"
"	mrs	x14, pmccntr_el0\n"
"	str	x14, [x12], #8\n"
"	pfmi_next\n"
"	pfmi_piece\n"
"	str	x14, [x12], #8\n"
"	pfmi_next\n"
"	pfmi_piece\n"
"	ldr	x3, [x2]\n"
"	cmp	x3, x8\n"
"	b.ne	.Lpfmi_again\n"
"	mov	w0, #0\n"
"	ret\n"
"	.endm\n"

"	.balign	64\n"
"	.globl	pfm_user_page_read\n"
"	.type	pfm_user_page_read, %function\n"
"pfm_user_page_read:\n"
"	.globl	pfmi_user_page_begin\n"
"	.hidden	pfmi_user_page_begin\n"
"pfmi_user_page_begin:\n"
"	.cfi_startproc\n"
	BEGIN
".Lpfmi_again:\n"
"	ldp	x2, x3, [x0]\n"
"	ldp	x4, x5, [x0, #16]\n"
"	ldp	x6, x16, [x0, #32]\n"
"	ldr	x3, [x3]\n"
"	mrs	x7, tpidr_el0\n"
"	ldr	x7, [x7, x16]\n"
"	cmp	x3, x7\n"
"	b.ne	.Lpfmi_slow\n"
"	ldp	x8, x9, [x2]\n"
/* member until may be another thread's; that thread's CPU wrote member layout before it */
"	dmb	ishld\n"
"	ldr	x10, [x2, #16]\n"
"	mrs	x11, cntvct_el0\n"
"	cmp	x10, x4\n"
/* if layout is unchanged, compare until with the current time; else act as if it has passed */
"	ccmp	x9, x11, #0, eq\n"
"	b.lo	.Lpfmi_slow\n"
"	mov	x12, x1\n"
"	pfmi_next\n"
"	.globl	pfmi_user_page_resume\n"
"	.hidden	pfmi_user_page_resume\n"
"pfmi_user_page_resume:\n"
".Lpfmi_slow:\n"
"	b	pfmi_user_page_slow\n"

"	.balign	64\n"
".Lpfmi_narrow:\n"
"	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
"	pfmi_narrow \\n\n"
"	.endr\n"
"	pfmi_others\n"
"	.balign	64\n"
".Lpfmi_wide:\n"
"	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
"	pfmi_wide \\n\n"
"	.endr\n"
"	pfmi_others\n"
"	.cfi_endproc\n"
"	.size	pfm_user_page_read, . - pfm_user_page_read\n"
"	.globl	pfmi_user_page_end\n"
"	.hidden	pfmi_user_page_end\n"
"pfmi_user_page_end:\n"

"	.type	pfmi_user_page_code, %function\n"
"	.globl	pfmi_user_page_code\n"
"	.hidden	pfmi_user_page_code\n"
"pfmi_user_page_code:\n"
"	.cfi_startproc\n"
	BEGIN
"	adr	x1, .Lpfmi_narrow\n"
"	adr	x2, .Lpfmi_wide\n"
"	cmp	w0, #32\n"
"	csel	x1, x1, xzr, eq\n"
"	cmp	w0, #64\n"
"	csel	x0, x2, x1, eq\n"
"	ret\n"
"	.cfi_endproc\n"
"	.size	pfmi_user_page_code, . - pfmi_user_page_code\n");

/* clang-format on */

#elif !defined(PFMI_USER_PAGE_X86)

int pfm_user_page_read(struct pfm_user_page_map *page, uint64_t *vals)
{
	return pfmi_user_page_slow(page, vals);
}

const void *pfmi_user_page_code(unsigned int width)
{
	(void)width;
	return NULL;
}

#endif
