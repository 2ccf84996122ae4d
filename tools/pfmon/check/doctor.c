// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the findings of --doctor, as text or JSON.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/json_writer.h"
#include "base/version.h"
#include "check/doctor.h"
#include "check/doctor_checks.h"
#include "check/findings.h"
#include "check/holders.h"
#include "options/options.h"

#define SCHEMA_VERSION 1

static const char *const kind_names[] = {
	[FINDING_OK] = "ok",
	[FINDING_LIMITED] = "limited",
	[FINDING_FAILED] = "failed",
};

/*
 * A first command, or the first step towards one; "" where no step is known.  Later failures often
 * follow from the first one.
 */
static const char *next_step(const struct findings *findings, bool counts,
			     char *text, size_t size)
{
	size_t i;

	*text = '\0';
	if (counts && findings->events)
		snprintf(text, size, "pfmon -e %s -- ls", findings->events);
	for (i = 0; !counts && !*text && i < findings->count; i++)
		if (findings->list[i].kind == FINDING_FAILED)
			snprintf(text, size, "%s", findings->list[i].fix);
	return text;
}

static void write_text(const struct findings *findings, bool counts)
{
	struct holders holders;
	char text[256], next[512];
	struct holder holder;
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		printf("%-8s %-12s %s\n", kind_names[finding->kind],
		       finding->check, finding->text);
		if (*finding->fix)
			printf("%-8s %-12s -> %s\n", "", "", finding->fix);
	}
	holders_open(&holders);
	while (holders_next(&holders, &holder))
		printf("%-8s %-12s %s\n", "", "monitored",
		       holders_text(&holder, text, sizeof(text)));
	holders_close(&holders);
	if (holders.others)
		printf("%-8s %-12s %u of other users; 'sudo cat /sys/kernel/perfmon/holders' names them\n",
		       "", "monitored", holders.others);
	next_step(findings, counts, next, sizeof(next));
	if (*next)
		printf(counts ? "\nYou can count now: try '%s'\n"
			      : "\nYou cannot count yet. Next step: %s\n",
		       next);
}

static void write_holders(struct json *json)
{
	struct holders holders;
	struct holder holder;

	jsonw_array(json, "holders");
	holders_open(&holders);
	while (holders_next(&holders, &holder)) {
		jsonw_line_object(json, NULL);
		if (holder.cpu >= 0)
			jsonw_uint(json, "cpu", holder.cpu);
		else
			jsonw_null(json, "cpu");
		if (holder.cpu < 0)
			jsonw_uint(json, "thread", holder.thread);
		else
			jsonw_null(json, "thread");
		jsonw_uint(json, "pid", holder.pid);
		jsonw_uint(json, "uid", holder.uid);
		jsonw_string(json, "comm", holder.comm);
		jsonw_close(json);
	}
	holders_close(&holders);
	jsonw_close(json);
	jsonw_uint(json, "other_holders", holders.others);
}

static void write_json(const struct findings *findings, bool counts)
{
	struct json json;
	char next[512];
	size_t i;

	jsonw_begin(&json, stdout);
	jsonw_uint(&json, "schema_version", SCHEMA_VERSION);
	jsonw_string(&json, "type", "doctor");
	jsonw_string(&json, "pfmon_version", PFMON_VERSION);
	jsonw_bool(&json, "can_count", counts);
	jsonw_string(&json, "next",
		     next_step(findings, counts, next, sizeof(next)));
	jsonw_array(&json, "checks");
	for (i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		jsonw_line_object(&json, NULL);
		jsonw_string(&json, "check", finding->check);
		jsonw_string(&json, "status", kind_names[finding->kind]);
		jsonw_string(&json, "text", finding->text);
		if (*finding->fix)
			jsonw_string(&json, "fix", finding->fix);
		else
			jsonw_null(&json, "fix");
		jsonw_close(&json);
	}
	jsonw_close(&json);
	write_holders(&json);
	jsonw_finish(&json);
}

int doctor(const struct options *options, struct machine *machine)
{
	struct findings findings = { 0 };
	bool counts = true;
	size_t i;

	doctor_check_machine(&findings, machine);
	doctor_check_barred(&findings);
	doctor_check_count(&findings, machine);
	doctor_check_ibs(&findings);
	doctor_check_rights(&findings);
	for (i = 0; i < findings.count; i++)
		if (findings.list[i].kind == FINDING_FAILED)
			counts = false;
	if (options->format == OUTPUT_JSON)
		write_json(&findings, counts);
	else
		write_text(&findings, counts);
	return counts ? 0 : -1;
}
