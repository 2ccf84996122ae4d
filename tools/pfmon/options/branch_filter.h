/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words for the branches that samples carry.
 */
#ifndef PFMON_OPTIONS_BRANCH_FILTER_H
#define PFMON_OPTIONS_BRANCH_FILTER_H

#include <stddef.h>
#include <stdint.h>

/* Samples carry branches: beside the bits of PFM_BRANCH_*. */
#define BRANCH_FILTER_ON (1ULL << 63)

/* What --help says, and messages */
#define BRANCH_FILTER_WORDS \
	"any, cond, call, ind_call, return, jump, ind_jump, far, stack, u, k"

/*
 * Reads words with commas, those of perf as well; NULL is "any".  Returns the filter with
 * BRANCH_FILTER_ON, or 0 if @text has another word, which *@wrong and *@length tell.
 */
uint64_t branch_filter_read(const char *text, const char **wrong,
			    size_t *length);

/* The word of a single bit; "" if there is none. */
const char *branch_filter_word(uint64_t bit);

/* The word of PFM_BRANCH_IS_*; "" if the kind is not known. */
const char *branch_kind_word(uint64_t info);

#endif
