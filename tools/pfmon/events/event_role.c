// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognises generic events by their codes.
 */
#include <stddef.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "events/event_list.h"
#include "events/event_role.h"

/* The names are those of libperfmon, which are the same on every machine. */
static const struct {
	enum event_role role;
	const char *name;
} roles[] = {
	{ ROLE_CYCLES, "cycles" },
	{ ROLE_INSTRUCTIONS, "instructions" },
	{ ROLE_BRANCHES, "branches" },
	{ ROLE_BRANCH_MISSES, "branch-misses" },
	{ ROLE_CACHE_REFERENCES, "cache-references" },
	{ ROLE_CACHE_MISSES, "cache-misses" },
	{ ROLE_TASK_CLOCK, "task-clock" },
	{ ROLE_WALL_CLOCK, "wall-clock" },
};

static bool is_same(const struct pfm_event *a, const struct pfm_event *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == PFM_EVENT_HARDWARE ? a->code == b->code
					     : a->pmd == b->pmd;
}

void event_roles_find(struct events *events, const struct pfm_regmap *map)
{
	struct pfm_event generic;
	size_t i, k;

	for (i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		memset(&generic, 0, sizeof(generic));
		if (pfm_event_parse(map, roles[i].name, PFM_PLM_USER, &generic))
			continue;
		for (k = 0; k < events->count; k++)
			if (is_same(&events->parsed[k], &generic))
				events->list[k].role = roles[i].role;
	}
}
