// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks and records of pfmon.data.
 *
 * A file that ends within a block was cut: pfmon or the machine ended while it was written.  What is
 * before is whole.  Anything else that is wrong is damage, which nothing explains; then a part of the
 * samples is read on request only.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/message.h"
#include "data/data_reader.h"

/* State of a block after it was read: returned by read_block(). */
enum outcome { BLOCK_READ, BLOCK_CUT, BLOCK_BAD, BLOCK_FAILED };

static int tell_foreign(const struct data_reader *reader, size_t size)
{
	if (!size)
		say_error("'%s' is empty", reader->name);
	else
		say_error(
			"'%s' is not a file of 'pfmon record' or 'perf record'; 'pfmon report' reads others with --html, --view=VIEW, --from or --compare, and 'pfmon ibs annotate' reads those of AMD's IBS",
			reader->name);
	return -1;
}

/* The version is not trusted before the checksum is right. */
static int read_head(struct data_reader *reader)
{
	uint8_t head[DATA_HEAD_SIZE];
	size_t size = fread(head, 1, sizeof(head), reader->in);

	if (ferror(reader->in)) {
		say_error("cannot read '%s': %s", reader->name,
			  strerror(errno));
		return -1;
	}
	if (size < 8 || memcmp(head, DATA_MAGIC, 8))
		return tell_foreign(reader, size);
	if (size < sizeof(head)) {
		say_error("'%s' ends within its head; there is nothing to read",
			  reader->name);
		return -1;
	}
	if (data_get32(head + 12) != crc32(0, head, 12)) {
		say_error("'%s' is damaged: the checksum of its head is wrong",
			  reader->name);
		return -1;
	}
	if (data_get16(head + 8) > DATA_VERSION) {
		say_error(
			"'%s' was written by a newer pfmon, in version %u of the format, and this one reads version %u",
			reader->name, data_get16(head + 8), DATA_VERSION);
		return -1;
	}
	reader->offset = sizeof(head);
	return 0;
}

static enum outcome unpack(struct data_reader *reader, uint16_t packing,
			   size_t size, size_t stored)
{
	uLongf length = size;

	if (packing == DATA_PLAIN && stored == size)
		memcpy(reader->raw, reader->stored, size);
	else if (packing != DATA_DEFLATED ||
		 uncompress(reader->raw, &length, reader->stored, stored) !=
			 Z_OK ||
		 length != size)
		return BLOCK_BAD;
	reader->size = size;
	reader->at = 0;
	return BLOCK_READ;
}

/* Reads @size bytes; fewer if the file ends. */
static enum outcome read_bytes(struct data_reader *reader, uint8_t *to,
			       size_t size)
{
	if (fread(to, 1, size, reader->in) == size)
		return BLOCK_READ;
	if (!ferror(reader->in))
		return BLOCK_CUT;
	say_error("cannot read '%s': %s", reader->name, strerror(errno));
	return BLOCK_FAILED;
}

static enum outcome read_block(struct data_reader *reader)
{
	uint8_t head[DATA_BLOCK_HEAD_SIZE];
	enum outcome outcome;
	size_t size, stored;

	outcome = read_bytes(reader, head, sizeof(head));
	if (outcome != BLOCK_READ)
		return outcome;
	size = data_get32(head + 12);
	stored = data_get32(head + 16);
	if (memcmp(head, DATA_BLOCK_MAGIC, 4) ||
	    data_get32(head + 28) != crc32(0, head, 28) ||
	    data_get32(head + 8) != reader->number || size > DATA_BLOCK_MAX ||
	    stored > compressBound(DATA_BLOCK_MAX))
		return BLOCK_BAD;
	outcome = read_bytes(reader, reader->stored, stored);
	if (outcome != BLOCK_READ)
		return outcome;
	if (data_get32(head + 24) != crc32(0, reader->stored, stored))
		return BLOCK_BAD;
	outcome = unpack(reader, data_get16(head + 6), size, stored);
	if (outcome != BLOCK_READ)
		return outcome;
	reader->type = data_get16(head + 4);
	reader->number++;
	reader->offset += sizeof(head) + stored;
	return BLOCK_READ;
}

/* Returns 0 with @force. */
static int tell_damage(struct data_reader *reader)
{
	if (reader->force) {
		say_warning("'%s' is damaged at byte %" PRIu64
			    " (block %u): what is behind that is not read",
			    reader->name, reader->offset, reader->number);
		return 0;
	}
	say_error("'%s' is damaged at byte %" PRIu64
		  " (block %u); --force reads the %" PRIu64
		  " samples before that",
		  reader->name, reader->offset, reader->number,
		  reader->samples);
	return -1;
}

static int tell_cut(const struct data_reader *reader)
{
	say_warning(
		"'%s' ends in the middle, at byte %" PRIu64
		" (block %u): pfmon or the machine ended, or the disk was full, while it was written; the %" PRIu64
		" samples before that are read",
		reader->name, reader->offset, reader->number, reader->samples);
	return 0;
}

