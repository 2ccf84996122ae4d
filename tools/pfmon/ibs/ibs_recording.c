// SPDX-License-Identifier: GPL-2.0-only
/*
 * Begins a file of IBS samples with what this machine is, see ibs_recording.h.  The stream
 * keeps an error of writing, which is told when it is closed.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "ibs/ibs_file.h"
#include "ibs/ibs_recording.h"
#include "processor/cpuid.h"
#include "processor/x86_cpu.h"
#include "symbols/symbols.h"

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
	recording->pid = 0;
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

/**
 * struct maps_note - notes of mappings that are being written
 * @out: where to
 * @images: names of the files
 */
struct maps_note {
	FILE *out;
	const struct images *images;
};

static void note_change(void *arg, uint32_t pid, const struct change *change)
{
	const struct maps_note *to = arg;
	struct ibs_note note = {
		.type = change->kind == CHANGE_MAP ? IBS_NOTE_MAP
						   : IBS_NOTE_EXEC,
		.pid = pid,
		.time = change->time,
	};

	if (change->kind != CHANGE_MAP) {
		ibs_note_write(to->out, &note, "");
		return;
	}
	note.start = change->start;
	note.end = change->end;
	note.offset = change->offset;
	note.access = change->access;
	note.inode = images_inode(to->images, change->image);
	ibs_note_write(to->out, &note, images_name(to->images, change->image));
}

/* The kernel's first address; 0 if the user may not see it. */
static uint64_t read_stext(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	uint64_t address = 0;
	char line[1024];

	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, " _stext\n")) {
			address = strtoull(line, NULL, 16);
			break;
		}
	if (file)
		fclose(file);
	return address;
}

static void note_kernel(FILE *out)
{
	struct ibs_note note = {
		.type = IBS_NOTE_KERNEL,
		.start = read_stext(),
	};
	char boot[64] = "", text[256];
	struct utsname system;
	FILE *file;

	if (uname(&system))
		return;
	file = fopen("/proc/sys/kernel/random/boot_id", "re");
	if (file && fgets(boot, sizeof(boot), file))
		boot[strcspn(boot, "\n")] = '\0';
	if (file)
		fclose(file);
	snprintf(text, sizeof(text), "%s\n%s", boot, system.release);
	ibs_note_write(out, &note, text);
}

void ibs_recording_note_maps(FILE *out, const struct symbols *symbols)
{
	struct maps_note to = { out, &symbols->images };

	note_kernel(out);
	maps_each_change(&symbols->maps, note_change, &to);
}

void ibs_recording_note_task(FILE *out, const struct ibs_note *task,
			     const char *comm, const char *path)
{
	char text[IBS_NOTE_TEXT_MAX + 1];
	struct ibs_note note = {
		.type = IBS_NOTE_TASK,
		.pid = task->pid,
		.tid = task->tid,
		.time = task->time,
	};

	snprintf(text, sizeof(text), "%s\n%s", comm, path);
	ibs_note_write(out, &note, text);
}
