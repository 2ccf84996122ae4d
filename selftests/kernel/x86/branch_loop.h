/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A loop with a branch of each kind, whose branches are known in advance; and contexts whose samples
 * carry branches.
 */
#ifndef _SELFTESTS_BRANCH_LOOP_H
#define _SELFTESTS_BRANCH_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "context.h"
#include "exact_count.h"
#include "sampling.h"

/* Instructions of a round, the number of the first one that is a branch, and so on. */
#define LOOP_INSTRUCTIONS 8
#define LOOP_BRANCHES	  7

/* The address and the target of each branch of a round, in the order of execution. */
extern const char loop_call[], loop_jump[], loop_ind_jump[], loop_return[],
	loop_ind_call[], loop_return2[], loop_cond[];
extern const char loop_top[], loop_callee[], loop_there[], loop_last[],
	loop_after_call[], loop_callee2[], loop_after_ind_call[];
extern const char loop_end[];

/*
 * Start the context, execute the loop n times and stop the context, as self_loop() does.  The loop
 * itself is a function, so that its labels are there once.
 */
#ifdef __x86_64__
asm(".text\n"
    "	.type	branch_loop_, @function\n"
    "branch_loop_:\n"
    "	push	%r12\n"
    "	push	%r13\n"
    "	lea	loop_last(%rip), %r10\n"
    "	lea	loop_callee2(%rip), %r12\n"
    "	mov	%rsi, %r13\n" /* rounds */
    "	mov	%rdi, %r8\n" /* descriptor */
    "	mov	%rdx, %rsi\n" /* START */
    "	mov	%rcx, %r9\n" /* STOP */
    "	xor	%edx, %edx\n"
    "	mov	$16, %eax\n" /* ioctl */
    "	syscall\n"
    "	nop\n"
    "loop_top:\n"
    "loop_call:\n"
    "	call	loop_callee\n"
    "loop_after_call:\n"
    "loop_ind_call:\n"
    "	call	*%r12\n"
    "loop_after_ind_call:\n"
    "	dec	%r13\n"
    "loop_cond:\n"
    "	jne	loop_top\n"
    "	mov	%r8, %rdi\n"
    "	mov	%r9, %rsi\n"
    "	xor	%edx, %edx\n"
    "	mov	$16, %eax\n"
    "	syscall\n"
    "	pop	%r13\n"
    "	pop	%r12\n"
    "	ret\n"
    "	int3\n"
    "loop_there:\n"
    "loop_ind_jump:\n"
    "	jmp	*%r10\n"
    "	int3\n"
    "loop_callee:\n"
    "loop_jump:\n"
    "	jmp	loop_there\n"
    "	int3\n"
    "loop_last:\n"
    "loop_return:\n"
    "	ret\n"
    "	int3\n"
    "loop_callee2:\n"
    "loop_return2:\n"
    "	ret\n"
    "loop_end:\n"
    "	int3\n"
    "	.size	branch_loop_, .-branch_loop_\n");
#endif

long branch_loop_(long fd, uint64_t n, unsigned long start, unsigned long stop);

static inline int branch_loop(int fd, uint64_t n)
{
	return branch_loop_(fd, n, PFM_IOC_START, PFM_IOC_STOP);
}

/* A branch of a round: which instruction it is, where it is and goes, and its kind. */
struct loop_branch {
	unsigned int instruction;
	const char *from;
	const char *to;
	uint64_t kind;
	unsigned int is;
};

static const struct loop_branch loop_branches[LOOP_BRANCHES] = {
	{ 0, loop_call, loop_callee, PFM_BRANCH_CALL, PFM_BRANCH_IS_CALL },
	{ 1, loop_jump, loop_there, PFM_BRANCH_JUMP, PFM_BRANCH_IS_JUMP },
	{ 2, loop_ind_jump, loop_last, PFM_BRANCH_IND_JUMP,
	  PFM_BRANCH_IS_IND_JUMP },
	{ 3, loop_return, loop_after_call, PFM_BRANCH_RETURN,
	  PFM_BRANCH_IS_RETURN },
	{ 4, loop_ind_call, loop_callee2, PFM_BRANCH_IND_CALL,
	  PFM_BRANCH_IS_IND_CALL },
	{ 5, loop_return2, loop_after_ind_call, PFM_BRANCH_RETURN,
	  PFM_BRANCH_IS_RETURN },
	{ 7, loop_cond, loop_top, PFM_BRANCH_COND, PFM_BRANCH_IS_COND },
};

/* Bits of a register of branch records, or those of a context with samples of instructions. */
struct recorder {
	uint16_t pmc;
	uint16_t depth;
	uint64_t filter;
};

/* Returns false if the processor records no branches. */
static inline bool recorder_find(struct recorder *recorder)
{
	struct pfm_reg_info info;
	const int fd = context_open(0);
	uint16_t num;

	memset(recorder, 0, sizeof(*recorder));
	for (num = 0; fd >= 0 && num < 128; num++) {
		info = (struct pfm_reg_info){ .num = num };
		if (vector(fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL) ||
		    !(info.flags & PFM_REGI_BRANCHES))
			continue;
		recorder->pmc = num;
		recorder->depth = info.width;
		recorder->filter = ~info.rsvd;
		break;
	}
	close(fd);
	return recorder->pmc;
}

/*
 * Have a context sample cycles of user code with counter @num, with branches: the emulator has one for
 * each instruction.  Returns 0 or -errno.
 */
static inline int recorder_setup(int fd, const struct recorder *recorder,
				 uint16_t num, uint64_t filter, uint64_t period)
{
	int ret = pmc_write(fd, num, USER | EVENT_CPU_CYCLES);

	if (!ret)
		ret = pmc_write(fd, recorder->pmc, filter);
	if (!ret)
		ret = sample_every(fd, num, period, NULL, 0);
	return ret ?: pmd_write(fd, num, -period);
}

static inline const struct pfm_branch *
entry_branches(const struct pfm_default_entry *entry)
{
	return (const struct pfm_branch *)(entry + 1);
}

static inline const struct pfm_default_entry *
entry_next(const struct pfm_default_entry *entry)
{
	return (const void *)(entry_branches(entry) + entry->nr_branches);
}

#endif /* _SELFTESTS_BRANCH_LOOP_H */
