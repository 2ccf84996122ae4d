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

/**
 * struct ibs_recording - a file that is being written
 * @command: the command line of pfmon: words, ending with NULL
 * @time: when the session began
 * @begun: the header was written
 */
struct ibs_recording {
	char *const *command;
	time_t time;
	bool begun;
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

#endif
