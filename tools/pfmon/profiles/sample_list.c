// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists single samples: the modules compact and detailed, and the text of "perf
 * script" for programs that read that.
 */
#include <inttypes.h>
#include <string.h>

#include "events/event_list.h"
#include "options/branch_filter.h"
#include "options/options.h"
#include "profiles/profile_forms.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"

typedef void (*print_fn)(FILE *out, struct sampling *sampling,
			 const struct spooled *spooled, const uint32_t *places,
			 uint64_t number);

static void get_group(const struct spooled *spooled, struct group *group)
{
	group->pid = spooled->sample.pid;
	group->tid = spooled->sample.tid;
	group->phase = spooled->phase;
}

static int print_each(FILE *out, struct sampling *sampling, print_fn print)
{
	struct spooled spooled;
	const uint32_t *places;
	uint64_t number = 0;
	struct group group;
	size_t i;

	spool_sort(&sampling->spool);
	for (i = 0; i < sampling->spool.count; i++) {
		if (spool_read(&sampling->spool, i, &spooled, &places))
			return -1;
		get_group(&spooled, &group);
		if (sampling_selects(sampling, &group))
			print(out, sampling, &spooled, places, number++);
	}
	return 0;
}

/*
 * Prints the values of the events in their order, then those of
 * --extra-smpl-pmds.
 */
static void print_values(FILE *out, const struct sampling *sampling,
			 const struct sample *sample)
{
	const struct periods *periods = &sampling->periods;
	size_t event, i;

	for (event = 0; event < sampling->events->count; event++) {
		if (periods_event(periods,
				  sampling->events->list[event].pmd) >= 0)
			continue;
		for (i = 0; i < periods->num_carried && i < sample->nvals; i++)
			if (periods->carried[i] ==
			    sampling->events->list[event].pmd)
				fprintf(out, " 0x%" PRIx64, sample->vals[i]);
	}
	for (i = 0; i < periods->num_carried && i < sample->nvals; i++)
		if (periods->carried_event[i] < 0)
			fprintf(out, " 0x%" PRIx64, sample->vals[i]);
}

static void print_symbol(FILE *out, struct sampling *sampling, uint32_t place)
{
	if (!sampling->symbols.on)
		return;
	fputc(' ', out);
	symbols_print(out, symbols_get(&sampling->symbols, place));
}

static void print_one_compact(FILE *out, struct sampling *sampling,
			      const struct spooled *spooled,
			      const uint32_t *places, uint64_t number)
{
	const struct sample *sample = &spooled->sample;

	fprintf(out, "%" PRIu64 " %u %u %u 0x%" PRIx64 " %u %" PRIu64 " %u 0x%" PRIx64,
		number, sample->pid, sample->tid, sample->cpu, sample->tstamp,
		sample->pmd, sample->weight, sample->set, sample->ip);
	print_values(out, sampling, sample);
	print_symbol(out, sampling, places[0]);
	fputc('\n', out);
}

static void print_columns(FILE *out, const struct sampling *sampling)
{
	static const char *const titles[] = {
		"sample number", "process id", "thread id", "CPU",
		"time (ns, monotonic)", "overflowed PMD", "period", "event set",
		"code address",
	};
	const struct periods *periods = &sampling->periods;
	unsigned int column = 0;
	size_t k;

	for (; column < sizeof(titles) / sizeof(titles[0]); column++)
		fprintf(out, "# column %u: %s\n", column, titles[column]);
	for (k = 0; k < sampling->events->count; k++)
		if (!sampling->events->list[k].absent &&
		    periods_event(periods, sampling->events->list[k].pmd) < 0)
			fprintf(out, "# column %u: %s (PMD%u)\n", column++,
				sampling->events->list[k].label,
				sampling->events->list[k].pmd);
	for (k = 0; k < periods->num_carried; k++)
		if (periods->carried_event[k] < 0)
			fprintf(out, "# column %u: PMD%u\n", column++,
				periods->carried[k]);
	if (sampling->symbols.on)
		fprintf(out, "# column %u: symbol\n", column);
}

int print_compact(FILE *out, struct sampling *sampling)
{
	if (sampling->options->with_header)
		print_columns(out, sampling);
	print_loss_comments(out, sampling, sampling->options->with_header);
	return print_each(out, sampling, print_one_compact);
}

/* Programs read these lines, so they have no names: the header tells which event a PMD counts. */
static void print_registers(FILE *out, const struct sampling *sampling,
			    const struct sample *sample)
{
	const struct periods *periods = &sampling->periods;
	size_t i;

	for (i = 0; i < periods->num_carried && i < sample->nvals; i++)
		fprintf(out, "\tPMD%-3u:0x%016" PRIx64 "\n",
			periods->carried[i], sample->vals[i]);
}

