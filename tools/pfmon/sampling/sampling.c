// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes samples, and works out what is missing.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/process.h"
#include "events/event_list.h"
#include "options/options.h"
#include "sampling/sampling.h"

static bool writes_each(const struct smpl_options *smpl)
{
	if (smpl->record)
		return false;
	if (smpl->output != SMPL_OUTPUT_TEXT)
		return smpl_output_lists(smpl->output);
	return smpl->module == MODULE_DETAILED ||
	       smpl->module == MODULE_DETAILED_OLD ||
	       smpl->module == MODULE_COMPACT || smpl->module == MODULE_RAW;
}

static void take_wait(void *arg, const struct sample *wait);

int sampling_init(struct sampling *sampling, const struct options *options,
		  const struct events *events, const struct pfm_reg_map *map)
{
	const struct smpl_options *smpl = &options->smpl;

	sampling->options = options;
	sampling->events = events;
	sampling->program = options->command ? options->command[0] : "";
	sampling->parent = getpid();
	sampling->keep = writes_each(smpl);
	sampling->tasks.symbols = &sampling->symbols;
	if (periods_read(&sampling->periods, smpl, events, map) ||
	    (smpl->branches &&
	     periods_add_branches(&sampling->periods, smpl->branches,
				  options->plm, map)) ||
	    symbols_init(&sampling->symbols, options))
		return -1;
	if (profile_init(&sampling->profile, sampling->periods.count)) {
		say_error("out of memory for the profile");
		return -1;
	}
	if (sampling->keep && spool_open(&sampling->spool))
		return -1;
	if (smpl->outfile &&
	    outfile_open(&sampling->output, smpl->outfile, options->append))
		return -1;
	ibs_recording_init(&sampling->recording, options->argv);
	if (lanes_choose(&sampling->lanes, options, &sampling->periods))
		return -1;
	sampling->entries.described = &sampling->lanes.described;
	task_names_init(&sampling->names, &sampling->tasks, &sampling->symbols);
	if (smpl->off_cpu) {
		sampling->perf.waits.first = sampling->periods.count;
		sampling->perf.waits.take = take_wait;
		sampling->perf.waits.arg = sampling;
		waits_init(&sampling->perf.waits);
	}
	return 0;
}

int sampling_attach(struct sampling *sampling, int fd)
{
	return periods_program(&sampling->periods, sampling->events, fd) ||
	       lanes_map(&sampling->lanes, fd) ? -1 : 0;
}

/* True if the second frame of either stack, which is number @i of all, is the link register. */
static bool is_lr(const struct sample *sample, uint32_t i)
{
	return (sample->flags & PFM_CALLSTACK_LR_KERNEL && i == 1) ||
	       (sample->flags & PFM_CALLSTACK_LR_USER &&
		i == sample->nkernel + 1U);
}

/*
 * Finds the places of a sample: its stack, innermost first.  All addresses but
 * the first are return addresses.  So is the first of the user stack, if kernel
 * frames precede it.
 */
static uint32_t find_places(struct sampling *sampling,
			    const struct sample *sample)
{
	struct symbols *symbols = &sampling->symbols;
	uint32_t count = 0, i, all = sample->nkernel + sample->nuser;

	for (i = 0; i < all && i < 2 * PFM_CALLSTACK_DEPTH_MAX; i++)
		sampling->places[count++] =
			symbols_place(symbols, sample->pid, sample->tstamp,
				      sample->frames[i], i > 0) |
			(is_lr(sample, i) ? SYMBOLS_LR : 0);
	if (!count)
		sampling->places[count++] =
			symbols_place(symbols, sample->pid, sample->tstamp,
				      sample->ip, false);
	return count;
}

int sampling_begin_recording(struct sampling *sampling)
{
	if (sampling->recording.begun)
		return 0;
	if (outfile_start(&sampling->output))
		return -1;
	ibs_recording_begin(&sampling->recording, sampling->output.file);
	return 0;
}

static void note_phase(void *arg, uint32_t tid, const struct phase *phase)
{
	const struct ibs_note note = {
		.pid = phase->pid,
		.tid = tid,
		.time = phase->end,
	};

	ibs_recording_note_task(arg, &note, phase->comm, phase->path);
}

