/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places: what is at the addresses of a file of IBS samples, by the notes in that file
 * (ibs_note.h) and the programs that they name.
 *
 * The notes are behind the samples, so ibs_places_read() reads the whole file first, and
 * the caller reads its samples by ibs_file.h afterwards: the file cannot be a pipe.
 */
#ifndef PFMON_IBS_IBS_PLACES_H
#define PFMON_IBS_IBS_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/images.h"
#include "symbols/kallsyms.h"
#include "symbols/maps.h"

/**
 * enum ibs_place_kind - what memory an address is in
 * @IBS_PLACE_UNKNOWN: no mapping of it is known
 * @IBS_PLACE_CODE: a file that is mapped executable, or the vDSO
 * @IBS_PLACE_DATA: a file that is mapped otherwise, or data that begins as zero (.bss)
 * @IBS_PLACE_HEAP: the heap of brk(2)
 * @IBS_PLACE_STACK: the stack of the first thread
 * @IBS_PLACE_ANON: other memory without a file: of malloc(3), stacks of threads
 * @IBS_PLACE_KERNEL: the kernel
 */
enum ibs_place_kind {
	IBS_PLACE_UNKNOWN,
	IBS_PLACE_CODE,
	IBS_PLACE_DATA,
	IBS_PLACE_HEAP,
	IBS_PLACE_STACK,
	IBS_PLACE_ANON,
	IBS_PLACE_KERNEL,
	NUM_IBS_PLACE_KINDS,
};

/* Names of the kinds, one word each: "unknown", "code", ... */
extern const char *const ibs_place_names[];

/**
 * struct ibs_place - what is at an address
 * @kind: what memory it is in
 * @image: number of the file, for images.h; IMAGE_KERNEL, or IMAGE_NONE
 * @name: path of the file; a name in brackets of memory without a file; "kernel" or the
 *	kernel's module in brackets; NULL if not known
 * @symbol: function or variable; NULL if not known
 * @symbol_offset: bytes from the start of @symbol
 * @address: address in the file, as objdump(1) shows it; without a file, and in the
 *	kernel, the address itself
 * @offset: offset in the file, 0 without a file
 * @start: first address of the mapping in the process; 0 if not known
 * @end: address after its last one
 *
 * The strings live as long as the struct ibs_places.
 */
struct ibs_place {
	enum ibs_place_kind kind;
	uint32_t image;
	const char *name;
	const char *symbol;
	uint64_t symbol_offset;
	uint64_t address;
	uint64_t offset;
	uint64_t start;
	uint64_t end;
};

struct ibs_thread;

/**
 * struct ibs_places - what is known about the addresses of a file
 * @maps: mappings of the processes
 * @images: the files
 * @kernel: functions of the kernel
 * @kernel_here: @kernel has those of the kernel that ran when the file was recorded
 * @kernel_seen: /proc/kallsyms has shown the addresses of these
 * @kernel_stext: address of the kernel's _stext then; 0 if not known
 * @given: files that the user named by ibs_places_add_image(), for all processes
 * @threads: what the threads were
 * @num_threads: elements of @threads
 * @room: elements that fit in it
 * @noted: the file has notes; those of AMD's toolkit have none
 * @failed: notes that were dropped for lack of memory
 */
struct ibs_places {
	struct maps maps;
	struct images images;
	struct kallsyms kernel;
	bool kernel_here;
	bool kernel_seen;
	uint64_t kernel_stext;
	struct maps given;
	struct ibs_thread *threads;
	size_t num_threads;
	size_t room;
	bool noted;
	uint64_t failed;
};

/**
 * ibs_places_read() - read the notes of a file
 * @places: result; memory of any content
 * @name: the file, which is read to its end
 *
 * Return: 0, or -1 after a message.  ibs_places_free() has to be called in any case.
 */
int ibs_places_read(struct ibs_places *places, const char *name);

/**
 * ibs_places_add_image() - say which file was mapped, for a file without notes
 * @places: as ibs_places_read() left it
 * @text: "PATH", a program whose addresses are those of the file, or "PATH@ADDRESS": the
 *	file's address 0 was mapped at ADDRESS
 *
 * The notes come first, if they name the file, too.
 *
 * Return: 0, or -1 after a message.
 */
int ibs_places_add_image(struct ibs_places *places, const char *text);

/**
 * ibs_places_set_sysmap() - take the kernel's functions from a file
 * @places: as ibs_places_read() left it
 * @file: a System.map; moved to where the kernel was, if the notes say it
 *
 * Without this call those of /proc/kallsyms are taken if this is the boot in which the
 * file was recorded, and the user may read them; otherwise the kernel has no symbols.
 *
 * Return: 0, or -1 after a message.
 */
int ibs_places_set_sysmap(struct ibs_places *places, const char *file);

/**
 * ibs_places_locate() - find what memory an address is in, without its symbol
 * @places: as ibs_places_read() left it
 * @pid: process
 * @time: ns of CLOCK_MONOTONIC, of the sample
 * @address: the address: of code or of data
 * @place: result; @symbol is NULL, and @address is that in the process
 *
 * A caller with many samples of few places calls ibs_places_name() once for each place:
 * @image and @offset tell places of files apart, @address others.
 */
void ibs_places_locate(struct ibs_places *places, uint32_t pid, uint64_t time,
		       uint64_t address, struct ibs_place *place);

/**
 * ibs_places_name() - find the symbol of a place
 * @places: as ibs_places_read() left it
 * @place: as ibs_places_locate() left it; becomes complete
 */
void ibs_places_name(struct ibs_places *places, struct ibs_place *place);

/**
 * ibs_places_find() - do both
 * @places: as ibs_places_read() left it
 * @pid: process
 * @time: ns of CLOCK_MONOTONIC, of the sample
 * @address: the address: of code or of data
 * @place: result
 */
void ibs_places_find(struct ibs_places *places, uint32_t pid, uint64_t time,
		     uint64_t address, struct ibs_place *place);

/**
 * ibs_places_thread() - name a thread at a time
 * @places: as ibs_places_read() left it
 * @tid: thread
 * @time: ns of CLOCK_MONOTONIC
 * @comm: result: its name; may be empty
 *
 * Return: path of its program, may be empty; NULL if nothing is known.
 */
const char *ibs_places_thread(const struct ibs_places *places, uint32_t tid,
			      uint64_t time, const char **comm);

void ibs_places_free(struct ibs_places *places);

#endif
