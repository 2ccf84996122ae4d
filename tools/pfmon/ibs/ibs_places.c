// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds places, see ibs_places.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "ibs/ibs_file.h"
#include "ibs/ibs_places.h"
#include "symbols/symbols.h"

const char *const ibs_place_names[] = {
	[IBS_PLACE_UNKNOWN] = "unknown", [IBS_PLACE_CODE] = "code",
	[IBS_PLACE_DATA] = "data",	 [IBS_PLACE_HEAP] = "heap",
	[IBS_PLACE_STACK] = "stack",	 [IBS_PLACE_ANON] = "anon",
	[IBS_PLACE_KERNEL] = "kernel",
};

/**
 * struct ibs_thread - a thread while it ran one program
 * @tid: thread
 * @end: when it left the program
 * @comm: its name; the text of the note
 * @path: the program, in the same memory
 */
struct ibs_thread {
	uint32_t tid;
	uint64_t end;
	char *comm;
	const char *path;
};

/* The process in whose name the files are kept that are mapped in all of them. */
#define ANY_PROCESS 0

static void take_map(struct ibs_places *places, const struct ibs_note *note,
		     const char *text)
{
	const struct change change = {
		.time = note->time,
		.kind = CHANGE_MAP,
		.image = images_number(&places->images, text, note->inode),
		.start = note->start,
		.end = note->end,
		.offset = note->offset,
		.access = note->access,
	};

	maps_add(&places->maps, note->pid, &change);
}

static void take_task(struct ibs_places *places, const struct ibs_note *note,
		      const char *text)
{
	struct ibs_thread *thread;
	char *path;

	if (array_reserve(&places->threads, sizeof(*places->threads),
			  &places->room, places->num_threads + 1)) {
		places->failed++;
		return;
	}
	thread = &places->threads[places->num_threads];
	thread->tid = note->tid;
	thread->end = note->time;
	thread->comm = strdup(text);
	if (!thread->comm) {
		places->failed++;
		return;
	}
	places->num_threads++;
	thread->path = "";
	path = strchr(thread->comm, '\n');
	if (!path)
		return;
	*path = '\0';
	thread->path = path + 1;
}

/* True if the kernel is still the one that ran when the file was recorded. */
static bool is_this_boot(const char *text)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char boot[64] = "";
	size_t length;

	if (file && fgets(boot, sizeof(boot), file))
		boot[strcspn(boot, "\n")] = '\0';
	if (file)
		fclose(file);
	length = strlen(boot);
	return length && !strncmp(text, boot, length) && text[length] == '\n';
}

static void take_kernel(struct ibs_places *places, const struct ibs_note *note,
			const char *text)
{
	places->kernel_stext = note->start;
	places->kernel_here = is_this_boot(text);
}

static void take_note(void *arg, const struct ibs_note *note, const char *text)
{
	const struct change exec = { .time = note->time, .kind = CHANGE_EXEC };
	struct ibs_places *places = arg;

	places->noted = true;
	switch (note->type) {
	case IBS_NOTE_MAP:
		take_map(places, note, text);
		break;
	case IBS_NOTE_EXEC:
		maps_add(&places->maps, note->pid, &exec);
		break;
	case IBS_NOTE_TASK:
		take_task(places, note, text);
		break;
	case IBS_NOTE_KERNEL:
		take_kernel(places, note, text);
		break;
	}
}

static int by_thread(const void *a, const void *b)
{
	const struct ibs_thread *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* A pipe would be empty when its samples are read. */
static int check_regular(const char *name)
{
	struct stat st;

	if (strcmp(name, "-") && (stat(name, &st) || S_ISREG(st.st_mode)))
		return 0;
	say_error("%s is read twice, and so has to be a regular file",
		  strcmp(name, "-") ? name : "standard input");
	return -1;
}

int ibs_places_read(struct ibs_places *places, const char *name)
{
	struct ibs_sample sample;
	struct ibs_file *file;
	int status;

	memset(places, 0, sizeof(*places));
	if (check_regular(name))
		return -1;
	file = malloc(sizeof(*file));
	if (!file) {
		say_error("out of memory for the mappings in '%s'", name);
		return -1;
	}
	status = ibs_file_open(file, name);
	file->take_note = take_note;
	file->arg = places;
	while (!status && (status = ibs_file_next(file, &sample)) > 0)
		status = 0;
	ibs_file_close(file);
	free(file);
	if (status < 0)
		return -1;
	if (places->num_threads)
		qsort(places->threads, places->num_threads,
		      sizeof(*places->threads), by_thread);
	places->failed += places->maps.failed;
	if (places->failed)
		say_warning("%llu of the mappings in %s were dropped for lack "
			    "of memory: samples in them are shown by address",
			    (unsigned long long)places->failed, name);
	if (places->kernel_here)
		kallsyms_read(&places->kernel, NULL);
	places->kernel_seen = places->kernel.count;
	return 0;
}

/* Adds the loaded parts of a program, moved by @base. */
static int add_parts(struct ibs_places *places, Elf *elf, uint32_t image,
		     uint64_t base)
{
	struct change change = { .kind = CHANGE_MAP, .image = image };
	size_t count, i, added = 0;
	GElf_Phdr part;

	if (!elf || elf_getphdrnum(elf, &count))
		return -1;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, i, &part) || part.p_type != PT_LOAD)
			continue;
		change.start = base + part.p_vaddr;
		change.end = change.start + part.p_memsz;
		change.offset = part.p_offset;
		change.access = MAP_READ | (part.p_flags & PF_X ? MAP_EXEC : 0);
		maps_add(&places->given, ANY_PROCESS, &change);
		added++;
	}
	return added ? 0 : -1;
}

