// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options -l, -L, -i and -I.
 *
 * They work without the kernel modules as far as possible: then they show the
 * events of libpfm4's tables for this machine, but no virtual events.
 */
#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/version.h"
#include "events/event_list.h"
#include "events/info.h"
#include "options/options.h"
#include "processor/machine.h"
#include "processor/processor.h"

/**
 * struct search - which events to show
 * @options: command line
 * @map: register map; NULL without kernel modules
 * @regex: expression that names have to match; valid if @by_regex
 * @found: number of events shown so far
 * @json: the JSON document; begun when the first event is found
 */
struct search {
	const struct options *options;
	const struct pfm_reg_map *map;
	regex_t regex;
	bool by_regex;
	unsigned int found;
	struct json json;
};

const struct pfm_reg_map *info_read_map(struct machine *machine,
					unsigned int *abi)
{
	struct pfm_config config;
	int fd = pfm_ctx_create(NULL);

	if (fd < 0) {
		say_note("virtual events are not shown: %s",
			 pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, fd));
		return NULL;
	}
	machine_read_registers(machine, fd);
	if (abi && !pfm_ctx_get_config(fd, &config))
		*abi = config.abi_version;
	close(fd);
	return machine->map;
}

static int compile(struct search *search, const char *option)
{
	const char *pattern = search->options->pattern;
	char why[256];
	int err;

	if (!pattern)
		return 0;
	err = regcomp(&search->regex, pattern,
		      REG_EXTENDED | REG_NOSUB | REG_ICASE);
	if (!err) {
		search->by_regex = true;
		return 0;
	}
	regerror(err, &search->regex, why, sizeof(why));
	say_error("%s: '%s' is not a regular expression: %s", option, pattern,
		  why);
	return -1;
}

static int not_found(const struct search *search)
{
	char names[3][PFM_EVENT_NAME_LEN];
	int count, i;

	say_error("no event matches '%s'; 'pfmon -l' lists all of them",
		  search->options->pattern);
	count = pfm_event_suggest(search->map, search->options->pattern, names,
				  3);
	for (i = 0; i < count; i++)
		say_error("did you mean %s?", names[i]);
	return -1;
}

static int implemented(const struct search *search,
		       const struct pfm_event_desc *desc)
{
	return desc->kind == PFM_EVENT_HARDWARE ?
	       pfm_event_implemented(search->map, desc->code) :
	       PFM_IMPLEMENTED_UNKNOWN;
}

static bool is_absent(const struct search *search,
		      const struct pfm_event_desc *desc)
{
	return implemented(search, desc) == PFM_IMPLEMENTED_NO;
}

/* Returns false if the output is text. */
static bool show_json(struct search *search, const struct pfm_event_desc *desc)
{
	if (search->options->format != OUTPUT_JSON)
		return false;
	if (!search->found++)
		events_json_begin(&search->json, search->map);
	events_json_add(&search->json, desc, search->map);
	return true;
}

/* Without a pattern even an empty list is a valid document. */
static void finish_json(struct search *search, int err)
{
	if (search->options->format != OUTPUT_JSON || err)
		return;
	if (!search->found)
		events_json_begin(&search->json, search->map);
	events_json_end(&search->json);
}

/* Prints the unit masks too in the long form. */
static int show_name(const struct pfm_event_desc *desc, void *arg)
{
	struct search *search = arg;
	const char *mark = is_absent(search, desc) ? " (not implemented)" : "";
	bool masks = false;
	uint32_t i;

	if (show_json(search, desc))
		return 0;
	search->found++;
	if (search->options->action == ACTION_LIST_LONG) {
		for (i = 0; i < desc->num_umasks; i++) {
			if (desc->umasks[i].is_modifier)
				continue;
			printf("%s:%s%s\n", desc->name, desc->umasks[i].name,
			       mark);
			masks = true;
		}
	}
	if (!masks)
		printf("%s%s\n", desc->name, mark);
	return 0;
}

