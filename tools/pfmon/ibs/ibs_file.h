/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of IBS samples: those of perfmon, and the raw files of AMD's IBS Toolkit.
 *
 * A file begins with lines of text, "KEY: VALUE" but for the first and the last: the
 * first says what the file is, and the last is IBS_HEADER_END.  The samples follow in
 * binary form, in the byte order of x86, one behind the other:
 *
 *	first line		  samples
 *	"perfmon IBS Sample File" struct pfm_ibs_fetch and pfm_ibs_op in any order, and
 *				  notes (ibs_note.h) between or behind them
 *	"IBS Op Sample File"	  the toolkit's ops, 104 bytes each
 *	"IBS Fetch Sample File"	  the toolkit's fetches, 64 bytes each
 */
#ifndef PFMON_IBS_IBS_FILE_H
#define PFMON_IBS_IBS_FILE_H

#include <stdio.h>
#include <time.h>

#include "ibs/ibs_header.h"
#include "ibs/ibs_note.h"
#include "ibs/ibs_sample.h"

/**
 * struct ibs_file - a file that is being read
 * @format: how to read it
 * @input: the file, behind what was read of it
 * @take_note: called for each note as it is read; NULL if notes are of no interest.  Set
 *	after ibs_file_open()
 * @arg: its first argument
 * @quiet: do not warn of @unknown_notes at the end
 * @unknown_notes: notes that were passed over as their type is not known
 * @text: text of the current note
 */
struct ibs_file {
	struct ibs_format format;
	struct ibs_input input;
	void (*take_note)(void *arg, const struct ibs_note *note,
			  const char *text);
	void *arg;
	bool quiet;
	unsigned long long unknown_notes;
	char text[IBS_NOTE_TEXT_MAX + 1];
};

/**
 * struct ibs_origin - where samples come from, for the header of a file
 * @processor: the processor that takes them
 * @command: the command line of pfmon: words, ending with NULL; NULL leaves the line out
 * @time: when the session began
 */
struct ibs_origin {
	struct ibs_processor processor;
	char *const *command;
	time_t time;
};

/**
 * ibs_file_open() - open a file and read its header
 * @file: the file
 * @name: its name, which has to live as long as @file; "-" for standard input
 *
 * Return: 0, or -1 after a message: the file cannot be read, is none of IBS samples, or
 * has a header that is cut, wrong or of another version.
 */
int ibs_file_open(struct ibs_file *file, const char *name);

/**
 * ibs_file_next() - read the next sample
 * @file: an open file
 * @sample: result; members that the file does not have are 0
 *
 * Notes are given to @take_note.  Those of an unknown type are passed over, and a warning
 * at the end of the file says how many.
 *
 * Return: 1, 0 at the end of the file, or -1 after a message: the file cannot be read,
 * the sample or a note is cut, a note is damaged, or the kind is not known.
 */
int ibs_file_next(struct ibs_file *file, struct ibs_sample *sample);

/**
 * ibs_file_close() - close a file
 * @file: a file that ibs_file_open() was called for, also if that failed
 */
void ibs_file_close(struct ibs_file *file);

/**
 * ibs_file_write_header() - write what a file of perfmon begins with
 * @out: stream, at the beginning of the file
 * @origin: where the samples come from
 *
 * The caller writes struct pfm_ibs_fetch and struct pfm_ibs_op behind it.
 *
 * Return: 0, or -1 if the stream has an error.
 */
int ibs_file_write_header(FILE *out, const struct ibs_origin *origin);

#endif
