// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the metric file of a model: by its name, or by what identifies the CPUs.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_list.h"
#include "base/message.h"
#include "base/spelling.h"
#include "metrics/metric_cpu.h"
#include "metrics/model.h"
#include "metrics/model_files.h"
#include "metrics/model_find.h"
#include "processor/machine.h"

/* Environment variable with a folder that replaces the one that was installed. */
#define FOLDER_VARIABLE "PFMON_METRICS"

#define SUFFIX	    ".json"
#define SCHEMA_FILE "metrics.schema.json"

static const char *folder(void)
{
	const char *name = getenv(FOLDER_VARIABLE);

	return name && *name ? name : METRICS_FOLDER;
}

static int no_memory(void)
{
	say_error("out of memory for the metrics");
	return -1;
}

static int is_metric_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) &&
	       strcmp(entry->d_name, SCHEMA_FILE);
}

/* Adds a file; takes over the name. */
static int add_file(struct model_files *files, char *name)
{
	json_t *document = name ? model_json_load(name) : NULL;

	if (!document) {
		if (!name)
			no_memory();
		free(name);
		return -1;
	}
	files->names[files->count] = name;
	files->documents[files->count++] = document;
	return 0;
}

static int load_entries(struct model_files *files, struct dirent **entries,
			int num_entries)
{
	char *name;
	int i, err = 0;

	for (i = 0; i < num_entries; i++) {
		if (!err &&
		    asprintf(&name, "%s/%s", folder(), entries[i]->d_name) < 0)
			name = NULL;
		if (!err)
			err = add_file(files, name);
		free(entries[i]);
	}
	free(entries);
	return err;
}

/* Loads the user's file, if there is one, and those of the folder. */
static int load_files(struct model_files *files, const char *own)
{
	struct dirent **entries = NULL;
	int count = scandir(folder(), &entries, is_metric_file, alphasort);

	if (count < 0 && !own) {
		say_error(
			"cannot read the folder of metric files, '%s': %s; install pfmon, or name a folder by the variable " FOLDER_VARIABLE,
			folder(), strerror(errno));
		return -1;
	}
	if (count < 0)
		count = 0;
	files->names = calloc(count + 1, sizeof(*files->names));
	files->documents = calloc(count + 1, sizeof(*files->documents));
	if (!files->names || !files->documents)
		return no_memory();
	if (own && add_file(files, strdup(own)))
		return -1;
	return load_entries(files, entries, count);
}

static void free_files(struct model_files *files)
{
	size_t i;

	for (i = 0; i < files->count; i++) {
		free(files->names[i]);
		json_decref(files->documents[i]);
	}
	free(files->names);
	free(files->documents);
}

static const char *model_name(const struct model_files *files, size_t file)
{
	const json_t *name = json_object_get(files->documents[file], "model");

	return json_is_string(name) ? json_string_value(name) : "";
}

/* Index of the model of that name; -1 after a message that has the names. */
static long find_name(const struct model_files *files, const char *name)
{
	struct spelling spelling;
	char known[1000] = "";
	size_t i, at = 0;

	spelling_begin(&spelling, name);
	for (i = 0; i < files->count; i++) {
		if (!strcmp(model_name(files, i), name))
			return i;
		spelling_consider(&spelling, model_name(files, i));
		if (at < sizeof(known))
			at += snprintf(known + at, sizeof(known) - at, "%s%s",
				       at ? ", " : "", model_name(files, i));
	}
	if (spelling.closest)
		say_error(
			"--pmu: there is no model '%s'; did you mean '%s'? There are %s",
			name, spelling.closest, known);
	else
		say_error("--pmu: there is no model '%s'; there are %s", name,
			  known);
	return -1;
}

/* Index of the model of a CPU; that of a generic one, if no other is; -1 if none. */
static long find_cpu(const struct model_files *files,
		     const struct cpu_identity *cpu)
{
	long generic = -1;
	size_t i;

	for (i = 0; i < files->count; i++) {
		const json_t *document = files->documents[i];

		if (metric_cpu_matches(cpu, json_object_get(document, "match")))
			return i;
		if (cpu->arm &&
		    json_is_true(json_object_get(document, "generic")))
			generic = i;
	}
	return generic;
}

/* True if the model is of a processor of the same maker, and libpfm4 has a table for it. */
static bool is_relative(const json_t *document, const struct cpu_identity *cpu)
{
	const json_t *match =
		json_array_get(json_object_get(document, "match"), 0);
	const char *vendor =
		json_string_value(json_object_get(match, "vendor"));

	if (!json_is_string(json_object_get(document, "pmu")))
		return false;
	return cpu->arm ? json_object_get(match, "midr") != NULL
			: vendor && !strcmp(vendor, cpu->vendor);
}

/*
 * Events of another processor take the table of libpfm4 as well: --pmu alone would program them by
 * rules that are not theirs, or not find them.
 */
static void tell_no_model(const struct model_files *files,
			  const struct cpu_identity *cpu)
{
	char text[80], example[200] = "";
	size_t i;

	for (i = 0; i < files->count && !*example; i++)
		if (is_relative(files->documents[i], cpu))
			snprintf(example, sizeof(example),
				 ", as in 'LIBPFM_FORCE_PMU=%s pfmon --pmu=%s'",
				 json_string_value(json_object_get(
					 files->documents[i], "pmu")),
				 model_name(files, i));
	say_error(
		"there are no metrics for this processor (%s); name a file of your own by --metric-file, or, if you know that its events are those of another model, name that by --pmu and its table of libpfm4 by the variable LIBPFM_FORCE_PMU%s",
		cpu_identity_text(cpu, text, sizeof(text)), example);
}

