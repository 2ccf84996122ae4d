// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the threads of a line, see sharers.h.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "views/sharers.h"

const char *const sharing_names[] = {
	[SHARING_NOT_KNOWN] = "unknown",
	[SHARING_PRIVATE] = "private",
	[SHARING_READ] = "read",
	[SHARING_SAME] = "shared",
	[SHARING_FALSE] = "possible false sharing",
};

static uint64_t touched(const struct sharer *sharer)
{
	return sharer->read | sharer->written;
}

/* The thread, with a place for it if it is new; NULL without memory. */
static struct sharer *find(struct sharers *sharers, uint32_t pid, uint32_t tid)
{
	size_t i;

	for (i = 0; i < sharers->count; i++)
		if (sharers->list[i].tid == tid && sharers->list[i].pid == pid)
			return &sharers->list[i];
	if (array_reserve(&sharers->list, sizeof(*sharers->list),
			  &sharers->room, sharers->count + 1))
		return NULL;
	sharers->list[sharers->count] =
		(struct sharer){ .pid = pid, .tid = tid };
	return &sharers->list[sharers->count];
}

static uint64_t bytes_of(const struct ibs_access *access)
{
	uint64_t bytes = access->bytes >= LINE_BYTES
				 ? UINT64_MAX
				 : (1ULL << access->bytes) - 1;

	return bytes << access->address % LINE_BYTES;
}

int sharers_add(struct sharers *sharers, uint32_t pid, uint32_t tid,
		const struct ibs_access *access)
{
	struct sharer *sharer = find(sharers, pid, tid);

	if (!sharer)
		return -1;
	if (sharer == sharers->list + sharers->count) {
		if (sharers->count == SHARERS_MAX) {
			sharers->beyond++;
			return 0;
		}
		sharers->count++;
	}
	if (!access->bytes)
		sharers->unknown++;
	if (access->load)
		sharer->read |= bytes_of(access);
	if (access->store)
		sharer->written |= bytes_of(access);
	return 0;
}

/* Judges how two threads share the line. */
static enum sharing judge_pair(const struct sharer *a, const struct sharer *b)
{
	if (!touched(a) || !touched(b))
		return SHARING_NOT_KNOWN;
	if (!a->written && !b->written)
		return SHARING_READ;
	if (a->written & touched(b) || b->written & touched(a))
		return SHARING_SAME;
	return SHARING_FALSE;
}

enum sharing sharers_judge(const struct sharers *sharers)
{
	enum sharing sharing = SHARING_NOT_KNOWN, pair;
	size_t i, j;

	if (sharers->count == 1)
		return SHARING_PRIVATE;
	for (i = 0; i < sharers->count; i++) {
		for (j = 0; j < i; j++) {
			pair = judge_pair(&sharers->list[i], &sharers->list[j]);
			if (pair > sharing)
				sharing = pair;
		}
	}
	return sharing;
}

void sharers_free(struct sharers *sharers)
{
	free(sharers->list);
	memset(sharers, 0, sizeof(*sharers));
}
