// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Which events the processor implements, asked of the kernel.
 */
#include "arch.h"

#include <errno.h>

/* More words of 64 codes than the events of an architecture are spread over. */
#define WORDS_MAX 64

static unsigned int add_word(struct pfm_event_info *words, unsigned int count,
			     uint64_t first)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (words[i].first == first)
			return count;
	if (count < WORDS_MAX)
		words[count++] = (struct pfm_event_info){ .first = first };
	return count;
}

int pfmi_implemented_read(int fd, struct pfm_regmap *map)
{
	const struct pfm_arch_ops *ops = pfmi_arch_find(map);
	struct pfm_event_info words[WORDS_MAX];
	const struct pfm_arch_event *known;
	unsigned int count = 0;
	int ret;

	if (!ops)
		return 0;
	for (known = ops->events; known->name; known++)
		count = add_word(words, count,
				 known->code -
					 known->code % PFM_EVENTS_PER_WORD);
	ret = pfm_ctx_getinfo_events(fd, words, count, NULL);
	/* Modules that are older than the call: then nothing is known. */
	if (ret == -ENOTTY)
		return 0;
	return ret ? ret : pfm_regmap_set_events(map, words, count);
}
