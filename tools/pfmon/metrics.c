// SPDX-License-Identifier: GPL-2.0-only
/*
 * OpenMetrics 1.0, text form.  Counts are counters, which never fall while
 * pfmon runs and start anew with it; rates are left to who reads them.
 */
#include <inttypes.h>

#include "events.h"
#include "metrics.h"
#include "session.h"
#include "system.h"
#include "version.h"

static void print_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

static void print_type(FILE *out, const char *name, const char *type,
		       const char *unit, const char *help)
{
	fprintf(out, "# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT %s %s\n", name, unit);
	fprintf(out, "# HELP %s %s\n", name, help);
}

static void print_events(FILE *out, const struct session *session)
{
	const struct system *system = session->system;
	const struct events *events = session->events;
	char levels[EVENT_LEVELS_ROOM];
	size_t i, k;

	print_type(out, "pfmon_events", "counter", "events",
		   "Events that occurred on a CPU since pfmon began to count.");
	for (i = 0; i < system->count; i++)
		for (k = 0; k < events->count; k++) {
			const struct event *event = &events->list[k];

			if (event->gauge)
				continue;
			fprintf(out, "pfmon_events_total{cpu=\"%u\",",
				system->list[i].number);
			print_label(out, "event", event->name);
			fputc(',', out);
			print_label(out, "levels",
				    event->hardware
					    ? event_levels(event->plm, levels)
					    : "");
			fprintf(out, ",pmd=\"%u\"} %" PRIu64 "\n", event->pmd,
				system->list[i].counts[k]);
		}
}

static uint64_t counted(const struct cpu *cpu)
{
	if (!cpu->start)
		return 0;
	return (cpu->end ? cpu->end : session_now()) - cpu->start;
}

static void print_seconds(FILE *out, const struct session *session)
{
	const struct system *system = session->system;
	uint64_t ns;
	size_t i;

	print_type(out, "pfmon_counted_seconds", "counter", "seconds",
		   "Time for which events were counted on a CPU.");
	for (i = 0; i < system->count; i++) {
		ns = counted(&system->list[i]);
		fprintf(out,
			"pfmon_counted_seconds_total{cpu=\"%u\"} %" PRIu64
			".%09" PRIu64 "\n",
			system->list[i].number, ns / 1000000000,
			ns % 1000000000);
	}
}

static void print_levels(FILE *out, const struct session *session)
{
	const struct system *system = session->system;
	const struct events *events = session->events;
	bool titled = false;
	size_t k;

	for (k = 0; system->count && k < events->count; k++) {
		if (!events->list[k].gauge)
			continue;
		if (!titled)
			print_type(out, "pfmon_level", "gauge", NULL,
				   "Level of the machine.");
		titled = true;
		fputs("pfmon_level{", out);
		print_label(out, "event", events->list[k].name);
		fprintf(out, "} %" PRIu64 "\n", system->list[0].counts[k]);
	}
}

void metrics_print(FILE *out, const struct session *session)
{
	print_events(out, session);
	print_seconds(out, session);
	print_levels(out, session);
	print_type(out, "pfmon_build", "info", NULL, "Version of pfmon.");
	fputs("pfmon_build_info{version=\"" PFMON_VERSION "\"} 1\n# EOF\n",
	      out);
}
