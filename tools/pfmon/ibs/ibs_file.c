// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads files of IBS samples, see ibs_file.h.  A file may be a pipe, and of any length:
 * it is read once, from its beginning to its end, a sample at a time.
 */
#include <linux/perfmon_ibs.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/message.h"
#include "ibs/ibs_file.h"

/*
 * struct toolkit_op - a sample in an op file of the toolkit.  The page table is not of
 * use here.
 */
struct toolkit_op {
	uint64_t ctl;
	uint64_t rip;
	uint64_t data;
	uint64_t data2;
	uint64_t data3;
	uint64_t data4;
	uint64_t dc_linad;
	uint64_t dc_physad;
	uint64_t br_target;
	uint64_t tsc;
	uint64_t cr3;
	int32_t tid;
	int32_t pid;
	int32_t cpu;
	int32_t kernel;
};

/* struct toolkit_fetch - a sample in a fetch file of the toolkit */
struct toolkit_fetch {
	uint64_t ctl;
	uint64_t extd;
	uint64_t linad;
	uint64_t physad;
	uint64_t tsc;
	uint64_t cr3;
	int32_t tid;
	int32_t pid;
	int32_t cpu;
	int32_t kernel;
};

_Static_assert(sizeof(struct toolkit_op) == 104, "what the toolkit writes");
_Static_assert(sizeof(struct toolkit_fetch) == 64, "what the toolkit writes");
_Static_assert(sizeof(struct pfm_ibs_op) == 96, "what the format ibs writes");
_Static_assert(sizeof(struct pfm_ibs_fetch) == 64,
	       "what the format ibs writes");

int ibs_file_open(struct ibs_file *file, const char *name)
{
	memset(file, 0, sizeof(*file));
	if (ibs_input_open(&file->input, name))
		return -1;
	return ibs_header_read(&file->input, &file->format);
}

void ibs_file_close(struct ibs_file *file)
{
	ibs_input_close(&file->input);
}

static int next_toolkit_op(struct ibs_file *file, struct ibs_sample *sample)
{
	struct toolkit_op op;
	int status = ibs_input_read(&file->input, &op, 0, sizeof(op));

	if (status <= 0)
		return status;
	*sample = (struct ibs_sample){
		.kind = IBS_OP,
		.kernel = op.kernel,
		.cpu = op.cpu,
		.tid = op.tid,
		.pid = op.pid,
		.tsc = op.tsc,
		.ctl = op.ctl,
		.address = op.rip,
		.physad = op.dc_physad,
		.data = op.data,
		.data2 = op.data2,
		.data3 = op.data3,
		.data4 = op.data4,
		.dc_linad = op.dc_linad,
		.br_target = op.br_target,
	};
	return 1;
}

static int next_toolkit_fetch(struct ibs_file *file, struct ibs_sample *sample)
{
	struct toolkit_fetch fetch;
	int status = ibs_input_read(&file->input, &fetch, 0, sizeof(fetch));

	if (status <= 0)
		return status;
	*sample = (struct ibs_sample){
		.kind = IBS_FETCH,
		.kernel = fetch.kernel,
		.cpu = fetch.cpu,
		.tid = fetch.tid,
		.pid = fetch.pid,
		.tsc = fetch.tsc,
		.ctl = fetch.ctl,
		.address = fetch.linad,
		.physad = fetch.physad,
		.extd = fetch.extd,
	};
	return 1;
}

static void take_entry(const struct pfm_ibs_entry *entry,
		       struct ibs_sample *sample)
{
	sample->kernel = entry->flags & PFM_IBS_ENTRY_KERNEL;
	sample->cpu = entry->cpu;
	sample->tid = entry->tid;
	sample->pid = entry->pid;
	sample->tstamp = entry->tstamp;
	sample->tsc = entry->tsc;
}

static void take_op(const struct pfm_ibs_op *op, struct ibs_sample *sample)
{
	*sample = (struct ibs_sample){
		.kind = IBS_OP,
		.period = op->period,
		.ctl = op->ctl,
		.address = op->rip,
		.physad = op->dc_physad,
		.data = op->data,
		.data2 = op->data2,
		.data3 = op->data3,
		.data4 = op->data4,
		.dc_linad = op->dc_linad,
		.br_target = op->br_target,
	};
	take_entry(&op->head, sample);
}

static void take_fetch(const struct pfm_ibs_fetch *fetch,
		       struct ibs_sample *sample)
{
	*sample = (struct ibs_sample){
		.kind = IBS_FETCH,
		.period = fetch->period,
		.ctl = fetch->ctl,
		.address = fetch->linad,
		.physad = fetch->physad,
		.extd = fetch->extd,
	};
	take_entry(&fetch->head, sample);
}

static int bad_note(const struct ibs_file *file, uint64_t offset)
{
	say_error("%s: the note at offset %llu has a size that no note has: "
		  "the file is damaged; copy or record it again",
		  file->input.name, (unsigned long long)offset);
	return -1;
}

/* Passes over a note without looking at it. */
static int skip(struct ibs_file *file, uint64_t bytes)
{
	uint64_t part;
	int status;

	for (; bytes; bytes -= part) {
		part = bytes < sizeof(file->text) ? bytes : sizeof(file->text);
		status = ibs_input_read(&file->input, file->text, 0, part);
		if (status > 0)
			continue;
		if (!status)
			say_error("%s: the note that ends the file is cut; "
				  "copy or record the file again",
				  file->input.name);
		return -1;
	}
	return 0;
}

