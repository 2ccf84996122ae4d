// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words for the branches that samples carry.
 */
#include <string.h>
#include <linux/perfmon.h>

#include "options/branch_filter.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Of several words for the same bits the first one is printed. */
static const struct {
	const char *word;
	uint64_t bits;
} words[] = {
	{ "any", 0 },
	{ "cond", PFM_BRANCH_COND },
	{ "call", PFM_BRANCH_CALL },
	{ "ind_call", PFM_BRANCH_IND_CALL },
	{ "return", PFM_BRANCH_RETURN },
	{ "jump", PFM_BRANCH_JUMP },
	{ "ind_jump", PFM_BRANCH_IND_JUMP },
	{ "far", PFM_BRANCH_FAR },
	{ "stack", PFM_BRANCH_STACK },
	{ "u", PFM_BRANCH_USER },
	{ "k", PFM_BRANCH_KERNEL },
	/* perf's */
	{ "any_call", PFM_BRANCH_CALL | PFM_BRANCH_IND_CALL | PFM_BRANCH_FAR },
	{ "any_ret", PFM_BRANCH_RETURN | PFM_BRANCH_FAR },
	{ "ind_jmp", PFM_BRANCH_IND_JUMP },
};

static int find(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (strlen(words[i].word) == length &&
		    !strncmp(words[i].word, text, length))
			return i;
	return -1;
}

uint64_t branch_filter_read(const char *text, const char **wrong, size_t *length)
{
	uint64_t filter = BRANCH_FILTER_ON;
	int word;

	for (; text; text = text[*length] ? text + *length + 1 : NULL) {
		*wrong = text;
		*length = strcspn(text, ",");
		word = find(text, *length);
		if (word < 0)
			return 0;
		filter |= words[word].bits;
	}
	return filter;
}

const char *branch_filter_word(uint64_t bit)
{
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (words[i].bits == bit)
			return words[i].word;
	return "";
}

const char *branch_kind_word(uint64_t info)
{
	static const char *const kinds[] = {
		[PFM_BRANCH_IS_UNKNOWN] = "",
		[PFM_BRANCH_IS_COND] = "cond",
		[PFM_BRANCH_IS_CALL] = "call",
		[PFM_BRANCH_IS_IND_CALL] = "ind_call",
		[PFM_BRANCH_IS_RETURN] = "return",
		[PFM_BRANCH_IS_JUMP] = "jump",
		[PFM_BRANCH_IS_IND_JUMP] = "ind_jump",
		[PFM_BRANCH_IS_FAR] = "far",
	};
	const uint64_t kind = (info & PFM_BRANCH_INFO_KIND) >>
			      PFM_BRANCH_INFO_KIND_SHIFT;

	return kind < COUNT(kinds) ? kinds[kind] : "";
}
