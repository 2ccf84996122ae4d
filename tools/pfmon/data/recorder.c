// SPDX-License-Identifier: GPL-2.0-only
/*
 * The samples, mappings and tasks of a session, in the order in which pfmon learns of them.
 *
 * The order matters to who reads the file: a mapping comes before the samples that need it.  One
 * block at a time is in memory.  While a slow disk holds up a write, samples collect in the kernel's
 * buffer, which loses and counts those that do not fit; nobody waits for pfmon.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/message.h"
#include "data/data_info.h"
#include "data/recorder.h"
#include "options/options.h"
#include "symbols/kallsyms.h"

/* A crash loses no more than the samples of this time. */
#define FLUSH_INTERVAL NS_PER_S

static void put_text(struct recorder *recorder, enum data_type type, char *text,
		     size_t size)
{
	if (text)
		data_writer_text(&recorder->writer, type, text, size);
	free(text);
}

static int begin(struct recorder *recorder)
{
	struct outfile *output = &recorder->sampling->output;
	size_t size;
	char *text;

	if (recorder->begun)
		return 0;
	if (outfile_start(output))
		return -1;
	recorder->begun = true;
	data_writer_begin(&recorder->writer, fileno(output->file));
	text = data_info_write(recorder->sampling, recorder->began, &size);
	put_text(recorder, DATA_INFO, text, size);
	return 0;
}

static int flush(struct recorder *recorder)
{
	if (begin(recorder))
		return -1;
	data_writer_flush(&recorder->writer);
	recorder->flushed = clock_now();
	return 0;
}

/* Returns where the next record goes; NULL after a message. */
static uint8_t *next(struct recorder *recorder)
{
	if (!data_writer_has_room(&recorder->writer) && flush(recorder))
		return NULL;
	return data_writer_next(&recorder->writer);
}

static int take_sample(void *arg, const struct sample *sample)
{
	struct recorder *recorder = arg;
	uint8_t *to = next(recorder);

	if (!to)
		return -1;
	kernel_functions_take(&recorder->kernel, sample);
	data_writer_add(&recorder->writer, data_record_write_sample(sample, to),
			true);
	return 0;
}

static void put(struct recorder *recorder)
{
	uint8_t *to = next(recorder);

	if (to)
		data_writer_add(&recorder->writer,
				data_record_write(&recorder->record, to),
				false);
}

static void take_change(void *arg, uint32_t pid, const struct change *change)
{
	struct recorder *recorder = arg;
	struct images *images = &recorder->sampling->symbols.images;
	struct data_record *record = &recorder->record;

	record->kind = change->kind == CHANGE_MAP ? DATA_MAP : DATA_EXEC;
	record->pid = pid;
	record->change = *change;
	if (record->kind == DATA_MAP) {
		record->inode = images_inode(images, change->image);
		record->id_size =
			images_build_id(images, change->image, pid, record->id);
		snprintf(record->path, sizeof(record->path), "%s",
			 images_name(images, change->image));
	}
	put(recorder);
}

static void take_copy(void *arg, uint32_t from, uint32_t to, uint64_t when)
{
	struct recorder *recorder = arg;
	struct data_record *record = &recorder->record;

	record->kind = DATA_FORK;
	record->pid = to;
	record->parent = from;
	record->change.time = when;
	put(recorder);
}

static void take_phase(void *arg, uint32_t tid, const struct phase *phase)
{
	struct recorder *recorder = arg;
	struct data_record *record = &recorder->record;

	record->kind = DATA_TASK;
	record->tid = tid;
	record->phase = *phase;
	snprintf(record->path, sizeof(record->path), "%s", phase->path);
	put(recorder);
}

static void put_totals(struct recorder *recorder, enum data_type type)
{
	const struct sampling *sampling = recorder->sampling;
	struct data_totals totals = {
		.written = recorder->writer.written,
		.dropped = recorder->writer.dropped,
		.losses = sampling->losses,
	};
	size_t size;
	char *text;

	if (type == DATA_TOTALS) {
		totals.losses.lost = lanes_lost(&sampling->lanes);
		totals.losses.fills = lanes_fills(&sampling->lanes);
	}
	text = data_totals_write(&totals, &size);
	put_text(recorder, type, text, size);
}

