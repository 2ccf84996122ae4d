// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptions of x86 CPUs.
 */
#include <string.h>

#include "processor/amd_pmu.h"
#include "processor/cpuid.h"
#include "processor/description.h"
#include "processor/intel_pmu.h"
#include "processor/processor.h"
#include "processor/x86_cpu.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Architectural events, in the order of their bits in CPUID. */
static const struct {
	const char *name;
	unsigned int code;
	unsigned int umask;
} events[] = {
	{ "core cycles", 0x3c, 0x00 },
	{ "instructions retired", 0xc0, 0x00 },
	{ "reference cycles", 0x3c, 0x01 },
	{ "LLC references", 0x2e, 0x4f },
	{ "LLC misses", 0x2e, 0x41 },
	{ "branches retired", 0xc4, 0x00 },
	{ "mispredicts retired", 0xc5, 0x00 },
	{ "topdown slots", 0xa4, 0x01 },
	{ "topdown backend bound", 0xa4, 0x02 },
	{ "topdown bad speculation", 0x73, 0x00 },
	{ "topdown frontend bound", 0x9c, 0x01 },
	{ "topdown retiring", 0xc2, 0x02 },
	{ "LBR inserts", 0xe4, 0x01 },
};

static const char *const fixed_events[] = {
	"instructions retired",	   "core cycles",
	"reference cycles",	   "topdown slots",
	"topdown bad speculation", "topdown frontend bound",
	"topdown retiring",
};

static const char *hypervisor_name(const struct x86_cpu *cpu)
{
	static const struct {
		const char *id;
		const char *name;
	} names[] = {
		{ "KVMKVMKVM", "KVM" },	       { "TCGTCGTCGTCG", "QEMU" },
		{ "Microsoft Hv", "Hyper-V" }, { "VMwareVMware", "VMware" },
		{ "XenVMMXenVMM", "Xen" },
	};
	size_t i;

	for (i = 0; i < COUNT(names); i++)
		if (!strcmp(names[i].id, cpu->hypervisor_id))
			return names[i].name;
	return *cpu->hypervisor_id ? cpu->hypervisor_id : "of unknown name";
}

static void describe_cpu(FILE *out, const struct x86_cpu *cpu)
{
	static const char *const cores[] = {
		[X86_CORE_EFFICIENT] = "efficient core (Atom)",
		[X86_CORE_PERFORMANCE] = "performance core (Core)",
		[X86_CORE_UNKNOWN] = "of a type unknown to pfmon",
	};

	if (*cpu->name)
		description_line(out, "name", "%s", cpu->name);
	description_line(out, "vendor",
			 "%s, family 0x%02x, model 0x%02x, stepping %u",
			 *cpu->vendor ? cpu->vendor : "no name", cpu->family,
			 cpu->model, cpu->stepping);
	if (cpu->core != X86_CORE_ONLY)
		description_line(out, "core", "%s", cores[cpu->core]);
	if (cpu->hypervisor)
		description_line(out, "hypervisor", "%s", hypervisor_name(cpu));
}

static void describe_counters(FILE *out, const char *label, unsigned int count,
			      unsigned int width)
{
	if (count)
		description_line(out, label, "%u, %u bits wide", count, width);
	else
		description_line(out, label, "none");
}

/* General counters have the numbers from 0 up, unless some are left out. */
static void describe_general(FILE *out, const struct intel_pmu *pmu)
{
	unsigned int count = __builtin_popcount(pmu->general);

	if (pmu->general & (pmu->general + 1))
		description_line(out, "general counters",
				 "%u, %u bits wide (those of mask 0x%x)", count,
				 pmu->general_width, pmu->general);
	else
		describe_counters(out, "general counters", count,
				  pmu->general_width);
}

static void describe_fixed(FILE *out, const struct intel_pmu *pmu,
			   const struct x86_cpu *cpu)
{
	char label[32];
	unsigned int i;

	if (pmu->version < 2)
		return;
	/* The first processors of version 2 left this field 0. */
	if (pmu->version == 2 && !pmu->fixed && !cpu->hypervisor) {
		description_line(
			out, "fixed counters",
			"CPUID says none, but processors of version 2 have 3");
		return;
	}
	describe_counters(out, "fixed counters", __builtin_popcount(pmu->fixed),
			  pmu->fixed_width);
	for (i = 0; i < 32; i++) {
		if (!(pmu->fixed >> i & 1))
			continue;
		snprintf(label, sizeof(label), "  fixed counter %u", i);
		description_line(out, label, "%s",
				 i < COUNT(fixed_events) ? fixed_events[i]
							 : "unknown to pfmon");
	}
}