int sampling_end_recording(struct sampling *sampling)
{
	FILE *out;

	if (sampling_begin_recording(sampling))
		return -1;
	out = sampling->output.file;
	ibs_recording_note_maps(out, &sampling->symbols);
	task_history_each(&sampling->tasks, note_phase, out);
	/* Without records of tasks there is one program, which the command line names. */
	if (!sampling->options->follow && sampling->recording.pid)
		note_phase(out, sampling->recording.pid,
			   &(struct phase){
				   .pid = sampling->recording.pid,
				   .end = UINT64_MAX,
				   .path = (char *)sampling->program,
			   });
	return 0;
}

/*
 * Writes an entry as it came.  An error stays with the stream, which tells it when it is
 * closed.
 */
static int record_entry(struct sampling *sampling, const struct sample *sample,
			uint32_t phase)
{
	const struct group group = {
		.pid = sample->pid,
		.tid = sample->tid,
		.phase = phase,
	};

	if (!sampling_selects(sampling, &group))
		return 0;
	symbols_see(&sampling->symbols, sample->pid);
	if (sampling->options->scope.scope != SCOPE_SYSTEM)
		sampling->recording.pid = sample->pid;
	if (sampling_begin_recording(sampling))
		return -1;
	fwrite(sample->entry, sample->size, 1, sampling->output.file);
	return 0;
}

/* True if all entries are of one process, also those that do not say which. */
static bool is_one_process(const struct sampling *sampling)
{
	return sampling->options->scope.scope != SCOPE_SYSTEM &&
	       !(sampling->options->follow & PFM_CTX_FOLLOW_FORK);
}

/* Finds the places of the addresses of code in an entry.  Returns how many there are. */
static uint32_t find_entry_places(struct sampling *sampling,
				  const struct sample *sample)
{
	const struct pfm_format *format = sampling->lanes.described.format;
	const struct pfm_format_record *record = sample->record;
	const struct pfm_format_field *field;
	uint32_t count = 0, element;
	bool caller = false;
	unsigned int i;

	for (i = 0; (field = pfm_format_field(format, record->type, i)); i++)
		if (field->kind == PFM_FORMAT_CODE && count < NUM_PLACES)
			sampling->places[count++] = symbols_place(
				&sampling->symbols, sample->pid, sample->tstamp,
				pfm_format_value(field, record->at), false);
	for (i = 0; (field = pfm_format_tail(format, record->type, i)); i++) {
		if (field->kind != PFM_FORMAT_STACK)
			continue;
		/* Behind the innermost frame there are return addresses. */
		for (element = 0;
		     element < record->elements[i] && count < NUM_PLACES;
		     element++, caller = true)
			sampling->places[count++] = symbols_place(
				&sampling->symbols, sample->pid, sample->tstamp,
				pfm_format_value(
					field, (const char *)record->tails[i] +
						       element * field->size),
				caller);
	}
	return count;
}

static int store_entry(struct sampling *sampling, struct sample *sample,
		       uint32_t phase)
{
	const struct described *described = &sampling->lanes.described;
	const struct pfm_format_record *record = sample->record;
	struct stored_entry head = {
		.time = sample->tstamp,
		.count = sample->count,
		.type = record->type,
		.size = record->size,
		.phase = phase,
	};

	if (described_has(described, record->type, PFM_FORMAT_PID))
		sampling->process = sample->pid;
	else if (is_one_process(sampling))
		sample->pid = sampling->process;
	if (sampling->symbols.on)
		head.num_places = find_entry_places(sampling, sample);
	memcpy(head.elements, record->elements, sizeof(head.elements));
	return entry_store_add(&sampling->entries, &head, record->at,
			       sampling->places);
}

int sampling_add(struct sampling *sampling, struct sample *sample)
{
	struct tally tally = { sample->count, sample->weight };
	struct spooled spooled;
	uint32_t phase, group;

	phase = task_history_number(&sampling->tasks, sample->tid,
				    sample->tstamp);
	sample->number = sampling->losses.taken;
	sampling->losses.taken += sample->count;
	if (sampling->options->smpl.module == MODULE_IBS)
		return record_entry(sampling, sample, phase);
	if (sampling->options->smpl.module == MODULE_FORMAT)
		return store_entry(sampling, sample, phase);
	spooled.num_places = find_places(sampling, sample);
	if (sample->flags & PFM_CALLSTACK_OTHER)
		sampling->losses.stackless += sample->count;
	if (sampling->keep) {
		spooled.sample = *sample;
		spooled.phase = phase;
		return spool_add(&sampling->spool, &spooled, sampling->places);
	}
	group = profile_group(&sampling->profile, sample->pid, sample->tid,
			      phase);
	profile_add(&sampling->profile, group, sampling->places,
		    spooled.num_places, sample->ip, sample->index, &tally);
	return 0;
}

