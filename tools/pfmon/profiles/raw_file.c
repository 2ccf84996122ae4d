// SPDX-License-Identifier: GPL-2.0-only
/*
 * Raw samples in the byte order of the machine: a file header that describes the
 * registers, then the entries of the default format as they were in the buffer,
 * sorted by time.
 */
#include <string.h>

#include "events/event_list.h"
#include "profiles/profile_forms.h"
#include "profiles/losses.h"
#include "profiles/raw.h"
#include "sampling/sampling.h"

static void write_register(FILE *out, uint16_t pmd, uint16_t flags,
			   const char *name)
{
	struct raw_register reg = { .pmd = pmd, .flags = flags };

	strncpy(reg.name, name, sizeof(reg.name) - 1);
	fwrite(&reg, sizeof(reg), 1, out);
}

static void write_header(FILE *out, const struct sampling *sampling)
{
	const struct periods *periods = &sampling->periods;
	const struct losses *losses = &sampling->losses;
	const struct events *events = sampling->events;
	struct raw_header header = {
		.magic = RAW_MAGIC,
		.version = RAW_VERSION,
		.size = sizeof(header),
		.sampling = periods->count,
		.values = periods->num_carried,
		.lost = losses->lost,
		.skipped = losses->skipped,
		.refused = losses->errors,
		.throttled = losses->throttled,
		.throttled_ns = losses->throttled_ns,
		.masked_ns = losses->masked_ns,
		.running_ns = losses->running_ns,
	};
	struct due due;
	size_t i;

	print_due(sampling, &due);
	if (*due.mark != 'a')
		header.due = due.all;
	fwrite(&header, sizeof(header), 1, out);
	for (i = 0; i < periods->count; i++)
		write_register(out, periods->list[i].pmd, RAW_SAMPLES,
			       events->list[periods->list[i].event].name);
	for (i = 0; i < periods->num_carried; i++)
		write_register(
			out, periods->carried[i], 0,
			periods->carried_event[i] < 0
				? ""
				: events->list[periods->carried_event[i]].name);
}

int print_raw(FILE *out, struct sampling *sampling)
{
	struct spooled spooled;
	const uint32_t *places;
	size_t i;

	write_header(out, sampling);
	spool_sort(&sampling->spool);
	for (i = 0; i < sampling->spool.count; i++) {
		const struct sample *sample = &spooled.sample;
		struct pfm_default_entry entry = { 0 };

		if (spool_read(&sampling->spool, i, &spooled, &places))
			return -1;
		entry.tid = sample->tid;
		entry.ovfl_pmd = sample->pmd;
		entry.last_reset_val = -sample->weight;
		entry.ip = sample->ip;
		entry.tstamp = sample->tstamp;
		entry.cpu = sample->cpu;
		entry.set = sample->set;
		entry.pid = sample->pid;
		entry.nr_branches = sample->nbranches;
		fwrite(&entry, sizeof(entry), 1, out);
		fwrite(sample->vals, sizeof(uint64_t), sample->nvals, out);
		fwrite(sample->branches, sizeof(struct pfm_branch),
		       sample->nbranches, out);
	}
	return 0;
}
