// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the documents of pfmon.data: its description, and totals.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/json_writer.h"
#include "base/version.h"
#include "data/data_info.h"

const char *const data_scope_names[] = {
	[SCOPE_COMMAND] = "command",
	[SCOPE_TASK] = "tasks",
	[SCOPE_SYSTEM] = "cpus",
	[SCOPE_CGROUP] = "cgroup",
};

const char *data_info_boot(char *text)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	*text = '\0';
	if (!file)
		return text;
	if (fgets(text, 64, file))
		text[strcspn(text, "\n")] = '\0';
	fclose(file);
	return text;
}

bool data_info_is_here(const struct data_info *info)
{
	char boot[64];

	return *info->boot && !strcmp(info->boot, data_info_boot(boot));
}

static void write_machine(struct json *json)
{
	struct utsname system;
	char boot[64];

	if (uname(&system))
		memset(&system, 0, sizeof(system));
	jsonw_string(json, "host", system.nodename);
	jsonw_string(json, "machine", system.machine);
	jsonw_string(json, "kernel", system.release);
	jsonw_string(json, "boot", data_info_boot(boot));
	jsonw_string(json, "pfmon", PFMON_VERSION);
}

static void write_words(struct json *json, char *const *word)
{
	for (; word && *word; word++)
		jsonw_string(json, NULL, *word);
}

/* The samples of times off the CPU have the numbers behind those of the events. */
static void write_waits(struct json *json)
{
	int kind;

	for (kind = 0; kind < WAIT_KINDS; kind++) {
		jsonw_line_object(json, NULL);
		jsonw_string(json, "name", wait_names[kind]);
		jsonw_string(json, "label", wait_names[kind]);
		jsonw_uint(json, "pmd", UINT16_MAX);
		jsonw_uint(json, "period", 1);
		jsonw_bool(json, "measured", true);
		jsonw_close(json);
	}
}

static void write_events(struct json *json, const struct sampling *sampling)
{
	const struct events *events = sampling->events;
	const struct periods *periods = &sampling->periods;
	size_t i;
	int at;

	jsonw_array(json, "events");
	for (i = 0; i < events->count; i++) {
		const struct event *event = &events->list[i];

		jsonw_line_object(json, NULL);
		jsonw_string(json, "name", event->name);
		jsonw_string(json, "label", event->label);
		jsonw_uint(json, "pmd", event->pmd);
		at = periods_index(periods, i);
		if (at >= 0) {
			jsonw_uint(json, "period", periods->list[at].between);
			jsonw_uint(json, "first_period",
				   periods->list[at].first);
			jsonw_uint(json, "random_mask", periods->list[at].mask);
			jsonw_uint(json, "adapted",
				   periods->list[at].frequency);
		}
		jsonw_close(json);
	}
	if (sampling->options->smpl.off_cpu)
		write_waits(json);
	jsonw_close(json);
	jsonw_line_array(json, "values");
	for (i = 0; i < periods->num_carried; i++)
		jsonw_uint(json, NULL, periods->carried[i]);
	jsonw_close(json);
}

char *data_info_write(const struct sampling *sampling, uint64_t began,
		      size_t *size)
{
	const struct options *options = sampling->options;
	char *text = NULL;
	struct json json;
	FILE *out;

	out = open_memstream(&text, size);
	if (!out)
		return NULL;
	jsonw_begin(&json, out);
	write_machine(&json);
	jsonw_uint(&json, "began", began);
	jsonw_string(&json, "clock", "CLOCK_MONOTONIC");
	jsonw_line_array(&json, "argv");
	jsonw_string(&json, NULL, "pfmon");
	write_words(&json, options->argv);
	jsonw_close(&json);
	jsonw_line_array(&json, "command");
	write_words(&json, options->command);
	jsonw_close(&json);
	jsonw_uint(&json, "parent", sampling->parent);
	jsonw_string(&json, "scope", data_scope_names[options->scope.scope]);
	jsonw_bool(&json, "follow", options->follow);
	jsonw_bool(&json, "stacks", options->smpl.module == MODULE_CALLSTACK);
	jsonw_uint(&json, "parts", options->smpl.parts);
	jsonw_bool(&json, "exact_mappings", sampling->symbols.exact);
	jsonw_uint(&json, "frequency", options->smpl.frequency);
	write_events(&json, sampling);
	jsonw_finish(&json);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

char *data_totals_write(const struct data_totals *totals, size_t *size)
{
	const struct data_member *member;
	char *text = NULL;
	struct json json;
	FILE *out;

	out = open_memstream(&text, size);
	if (!out)
		return NULL;
	jsonw_begin(&json, out);
	for (member = data_members; member->name; member++)
		jsonw_uint(&json, member->name,
			   *(const uint64_t *)((const char *)totals +
					       member->offset));
	jsonw_finish(&json);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
