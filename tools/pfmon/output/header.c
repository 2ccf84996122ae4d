// SPDX-License-Identifier: GPL-2.0-only
/*
 * Describes the machine and the measurement.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/cpu_list.h"
#include "base/json_writer.h"
#include "base/quoting.h"
#include "base/units.h"
#include "base/version.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "events/implemented.h"
#include "options/options.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "sampling/sampling.h"
#include "session/session.h"
#include "session/system_wide.h"

/**
 * struct host - the machine that the measurement was made on
 */
struct host {
	char date[40];
	struct utsname uts;
	uint64_t page_size;
	uint64_t cpus_configured;
	uint64_t cpus_online;
	uint64_t memory;
	uint64_t memory_free;
	char abi[24];
};

static uint64_t system_value(int name)
{
	long value = sysconf(name);

	return value < 0 ? 0 : value;
}

static void describe(struct host *host, const struct outcome *outcome)
{
	struct tm tm;

	memset(host, 0, sizeof(*host));
	if (localtime_r(&outcome->session->date, &tm))
		strftime(host->date, sizeof(host->date), "%Y-%m-%dT%H:%M:%S%z",
			 &tm);
	uname(&host->uts);
	host->page_size = system_value(_SC_PAGESIZE);
	host->cpus_configured = system_value(_SC_NPROCESSORS_CONF);
	host->cpus_online = system_value(_SC_NPROCESSORS_ONLN);
	host->memory = system_value(_SC_PHYS_PAGES) * host->page_size;
	host->memory_free = system_value(_SC_AVPHYS_PAGES) * host->page_size;
	snprintf(host->abi, sizeof(host->abi), "%u.%u",
		 outcome->session->config.abi_version >> 16,
		 outcome->session->config.abi_version & 0xffff);
}

static const char *pmu_name(const struct outcome *outcome)
{
	return outcome->session->config.pmu[0] ? outcome->session->config.pmu
					       : "none";
}

static void print_words(FILE *out, const char *title, char *const *word)
{
	fprintf(out, "# %s:", title);
	for (; *word; word++) {
		fputc(' ', out);
		shell_word_print(out, *word);
	}
	fputc('\n', out);
}

static void print_periods(FILE *out, const struct outcome *outcome)
{
	const struct periods *periods = &outcome->session->sampling->periods;
	size_t i, k;

	for (i = 0; i < periods->count; i++) {
		const struct period *period = &periods->list[i];

		if (period->frequency) {
			fprintf(out,
				"# PMD%u samples: %" PRIu64
				" a second, first period %" PRIu64 "\n",
				period->pmd, period->frequency, period->first);
			continue;
		}
		fprintf(out,
			"# PMD%u samples: long period %" PRIu64
			", short period %" PRIu64 ", random mask 0x%" PRIx64
			", seed %" PRIu64 "\n",
			period->pmd, period->first, period->between,
			period->mask, period->seed);
	}
	fputs("# PMDs recorded in each sample: [", out);
	for (k = 0; k < periods->num_carried; k++)
		fprintf(out, " %u", periods->carried[k]);
	fprintf(out, " ]\n# sampling format: %s, %" PRIu64 " entries\n",
		outcome->session->sampling->lanes.name,
		outcome->session->options->smpl.entries);
}

static void print_cpus(FILE *out, const struct outcome *outcome,
		       const struct scope_options *scope)
{
	const struct cpu *cpu = NULL;
	struct cpu_list cpus = { 0 };
	char text[512];

	while ((cpu = outcome_next_cpu(outcome, cpu)))
		cpu_list_add(&cpus, cpu->number);
	fprintf(out, "# monitoring mode: system-wide, CPUs %s%s%s\n",
		cpu_list_format(&cpus, text, sizeof(text)),
		scope->no_idle ? ", without the idle task" : "",
		scope->excl_intr ? ", without interrupts" :
		scope->intr_only ? ", interrupts only" :
				   "");
}

static void print_scope(FILE *out, const struct outcome *outcome)
{
	const struct scope_options *scope = &outcome->session->options->scope;
	size_t i;

	if (outcome->session->task)
		fprintf(out, "# attached to: %s %d (",
			scope->one_thread ? "thread" : "process",
			outcome->session->task);
	if (outcome->session->task) {
		shell_word_print(out, outcome->session->task_name);
		fputs(")\n", out);
	}
	if (scope->num_tasks > 1) {
		fputs("# attached to: processes", out);
		for (i = 0; i < scope->num_tasks; i++)
			fprintf(out, " %d", scope->tasks[i]);
		fputc('\n', out);
	}
	if (scope->cgroup) {
		fputs("# control group: ", out);
		shell_word_print(out, scope->cgroup);
		fputc('\n', out);
	}
	if (scope->each_cgroup) {
		fputs("# each control group: ", out);
		shell_word_print(out, scope->each_cgroup);
		fputc('\n', out);
	}
	if (outcome->session->system)
		print_cpus(out, outcome, scope);
	else
		fprintf(out, "# monitoring mode: per-thread%s\n",
			outcome->session->options->follow ? ", followed" : "");
}

