// SPDX-License-Identifier: GPL-2.0-only
/*
 * Identities of CPUs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "processor/armv8_cpu.h"
#include "processor/cpu_identity.h"
#include "processor/cpuid.h"
#include "processor/x86_cpu.h"

int cpu_identity_read(unsigned int cpu, struct cpu_identity *identity)
{
	struct x86_cpu x86;
	struct cpuid cpuid;
	int err;

	memset(identity, 0, sizeof(*identity));
	if (!armv8_midr_read(cpu, &identity->midr)) {
		identity->arm = true;
		return 0;
	}
	err = cpuid_read(cpu, &cpuid);
	if (err)
		return err;
	if (x86_cpu_decode(&cpuid, &x86))
		return -ENOSYS;
	memcpy(identity->vendor, x86.vendor, sizeof(identity->vendor));
	identity->family = x86.family;
	identity->model = x86.model;
	identity->stepping = x86.stepping;
	identity->core = x86.core;
	return 0;
}

const char *cpu_identity_text(const struct cpu_identity *cpu, char *text,
			      size_t size)
{
	static const char *const cores[] = {
		[X86_CORE_ONLY] = "",
		[X86_CORE_EFFICIENT] = ", efficient core",
		[X86_CORE_PERFORMANCE] = ", performance core",
		[X86_CORE_UNKNOWN] = ", core of an unknown type",
	};

	if (cpu->arm)
		snprintf(text, size, "MIDR 0x%08" PRIx64, cpu->midr);
	else
		snprintf(text, size, "%s family %u model %u%s", cpu->vendor,
			 cpu->family, cpu->model, cores[cpu->core]);
	return text;
}
