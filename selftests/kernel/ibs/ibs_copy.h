/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A loop whose instructions and data are known, for samples to be of.
 */
#ifndef _SELFTESTS_IBS_COPY_H
#define _SELFTESTS_IBS_COPY_H

#include "context.h"

#define ELEMENTS 1024

static uint64_t copy_from[ELEMENTS], copy_to[ELEMENTS];
extern const char copy_begin[], copy_load[], copy_store[], copy_next[],
	copy_test[], copy_back[], copy_end[];

/* Five instructions an element, each with a label: a clone would define the labels again. */
static __attribute__((noinline, noclone)) void copy(unsigned int rounds)
{
	uint64_t i;

	while (rounds--) {
		__asm__ volatile("copy_begin:	xor	%k0, %k0\n"
				 "copy_load:	mov	(%1,%0,8), %%rax\n"
				 "copy_store:	mov	%%rax, (%2,%0,8)\n"
				 "copy_next:	inc	%0\n"
				 "copy_test:	cmp	%3, %0\n"
				 "copy_back:	jb	copy_load\n"
				 "copy_end:\n"
				 : "=&r"(i)
				 : "r"(copy_from), "r"(copy_to), "i"(ELEMENTS)
				 : "rax", "cc", "memory");
	}
}

/* False if an address is in copy()'s code, but in the middle of an instruction. */
static inline bool is_instruction(uint64_t address)
{
	const char *const begins[] = { copy_begin, copy_load, copy_store,
				       copy_next,  copy_test, copy_back };

	if (address < (uintptr_t)copy_begin || address >= (uintptr_t)copy_end)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		if (address == (uintptr_t)begins[i])
			return true;
	}
	return false;
}

static inline bool is_within(uint64_t address, const uint64_t *array)
{
	const uint64_t at = address - (uintptr_t)array;

	return at < sizeof(copy_from) && !(at % sizeof(*array));
}

#endif /* _SELFTESTS_IBS_COPY_H */