static int show_matching_name(const struct pfm_event_desc *desc, void *arg)
{
	struct search *search = arg;

	if (search->by_regex &&
	    regexec(&search->regex, desc->name, 0, NULL, 0))
		return 0;
	return show_name(desc, arg);
}

/*
 * Shows the events that @pattern names in the form that -e takes: with a table,
 * unit masks and levels, or as a raw code.  If it names none, found stays 0.
 */
static int show_named(struct search *search,
		      int (*show)(const struct pfm_event_desc *desc, void *arg))
{
	int err = pfm_event_describe(search->map, search->options->pattern, show,
				     search);

	return err == -ENOMEM ? err : 0;
}

int info_list(const struct options *options, struct machine *machine)
{
	struct search search = { .options = options };
	int err;

	if (compile(&search, options->action == ACTION_LIST ? "-l" : "-L"))
		return -1;
	search.map = info_read_map(machine, NULL);
	err = pfm_event_for_each(search.map, show_matching_name, &search);
	if (!err && !search.found && options->pattern)
		err = show_named(&search, show_name);
	if (err)
		say_error("cannot list the events: %s", strerror(-err));
	else if (!search.found && options->pattern)
		err = not_found(&search);
	else if (!search.found)
		say_note("there are no events for this processor");
	finish_json(&search, err);
	if (search.by_regex)
		regfree(&search.regex);
	return err ? -1 : 0;
}

static bool has_code(const struct pfm_event_desc *desc, const char *text)
{
	unsigned long long code;
	char *end;

	errno = 0;
	code = strtoull(text, &end, 0);
	return !errno && end != text && !*end &&
	       desc->kind == PFM_EVENT_HARDWARE && desc->code == code;
}

static void show_counters(const struct pfm_event_desc *desc,
			  const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *info = NULL;

	printf("Counters : [");
	while (map && (info = pfm_reg_map_next_pmd(map, info)))
		if (event_suits(desc, info))
			printf(" %u", info->num);
	printf(" ]\n");
}

static void show_event(const struct search *search,
		       const struct pfm_event_desc *desc)
{
	static const char *const here[] = {
		[PFM_IMPLEMENTED_UNKNOWN] = "not known",
		[PFM_IMPLEMENTED_YES] = "implemented",
		[PFM_IMPLEMENTED_NO] =
			"not implemented by this processor: it would count 0",
	};
	char levels[EVENT_LEVELS_ROOM];
	unsigned int mask = 0, i;

	printf("Name     : %s\n", desc->name);
	if (*desc->pmu)
		printf("PMU      : %s\n", desc->pmu);
	if (desc->kind == PFM_EVENT_HARDWARE)
		printf("Code     : 0x%" PRIx64 "\n", desc->code);
	if (desc->kind == PFM_EVENT_HARDWARE)
		printf("Here     : %s\n", here[implemented(search, desc)]);
	show_counters(desc, search->map);
	if (desc->plm)
		printf("Levels   : %s\n", event_levels(desc->plm, levels));
	if (desc->flags & PFM_EVENTF_GAUGE)
		puts("Kind     : level of the machine, not a count");
	else if (desc->kind == PFM_EVENT_VIRTUAL)
		puts("Kind     : kept by software");
	else if (desc->kind == PFM_EVENT_UNIT)
		puts("Kind     : counted by a unit of its own, beside the counters");
	if (desc->equiv)
		printf("Same as  : %s\n", desc->equiv);
	printf("Desc     : %s\n", desc->desc);
	for (i = 0; i < desc->num_umasks; i++) {
		const struct pfm_event_umask *umask = &desc->umasks[i];

		if (umask->is_modifier)
			printf("Modifier : [%s]%s : %s\n", umask->name,
			       umask->takes_value ? "=VALUE" : "", umask->desc);
		else
			printf("Umask-%02u : 0x%02" PRIx64 " : [%s]%s : %s\n",
			       mask++, umask->code, umask->name,
			       umask->is_default ? " (default)" : "",
			       umask->desc);
	}
	putchar('\n');
}

