// SPDX-License-Identifier: GPL-2.0-only
/*
 * rawdump FILE: prints what a file of pfmon --smpl-module=raw holds, as <pfmon/raw.h>
 * describes it: the header, a line for each register, a line for each sample.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <linux/perfmon_default.h>

#include "raw.h"

#define MAX_REGISTERS 64

static int bad(const char *why)
{
	fprintf(stderr, "rawdump: %s\n", why);
	return 1;
}

static int read_samples(FILE *file, const struct raw_header *header)
{
	struct pfm_default_entry entry;
	uint64_t values[MAX_REGISTERS];
	uint32_t i;

	while (fread(&entry, sizeof(entry), 1, file)) {
		if (fread(values, sizeof(*values), header->values, file) !=
		    header->values)
			return bad("a sample is cut");
		printf("sample pid %u tid %u cpu %u set %u pmd %u period %" PRIu64
		       " time %" PRIu64 " ip %#" PRIx64,
		       entry.pid, entry.tid, entry.cpu, entry.set,
		       entry.ovfl_pmd, (uint64_t)-entry.last_reset_val,
		       (uint64_t)entry.tstamp, (uint64_t)entry.ip);
		for (i = 0; i < header->values; i++)
			printf(" %" PRIu64, values[i]);
		putchar('\n');
	}
	return feof(file) ? 0 : bad("cannot read the file");
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	struct raw_register reg;
	struct raw_header header;
	uint32_t i;

	if (!file || !fread(&header, sizeof(header), 1, file))
		return bad("cannot read the file");
	if (memcmp(header.magic, RAW_MAGIC, sizeof(header.magic)) ||
	    header.version != RAW_VERSION || header.size != sizeof(header))
		return bad("not a file of this version");
	if (header.values > MAX_REGISTERS)
		return bad("too many registers");
	printf("header lost %" PRIu64 " skipped %" PRIu64 " refused %" PRIu64
	       " throttled %" PRIu64 " due %" PRIu64 "\n",
	       header.lost, header.skipped, header.refused, header.throttled,
	       header.due);
	for (i = 0; i < header.sampling + header.values; i++) {
		if (!fread(&reg, sizeof(reg), 1, file))
			return bad("a register is missing");
		printf("register %u %s %.*s\n", reg.pmd,
		       reg.flags & RAW_SAMPLES ? "samples" : "value",
		       (int)sizeof(reg.name), reg.name);
	}
	return read_samples(file, &header);
}