/* A line for each branch, the last one first. */
static void print_branches(FILE *out, const struct sample *sample)
{
	uint16_t i;

	for (i = 0; i < sample->nbranches; i++) {
		const struct pfm_branch *branch = &sample->branches[i];
		const char *kind = branch_kind_word(branch->info);

		fprintf(out, "\tBRANCH 0x%" PRIx64 " 0x%" PRIx64,
			(uint64_t)branch->from, (uint64_t)branch->to);
		if (*kind)
			fprintf(out, " %s", kind);
		if (branch->info & PFM_BRANCH_INFO_MISPREDICTED)
			fputs(" mispredicted", out);
		if (branch->info & PFM_BRANCH_INFO_TX)
			fputs(" transaction", out);
		if (branch->info & PFM_BRANCH_INFO_ABORT)
			fputs(" abort", out);
		if (branch->info & PFM_BRANCH_INFO_TIMED)
			fprintf(out, " cycles:%u",
				(unsigned int)(branch->info &
					       PFM_BRANCH_INFO_CYCLES));
		fputc('\n', out);
	}
}

static void print_one_detailed(FILE *out, struct sampling *sampling,
			       const struct spooled *spooled,
			       const uint32_t *places, uint64_t number)
{
	const struct sample *sample = &spooled->sample;

	fprintf(out, "entry %" PRIu64 " PID:%u TID:%u CPU:%u STAMP:0x%" PRIx64 " OVFL:%u LAST_VAL:%" PRIu64 " SET:%u IIP:0x%" PRIx64,
		number, sample->pid, sample->tid, sample->cpu, sample->tstamp,
		sample->pmd, sample->weight, sample->set, sample->ip);
	print_symbol(out, sampling, places[0]);
	fputc('\n', out);
	print_registers(out, sampling, sample);
	print_branches(out, sample);
}

int print_detailed(FILE *out, struct sampling *sampling)
{
	print_loss_comments(out, sampling, sampling->options->with_header);
	return print_each(out, sampling, print_one_detailed);
}

/* In this form a period is there only where random numbers make each one different. */
static void print_one_detailed_old(FILE *out, struct sampling *sampling,
				   const struct spooled *spooled,
				   const uint32_t *places, uint64_t number)
{
	const struct sample *sample = &spooled->sample;

	fprintf(out, "entry %" PRIu64 " PID:%u CPU:%u STAMP:0x%" PRIx64 " IIP:0x%" PRIx64,
		number, sample->pid, sample->cpu, sample->tstamp, sample->ip);
	print_symbol(out, sampling, places[0]);
	fputc('\n', out);
	if (sampling->periods.list[sample->index].mask)
		fprintf(out, "   last reset : %" PRIu64 "\n", sample->weight);
	print_registers(out, sampling, sample);
}

int print_detailed_old(FILE *out, struct sampling *sampling)
{
	print_loss_comments(out, sampling, sampling->options->with_header);
	return print_each(out, sampling, print_one_detailed_old);
}

/* A caller's @address is where the call returns to, @symbol is that of the call. */
static void print_frame(FILE *out, const struct symbol *symbol,
			uint64_t address, bool caller)
{
	const char *module = symbol->module ? symbol->module : "[unknown]";
	const char *mark = symbol->unsure ? "?" : "";

	fprintf(out, "\t%16" PRIx64 " ", address);
	if (symbol->inlined) {
		fprintf(out, "%s%s" SYMBOLS_INLINED "\n", symbol->name, mark);
		return;
	}
	if (symbol->name)
		fprintf(out, "%s%s+0x%" PRIx64, symbol->name, mark,
			symbol->offset + caller);
	else
		fprintf(out, "[unknown]%s", mark);
	if (symbol->image == IMAGE_KERNEL && module[0] != '[')
		module = "[kernel.kallsyms]";
	fprintf(out, " (%s)\n", module);
}

static void print_one_script(FILE *out, struct sampling *sampling,
			     const struct spooled *spooled,
			     const uint32_t *places, uint64_t number)
{
	const struct sample *sample = &spooled->sample;
	const struct period *period =
		&sampling->periods.list[sample->index];
	const struct symbols_stack *stack;
	const struct symbol *symbol;
	struct group_name name;
	bool caller = false;
	uint32_t i;
	struct group group;

	(void)number;
	get_group(spooled, &group);
	sampling_name(sampling, &group, &name);
	fprintf(out, "%s %u/%u ", name.program, sample->pid, sample->tid);
	if (sample->cpu != SAMPLE_CPU_NONE)
		fprintf(out, "[%03u] ", sample->cpu);
	fprintf(out, "%" PRIu64 ".%09" PRIu64 ": %" PRIu64 " %s: \n",
		sample->tstamp / 1000000000, sample->tstamp % 1000000000,
		sample->weight, sampling->events->list[period->event].label);
	stack = symbols_settle(&sampling->symbols, places,
			       sample->frames ? sample->frames : &sample->ip,
			       spooled->num_places);
	for (i = 0; stack && i < stack->count; i++) {
		symbol = symbols_get(&sampling->symbols, stack->places[i]);
		print_frame(out, symbol, stack->addresses[i], caller);
		caller |= !symbol->inlined;
	}
	fputc('\n', out);
}

int print_perf_script(FILE *out, struct sampling *sampling)
{
	print_loss_comments(out, sampling, false);
	return print_each(out, sampling, print_one_script);
}
