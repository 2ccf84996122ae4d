// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints, which perf counts and pfmon does not: what counts the same.
 */
#include <stddef.h>
#include <string.h>

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

static int check_list(const char *list,
		      bool (*is_event)(void *arg, const char *name,
				       size_t length),
		      void *arg)
{
	const char *instead;
	size_t length;

	for (; *list; list += length + !!list[length]) {
		list += strspn(list, "{");
		length = options_event_length(list);
		if (!is_tracepoint(list, length) || is_event(arg, list, length))
			continue;
		instead = find_equal(list, length);
		say_error("'%.*s' is a tracepoint, which only perf counts%s%s",
			  (int)length, list, instead ? "; the same is -e " : "",
			  instead ? instead : "");
		return -1;
	}
	return 0;
}

int stat_check_tracepoints(const struct options *options,
			   bool (*is_event)(void *arg, const char *name,
					    size_t length),
			   void *arg)
{
	unsigned int i;

	for (i = 0; i < options->sets.count; i++)
		if (check_list(options->sets.lists[i], is_event, arg))
			return -1;
	return 0;
}