/* Behind the end there is nothing, or something that does not belong to the file. */
static int finish(struct data_reader *reader)
{
	reader->ended = true;
	if (reader->totals.written != reader->samples)
		return tell_damage(reader);
	if (getc(reader->in) != EOF)
		say_warning("'%s' goes on behind its end, at byte %" PRIu64
			    "; that is not read",
			    reader->name, reader->offset);
	return 0;
}

static int take_kernel(struct data_reader *reader)
{
	char *text =
		realloc(reader->kernel, reader->kernel_size + reader->size + 1);

	if (!text) {
		say_error("out of memory for the kernel's symbols");
		return -1;
	}
	memcpy(text + reader->kernel_size, reader->raw, reader->size);
	reader->kernel = text;
	reader->kernel_size += reader->size;
	text[reader->kernel_size] = '\0';
	reader->size = 0;
	return 1;
}

/* Takes a block that has no records.  Returns 1 if there may be more, 0 at the end, or -1. */
static int take_other(struct data_reader *reader)
{
	if (reader->type == DATA_KERNEL)
		return take_kernel(reader);
	if (reader->type != DATA_TOTALS && reader->type != DATA_END) {
		reader->size = 0;
		return 1;
	}
	if (data_totals_read(&reader->totals, (const char *)reader->raw,
			     reader->size))
		return tell_damage(reader);
	if (reader->type == DATA_END)
		return finish(reader);
	reader->size = 0;
	return 1;
}

/* Goes on to the next block with records.  Returns 1, 0 at the end, or -1 after a message. */
static int next_block(struct data_reader *reader)
{
	int ret = 1;

	while (ret > 0) {
		switch (read_block(reader)) {
		case BLOCK_CUT:
			return tell_cut(reader);
		case BLOCK_BAD:
			return tell_damage(reader);
		case BLOCK_FAILED:
			return -1;
		default:
			break;
		}
		if (reader->type == DATA_RECORDS)
			return 1;
		ret = take_other(reader);
	}
	return ret;
}

static int end(struct data_reader *reader, int ret)
{
	reader->over = true;
	reader->at = reader->size;
	return ret;
}

int data_reader_next(struct data_reader *reader, struct data_record *record)
{
	size_t size;
	int ret;

	do {
		while (reader->at == reader->size) {
			ret = reader->over ? 0 : next_block(reader);
			if (ret <= 0)
				return end(reader, ret);
		}
		size = data_record_read(record, reader->raw + reader->at,
					reader->size - reader->at);
		if (!size)
			return end(reader, tell_damage(reader));
		reader->at += size;
	} while (!record->kind);
	if (record->kind != DATA_SAMPLE)
		return 1;
	if (record->sample.index >= reader->info.periods.count)
		return end(reader, tell_damage(reader));
	reader->samples++;
	return 1;
}

static int read_info(struct data_reader *reader)
{
	switch (read_block(reader)) {
	case BLOCK_READ:
		break;
	case BLOCK_CUT:
		say_error(
			"'%s' ends before its first sample; there is nothing to read",
			reader->name);
		return -1;
	case BLOCK_FAILED:
		return -1;
	default:
		say_error("'%s' is damaged at byte %" PRIu64
			  ": its description cannot be read",
			  reader->name, reader->offset);
		return -1;
	}
	if (reader->type == DATA_INFO &&
	    !data_info_read(&reader->info, (const char *)reader->raw,
			    reader->size)) {
		reader->at = reader->size;
		return 0;
	}
	say_error("'%s' is damaged: its description is malformed",
		  reader->name);
	return -1;
}

bool data_reader_knows(FILE *in)
{
	const char *magic = DATA_MAGIC;
	size_t length = 0;
	bool same;
	int c;

	do {
		c = getc(in);
		same = c == magic[length];
		length += same;
	} while (same && magic[length]);
	if (!same && c != EOF)
		ungetc(c, in);
	while (length)
		ungetc(magic[--length], in);
	return same;
}

int data_reader_open(struct data_reader *reader, const char *name, FILE *in,
		     bool force)
{
	memset(reader, 0, sizeof(*reader));
	reader->name = name;
	reader->in = in;
	reader->force = force;
	reader->raw = malloc(DATA_BLOCK_MAX);
	reader->stored = malloc(compressBound(DATA_BLOCK_MAX));
	if (!reader->raw || !reader->stored) {
		say_error("out of memory for reading '%s'", name);
		return -1;
	}
	return read_head(reader) || read_info(reader) ? -1 : 0;
}

void data_reader_close(struct data_reader *reader)
{
	if (reader->in && reader->in != stdin)
		fclose(reader->in);
	data_info_free(&reader->info);
	free(reader->kernel);
	free(reader->raw);
	free(reader->stored);
	memset(reader, 0, sizeof(*reader));
}