static void print_slices(FILE *out, const struct outcome *outcome,
			 unsigned int set)
{
	const struct events *events = outcome->events;
	const struct set_time *time = &outcome->results->kernel->sets[set];
	uint64_t timeout = events->sets[set].timeout;
	char text[UNITS_TIME_ROOM];

	fprintf(out,
		"#\t"
		"runs: %" PRIu64 ", active: %s, ",
		time->runs, units_time(time->active, text));
	if (timeout)
		fprintf(out, "switch timeout: %g ms\n", timeout / 1e6);
	else
		fputs("switch on overflow\n", out);
}

static void print_set(FILE *out, const struct outcome *outcome,
		      unsigned int set)
{
	const struct events *events = outcome->events;
	char levels[EVENT_LEVELS_ROOM];
	size_t k;

	fprintf(out, "# information for set%u:\n", set);
	if (events->multiplexed)
		print_slices(out, outcome, set);
	for (k = 0; k < events->count; k++) {
		const struct event *event = &events->list[k];

		if (event->set != set)
			continue;
		fputs("#\t", out);
		if (!event->absent)
			fprintf(out, "PMD%u: ", event->pmd);
		fprintf(out, "%s = %s", event->name,
			event->hardware ? event_levels(event->plm, levels)
			: event->gauge	? "gauge"
					: "virtual");
		implemented_print(out, event);
		fputc('\n', out);
	}
}

void header_print(FILE *out, const struct outcome *outcome)
{
	const struct events *events = outcome->events;
	struct host host;
	unsigned int set;

	describe(&host, outcome);
	fprintf(out, "# date: %s\n", host.date);
	fprintf(out, "# host: %s\n", host.uts.nodename);
	fprintf(out, "# kernel: %s %s %s (%s)\n", host.uts.sysname,
		host.uts.release, host.uts.version, host.uts.machine);
	fprintf(out, "# pfmon version: %s\n", PFMON_VERSION);
	fprintf(out, "# kernel perfmon version: %s\n", host.abi);
	fprintf(out, "# PMU: %s\n", pmu_name(outcome));
	fprintf(out, "# page size: %" PRIu64 " bytes\n", host.page_size);
	fprintf(out, "# CPUs: %" PRIu64 " configured, %" PRIu64 " online\n",
		host.cpus_configured, host.cpus_online);
	fprintf(out,
		"# memory: %" PRIu64 " bytes (%" PRIu64 " MB), %" PRIu64
		" bytes (%" PRIu64 " MB) free\n",
		host.memory, host.memory >> 20, host.memory_free,
		host.memory_free >> 20);
	for (set = 0; set < events->num_sets; set++)
		print_set(out, outcome, set);
	if (outcome->session->sampling)
		print_periods(out, outcome);
	print_words(out, "pfmon command line", outcome->session->options->argv);
	if (outcome->session->options->command)
		print_words(out, "command", outcome->session->options->command);
	print_scope(out, outcome);
	fputs("#\n", out);
}

void header_write(struct json *json, const struct outcome *outcome)
{
	struct host host;
	char **word;

	describe(&host, outcome);
	jsonw_object(json, "header");
	jsonw_string(json, "date", host.date);
	jsonw_string(json, "host", host.uts.nodename);
	jsonw_string(json, "kernel", host.uts.release);
	jsonw_string(json, "kernel_build", host.uts.version);
	jsonw_string(json, "architecture", host.uts.machine);
	jsonw_string(json, "abi_version", host.abi);
	jsonw_string(json, "pmu", pmu_name(outcome));
	jsonw_uint(json, "page_size", host.page_size);
	jsonw_uint(json, "cpus_configured", host.cpus_configured);
	jsonw_uint(json, "cpus_online", host.cpus_online);
	jsonw_uint(json, "memory_bytes", host.memory);
	jsonw_uint(json, "memory_free_bytes", host.memory_free);
	jsonw_array(json, "pfmon_command");
	for (word = outcome->session->options->argv; *word; word++)
		jsonw_string(json, NULL, *word);
	jsonw_close(json);
	jsonw_close(json);
}
