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

static void write_machine(struct json *json)
{
	struct utsname system;
	char boot[64];

	if (uname(&system))
		memset(&system, 0, sizeof(system));
	json_string(json, "host", system.nodename);
	json_string(json, "machine", system.machine);
	json_string(json, "kernel", system.release);
	json_string(json, "boot", data_info_boot(boot));
	json_string(json, "pfmon", PFMON_VERSION);
}

static void write_words(struct json *json, char *const *word)
{
	for (; word && *word; word++)
		json_string(json, NULL, *word);
}

static void write_events(struct json *json, const struct sampling *sampling)
{
	const struct events *events = sampling->events;
	const struct periods *periods = &sampling->periods;
	size_t i;
	int at;

	json_array(json, "events");
	for (i = 0; i < events->count; i++) {
		const struct event *event = &events->list[i];

		json_line_object(json, NULL);
		json_string(json, "name", event->name);
		json_string(json, "label", event->label);
		json_uint(json, "pmd", event->pmd);
		at = periods_index(periods, i);
		if (at >= 0) {
			json_uint(json, "period", periods->list[at].between);
			json_uint(json, "first_period",
				  periods->list[at].first);
			json_uint(json, "random_mask", periods->list[at].mask);
		}
		json_close(json);
	}
	json_close(json);
	json_line_array(json, "values");
	for (i = 0; i < periods->num_carried; i++)
		json_uint(json, NULL, periods->carried[i]);
	json_close(json);
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
	json_begin(&json, out);
	write_machine(&json);
	json_uint(&json, "began", began);
	json_string(&json, "clock", "CLOCK_MONOTONIC");
	json_line_array(&json, "argv");
	json_string(&json, NULL, "pfmon");
	write_words(&json, options->argv);
	json_close(&json);
	json_line_array(&json, "command");
	write_words(&json, options->command);
	json_close(&json);
	json_uint(&json, "parent", sampling->parent);
	json_string(&json, "scope", data_scope_names[options->scope.scope]);
	json_bool(&json, "follow", options->follow);
	json_bool(&json, "stacks", options->smpl.module == MODULE_CALLSTACK);
	json_uint(&json, "parts", options->smpl.parts);
	json_bool(&json, "exact_mappings", sampling->symbols.exact);
	json_uint(&json, "frequency", options->smpl.frequency);
	write_events(&json, sampling);
	json_finish(&json);
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
	json_begin(&json, out);
	for (member = data_members; member->name; member++)
		json_uint(&json, member->name,
			  *(const uint64_t *)((const char *)totals +
					      member->offset));
	json_finish(&json);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
