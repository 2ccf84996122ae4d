/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of IBS samples that this machine takes, while it is being written.
 */
#ifndef PFMON_IBS_IBS_RECORDING_H
#define PFMON_IBS_IBS_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "ibs/ibs_note.h"

struct symbols;

/**
 * struct ibs_recording - a file that is being written
 * @command: the command line of pfmon: words, ending with NULL
 * @time: when the session began
 * @begun: the header was written
 * @pid: process of the last sample, unless CPUs are monitored; 0 if none
 */
struct ibs_recording {
	char *const *command;
	time_t time;
	bool begun;
	uint32_t pid;
};

/**
 * ibs_recording_init() - note when the session began
 * @recording: the file
 * @command: the command line, which has to live as long as @recording
 */
void ibs_recording_init(struct ibs_recording *recording, char *const *command);

/**
 * ibs_recording_begin() - write the header
 * @recording: the file
 * @out: its stream, at its beginning
 */
void ibs_recording_begin(struct ibs_recording *recording, FILE *out);

/**
 * ibs_recording_note_maps() - write what was mapped where, and the kernel's base
 * @out: the file's stream, behind its header
 * @symbols: the mappings
 */
void ibs_recording_note_maps(FILE *out, const struct symbols *symbols);

/**
 * ibs_recording_note_task() - write what a thread was
 * @out: the file's stream, behind its header
 * @note: pid, tid and time are used
 * @comm: name of the thread
 * @path: its program, may be empty
 */
void ibs_recording_note_task(FILE *out, const struct ibs_note *note,
			     const char *comm, const char *path);

#endif
