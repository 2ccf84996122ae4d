// SPDX-License-Identifier: GPL-2.0-only
/*
 * MIDR_EL1, which the kernel shows in /sys, and the names that stand for its numbers.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "processor/armv8_cpu.h"

#define FILE_NAME "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1"

#define ARM 0x41

static const struct {
	unsigned int implementer;
	const char *name;
} implementers[] = {
	{ ARM, "Arm" },	     { 0x42, "Broadcom" },  { 0x43, "Cavium" },
	{ 0x46, "Fujitsu" }, { 0x48, "HiSilicon" }, { 0x4e, "NVIDIA" },
	{ 0x50, "APM" },     { 0x51, "Qualcomm" },  { 0x53, "Samsung" },
	{ 0x61, "Apple" },   { 0x6d, "Microsoft" }, { 0x70, "Phytium" },
	{ 0xc0, "Ampere" },
};

static const struct {
	unsigned int implementer;
	unsigned int part;
	const char *name;
} cores[] = {
	{ ARM, 0xd03, "Cortex-A53" },
	{ ARM, 0xd04, "Cortex-A35" },
	{ ARM, 0xd05, "Cortex-A55" },
	{ ARM, 0xd06, "Cortex-A65" },
	{ ARM, 0xd07, "Cortex-A57" },
	{ ARM, 0xd08, "Cortex-A72" },
	{ ARM, 0xd09, "Cortex-A73" },
	{ ARM, 0xd0a, "Cortex-A75" },
	{ ARM, 0xd0b, "Cortex-A76" },
	{ ARM, 0xd0c, "Neoverse N1" },
	{ ARM, 0xd0d, "Cortex-A77" },
	{ ARM, 0xd40, "Neoverse V1" },
	{ ARM, 0xd41, "Cortex-A78" },
	{ ARM, 0xd44, "Cortex-X1" },
	{ ARM, 0xd46, "Cortex-A510" },
	{ ARM, 0xd47, "Cortex-A710" },
	{ ARM, 0xd48, "Cortex-X2" },
	{ ARM, 0xd49, "Neoverse N2" },
	{ ARM, 0xd4a, "Neoverse E1" },
	{ ARM, 0xd4d, "Cortex-A715" },
	{ ARM, 0xd4e, "Cortex-X3" },
	{ ARM, 0xd4f, "Neoverse V2" },
	{ ARM, 0xd80, "Cortex-A520" },
	{ ARM, 0xd81, "Cortex-A720" },
	{ ARM, 0xd82, "Cortex-X4" },
	{ ARM, 0xd83, "Neoverse V3AE" },
	{ ARM, 0xd84, "Neoverse V3" },
	{ ARM, 0xd85, "Cortex-X925" },
	{ ARM, 0xd87, "Cortex-A725" },
	{ ARM, 0xd8e, "Neoverse N3" },
	{ 0x46, 0x001, "A64FX" },
	{ 0x48, 0xd01, "Kunpeng 920" },
	{ 0x6d, 0xd49, "Azure Cobalt 100" },
	{ 0xc0, 0xac3, "AmpereOne" },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int armv8_midr_read(unsigned int cpu, uint64_t *midr)
{
	char name[sizeof(FILE_NAME) + 16];
	FILE *file;
	int err = 0;

	snprintf(name, sizeof(name), FILE_NAME, cpu);
	file = fopen(name, "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%" SCNx64, midr) != 1)
		err = -EIO;
	fclose(file);
	return err;
}

void armv8_cpu_decode(uint64_t midr, struct armv8_cpu *cpu)
{
	cpu->midr = midr;
	cpu->implementer = midr >> 24 & 0xff;
	cpu->variant = midr >> 20 & 0xf;
	cpu->part = midr >> 4 & 0xfff;
	cpu->revision = midr & 0xf;
}

const char *armv8_cpu_name(const struct armv8_cpu *cpu)
{
	size_t i;

	for (i = 0; i < COUNT(cores); i++)
		if (cores[i].implementer == cpu->implementer &&
		    cores[i].part == cpu->part)
			return cores[i].name;
	return NULL;
}

const char *armv8_implementer_name(const struct armv8_cpu *cpu)
{
	size_t i;

	for (i = 0; i < COUNT(implementers); i++)
		if (implementers[i].implementer == cpu->implementer)
			return implementers[i].name;
	return NULL;
}
