// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of events that only perf has, or that it has in another form: what to type.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "options/options.h"
#include "verbs/stat.h"

static const struct {
	const char *name;
	const char *instead;
} equals[] = {
	{ "sched:sched_switch", "context-switches" },
	{ "sched:sched_migrate_task", "cpu-migrations" },
	{ "exceptions:page_fault_user", "page-faults" },
};

/* Returns what pfm_event_parse() does. */
static int parse(const char *name, size_t length, const struct pfm_reg_map *map)
{
	struct pfm_event event = { 0 };
	char *text = strndup(name, length);
	int err = -ENOMEM;

	if (text)
		err = pfm_event_parse(map, text, PFM_PLM_USER, &event);
	free(text);
	return err;
}

/* The event that counts what a tracepoint counts; NULL if there is none. */
static const char *find_equal(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(equals) / sizeof(equals[0]); i++)
		if (strlen(equals[i].name) == length &&
		    !strncmp(equals[i].name, name, length))
			return equals[i].instead;
	return NULL;
}

/* True for names like "block:block_rq_issue".  Modifiers and unit masks have no underscore, or capitals. */
static bool is_tracepoint(const char *name, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_*";
	size_t system = strspn(name, letters), event;

	if (!system || system >= length || name[system] != ':')
		return false;
	name += system + 1;
	event = strspn(name, letters);
	return system + 1 + event == length && memchr(name, '_', event);
}

/* True for names like "armv8_pmuv3/l1d_cache/u": perf's name of the PMU, and an event of it. */
static bool has_pmu(const char *name, size_t length, size_t *event, size_t *end)
{
	const char *slash = memchr(name, '/', length);

	if (!slash || memchr(name, '=', length))
		return false;
	*event = slash + 1 - name;
	slash = memchr(name + *event, '/', length - *event);
	*end = slash ? (size_t)(slash - name) : length;
	return slash && *end > *event;
}

static void refuse(const char *name, size_t length)
{
	const char *instead = find_equal(name, length);
	size_t event, end;

	if (has_pmu(name, length, &event, &end))
		say_error(
			"'%.*s': events of the processor are named without perf's name of the PMU: -e %.*s%s%.*s",
			(int)length, name, (int)(end - event), name + event,
			end + 1 < length ? ":" : "", (int)(length - end - 1),
			name + end + 1);
	else
		say_error("'%.*s' is a tracepoint, which only perf counts%s%s",
			  (int)length, name, instead ? "; the same is -e " : "",
			  instead ? instead : "");
}

/* A name whose first word is an event lacks a unit mask, or has a wrong one. */
static bool is_of_perf(const char *name, size_t length,
		       const struct pfm_reg_map *map)
{
	size_t event, end;

	if (is_tracepoint(name, length))
		return parse(name, strcspn(name, ":"), map) == -ENOENT;
	return has_pmu(name, length, &event, &end) && parse(name, length, map);
}

static int check_list(const char *list, const struct pfm_reg_map *map)
{
	size_t length;

	for (; *list; list += length + !!list[length]) {
		list += strspn(list, "{");
		length = options_event_length(list);
		if (!is_of_perf(list, length, map))
			continue;
		refuse(list, length);
		return -1;
	}
	return 0;
}

int stat_check_names(const struct options *options,
		     const struct pfm_reg_map *map)
{
	unsigned int i;

	for (i = 0; i < options->sets.count; i++)
		if (check_list(options->sets.lists[i], map))
			return -1;
	return 0;
}