/* The mappings must be known before the process has ended. */
static int pass_sample(struct sampling *sampling, const struct sample *sample)
{
	uint32_t i, all = sample->nkernel + sample->nuser;

	sampling->losses.taken += sample->count;
	if (sample->flags & PFM_CALLSTACK_OTHER)
		sampling->losses.stackless += sample->count;
	symbols_see_address(&sampling->symbols, sample->pid, sample->tstamp,
			    sample->ip);
	for (i = 0; i < all; i++)
		symbols_see_address(&sampling->symbols, sample->pid,
				    sample->tstamp, sample->frames[i]);
	return sampling->sink->sample(sampling->sink->arg, sample);
}

/* A time off the CPU.  An error of the file is told at its end. */
static void take_wait(void *arg, const struct sample *wait)
{
	struct sampling *sampling = arg;
	struct sample sample = *wait;

	if (sampling->options->smpl.module != MODULE_CALLSTACK) {
		sample.frames = NULL;
		sample.nkernel = 0;
		sample.nuser = 0;
	}
	if (sampling->sink)
		pass_sample(sampling, &sample);
}

/* Entries of IBS are written without names, and others may not say whose they are. */
static bool needs_name(const struct sampling *sampling,
		       const struct sample *sample)
{
	if (sampling->options->scope.scope != SCOPE_SYSTEM ||
	    sampling->options->smpl.module == MODULE_IBS)
		return false;
	return !sample->record ||
	       described_has(&sampling->lanes.described, sample->record->type,
			     PFM_FORMAT_TID);
}

static int take_sample(struct sampling *sampling, struct sample *sample)
{
	if (needs_name(sampling, sample))
		task_names_see(&sampling->names, sample);
	if (sample->tstamp > sampling->perf.until)
		sampling->perf.until = sample->tstamp;
	sample->running = perf_maps_running(&sampling->perf, sample->tstamp);
	return sampling->sink ? pass_sample(sampling, sample) :
				sampling_add(sampling, sample);
}

/*
 * True if nothing was counted since the last sample that was read from a lane.
 */
static bool left_gap(const struct sampling *sampling, unsigned int lane)
{
	return !sampling->options->follow && !sampling->options->smpl.block &&
	       lanes_masks(&sampling->lanes, lane);
}

int sampling_read_maps(struct sampling *sampling, int fd)
{
	perf_maps_read(&sampling->perf);
	return symbols_read_maps(&sampling->symbols, fd);
}

int sampling_take(struct sampling *sampling, bool last)
{
	struct lanes *lanes = &sampling->lanes;
	struct sample sample;
	unsigned int i;
	bool gap;
	int ret;

	if (sampling->symbols.data)
		symbols_begin_round(&sampling->symbols);
	for (i = 0; i < lanes->count; i++) {
		while ((ret = lanes_next(lanes, i, &sample)) > 0)
			if (take_sample(sampling, &sample))
				return -1;
		if (ret < 0)
			return -1;
		/*
		 * Parts that have become full since lanes_find() only make the
		 * gap longer.
		 */
		gap = left_gap(sampling, i);
		/* A saturated buffer is not restarted, so the gap goes on. */
		if (!last && (sampling->options->smpl.saturate ||
			      !lanes_restart(lanes, i)))
			continue;
		if (gap)
			sampling->losses.masked_ns +=
				clock_now() - lanes->list[i].time;
	}
	if (sampling->sink)
		sampling->sink->taken(sampling->sink->arg);
	return 0;
}

static const uint32_t *settle_stack(void *symbols, const uint32_t *places,
				    uint32_t *count)
{
	const struct symbols_stack *stack =
		symbols_settle(symbols, places, NULL, *count);

	if (!stack)
		return NULL;
	*count = stack->count;
	return stack->places;
}

void sampling_settle(struct sampling *sampling)
{
	/* The symbols are read at the end, so that this does not disturb the tasks. */
	profile_change(&sampling->profile, settle_stack, &sampling->symbols);
}

