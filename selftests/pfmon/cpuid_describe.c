// SPDX-License-Identifier: GPL-2.0-only
/*
 * Describes the CPUs of a dump of CPUID as pfmon --info describes those of the
 * machine: with pfmon's own decoders and texts.  The dump is in the form of the
 * program cpuid with the option -r; lines that begin with # are comments.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/cpuid.h"
#include "processor/description.h"
#include "processor/processor.h"

/**
 * struct dump - a dump that is being read
 * @all: the descriptions of the CPUs so far
 * @cpuid: leaves of the CPU that is being read
 * @cpu: its number; -1 none yet
 */
struct dump {
	struct descriptions all;
	struct cpuid cpuid;
	int cpu;
};

static int end_cpu(struct dump *dump)
{
	char *text = NULL;
	size_t size;
	FILE *out;
	int err;

	if (dump->cpu < 0)
		return 0;
	out = open_memstream(&text, &size);
	if (!out)
		return -1;
	x86_text_write(out, &dump->cpuid);
	fclose(out);
	err = descriptions_add(&dump->all, dump->cpu, text);
	free(text);
	dump->cpuid.count = 0;
	return err;
}

static int read_line(struct dump *dump, const char *line)
{
	struct cpuid_leaf leaf;
	int cpu, end = -1;

	if (line[0] == '#')
		return 0;
	if (sscanf(line, "CPU %d:%n", &cpu, &end) == 1 && end > 0) {
		if (end_cpu(dump))
			return -1;
		dump->cpu = cpu;
		return 0;
	}
	if (dump->cpu < 0 || dump->cpuid.count == CPUID_LEAVES_MAX ||
	    sscanf(line,
		   " 0x%" SCNx32 " 0x%" SCNx32 ": eax=0x%" SCNx32
		   " ebx=0x%" SCNx32 " ecx=0x%" SCNx32 " edx=0x%" SCNx32,
		   &leaf.leaf, &leaf.subleaf, &leaf.eax, &leaf.ebx, &leaf.ecx,
		   &leaf.edx) != 6)
		return -1;
	cpuid_add(&dump->cpuid, &leaf);
	return 0;
}

int main(int argc, char **argv)
{
	struct dump dump = { .cpu = -1 };
	unsigned int number = 0;
	char line[256];
	FILE *file;

	file = argc == 2 ? fopen(argv[1], "re") : NULL;
	if (!file) {
		fprintf(stderr, "usage: cpuid_describe DUMP\n");
		return 2;
	}
	while (fgets(line, sizeof(line), file)) {
		number++;
		if (read_line(&dump, line)) {
			fprintf(stderr, "%s:%u: not a line of a dump: %s",
				argv[1], number, line);
			return 1;
		}
	}
	fclose(file);
	if (end_cpu(&dump))
		return 1;
	descriptions_print(&dump.all, stdout);
	descriptions_free(&dump.all);
	return 0;
}
