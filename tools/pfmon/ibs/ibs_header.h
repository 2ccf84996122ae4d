/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text that a file of IBS samples begins with.
 */
#ifndef PFMON_IBS_IBS_HEADER_H
#define PFMON_IBS_IBS_HEADER_H

#include "ibs/ibs_input.h"
#include "ibs/ibs_processor.h"

/* The first line, by type of the file. */
#define IBS_HEADER_PERFMON "perfmon IBS Sample File"
#define IBS_HEADER_OP	   "IBS Op Sample File"
#define IBS_HEADER_FETCH   "IBS Fetch Sample File"

/* The last line: 45 times '=' */
#define IBS_HEADER_END "============================================="

#define IBS_HEADER_VERSION 1

/**
 * enum ibs_file_type - who wrote a file, and what is in it
 */
enum ibs_file_type {
	IBS_FILE_PERFMON, /* samples of both kinds */
	IBS_FILE_TOOLKIT_OP,
	IBS_FILE_TOOLKIT_FETCH,
};

/**
 * struct ibs_format - how to read the samples of a file
 * @type: type of the file
 * @processor: that took the samples; @caps is known in files of perfmon only
 * @features: which fields are recorded
 * @quirks: rules for the processor
 */
struct ibs_format {
	enum ibs_file_type type;
	struct ibs_processor processor;
	struct ibs_features features;
	struct ibs_quirks quirks;
};

/**
 * ibs_header_read() - read the header of a file
 * @input: the file, at its beginning; afterwards at its first sample
 * @format: result
 *
 * Return: 0, or -1 after a message: the file is none of IBS samples, or its header is
 * cut, wrong or of another version.
 */
int ibs_header_read(struct ibs_input *input, struct ibs_format *format);

#endif