void sampling_finish(struct sampling *sampling, const struct pfm_config *config,
		     uint64_t running_ns, uint64_t waiting_ns)
{
	struct losses *losses = &sampling->losses;

	losses->lost = lanes_lost(&sampling->lanes);
	/* Samples without a stack were read: they are not lost. */
	losses->lost -= losses->lost < losses->stackless ? losses->lost :
							   losses->stackless;
	losses->skipped = config->skipped;
	losses->errors = config->fmt_errors;
	losses->throttled = config->throttled;
	losses->throttled_ns = config->throttled_ns;
	losses->escapes = config->escapes;
	losses->escaped_ns = config->escaped_ns;
	losses->maps = config->maps_lost + perf_maps_lost(&sampling->perf);
	losses->fills = lanes_fills(&sampling->lanes);
	losses->running_ns = running_ns;
	losses->waiting_ns = waiting_ns;
	sampling_settle(sampling);
}

bool sampling_paused(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;

	return losses->throttled || losses->masked_ns;
}

uint64_t sampling_paused_ns(const struct sampling *sampling)
{
	return sampling->losses.throttled_ns + sampling->losses.masked_ns;
}

uint64_t sampling_missing(const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;

	return losses->lost + losses->skipped + losses->errors;
}

bool sampling_estimate(const struct sampling *sampling, uint64_t *due)
{
	const struct losses *losses = &sampling->losses;
	uint64_t known = losses->taken + sampling_missing(sampling);
	uint64_t paused = sampling_paused_ns(sampling);
	unsigned __int128 wide = known;

	/*
	 * The task may have waited for its CPU while pfmon read a full buffer.
	 * Then the pause did not cost that part of its running time.
	 */
	paused -= losses->waiting_ns < losses->masked_ns ? losses->waiting_ns :
							   losses->masked_ns;
	if (!known || paused >= losses->running_ns)
		return false;
	/* A pause was still going on at the end: its length is not known. */
	if (losses->throttled && !losses->throttled_ns)
		return false;
	wide = wide * losses->running_ns / (losses->running_ns - paused);
	*due = wide > UINT64_MAX ? UINT64_MAX : (uint64_t)wide;
	return true;
}

/* True if each sample resets the register (--reset-non-smpl-periods). */
static bool is_reset(const struct sampling *sampling, uint16_t pmd)
{
	const struct periods *periods = &sampling->periods;
	size_t i;

	for (i = 0; i < periods->count; i++)
		if (periods->attrs[i].num != pmd &&
		    periods->attrs[i].reset_pmds[pmd / 64] >> pmd % 64 & 1)
			return true;
	return false;
}

bool sampling_undercounts(const struct sampling *sampling, size_t event)
{
	const struct event *ev = &sampling->events->list[event];
	uint64_t missing = sampling_missing(sampling);

	if (ev->gauge)
		return false;
	/* The kernel's own counts of a task go on during pauses. */
	if (sampling_paused(sampling) && ev->pmd < PFM_REG_TASK_BASE)
		return true;
	if (sampling->losses.taken + missing && is_reset(sampling, ev->pmd))
		return true;
	/*
	 * If no task is followed, the count is made of the samples that were
	 * read.
	 */
	return !sampling->options->follow &&
	       periods_index(&sampling->periods, event) >= 0 &&
	       (missing || sampling->losses.inexact || events_drop_samples(ev));
}

/*
 * The value from which a register counted after its last reset.  The kernel tells
 * it.  If the kernel no longer does, it follows from the periods, unless they are
 * random or adapted.
 */
static uint64_t last_reset(const struct lane *lane, bool masks,
			   const struct period *period)
{
	struct pfm_pmd_attr attr = { .num = period->pmd };
	bool first = !lane->samples;

	if (!pfm_ctx_read_pmdattrs(lane->fd, &attr, 1, NULL) && attr.last_reset)
		return attr.last_reset;
	if (period->mask || period->frequency)
		return 0;
	/*
	 * A single lane masks its context when it is full; each restart then
	 * begins with the first period.
	 */
	if (masks)
		first = !lane->plain.done;
	return -(first ? period->first : period->between);
}

/* The lane of a context that has a single one. */
static const struct lane *find_lane(const struct lanes *lanes,
				    unsigned int context)
{
	unsigned int i;

	for (i = 0; i < lanes->count; i++)
		if (lanes->list[i].context == context)
			return &lanes->list[i];
	return NULL;
}

/*
 * Events that the samples of a lane stand for.  If entries do not tell, the number of overflows
 * does, where all of them come from one register with one period.  Returns false if nothing
 * tells.
 */
