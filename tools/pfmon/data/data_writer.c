// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks of pfmon.data, one after the other.
 *
 * A write that fails must not end the session.  The file is cut behind its last whole block, so that
 * it can be read up to there, and the samples that are missing are counted.  The next block is tried
 * again: there may be room by then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "data/data_writer.h"

/* Samples repeat much, so that the lowest level packs well, and costs the least. */
#define LEVEL 1

int data_writer_init(struct data_writer *writer)
{
	memset(writer, 0, sizeof(*writer));
	writer->fd = -1;
	writer->room = DATA_BLOCK_HEAD_SIZE + compressBound(DATA_BLOCK_MAX);
	writer->raw = malloc(DATA_BLOCK_MAX);
	writer->packed = malloc(writer->room);
	return writer->raw && writer->packed ? 0 : -1;
}

static int write_all(int fd, const uint8_t *bytes, size_t size)
{
	ssize_t done;

	while (size) {
		done = write(fd, bytes, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno;
		if (!done)
			return ENOSPC;
		bytes += done;
		size -= done;
	}
	return 0;
}

/* Returns true if the bytes are in the file as a whole. */
static bool put(struct data_writer *writer, const uint8_t *bytes, size_t size)
{
	int err = write_all(writer->fd, bytes, size);

	if (!err) {
		writer->size += size;
		return true;
	}
	if (!writer->error)
		writer->error = err;
	/* A pipe cannot be cut, and nobody reads it any more. */
	if (!ftruncate(writer->fd, writer->size))
		lseek(writer->fd, writer->size, SEEK_SET);
	return false;
}

void data_writer_begin(struct data_writer *writer, int fd)
{
	uint8_t head[DATA_HEAD_SIZE] = DATA_MAGIC;

	writer->fd = fd;
	data_put16(head + 8, DATA_VERSION);
	data_put16(head + 10, 0);
	data_put32(head + 12, crc32(0, head, 12));
	put(writer, head, sizeof(head));
}

/* Packs a block, unless that makes it longer.  Returns the bytes that are stored. */
static size_t pack(struct data_writer *writer, const uint8_t *bytes,
		   size_t size, uint16_t *packing)
{
	uint8_t *to = writer->packed + DATA_BLOCK_HEAD_SIZE;
	uLongf stored = writer->room - DATA_BLOCK_HEAD_SIZE;

	*packing = DATA_DEFLATED;
	if (compress2(to, &stored, bytes, size, LEVEL) == Z_OK && stored < size)
		return stored;
	*packing = DATA_PLAIN;
	memcpy(to, bytes, size);
	return size;
}

static bool write_block(struct data_writer *writer, enum data_type type,
			const uint8_t *bytes, size_t size, uint32_t samples)
{
	uint8_t *head = writer->packed;
	uint16_t packing;
	size_t stored;

	/* Without the head no block can be read. */
	if (!writer->size)
		return false;
	stored = pack(writer, bytes, size, &packing);
	memcpy(head, DATA_BLOCK_MAGIC, 4);
	data_put16(head + 4, type);
	data_put16(head + 6, packing);
	data_put32(head + 8, writer->number);
	data_put32(head + 12, size);
	data_put32(head + 16, stored);
	data_put32(head + 20, samples);
	data_put32(head + 24, crc32(0, head + DATA_BLOCK_HEAD_SIZE, stored));
	data_put32(head + 28, crc32(0, head, 28));
	if (!put(writer, head, DATA_BLOCK_HEAD_SIZE + stored))
		return false;
	writer->number++;
	return true;
}

bool data_writer_has_room(const struct data_writer *writer)
{
	return writer->used + DATA_RECORD_MAX <= DATA_BLOCK_MAX;
}

uint8_t *data_writer_next(struct data_writer *writer)
{
	return writer->raw + writer->used;
}

void data_writer_add(struct data_writer *writer, size_t size, bool sample)
{
	writer->used += size;
	writer->samples += sample;
}

void data_writer_flush(struct data_writer *writer)
{
	if (!writer->used)
		return;
	if (write_block(writer, DATA_RECORDS, writer->raw, writer->used,
			writer->samples))
		writer->written += writer->samples;
	else
		writer->dropped += writer->samples;
	writer->used = 0;
	writer->samples = 0;
}

void data_writer_text(struct data_writer *writer, enum data_type type,
		      const char *text, size_t size)
{
	write_block(writer, type, (const uint8_t *)text, size, 0);
}

void data_writer_free(struct data_writer *writer)
{
	free(writer->raw);
	free(writer->packed);
	memset(writer, 0, sizeof(*writer));
}
