// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which metric files are for a CPU, and what it tells their formulas.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/metric_cpu.h"
#include "metrics/model.h"
#include "processor/armv8_cpu.h"
#include "processor/armv8_pmu.h"
#include "processor/cpu_identity.h"

#define SIBLINGS_FILE \
	"/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list"

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* Revision "r1p2" as MIDR_EL1 orders it, @dfl if it is missing. */
static unsigned int revision_of(const char *text, unsigned int dfl)
{
	unsigned int variant, revision;

	if (sscanf(text, "r%up%u", &variant, &revision) != 2)
		return dfl;
	return variant << 4 | revision;
}

static bool matches_arm(const struct cpu_identity *cpu, const json_t *match)
{
	struct armv8_cpu decoded;
	unsigned int revision;
	uint64_t mask;

	if (!json_object_get(match, "midr"))
		return false;
	mask = strtoull(text_of(match, "mask"), NULL, 0);
	if ((cpu->midr & mask) != strtoull(text_of(match, "midr"), NULL, 0))
		return false;
	armv8_cpu_decode(cpu->midr, &decoded);
	revision = decoded.variant << 4 | decoded.revision;
	return revision >= revision_of(text_of(match, "min"), 0) &&
	       revision <= revision_of(text_of(match, "max"), 0xff);
}

/* True if the list has the number, or a range [first, last] that it is in. */
static bool in_list(const json_t *list, unsigned int number)
{
	const json_t *entry;
	json_int_t first, last;
	size_t i;

	json_array_foreach((json_t *)list, i, entry)
	{
		first = json_integer_value(json_is_array(entry)
						   ? json_array_get(entry, 0)
						   : entry);
		last = json_integer_value(json_is_array(entry)
						  ? json_array_get(entry, 1)
						  : entry);
		if (number >= first && number <= last)
			return true;
	}
	return false;
}

/*
 * True if the list of models is for this type of cores, or for all.  A processor whose cores are
 * all of one type does not tell the type: its model does.
 */
static bool is_core(const char *wanted, enum x86_core core)
{
	if (!*wanted || core == X86_CORE_ONLY)
		return true;
	if (core == X86_CORE_PERFORMANCE)
		return !strcmp(wanted, "performance");
	return core == X86_CORE_EFFICIENT && !strcmp(wanted, "efficient");
}

static bool matches_x86(const struct cpu_identity *cpu, const json_t *match)
{
	const json_t *steppings = json_object_get(match, "steppings");

	return !strcmp(text_of(match, "vendor"), cpu->vendor) &&
	       json_integer_value(json_object_get(match, "family")) ==
		       cpu->family &&
	       in_list(json_object_get(match, "models"), cpu->model) &&
	       (!steppings || in_list(steppings, cpu->stepping)) &&
	       is_core(text_of(match, "core"), cpu->core);
}

bool metric_cpu_matches(const struct cpu_identity *cpu, const json_t *match)
{
	const json_t *element;
	size_t i;

	json_array_foreach(
		(json_t *)match, i,
		element) if (cpu->arm ? matches_arm(cpu, element)
				      : matches_x86(cpu, element)) return true;
	return false;
}

/* Threads of the core that a CPU is one of; 0 if not known. */
static unsigned int threads_of_core(unsigned int cpu)
{
	char name[sizeof(SIBLINGS_FILE) + 16], text[256] = "";
	unsigned int first, last, count = 0;
	const char *at = text;
	FILE *file;
	int used;

	snprintf(name, sizeof(name), SIBLINGS_FILE, cpu);
	file = fopen(name, "re");
	if (!file)
		return 0;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	while (sscanf(at, "%u%n", &first, &used) == 1) {
		at += used;
		last = first;
		if (sscanf(at, "-%u%n", &last, &used) == 1)
			at += used;
		count += last - first + 1;
		at += *at == ',';
	}
	return count;
}

static double constant_value(const char *source, unsigned int cpu)
{
	static struct armv8_pmu pmu;

	if (!strcmp(source, "pmmir.slots")) {
		armv8_pmu_read(cpu, NULL, &pmu);
		return pmu.slots;
	}
	if (!strcmp(source, "threads_per_core"))
		return threads_of_core(cpu);
	return 0;
}

void metric_cpu_constants(struct metric_model *model, unsigned int cpu)
{
	unsigned int i, threads = threads_of_core(cpu);

	for (i = 0; i < model->num_constants; i++) {
		struct metric_constant *constant = &model->constants[i];

		if (!constant->source)
			continue;
		if (!strcmp(constant->source, "smt")) {
			constant->known = threads;
			constant->value = threads > 1;
			continue;
		}
		constant->value = constant_value(constant->source, cpu);
		constant->known = constant->value != 0;
	}
}
