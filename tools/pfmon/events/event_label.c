// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of events with the privilege levels at which they count.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "events/event_list.h"
#include "events/event_names.h"

/* Labels that a comment names; of more it tells the number. */
#define NAMES_MAX 4

/* Levels follow the slash of cpu/.../ immediately, and otherwise a colon. */
static const char *separator(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash && !strchr(slash, ':') ? "" : ":";
}

char *event_label(const char *name, const struct pfm_event *event)
{
	char levels[EVENT_LEVELS_ROOM];
	char *label;

	/* The unit of IBS counts at both levels, whatever its event names. */
	if (event->kind != PFM_EVENT_HARDWARE ||
	    event->flags & PFM_EVENTF_LEVELS)
		return strdup(name);
	if (asprintf(&label, "%s%s%s", name, separator(name),
		     event_levels(event->plm, levels)) < 0)
		return NULL;
	return label;
}

static bool lacks(const struct event *event, uint32_t level)
{
	return event->hardware && !event->unit && !(event->plm & level);
}

/* Number of events that do not count the level. */
static size_t count_lacking(const struct events *events, uint32_t level)
{
	size_t count = 0, k;

	for (k = 0; k < events->count; k++)
		count += lacks(&events->list[k], level);
	return count;
}

static size_t count_with_levels(const struct events *events)
{
	size_t count = 0, k;

	for (k = 0; k < events->count; k++)
		count += events->list[k].hardware && !events->list[k].unit;
	return count;
}

static void print_lacking(FILE *out, const struct events *events,
			  uint32_t level, size_t count)
{
	size_t told = 0, k;

	for (k = 0; k < events->count && told < NAMES_MAX; k++) {
		if (!lacks(&events->list[k], level))
			continue;
		fprintf(out, "%s%s", told ? ", " : "", events->list[k].label);
		told++;
	}
	if (count > told)
		fprintf(out, " and %zu more", count - told);
}

void event_labels_print_left_out(FILE *out, const struct events *events)
{
	size_t all = count_with_levels(events);
	size_t kernel = count_lacking(events, PFM_PLM_KERNEL);
	size_t user = count_lacking(events, PFM_PLM_USER);

	if (!kernel && !user)
		return;
	if (kernel == all && !user) {
		fputs("# user code only: kernel code is left out (-u -k counts both)\n",
		      out);
		return;
	}
	if (user == all && !kernel) {
		fputs("# kernel code only: user code is left out (-u -k counts both)\n",
		      out);
		return;
	}
	fputs("# ", out);
	if (kernel) {
		fputs("without kernel code: ", out);
		print_lacking(out, events, PFM_PLM_KERNEL, kernel);
	}
	if (user) {
		fprintf(out, "%swithout user code: ", kernel ? "; " : "");
		print_lacking(out, events, PFM_PLM_USER, user);
	}
	fputc('\n', out);
}
