// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processor's own description of its counters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_list.h"
#include "base/message.h"
#include "processor/armv8_cpu.h"
#include "processor/armv8_pmu.h"
#include "processor/cpuid.h"
#include "processor/description.h"
#include "processor/processor.h"

static void describe_cpu(FILE *out, unsigned int cpu,
			 const struct pfm_reg_map *map)
{
	static struct armv8_pmu pmu;
	struct cpuid cpuid;
	uint64_t midr;
	int err;

	if (!armv8_midr_read(cpu, &midr)) {
		armv8_pmu_read(cpu, map, &pmu);
		armv8_text_write(out, midr, &pmu);
		return;
	}
	err = cpuid_read(cpu, &cpuid);
	if (!err)
		x86_text_write(out, &cpuid);
	else if (err == -ENOSYS)
		description_line(
			out, "counters",
			"not known: the kernel does not tell the type of the processor (midr_el1 in /sys)");
	else
		description_line(
			out, "counters",
			"not known: pfmon may not run on these CPUs: %s",
			strerror(-err));
}

/* Describes one CPU, in memory, because CPUs may have the same description. */
static int add_cpu(struct descriptions *all, unsigned int cpu,
		   const struct pfm_reg_map *map)
{
	char *text = NULL;
	size_t size;
	FILE *out;
	int err;

	out = open_memstream(&text, &size);
	if (!out)
		return -1;
	describe_cpu(out, cpu, map);
	err = fclose(out) ? -1 : descriptions_add(all, cpu, text);
	free(text);
	return err;
}

int processor_describe(FILE *out, const struct pfm_reg_map *map)
{
	struct descriptions all = { 0 };
	struct cpu_list online;
	unsigned int cpu;
	int err = 0;

	if (cpu_list_online(&online)) {
		description_line(
			out, "processor",
			"not known: the kernel does not tell which CPUs are online");
		return 0;
	}
	for (cpu = 0; cpu < CPUS_MAX && !err; cpu++)
		if (cpu_list_has(&online, cpu))
			err = add_cpu(&all, cpu, map);
	if (err)
		say_error("cannot describe the processor: %s",
			  strerror(ENOMEM));
	else
		descriptions_print(&all, out);
	descriptions_free(&all);
	return err;
}