int ibs_places_add_image(struct ibs_places *places, const char *text)
{
	const char *at = strrchr(text, '@');
	char path[PATH_MAX], *end = NULL;
	char *name = NULL;
	uint64_t base = 0;
	int fd, err;
	Elf *elf;

	if (at)
		base = strtoull(at + 1, &end, 16);
	if (at && (end == at + 1 || *end)) {
		say_error("--image: '%s' is no hexadecimal address", at + 1);
		return -1;
	}
	snprintf(path, sizeof(path), "%.*s",
		 at ? (int)(at - text) : (int)strlen(text), text);
	name = realpath(path, NULL);
	fd = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0) {
		say_error("--image: cannot read '%s': %s", path,
			  strerror(errno));
		free(name);
		return -1;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	err = add_parts(places, elf, images_number(&places->images, name, 0),
			base);
	elf_end(elf);
	close(fd);
	free(name);
	if (err)
		say_error("--image: '%s' is no program and no library", path);
	return err;
}

int ibs_places_set_sysmap(struct ibs_places *places, const char *file)
{
	uint64_t stext = 0;
	size_t i;

	kallsyms_free(&places->kernel);
	if (kallsyms_read(&places->kernel, file))
		return -1;
	for (i = 0; i < places->kernel.count; i++)
		if (!strcmp(places->kernel.list[i].name, "_stext"))
			stext = places->kernel.list[i].address;
	if (!stext || !places->kernel_stext)
		return 0;
	for (i = 0; i < places->kernel.count; i++)
		places->kernel.list[i].address += places->kernel_stext - stext;
	return 0;
}

static void name_kernel(const struct ibs_places *places,
			struct ibs_place *place)
{
	const struct kernel_symbol *found;

	found = kallsyms_find(&places->kernel, place->address);
	if (!found)
		return;
	place->symbol = found->name;
	place->symbol_offset = place->address - found->address;
	if (found->module)
		place->name = found->module;
}

static enum ibs_place_kind kind_of(const struct change *change,
				   const char *name)
{
	if (!strcmp(name, "[heap]"))
		return IBS_PLACE_HEAP;
	if (!strcmp(name, "[stack]"))
		return IBS_PLACE_STACK;
	if (*name == '/' || !strcmp(name, "[vdso]"))
		return change->access & MAP_EXEC ? IBS_PLACE_CODE
						 : IBS_PLACE_DATA;
	return IBS_PLACE_ANON;
}

/* Memory that continues a writable mapping of a file is that of data that begins as zero. */
static bool continues_file(const struct ibs_places *places, uint32_t pid,
			   uint64_t time, const struct change *change,
			   struct change *merged)
{
	const struct change *before =
		maps_find(&places->maps, pid, time, change->start - 1);

	if (!before || !(before->access & MAP_WRITE) ||
	    *images_name(&places->images, before->image) != '/')
		return false;
	*merged = *before;
	merged->end = change->end;
	return true;
}

static bool is_of_file(const struct ibs_place *place)
{
	return place->kind == IBS_PLACE_CODE || place->kind == IBS_PLACE_DATA;
}

void ibs_places_locate(struct ibs_places *places, uint32_t pid, uint64_t time,
		       uint64_t address, struct ibs_place *place)
{
	const struct change *change;
	struct change merged;

	*place = (struct ibs_place){ .address = address };
	if ((int64_t)address < 0) {
		place->kind = IBS_PLACE_KERNEL;
		place->image = IMAGE_KERNEL;
		place->name = "kernel";
		return;
	}
	change = maps_find(&places->maps, pid, time, address);
	if (!change)
		change = maps_find(&places->given, ANY_PROCESS, UINT64_MAX,
				   address);
	if (!change || !change->image)
		return;
	if (!strcmp(images_name(&places->images, change->image),
		    SYMBOLS_ANON) &&
	    continues_file(places, pid, time, change, &merged))
		change = &merged;
	place->image = change->image;
	place->name = images_name(&places->images, change->image);
	place->kind = kind_of(change, place->name);
	place->start = change->start;
	place->end = change->end;
	if (is_of_file(place))
		place->offset = address - change->start + change->offset;
}

void ibs_places_name(struct ibs_places *places, struct ibs_place *place)
{
	struct image_symbol found;

	if (place->kind == IBS_PLACE_KERNEL)
		name_kernel(places, place);
	if (!is_of_file(place))
		return;
	images_lookup(&places->images, place->image, place->offset, &found);
	place->symbol = found.name;
	place->symbol_offset = found.offset;
	place->address = found.address;
}

void ibs_places_find(struct ibs_places *places, uint32_t pid, uint64_t time,
		     uint64_t address, struct ibs_place *place)
{
	ibs_places_locate(places, pid, time, address, place);
	ibs_places_name(places, place);
}

const char *ibs_places_thread(const struct ibs_places *places, uint32_t tid,
			      uint64_t time, const char **comm)
{
	size_t low = 0, high = places->num_threads;
	const struct ibs_thread *thread;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		thread = &places->threads[middle];
		if (thread->tid < tid ||
		    (thread->tid == tid && thread->end < time))
			low = middle + 1;
		else
			high = middle;
	}
	thread = &places->threads[low];
	if (low == places->num_threads || thread->tid != tid)
		return NULL;
	*comm = thread->comm;
	return thread->path;
}

void ibs_places_free(struct ibs_places *places)
{
	size_t i;

	for (i = 0; i < places->num_threads; i++)
		free(places->threads[i].comm);
	free(places->threads);
	maps_free(&places->maps);
	maps_free(&places->given);
	images_free(&places->images);
	kallsyms_free(&places->kernel);
	memset(places, 0, sizeof(*places));
}