/* Reads the rest of a note, of which there is a part that each entry has. */
static int read_note(struct ibs_file *file, struct ibs_note *note, size_t have)
{
	uint64_t offset = file->input.offset - have;
	size_t rest;

	if (note->size < sizeof(*note) || note->size % 8)
		return bad_note(file, offset);
	if (ibs_input_read(&file->input, note, have, sizeof(*note)) <= 0)
		return -1;
	rest = note->size - sizeof(*note);
	if (!note->type || note->type >= IBS_NOTE_TYPES_END) {
		file->unknown_notes++;
		return skip(file, rest);
	}
	if (rest > sizeof(file->text) || note->length > rest ||
	    note->length >= sizeof(file->text))
		return bad_note(file, offset);
	if (skip(file, rest))
		return -1;
	file->text[note->length] = '\0';
	if (file->take_note)
		file->take_note(file->arg, note, file->text);
	return 0;
}

static void tell_unknown_notes(const struct ibs_file *file)
{
	if (file->unknown_notes && !file->quiet)
		say_warning("%s has %llu note%s of types that this pfmon does "
			    "not know, and passes over: a later pfmon wrote "
			    "the file, and can show them",
			    file->input.name, file->unknown_notes,
			    file->unknown_notes == 1 ? "" : "s");
}

/* Reads an entry: a sample, or a note. */
static int next_entry(struct ibs_file *file, struct ibs_sample *sample,
		      bool *noted)
{
	union {
		struct pfm_ibs_entry head;
		struct pfm_ibs_fetch fetch;
		struct pfm_ibs_op op;
		struct ibs_note note;
	} entry;
	size_t size;
	int status =
		ibs_input_read(&file->input, &entry, 0, sizeof(entry.head));

	if (status <= 0)
		return status;
	*noted = entry.head.kind == IBS_NOTE_KIND;
	if (*noted)
		return read_note(file, &entry.note, sizeof(entry.head)) ? -1
									: 1;
	if (entry.head.kind == PFM_IBS_KIND_OP) {
		size = sizeof(entry.op);
	} else if (entry.head.kind == PFM_IBS_KIND_FETCH) {
		size = sizeof(entry.fetch);
	} else {
		say_error("%s: the sample at offset %llu is of kind %u, which "
			  "this pfmon does not know: the file is damaged, or "
			  "from a later pfmon, which can decode it",
			  file->input.name,
			  (unsigned long long)file->input.offset -
				  sizeof(entry.head),
			  entry.head.kind);
		return -1;
	}
	status = ibs_input_read(&file->input, &entry, sizeof(entry.head), size);
	if (status <= 0)
		return status;
	if (entry.head.kind == PFM_IBS_KIND_OP)
		take_op(&entry.op, sample);
	else
		take_fetch(&entry.fetch, sample);
	return 1;
}

static int next_perfmon(struct ibs_file *file, struct ibs_sample *sample)
{
	bool noted;
	int status;

	do {
		noted = false;
		status = next_entry(file, sample, &noted);
	} while (status > 0 && noted);
	if (!status)
		tell_unknown_notes(file);
	return status;
}

int ibs_file_next(struct ibs_file *file, struct ibs_sample *sample)
{
	switch (file->format.type) {
	case IBS_FILE_TOOLKIT_OP:
		return next_toolkit_op(file, sample);
	case IBS_FILE_TOOLKIT_FETCH:
		return next_toolkit_fetch(file, sample);
	default:
		return next_perfmon(file, sample);
	}
}

static void write_machine(FILE *out, const struct ibs_processor *processor)
{
	struct utsname system;

	fprintf(out, "AMD Processor Family: 0x%x\n", processor->family);
	fprintf(out, "AMD Processor Model: 0x%x\n", processor->model);
	fprintf(out, "AMD Processor Stepping: 0x%x\n", processor->stepping);
	fprintf(out, "AMD Processor Name: %s\n", processor->name);
	if (uname(&system))
		return;
	fprintf(out, "System name: %s\n", system.nodename);
	fprintf(out, "OS: %s %s %s %s\n", system.sysname, system.release,
		system.version, system.machine);
}

/* A line feed in a word would begin another line of the header. */
static void write_command(FILE *out, char *const *words)
{
	const char *at;

	fputs("Command line:", out);
	for (; *words; words++) {
		fputc(' ', out);
		for (at = *words; *at; at++)
			fputc(*at == '\n' ? ' ' : *at, out);
	}
	fputc('\n', out);
}

static void write_time(FILE *out, time_t when)
{
	char text[64];
	struct tm local;

	if (localtime_r(&when, &local) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", &local))
		fprintf(out, "Timestamp: %s\n", text);
}

static void write_features(FILE *out, const struct ibs_features *features)
{
	const struct ibs_key *key;

	for (key = ibs_keys; key->name; key++)
		fprintf(out, "%s: %d\n", key->name,
			*(const bool *)((const char *)features + key->offset));
}

int ibs_file_write_header(FILE *out, const struct ibs_origin *origin)
{
	struct ibs_features features;

	fputs(IBS_HEADER_PERFMON "\n", out);
	write_machine(out, &origin->processor);
	write_time(out, origin->time);
	if (origin->command)
		write_command(out, origin->command);
	fprintf(out, "IBS Structure Version: %d\n", IBS_HEADER_VERSION);
	fprintf(out, "IBS Capabilities: 0x%x\n", origin->processor.caps);
	ibs_features_derive(&origin->processor, &features);
	write_features(out, &features);
	fputs(IBS_HEADER_END "\n", out);
	return ferror(out) ? -1 : 0;
}
