// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vendor, family, model and name of an x86 processor.
 */
#include <string.h>

#include "processor/cpuid.h"
#include "processor/x86_cpu.h"

static void put_text(char *text, uint32_t reg)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		text[i] = reg >> 8 * i;
}

/* Some names are padded with blanks, and a hypervisor can write any bytes. */
static void clean_text(char *text)
{
	size_t blanks = strspn(text, " "), i;

	memmove(text, text + blanks, strlen(text + blanks) + 1);
	for (i = strlen(text); i && text[i - 1] == ' '; i--)
		text[i - 1] = '\0';
	for (i = 0; text[i]; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
}

static void decode_vendor(const struct cpuid_leaf *leaf, struct x86_cpu *cpu)
{
	static const struct {
		const char *vendor;
		enum x86_maker maker;
	} makers[] = {
		{ "GenuineIntel", X86_INTEL },
		{ "AuthenticAMD", X86_AMD },
		{ "HygonGenuine", X86_AMD },
	};
	unsigned int i;

	put_text(cpu->vendor, leaf->ebx);
	put_text(cpu->vendor + 4, leaf->edx);
	put_text(cpu->vendor + 8, leaf->ecx);
	clean_text(cpu->vendor);
	for (i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (!strcmp(cpu->vendor, makers[i].vendor))
			cpu->maker = makers[i].maker;
}

/* Families that need the extensions began at 15; Intel uses one of them in 6 too. */
static void decode_model(uint32_t eax, struct x86_cpu *cpu)
{
	unsigned int family = eax >> 8 & 0xf;

	cpu->family = family;
	cpu->model = eax >> 4 & 0xf;
	cpu->stepping = eax & 0xf;
	if (family == 0xf)
		cpu->family += eax >> 20 & 0xff;
	if (family == 0xf || (family == 6 && cpu->maker != X86_AMD))
		cpu->model |= (eax >> 16 & 0xf) << 4;
}

static void decode_name(const struct cpuid *cpuid, struct x86_cpu *cpu)
{
	const struct cpuid_leaf *leaf;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		leaf = cpuid_find(cpuid, 0x80000002 + i, 0);
		if (!leaf) {
			cpu->name[0] = '\0';
			return;
		}
		put_text(cpu->name + 16 * i, leaf->eax);
		put_text(cpu->name + 16 * i + 4, leaf->ebx);
		put_text(cpu->name + 16 * i + 8, leaf->ecx);
		put_text(cpu->name + 16 * i + 12, leaf->edx);
	}
	clean_text(cpu->name);
}

static void decode_hypervisor(const struct cpuid *cpuid, struct x86_cpu *cpu)
{
	const struct cpuid_leaf *leaf = cpuid_find(cpuid, 0x40000000, 0);

	if (!leaf)
		return;
	put_text(cpu->hypervisor_id, leaf->ebx);
	put_text(cpu->hypervisor_id + 4, leaf->ecx);
	put_text(cpu->hypervisor_id + 8, leaf->edx);
	clean_text(cpu->hypervisor_id);
}

static enum x86_core decode_core(const struct cpuid *cpuid)
{
	const struct cpuid_leaf *features = cpuid_find(cpuid, 7, 0);
	const struct cpuid_leaf *core = cpuid_find(cpuid, 0x1a, 0);

	if (!features || !(features->edx >> 15 & 1))
		return X86_CORE_ONLY;
	switch (core ? core->eax >> 24 : 0) {
	case 0x20:
		return X86_CORE_EFFICIENT;
	case 0x40:
		return X86_CORE_PERFORMANCE;
	default:
		return X86_CORE_UNKNOWN;
	}
}

int x86_cpu_decode(const struct cpuid *cpuid, struct x86_cpu *cpu)
{
	const struct cpuid_leaf *first = cpuid_find(cpuid, 0, 0);
	const struct cpuid_leaf *second = cpuid_find(cpuid, 1, 0);

	memset(cpu, 0, sizeof(*cpu));
	if (!first || !second)
		return -1;
	decode_vendor(first, cpu);
	decode_model(second->eax, cpu);
	decode_name(cpuid, cpu);
	cpu->hypervisor = second->ecx >> 31 & 1;
	if (cpu->hypervisor)
		decode_hypervisor(cpuid, cpu);
	if (cpu->maker == X86_INTEL)
		cpu->core = decode_core(cpuid);
	return 0;
}
