// SPDX-License-Identifier: GPL-2.0-only
/*
 * The values of a target: adding them up and moving them.
 *
 * A target whose layout is sparse has a bitmap of the compiled sets that have values,
 * so that work on all values can skip the other sets.
 */
#include "target/values.h"

#include <linux/overflow.h>
#include <linux/string.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/target.h"

/*
 * Find the range of values that one word of pfm_target_used() stands for.  It begins
 * with the first value of the word's first compiled set that has values, and ends with
 * the last value of the last such set.  Returns false when no compiled set of the word
 * has values.
 */
static bool span(const struct pfm_target *target, u32 word, u32 *from, u32 *to)
{
	const struct pfm_cset *csets =
		&target->layout->csets[word * BITS_PER_LONG];
	const unsigned long bits = pfm_target_used(target)[word];

	if (!bits)
		return false;
	*from = csets[__ffs(bits)].at;
	*to = pfm_cset_end(&csets[__fls(bits)]);
	return true;
}

/**
 * pfm_values_move - copy a target with its values, and clear its values
 * @to: memory from pfm_target_alloc_split() or pfm_target_reserve_split(), which
 *	becomes a copy of @from
 * @from: the target, whose values are 0 afterwards; its lock is held
 */
void pfm_values_move(struct pfm_target *to, struct pfm_target *from)
{
	const struct pfm_layout *layout = from->layout;
	u32 w, begin, end;

	if (likely(!layout->sparse)) {
		memcpy(to, from, struct_size(from, vals, layout->slots));
		memset(from->vals, 0, array_size(layout->nvals, sizeof(u64)));
		return;
	}
	memcpy(to, from, sizeof(*from));
	for (w = 0; w < BITS_TO_LONGS(layout->ncsets); w++) {
		size_t size;

		if (!span(from, w, &begin, &end))
			continue;
		size = array_size(end - begin, sizeof(u64));
		memcpy(&to->vals[begin], &from->vals[begin], size);
		memset(&from->vals[begin], 0, size);
		pfm_target_used(to)[w] = pfm_target_used(from)[w];
		pfm_target_used(from)[w] = 0;
	}
	pfm_target_use(to, 0);
	pfm_target_use(from, 0);
}

/**
 * pfm_values_merge - add the values of a target to those of another
 * @into: target to add to, a record of the same shape; pfm_context.targets_lock is held
 * @target: target whose values are added
 */
void pfm_values_merge(struct pfm_target *into, const struct pfm_target *target)
{
	const struct pfm_layout *layout = target->layout;
	u32 w, begin, end;

	lockdep_assert_held(&into->ctx->targets_lock);
	if (likely(!layout->sparse)) {
		pfm_values_add(into->vals, target->vals, layout->nvals);
		return;
	}
	/*
	 * Some of these values may be 0, but looking at each compiled set takes longer.
	 */
	for (w = 0; w < BITS_TO_LONGS(layout->ncsets); w++) {
		if (!span(target, w, &begin, &end))
			continue;
		pfm_values_add(into->vals + begin, target->vals + begin,
			       end - begin);
		pfm_target_used(into)[w] |= pfm_target_used(target)[w];
	}
}