static void end_round(void *arg)
{
	struct recorder *recorder = arg;

	if (!recorder->writer.used ||
	    clock_now() - recorder->flushed < FLUSH_INTERVAL)
		return;
	/* An error is one of the file's, which is told at the end. */
	if (!flush(recorder))
		put_totals(recorder, DATA_TOTALS);
}

static void put_symbols(void *arg, const char *text, size_t size)
{
	struct recorder *recorder = arg;

	data_writer_text(&recorder->writer, DATA_KERNEL, text, size);
}

/* Functions without names, as for a user who may not see the kernel's addresses, are no error. */
static void put_kernel(struct recorder *recorder)
{
	const struct symbols *symbols = &recorder->sampling->symbols;
	struct kallsyms names;

	if (!recorder->kernel.table.count)
		return;
	if (!kallsyms_read(&names, symbols->sysmap_file) && names.count &&
	    kernel_functions_write(&recorder->kernel, &names, put_symbols,
				   recorder, DATA_BLOCK_MAX))
		say_warning(
			"%s has no names of the kernel's functions: out of memory",
			recorder->sampling->output.name);
	kallsyms_free(&names);
}

static void say_size(uint64_t size, char *text, size_t room)
{
	if (size < 1000000)
		snprintf(text, room, "%.1f kB", size / 1e3);
	else
		snprintf(text, room, "%.1f MB", size / 1e6);
}

/* Says what is in the file, what is not, and what to do with it. */
static void tell(const struct recorder *recorder)
{
	const struct losses *losses = &recorder->sampling->losses;
	const struct data_writer *writer = &recorder->writer;
	const char *name = recorder->sampling->output.name;
	uint64_t lost = sampling_missing(recorder->sampling);
	char size[32];

	say_size(writer->size, size, sizeof(size));
	say_note("%s: %" PRIu64 " samples, %" PRIu64 " lost, throttled %" PRIu64
		 " time%s, %s; now: pfmon report%s%s",
		 name, writer->written, lost + writer->dropped,
		 losses->throttled, losses->throttled == 1 ? "" : "s", size,
		 strcmp(name, "pfmon.data") ? " " : "",
		 strcmp(name, "pfmon.data") ? name : "");
}

static int end(void *arg)
{
	struct recorder *recorder = arg;
	struct data_writer *writer = &recorder->writer;
	const char *name = recorder->sampling->output.name;

	if (flush(recorder))
		return -1;
	put_kernel(recorder);
	put_totals(recorder, DATA_END);
	if (!writer->error) {
		tell(recorder);
		return 0;
	}
	say_error("%s could not be written: %s; %" PRIu64
		  " samples are in it, and %" PRIu64 " are missing",
		  name, strerror(writer->error), writer->written,
		  writer->dropped);
	return -1;
}

struct recorder *recorder_create(struct sampling *sampling)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));

	if (!recorder || data_writer_init(&recorder->writer)) {
		say_error("out of memory for the file of samples");
		recorder_free(recorder);
		return NULL;
	}
	recorder->sampling = sampling;
	recorder->began = time(NULL);
	recorder->flushed = clock_now();
	recorder->sink = (struct sampling_sink){
		.sample = take_sample,
		.taken = end_round,
		.end = end,
		.arg = recorder,
	};
	recorder->watch = (struct maps_watch){
		.changed = take_change,
		.copied = take_copy,
		.arg = recorder,
	};
	sampling->sink = &recorder->sink;
	sampling->symbols.maps.watch = &recorder->watch;
	sampling->tasks.told = take_phase;
	sampling->tasks.arg = recorder;
	return recorder;
}

void recorder_free(struct recorder *recorder)
{
	if (!recorder)
		return;
	kernel_functions_free(&recorder->kernel);
	data_writer_free(&recorder->writer);
	free(recorder);
}