static bool find_weight(const struct sampling *sampling,
			const struct lane *lane, size_t i, uint64_t *weight)
{
	const struct period *period = &sampling->periods.list[i];
	struct pfm_config config;

	*weight = lane->weights[i];
	if (!sampling->lanes.weightless)
		return true;
	*weight = 0;
	if (sampling->periods.count != 1 || period->first != period->between ||
	    period->mask || period->frequency ||
	    pfm_ctx_get_config(lane->fd, &config))
		return false;
	*weight = config.overflows * period->between;
	return true;
}

void sampling_correct(struct sampling *sampling, unsigned int context,
		      uint64_t *values)
{
	const struct lanes *lanes = &sampling->lanes;
	const struct lane *lane = find_lane(lanes, context);
	size_t i;

	for (i = 0; lane && i < sampling->periods.count; i++) {
		const struct period *period = &sampling->periods.list[i];
		uint64_t *value = &values[period->event], reset, weight;

		/*
		 * A register that is negative has been reset; one that stopped at
		 * an overflow has not.
		 */
		if ((int64_t)*value < 0) {
			reset = last_reset(lane,
					   lanes->format == FORMAT_DEFAULT,
					   period);
			if (reset)
				*value -= reset;
			else
				*value = 0;
			sampling->losses.inexact |= !reset;
		}
		sampling->losses.inexact |=
			!find_weight(sampling, lane, i, &weight);
		*value += weight;
	}
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* A phase of a task is in the history when it is over.  Returns the program, "" if it is not known. */
static const char *running_program(const struct sampling *sampling,
				   const struct group *group, char *text,
				   size_t size)
{
	const char *path, *comm;
	struct process process;

	*text = '\0';
	if (sampling->options->scope.scope == SCOPE_SYSTEM) {
		if (task_names_find(&sampling->names, group->tid, &path, &comm))
			snprintf(text, size, "%.63s",
				 *path ? base_name(path) : comm);
	} else if (!process_read(&process, group->pid)) {
		snprintf(text, size, "%.63s", base_name(process.name));
	}
	return text;
}

void sampling_name(const struct sampling *sampling, const struct group *group,
		   struct group_name *name)
{
	const struct phase *phase = NULL;
	const char *program;
	char running[64], *at;

	name->pid = group->pid;
	name->tid = group->tid;
	name->ppid = 0;
	name->path = "";
	if (sampling->options->follow ||
	    sampling->options->scope.scope == SCOPE_SYSTEM) {
		phase = task_history_phase(&sampling->tasks, group->tid,
					   group->phase);
	} else {
		name->ppid = sampling->parent;
		name->path = sampling->program;
	}
	if (phase) {
		name->ppid = phase->ppid;
		name->path = phase->path;
	}
	program = base_name(name->path);
	if (!*program && phase)
		program = phase->comm;
	if (!*program && sampling->live)
		program = running_program(sampling, group, running,
					  sizeof(running));
	if (*program)
		snprintf(name->program, sizeof(name->program), "%s", program);
	else
		snprintf(name->program, sizeof(name->program), "pid-%u",
			 name->pid);
	/*
	 * The name becomes part of a line of output: keep control characters out.
	 */
	for (at = name->program; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
}

int sampling_swap(struct sampling *sampling, struct profile *other)
{
	const struct profile taken = sampling->profile;

	if (!other->events && profile_init(other, sampling->periods.count)) {
		say_error("out of memory for the profile");
		return -1;
	}
	sampling->profile = *other;
	*other = taken;
	return 0;
}

bool sampling_selects(const struct sampling *sampling,
		      const struct group *group)
{
	struct group_name name;

	if (!sampling->options->have_only && !sampling->options->have_except)
		return true;
	sampling_name(sampling, group, &name);
	return options_select(sampling->options, name.path,
			      strlen(name.path));
}

void sampling_free(struct sampling *sampling)
{
	outfile_abandon(&sampling->output);
	task_names_free(&sampling->names);
	spool_close(&sampling->spool);
	entry_store_close(&sampling->entries);
	profile_free(&sampling->profile);
	task_history_free(&sampling->tasks);
	symbols_free(&sampling->symbols);
	perf_maps_free(&sampling->perf);
	lanes_free(&sampling->lanes);
	periods_free(&sampling->periods);
	memset(sampling, 0, sizeof(*sampling));
}
