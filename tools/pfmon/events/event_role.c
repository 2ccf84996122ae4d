// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognises generic events by their codes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "events/event_list.h"
#include "events/event_names.h"

/* The names are those of libperfmon, which are the same on every machine. */
static const struct {
	enum event_role role;
	uint16_t kind;
	const char *name;
} roles[] = {
	{ ROLE_CYCLES, PFM_EVENT_HARDWARE, "cycles" },
	{ ROLE_INSTRUCTIONS, PFM_EVENT_HARDWARE, "instructions" },
	{ ROLE_BRANCHES, PFM_EVENT_HARDWARE, "branches" },
	{ ROLE_BRANCH_MISSES, PFM_EVENT_HARDWARE, "branch-misses" },
	{ ROLE_CACHE_REFERENCES, PFM_EVENT_HARDWARE, "cache-references" },
	{ ROLE_CACHE_MISSES, PFM_EVENT_HARDWARE, "cache-misses" },
	{ ROLE_TASK_CLOCK, PFM_EVENT_VIRTUAL, "task-clock" },
	{ ROLE_WALL_CLOCK, PFM_EVENT_VIRTUAL, "wall-clock" },
};

static bool is_same(const struct pfm_event *a, const struct pfm_event *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == PFM_EVENT_HARDWARE ? a->code == b->code
					     : a->pmd == b->pmd;
}

/* True if an event of that kind may still have one of the roles. */
static bool is_open(const struct events *events, uint16_t kind)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->parsed[i].kind == kind && !events->list[i].role)
			return true;
	return false;
}

void event_roles_find(struct events *events, const struct pfm_reg_map *map)
{
	struct pfm_event generic;
	size_t i, k;

	for (i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		/*
		 * A name that the library does not know for the processor is looked up in the tables
		 * of libpfm4, which take a thousand system calls to find on arm64.
		 */
		if (!is_open(events, roles[i].kind))
			continue;
		memset(&generic, 0, sizeof(generic));
		if (pfm_event_parse(map, roles[i].name, PFM_PLM_USER, &generic))
			continue;
		for (k = 0; k < events->count; k++)
			if (is_same(&events->parsed[k], &generic))
				events->list[k].role = roles[i].role;
	}
}