static int show_details(const struct pfm_event_desc *desc, void *arg)
{
	struct search *search = arg;

	if (show_json(search, desc))
		return 0;
	search->found++;
	show_event(search, desc);
	return 0;
}

static int show_with_code(const struct pfm_event_desc *desc, void *arg)
{
	const struct search *search = arg;

	return has_code(desc, search->options->pattern) ?
	       show_details(desc, arg) : 0;
}

static int show_matching(const struct pfm_event_desc *desc, void *arg)
{
	const struct search *search = arg;

	return regexec(&search->regex, desc->name, 0, NULL, 0) ?
	       0 : show_details(desc, arg);
}

int info_event(const struct options *options, struct machine *machine)
{
	struct search search = { .options = options };
	int err;

	search.map = info_read_map(machine, NULL);
	err = show_named(&search, show_details);
	if (!err && !search.found)
		err = pfm_event_for_each(search.map, show_with_code, &search);
	if (!err && !search.found) {
		err = compile(&search, "-i");
		if (!err)
			err = pfm_event_for_each(search.map, show_matching, &search);
		if (!err && !search.found)
			err = not_found(&search);
	} else if (err) {
		say_error("cannot list the events: %s", strerror(-err));
	}
	finish_json(&search, err);
	if (search.by_regex)
		regfree(&search.regex);
	return err ? -1 : 0;
}

static void show_kernel(const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *info = NULL;
	unsigned int cycles, counters;

	if (!map) {
		puts("kernel perfmon           : not available");
		return;
	}
	counters = pfm_reg_map_counters(map, &cycles);
	printf("detected PMU             : %s\n",
	       *pfm_reg_map_pmu(map) ? pfm_reg_map_pmu(map) : "none");
	printf("event table              : %s\n", *pfm_event_table(map) ?
	       pfm_event_table(map) : "none");
	printf("hardware counters        : %u, of them for cycles only: %u\n",
	       counters, cycles);
	printf("virtual registers        :");
	while ((info = pfm_reg_map_next_pmd(map, info)))
		if (info->flags & PFM_REGI_VIRTUAL)
			printf(" %s", info->name);
	putchar('\n');
}

/* Prints the version of the running modules in the form "4.0". */
static void show_abi(unsigned int abi)
{
	if (abi)
		printf("kernel perfmon version   : %u.%u\n", abi >> 16,
		       abi & 0xffff);
}

static void show_modules(void)
{
	FILE *file = fopen("/sys/module/perfmon/version", "re");
	char version[32];

	if (file && fscanf(file, "%31s", version) == 1)
		printf("perfmon modules version  : %s\n", version);
	if (file)
		fclose(file);
}

int info_machine(struct machine *machine)
{
	int tables = pfm_lib_tables_version(), lib = pfm_lib_version();
	unsigned int abi = 0;
	const struct pfm_reg_map *map = info_read_map(machine, &abi);
	struct utsname uts = { 0 };
	struct timespec ts = { 0 };

	uname(&uts);
	clock_getres(CLOCK_MONOTONIC, &ts);
	printf("CPUs                     : %ld configured, %ld online\n",
	       sysconf(_SC_NPROCESSORS_CONF), sysconf(_SC_NPROCESSORS_ONLN));
	printf("host architecture        : %s\n", uts.machine);
	printf("kernel                   : %s %s\n", uts.sysname, uts.release);
	show_kernel(map);
	show_abi(abi);
	show_modules();
	printf("kernel clock resolution  : %ld ns\n",
	       ts.tv_sec * 1000000000L + ts.tv_nsec);
	printf("pfmon version            : %s\n", PFMON_VERSION);
	printf("libperfmon version       : %d.%d.%d\n", lib >> 16,
	       lib >> 8 & 0xff, lib & 0xff);
	printf("libpfm version           : %d.%d\n", tables >> 16,
	       tables & 0xffff);
	return processor_describe(stdout, map);
}
