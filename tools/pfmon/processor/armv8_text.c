// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptions of Armv8 CPUs.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "processor/armv8_cpu.h"
#include "processor/armv8_pmu.h"
#include "processor/description.h"
#include "processor/processor.h"

#define LINE_LENGTH 80
#define INDENT	    27

static void describe_cpu(FILE *out, uint64_t midr)
{
	const char *name, *implementer;
	struct armv8_cpu cpu;

	armv8_cpu_decode(midr, &cpu);
	name = armv8_cpu_name(&cpu);
	implementer = armv8_implementer_name(&cpu);
	if (name)
		description_line(out, "name", "%s %s",
				 implementer ? implementer : "", name);
	description_line(out, "vendor",
			 "%s (0x%02x), part 0x%03x, variant %u, revision %u",
			 implementer ? implementer : "unknown to pfmon",
			 cpu.implementer, cpu.part, cpu.variant, cpu.revision);
	description_line(out, "MIDR_EL1", "0x%08" PRIx64, cpu.midr);
}

static void describe_counters(FILE *out, const struct armv8_pmu *pmu)
{
	if (pmu->source == ARMV8_PERF) {
		description_line(
			out, "event counters",
			"not known: perf does not tell their number; perfmon's module does, run 'sudo modprobe perfmon_armv8'");
		return;
	}
	if (pmu->counters)
		description_line(out, "event counters", "%u, %u bits wide",
				 pmu->counters, pmu->width);
	else
		description_line(out, "event counters", "none");
	if (pmu->cycle_width)
		description_line(out, "cycle counter", "1, %u bits wide",
				 pmu->cycle_width);
}

/* Lists the events in lines that fit a terminal. */
static void list_events(FILE *out, const char *label,
			const struct armv8_pmu *pmu, bool available)
{
	int column = LINE_LENGTH, length;
	bool first = true;
	unsigned int i;
	char text[64];

	for (i = 0; i < pmu->num_events; i++) {
		const struct armv8_event *event = &pmu->events[i];

		if (event->available != available)
			continue;
		length = snprintf(text, sizeof(text), "%s (0x%02x)",
				  event->name, event->code);
		if (first) {
			column = fprintf(out, "%-25s: %s", label, text);
		} else if (column + length + 3 > LINE_LENGTH) {
			column = fprintf(out, ",\n%*s%s", INDENT, "", text) - 2;
		} else {
			column += fprintf(out, ", %s", text);
		}
		first = false;
	}
	if (!first)
		fputc('\n', out);
}

static void describe_events(FILE *out, const struct armv8_pmu *pmu)
{
	unsigned int available = 0, i;

	for (i = 0; i < pmu->num_events; i++)
		available += pmu->events[i].available;
	if (!pmu->num_events)
		description_line(out, "architectural events",
				 "not known: the kernel does not tell");
	else if (pmu->source == ARMV8_PERF)
		description_line(out, "architectural events",
				 "%u available according to perf", available);
	else
		description_line(out, "architectural events",
				 "%u of %u available", available,
				 pmu->num_events);
	list_events(out, "  available", pmu, true);
	list_events(out, "  not available", pmu, false);
}

void armv8_text_write(FILE *out, uint64_t midr, const struct armv8_pmu *pmu)
{
	describe_cpu(out, midr);
	if (pmu->source == ARMV8_NOBODY) {
		description_line(
			out, "counters",
			"not known: neither perfmon's module nor perf tells of them; run 'sudo modprobe perfmon_armv8'");
		return;
	}
	/* The architecture's later versions have 64 bits in all counters. */
	description_line(out, "performance monitoring", "%s",
			 pmu->width == 64 ? "PMUv3p5 or later" : "PMUv3");
	describe_counters(out, pmu);
	if (pmu->slots)
		description_line(out, "slots of a cycle", "%u", pmu->slots);
	describe_events(out, pmu);
}
