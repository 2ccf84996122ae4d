/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values of a target.
 */
#ifndef _PFM_VALUES_H
#define _PFM_VALUES_H

#include <linux/types.h>

#include "target/target.h"

/**
 * pfm_values_add - add an array of values to another
 * @to: values to add to
 * @vals: values to add
 * @n: number of elements of both
 *
 * Adds four values in each round of the loop, so that no value takes more than three
 * instructions.
 */
static inline void pfm_values_add(u64 *to, const u64 *vals, u32 n)
{
	for (; n >= 4; n -= 4, to += 4, vals += 4) {
		const u64 a = vals[0], b = vals[1], c = vals[2], d = vals[3];

		to[0] += a;
		to[1] += b;
		to[2] += c;
		to[3] += d;
	}
	for (; n; n--)
		*to++ += *vals++;
}

void pfm_values_merge(struct pfm_target *into, const struct pfm_target *target);
void pfm_values_move(struct pfm_target *to, struct pfm_target *from);

#endif /* _PFM_VALUES_H */