/* Of a processor with several types of cores one has metrics, and that of CPU @number has none. */
static void tell_no_model_of_type(const struct model_files *files, long found,
				  unsigned int first,
				  const struct cpu_identity *cpu,
				  unsigned int number)
{
	char text[80];

	say_error(
		"CPU %u is '%s', and there are no metrics for CPU %u (%s): --system-wide with --cpu-list measures CPUs of one type, and --metric-file names a file of your own",
		first, model_name(files, found), number,
		cpu_identity_text(cpu, text, sizeof(text)));
}

/* Warns of a model that is named, but not that of a CPU which will be measured. */
static void check_model(const struct model_files *files, long model,
			struct machine *machine, const struct cpu_list *cpus)
{
	const json_t *document = files->documents[model];
	const json_t *match = json_object_get(document, "match");
	struct cpu_identity cpu;
	char text[80];
	unsigned int i;

	if (!cpus)
		cpus = machine_online(machine);
	if (!match || !machine_online(machine))
		return;
	for (i = 0; i < CPUS_MAX; i++) {
		if (!cpu_list_has(cpus, i) ||
		    machine_read_cpu(machine, i, &cpu) ||
		    metric_cpu_matches(&cpu, match))
			continue;
		say_warning(
			"--pmu=%s: CPU %u (%s) is none of the processors that these metrics are for; their events may count something else there",
			model_name(files, model), i,
			cpu_identity_text(&cpu, text, sizeof(text)));
		return;
	}
}

/*
 * Index of the model of this machine's CPUs; -1 after a message.  Counts of different
 * types of cores mean different things, so they must not be added up.
 */
static long find_machine(const struct model_files *files,
			 struct machine *machine, const struct cpu_list *cpus)
{
	const struct cpu_list *online = machine_online(machine);
	struct cpu_identity cpu;
	long found = -1, model;
	unsigned int i, first = 0;
	int err;

	if (!online) {
		say_error(
			"the kernel does not tell which CPUs are online; name a model by --pmu");
		return -1;
	}
	for (i = 0; i < CPUS_MAX; i++) {
		if (!cpu_list_has(online, i) ||
		    (cpus && !cpu_list_has(cpus, i)))
			continue;
		err = machine_read_cpu(machine, i, &cpu);
		/* Another CPU tells it, if pfmon may not run on this one. */
		if (err == -EINVAL || err == -EPERM)
			continue;
		model = err ? -1 : find_cpu(files, &cpu);
		if (err)
			say_error(
				"the type of the processor is not known; name a model by --pmu");
		else if (model < 0 && found >= 0)
			tell_no_model_of_type(files, found, first, &cpu, i);
		else if (model < 0)
			tell_no_model(files, &cpu);
		if (model < 0)
			return -1;
		if (found >= 0 && found != model) {
			say_error(
				"CPU %u is '%s' and CPU %u is '%s': their counts cannot be added up; --system-wide measures each type apart, with --cpu-list those of one type, and --pmu names a model",
				first, model_name(files, found), i,
				model_name(files, model));
			return -1;
		}
		if (found < 0)
			first = i;
		found = model;
	}
	if (found < 0)
		say_error(
			"the type of the processor is not known; name a model by --pmu");
	return found;
}

/* True if the CPUs that are online have different identities.  They have, on most machines, one. */
static bool cpus_differ(struct machine *machine, const struct cpu_list *online)
{
	struct cpu_identity first, cpu;
	bool any = false;
	unsigned int i;

	for (i = 0; i < CPUS_MAX; i++) {
		if (!cpu_list_has(online, i))
			continue;
		if (machine_read_cpu(machine, i, &cpu))
			return false;
		if (any && memcmp(&cpu, &first, sizeof(cpu)))
			return true;
		first = cpu;
		any = true;
	}
	return false;
}

/* Adds the CPU to those of its model.  Returns 0, or -1 if it cannot. */
static int add_to_type(const struct model_files *files, struct machine *machine,
		       unsigned int number, struct cpu_list *types,
		       long *models, unsigned int room, unsigned int *count)
{
	struct cpu_identity cpu;
	unsigned int i = 0;
	long model = -1;

	if (!machine_read_cpu(machine, number, &cpu))
		model = find_cpu(files, &cpu);
	while (i < *count && models[i] != model)
		i++;
	if (model < 0 || i == room)
		return -1;
	if (i == *count) {
		memset(&types[i], 0, sizeof(types[i]));
		models[(*count)++] = model;
	}
	cpu_list_add(&types[i], number);
	return 0;
}

unsigned int model_find_types(struct machine *machine, struct cpu_list *types,
			      unsigned int room)
{
	struct model_files files = { 0 };
	unsigned int i, count = 0;
	const struct cpu_list *online = machine_online(machine);
	long models[room];
	int err = 0;

	if (!online || !cpus_differ(machine, online))
		return 0;
	err = load_files(&files, NULL);
	for (i = 0; !err && i < CPUS_MAX; i++)
		if (cpu_list_has(online, i))
			err = add_to_type(&files, machine, i, types, models,
					  room, &count);
	free_files(&files);
	return err || count < 2 ? 0 : count;
}

struct metric_model *model_find(struct machine *machine, const char *name,
				const char *file, bool here,
				const struct cpu_list *cpus)
{
	struct metric_model *model = NULL;
	struct model_files files = { 0 };
	json_t *whole = NULL;
	long found = -1;

	if (!load_files(&files, file)) {
		if (name)
			found = find_name(&files, name);
		else
			found = file ? 0 : find_machine(&files, machine, cpus);
	}
	if (found >= 0 && name && here)
		check_model(&files, found, machine, cpus);
	if (found >= 0)
		whole = model_base_merge(&files, found);
	if (whole)
		model = model_json_read(files.names[found], whole);
	json_decref(whole);
	free_files(&files);
	return model;
}
