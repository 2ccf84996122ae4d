// SPDX-License-Identifier: GPL-2.0-only
/*
 * The samples of a file go the same way as those that were just taken, in the same order.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "data/replay.h"

static void set_options(struct options *options, const struct data_info *info,
			const struct replay_request *request)
{
	options->command = info->command;
	options->argv = info->argv;
	options->follow = info->follow;
	options->scope.scope = info->scope;
	options->smpl.parts = info->parts;
	options->smpl.frequency = info->frequency;
	options->smpl.resolve = true;
	options->smpl.demangle = !request->mangled;
	options->smpl.sysmap_file = request->sysmap;
	options->smpl.output = request->output;
	options->smpl.module = info->stacks ? MODULE_CALLSTACK
					    : MODULE_INST_HIST;
}

static int begin(struct replay *replay, const struct replay_request *request)
{
	const struct data_info *info = replay->info;
	struct sampling *sampling = &replay->sampling;

	set_options(&replay->options, info, request);
	sampling->options = &replay->options;
	sampling->events = &info->events;
	sampling->periods = info->periods;
	sampling->program = info->command ? info->command[0] : "";
	sampling->parent = info->parent;
	sampling->past = true;
	sampling->began = info->began;
	sampling->keep = smpl_output_lists(request->output);
	if (symbols_init(&sampling->symbols, &replay->options))
		return -1;
	sampling->symbols.unfold = request->unfold;
	sampling->latency = request->latency;
	sampling->tasks.symbols = NULL;
	sampling->symbols.exact = info->exact;
	/* Nothing is asked of /proc: other processes may have the ids now. */
	sampling->symbols.reported = !info->exact;
	if (profile_init(&sampling->profile, sampling->periods.count)) {
		say_error("out of memory for the profile");
		return -1;
	}
	return sampling->keep ? spool_open(&sampling->spool) : 0;
}

/* With a build id another file of the same build does as well, as on another machine. */
static void take_map(struct replay *replay)
{
	struct symbols *symbols = &replay->sampling.symbols;
	struct data_record *record = &replay->record;

	record->change.image =
		images_number_of_build(&symbols->images, record->path,
				       record->id_size ? 0 : record->inode,
				       record->id, record->id_size);
	maps_add(&symbols->maps, record->pid, &record->change);
}

/*
 * While n threads run, each has one n-th of the wall clock.  Samples of a number that is not known
 * count as if nothing else ran.
 */
static void weigh(struct replay *replay, struct sample *sample)
{
	if (!sample->running) {
		replay->unweighed += sample->count;
		return;
	}
	replay->weighed = true;
	sample->weight = (sample->weight + sample->running / 2) / sample->running;
}

static int take_sample(struct replay *replay)
{
	const struct replay_request *request = replay->request;
	struct sample *sample = &replay->record.sample;

	if (replay->sampling.latency)
		weigh(replay, sample);
	replay->kernel |= sample->nkernel || symbols_is_kernel(sample->ip);
	if (sampling_add(&replay->sampling, sample))
		return -1;
	return request->each ? request->each(request->arg, &replay->sampling,
					     sample)
			     : 0;
}

static int take(struct replay *replay)
{
	struct sampling *sampling = &replay->sampling;
	struct data_record *record = &replay->record;

	switch (record->kind) {
	case DATA_SAMPLE:
		return take_sample(replay);
	case DATA_MAP:
		take_map(replay);
		break;
	case DATA_EXEC:
		maps_add(&sampling->symbols.maps, record->pid, &record->change);
		break;
	case DATA_FORK:
		maps_copy(&sampling->symbols.maps, record->parent, record->pid,
			  record->change.time);
		break;
	case DATA_TASK:
		task_history_add_phase(&sampling->tasks, record->tid,
				       &record->phase);
	}
	return 0;
}

/* Samples that the session has lost, and those that were lost while they were written. */
static void take_totals(struct replay *replay)
{
	const struct data_totals *totals =
		replay->is_perf ? &replay->perf.totals : &replay->reader.totals;
	struct losses *losses = &replay->sampling.losses;
	uint64_t taken = losses->taken, stackless = losses->stackless;

	*losses = totals->losses;
	losses->taken = taken;
	losses->stackless = stackless;
	/* Samples stand for several if the kernel has added them up. */
	if (totals->losses.taken > taken)
		losses->lost += totals->losses.taken - taken;
}

/*
 * The functions of the kernel: those in the file, or if the recording was cut before it wrote them,
 * those of the running kernel, if the file is of its boot.
 */
static int take_kernel(struct replay *replay)
{
	struct data_reader *reader = &replay->reader;
	const struct data_info *info = replay->info;
	struct symbols *symbols = &replay->sampling.symbols;
	char *text = reader->kernel;

	if (symbols->sysmap_file)
		return 0;
	if (text) {
		reader->kernel = NULL;
		symbols->kernel_read = true;
		return kallsyms_take(&symbols->kernel, text);
	}
	if (data_info_is_here(info))
		return 0;
	symbols->kernel_read = true;
	if (replay->kernel)
		say_note(
			"functions of the kernel have no names: '%s' does not have them, and is of another boot or machine (%s, Linux %s); --sysmap-file=FILE has them if the kernel is not moved (nokaslr)",
			replay->name, info->host, info->kernel);
	return 0;
}

static int next(struct replay *replay)
{
	return replay->is_perf
		       ? perf_reader_next(&replay->perf, &replay->record)
		       : data_reader_next(&replay->reader, &replay->record);
}

static int tell_unweighed(const struct replay *replay)
{
	if (!replay->unweighed)
		return 0;
	if (!replay->weighed) {
		say_error(
			"'%s' does not say how many threads ran at each sample, which --latency needs; 'pfmon record --latency' notes it",
			replay->name);
		return -1;
	}
	say_warning("of %" PRIu64
		    " samples it is not known how many threads ran; they count as if one did",
		    replay->unweighed);
	return 0;
}

static int read_all(struct replay *replay)
{
	int ret;

	while ((ret = next(replay)) > 0)
		if (take(replay))
			return -1;
	if (ret || tell_unweighed(replay))
		return -1;
	take_totals(replay);
	if (take_kernel(replay))
		return -1;
	sampling_settle(&replay->sampling);
	return 0;
}

bool replay_knows(FILE *in)
{
	return data_reader_knows(in) || perf_file_knows(in);
}

static int open_file(struct replay *replay, const char *name, FILE *in,
		     bool force)
{
	replay->name = name;
	replay->is_perf = perf_file_knows(in);
	replay->info = replay->is_perf ? &replay->perf.info
				       : &replay->reader.info;
	return replay->is_perf
		       ? perf_reader_open(&replay->perf, name, in, force)
		       : data_reader_open(&replay->reader, name, in, force);
}

struct replay *replay_read(const char *name, FILE *in,
			   const struct replay_request *request)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay) {
		say_error("out of memory for reading '%s'", name);
		if (in != stdin)
			fclose(in);
		return NULL;
	}
	replay->request = request;
	if (!open_file(replay, name, in, request->force) &&
	    !begin(replay, request) && !read_all(replay))
		return replay;
	replay_free(replay);
	return NULL;
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	/* The periods are of the file's description. */
	memset(&replay->sampling.periods, 0, sizeof(replay->sampling.periods));
	sampling_free(&replay->sampling);
	perf_reader_close(&replay->perf);
	data_reader_close(&replay->reader);
	free(replay);
}
