/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads pfmon.data, record by record, as far as it is whole.
 */
#ifndef PFMON_DATA_DATA_READER_H
#define PFMON_DATA_DATA_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/data_info.h"
#include "data/data_record.h"

/**
 * struct data_reader - a file that is being read
 * @name: its name in messages
 * @in: its stream
 * @force: a damaged file is read up to the damage
 * @info: what it says of itself
 * @totals: those that were read last
 * @raw: the current block
 * @size: bytes of @raw
 * @at: bytes of @raw that were read
 * @type: what the block is
 * @kernel: text of the blocks DATA_KERNEL so far; NULL if there is none
 * @kernel_size: its length
 * @stored: memory for a block as it is stored
 * @number: number of the next block
 * @offset: where that begins in the file
 * @samples: samples that were read
 * @over: there is no more to read
 * @ended: the file is complete: its end was read
 */
struct data_reader {
	const char *name;
	FILE *in;
	bool force;
	struct data_info info;
	struct data_totals totals;
	uint8_t *raw;
	size_t size;
	size_t at;
	uint16_t type;
	char *kernel;
	size_t kernel_size;
	uint8_t *stored;
	uint32_t number;
	uint64_t offset;
	uint64_t samples;
	bool over;
	bool ended;
};

/* True if a file begins as pfmon.data does.  It is as if nothing had been read. */
bool data_reader_knows(FILE *in);

/*
 * Reads the head and the description.  @in is closed by data_reader_close(), unless it is standard
 * input, and also after an error.  Returns 0, or -1 after a message.
 */
int data_reader_open(struct data_reader *reader, const char *name, FILE *in,
		     bool force);

/*
 * Reads the next record of a kind that is known.  Returns 1; 0 at the end, or where the file was cut;
 * or -1 after a message.
 */
int data_reader_next(struct data_reader *reader, struct data_record *record);

void data_reader_close(struct data_reader *reader);

#endif
