/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sampling format that pfmon knows by its description only: --smpl-module=NAME:KEY=VALUE,...
 */
#ifndef PFMON_SAMPLING_DESCRIBED_H
#define PFMON_SAMPLING_DESCRIBED_H

#include <stdbool.h>
#include <perfmon/perfmon.h>

struct sample;

/**
 * struct described - the format
 * @format: its description; NULL: there is no such format
 * @info: the same
 * @arg: its argument, of info->arg_size bytes
 */
struct described {
	struct pfm_format *format;
	const struct pfm_format_info *info;
	void *arg;
};

/*
 * Finds the format of the option's value, loads it, and makes the argument.  Returns 0, or -1
 * after a message.
 */
int described_open(struct described *described, const char *value);

/*
 * Makes a sample of an entry, by the kinds of its fields.  False if the entry does not say which
 * register overflowed, and how many events it stands for.
 */
bool described_convert(const struct described *described,
		       const struct pfm_format_record *record,
		       struct sample *sample);

/* The period that a value of kind reset tells: a register of that size counts up to 0. */
uint64_t described_period(const struct pfm_format_field *field, uint64_t value);

/* True if entries of a type have a field of a kind. */
bool described_has(const struct described *described, unsigned int type,
		   uint32_t kind);

/* True if entries say how many events they stand for, so that these can be added up. */
bool described_weighs(const struct described *described);

void described_close(struct described *described);

#endif
