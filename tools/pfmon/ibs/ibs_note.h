/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notes: what a file of perfmon has among its samples so that their addresses can be
 * resolved later, on this machine or on another one.
 *
 * A note begins where a sample could begin, and its first byte, IBS_NOTE_KIND, is that of
 * no sample.  pfmon writes the notes behind the last sample; a reader must not rely on
 * that.  A reader passes over a note whose type it does not know, by its size, and says
 * so.  All times are ns of CLOCK_MONOTONIC, as those of samples.
 */
#ifndef PFMON_IBS_IBS_NOTE_H
#define PFMON_IBS_IBS_NOTE_H

#include <stdint.h>
#include <stdio.h>

#define IBS_NOTE_KIND 240

/**
 * enum ibs_note_type - what a note is about
 * @IBS_NOTE_MAP: something was mapped: @pid, @start, @end, @offset, @inode, @access; the
 *	text is the file's path, or a name in brackets ("[heap]", "[stack]", "[anon]")
 * @IBS_NOTE_EXEC: the process @pid executed a program, or is a new one: all mappings that
 *	it had before @time are gone
 * @IBS_NOTE_TASK: the thread @tid of the process @pid ran a program up to @time; the text
 *	is the name of the thread, and after a line feed the path of the program
 * @IBS_NOTE_KERNEL: @start is the address of the kernel's _stext, 0 if the user may not
 *	see it; the text is the id of the boot, and after a line feed the kernel's release
 */
enum ibs_note_type {
	IBS_NOTE_MAP = 1,
	IBS_NOTE_EXEC,
	IBS_NOTE_TASK,
	IBS_NOTE_KERNEL,
	IBS_NOTE_TYPES_END,
};

/**
 * struct ibs_note - a note, as it is in the file
 * @kind: IBS_NOTE_KIND
 * @type: enum ibs_note_type
 * @reserved: zero
 * @size: bytes of the note with its text, a multiple of 8
 * @pid: process id
 * @tid: thread id
 * @time: when it was seen
 * @start: first address
 * @end: address after the last one
 * @offset: offset of @start in the file
 * @inode: inode of the file, 0 without a file or not known
 * @access: MAP_* of symbols/maps.h
 * @length: bytes of the text behind it, which zero bytes fill up to @size; at most
 *	IBS_NOTE_TEXT_MAX
 */
struct ibs_note {
	uint8_t kind;
	uint8_t type;
	uint16_t reserved;
	uint32_t size;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t inode;
	uint32_t access;
	uint32_t length;
};

#define IBS_NOTE_TEXT_MAX 8191

/**
 * ibs_note_write() - write a note
 * @out: where to; keeps an error
 * @note: what to write; kind, size and length are set here
 * @text: its text; what exceeds IBS_NOTE_TEXT_MAX is cut
 */
void ibs_note_write(FILE *out, struct ibs_note *note, const char *text);

#endif