static void describe_events(FILE *out, const struct intel_pmu *pmu)
{
	unsigned int i;
	char label[32];

	description_line(out, "architectural events", "%u of %u available",
			 (unsigned int)__builtin_popcount(pmu->events),
			 pmu->num_events);
	for (i = 0; i < pmu->num_events; i++) {
		const char *here = pmu->events >> i & 1 ? "available"
							: "not available";

		if (i < COUNT(events)) {
			snprintf(label, sizeof(label), "  %s", events[i].name);
			description_line(out, label,
					 "%s (0x%02x, unit mask 0x%02x)", here,
					 events[i].code, events[i].umask);
		} else {
			snprintf(label, sizeof(label), "  event of bit %u", i);
			description_line(out, label, "%s (unknown to pfmon)",
					 here);
		}
	}
}

static void describe_no_intel(FILE *out, const struct intel_pmu *pmu,
			      const struct x86_cpu *cpu)
{
	const char *why = pmu->has_leaf ? "CPUID leaf 0xA has version 0"
					: "CPUID has no leaf 0xA";

	if (cpu->hypervisor)
		description_line(
			out, "counters",
			"none: the hypervisor hides them (%s); it has to give the virtual machine a PMU, as QEMU does with '-cpu host,pmu=on'",
			why);
	else
		description_line(
			out, "counters",
			"none: the processor has no architectural performance monitoring (%s)",
			why);
}

static void describe_intel(FILE *out, const struct cpuid *cpuid,
			   const struct x86_cpu *cpu)
{
	struct intel_pmu pmu;

	intel_pmu_decode(cpuid, &pmu);
	if (!pmu.version) {
		describe_no_intel(out, &pmu, cpu);
		return;
	}
	description_line(out, "performance monitoring", "version %u",
			 pmu.version);
	describe_general(out, &pmu);
	describe_fixed(out, &pmu, cpu);
	if (pmu.version >= 3)
		description_line(out, "counting both threads", "%s",
				 pmu.any_thread ? "available (AnyThread)"
						: "not available");
	if (pmu.slots)
		description_line(out, "slots of a cycle", "%u", pmu.slots);
	describe_events(out, &pmu);
}

static void describe_amd(FILE *out, const struct cpuid *cpuid,
			 const struct x86_cpu *cpu)
{
	static const char *const kinds[] = {
		[AMD_PMU_LEGACY] = "legacy counters",
		[AMD_PMU_CORE_EXT] = "core counter extension",
		[AMD_PMU_V2] = "version 2 (PerfMonV2)",
	};
	struct amd_pmu pmu;

	amd_pmu_decode(cpuid, cpu, &pmu);
	if (pmu.kind == AMD_PMU_NONE) {
		description_line(
			out, "counters",
			"none: AMD's processors have counters from family 6 on");
		return;
	}
	description_line(out, "performance monitoring", "%s", kinds[pmu.kind]);
	if (pmu.kind == AMD_PMU_LEGACY && cpu->hypervisor)
		description_line(
			out, "core counters",
			"not known: CPUID does not tell of the %u that the processor has, and the hypervisor may hide them",
			pmu.counters);
	else
		describe_counters(out, "core counters", pmu.counters,
				  pmu.width);
	if (pmu.northbridge)
		describe_counters(out,
				  cpu->family >= 0x17 ? "data fabric counters"
						      : "northbridge counters",
				  pmu.northbridge, pmu.width);
	description_line(out, "global control", "%s",
			 pmu.kind == AMD_PMU_V2 ? "available"
						: "not available");
	if (pmu.branch_records)
		description_line(out, "branch records", "%u",
				 pmu.branch_records);
	description_line(out, "IBS", "%s",
			 pmu.ibs ? "available" : "not available");
	description_line(
		out, "architectural events",
		"not known: CPUID does not tell which events AMD's processors have");
}

void x86_text_write(FILE *out, const struct cpuid *cpuid)
{
	struct x86_cpu cpu;

	if (x86_cpu_decode(cpuid, &cpu)) {
		description_line(
			out, "counters",
			"not known: CPUID does not tell the vendor and model");
		return;
	}
	describe_cpu(out, &cpu);
	switch (cpu.maker) {
	case X86_INTEL:
		describe_intel(out, cpuid, &cpu);
		break;
	case X86_AMD:
		describe_amd(out, cpuid, &cpu);
		break;
	default:
		description_line(
			out, "counters",
			"not known: pfmon knows the counters of Intel and AMD only");
		break;
	}
}
