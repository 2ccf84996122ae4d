// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon.data.  The checksums of an input are made right before it is read, as no mutation would hit
 * them: that wrong ones are refused, data_test tests.
 */
#include <zlib.h>

#include "data/data_format.h"
#include "samples.h"

#define SIZE_MAX_INPUT 65536

static uint8_t file[SIZE_MAX_INPUT];

static void seal_head(size_t size)
{
	if (size < DATA_HEAD_SIZE)
		return;
	memcpy(file, DATA_MAGIC, 8);
	data_put32(file + 12, crc32(0, file, 12));
}

/* A block whose length is beyond the end stays a file that was cut. */
static size_t seal_block(uint8_t *at, size_t rest, uint32_t number)
{
	size_t stored = data_get32(at + 16);

	memcpy(at, DATA_BLOCK_MAGIC, 4);
	data_put32(at + 8, number);
	if (data_get16(at + 6) == DATA_PLAIN)
		data_put32(at + 12, stored);
	if (stored <= rest - DATA_BLOCK_HEAD_SIZE)
		data_put32(at + 24,
			   crc32(0, at + DATA_BLOCK_HEAD_SIZE, stored));
	data_put32(at + 28, crc32(0, at, 28));
	return stored <= rest - DATA_BLOCK_HEAD_SIZE
		       ? DATA_BLOCK_HEAD_SIZE + stored
		       : rest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = DATA_HEAD_SIZE;
	uint32_t number = 0;

	if (!size || size > SIZE_MAX_INPUT)
		return 0;
	memcpy(file, data, size);
	seal_head(size);
	while (at < size && size - at >= DATA_BLOCK_HEAD_SIZE)
		at += seal_block(file + at, size - at, number++);
	samples_report(file, size);
	return 0;
}
