// SPDX-License-Identifier: GPL-2.0-only
/*
 * Begins a file of IBS samples with what this machine is, see ibs_recording.h.  The stream
 * keeps an error of writing, which is told when it is closed.
 */
#include <string.h>

#include "ibs/ibs_file.h"
#include "ibs/ibs_recording.h"
#include "processor/cpuid.h"
#include "processor/cpuid_read.h"
#include "processor/x86_cpu.h"

/* CPUID: what the processor's IBS records */
#define LEAF_IBS 0x8000001b

/* Processors before family 15h do not have the leaf; then all is left 0, not known. */
static void read_processor(struct ibs_processor *processor)
{
	const struct cpuid_leaf *leaf;
	struct cpuid cpuid;
	struct x86_cpu cpu;

	memset(processor, 0, sizeof(*processor));
	if (cpuid_read_here(&cpuid) || x86_cpu_decode(&cpuid, &cpu))
		return;
	processor->family = cpu.family;
	processor->model = cpu.model;
	processor->stepping = cpu.stepping;
	snprintf(processor->name, sizeof(processor->name), "%s", cpu.name);
	leaf = cpuid_find(&cpuid, LEAF_IBS, 0);
	if (leaf)
		processor->caps = leaf->eax;
}

void ibs_recording_init(struct ibs_recording *recording, char *const *command)
{
	recording->command = command;
	recording->time = time(NULL);
	recording->begun = false;
}

void ibs_recording_begin(struct ibs_recording *recording, FILE *out)
{
	struct ibs_origin origin = {
		.command = recording->command,
		.time = recording->time,
	};

	if (recording->begun)
		return;
	recording->begun = true;
	read_processor(&origin.processor);
	ibs_file_write_header(out, &origin);
}
