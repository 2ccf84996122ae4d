// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing in the file is trusted: places and sizes of sections, and the size of each record, are
 * compared with what is there before anything is read.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "data/data_format.h"
#include "data/perf_file.h"

#define MAGIC_SIZE 8
#define PIPE_SIZE  16
#define FILE_SIZE  104

/* A larger section is not one that perf writes. */
#define SECTION_MAX (1U << 30)

static const char magic[] = "PERFILE2";
static const char swapped[] = "2ELIFREP";

/* Leaves @in as if nothing had been read. */
static bool begins_with(FILE *in, const char *text)
{
	size_t length = 0;
	bool same;
	int c;

	do {
		c = getc(in);
		same = c == text[length];
		length += same;
	} while (same && text[length]);
	if (!same && c != EOF)
		ungetc(c, in);
	while (length)
		ungetc(text[--length], in);
	return same;
}

bool perf_file_knows(FILE *in)
{
	return begins_with(in, magic) || begins_with(in, swapped);
}

int perf_file_damaged(struct perf_file *file, uint64_t at, const char *why)
{
	file->over = true;
	if (file->force) {
		say_warning("'%s' is damaged at byte %" PRIu64
			    ": %s; what is behind that is not read",
			    file->name, at, why);
		return 0;
	}
	say_error("'%s' is damaged at byte %" PRIu64
		  ": %s; --force reads the %" PRIu64 " samples before that",
		  file->name, at, why, file->samples);
	return -1;
}

/* The part before the first record cannot be left out. */
static int malformed(const struct perf_file *file, uint64_t at, const char *why)
{
	say_error("'%s' is damaged at byte %" PRIu64 ": %s", file->name, at,
		  why);
	return -1;
}

static int tell_cut(struct perf_file *file)
{
	file->over = true;
	say_warning(
		"'%s' ends in the middle, at byte %" PRIu64
		": perf or the machine ended, or the disk was full, while it was written; the %" PRIu64
		" samples before that are read",
		file->name, file->at, file->samples);
	return 0;
}

static int tell_failed(const struct perf_file *file)
{
	say_error("cannot read '%s': %s", file->name, strerror(errno));
	return -1;
}

/* The form of a file needs to be read at any place, so what comes from a pipe is copied. */
static int copy_rest(struct perf_file *file, const uint8_t *head, size_t size)
{
	FILE *copy = tmpfile();
	char bytes[65536];
	bool failed;

	failed = !copy || fwrite(head, 1, size, copy) != size;
	while (!failed && (size = fread(bytes, 1, sizeof(bytes), file->in)))
		failed = fwrite(bytes, 1, size, copy) != size;
	if (failed || fflush(copy)) {
		say_error("cannot copy '%s' into a temporary file: %s",
			  file->name, strerror(errno));
		if (copy)
			fclose(copy);
		return -1;
	}
	if (file->in != stdin)
		fclose(file->in);
	file->in = copy;
	return 0;
}

static bool fits(const struct perf_file *file,
		 const struct perf_section *section)
{
	return section->offset <= file->size &&
	       section->size <= file->size - section->offset;
}

static void get_section(struct perf_section *section, const uint8_t *at)
{
	section->offset = data_get64(at);
	section->size = data_get64(at + 8);
}

static int take_places(struct perf_file *file, const uint8_t *head)
{
	unsigned int i;

	file->attr_size = data_get64(head + 16);
	get_section(&file->attrs, head + 24);
	get_section(&file->records, head + 40);
	for (i = 0; i < PERF_FILE_NUM_FEATURES / 64; i++)
		file->features[i] = data_get64(head + 72 + 8 * i);
	if (!fits(file, &file->attrs))
		return malformed(
			file, 24,
			"the attributes of the events are not within the file");
	if (file->records.offset > file->size ||
	    file->records.size > UINT64_MAX - file->records.offset)
		return malformed(file, 40,
				 "the records are not within the file");
	if (file->records.size)
		return 0;
	/* perf writes the size at the end, and the features behind the records. */
	say_warning(
		"'%s' has no end: perf was killed, or still writes; what is there is read",
		file->name);
	file->records.size = file->size - file->records.offset;
	memset(file->features, 0, sizeof(file->features));
	return 0;
}

static int read_places(struct perf_file *file, const uint8_t *begin)
{
	uint8_t head[FILE_SIZE];
	struct stat stat;

	if ((fstat(fileno(file->in), &stat) || !S_ISREG(stat.st_mode) ||
	     ftello(file->in) != PIPE_SIZE) &&
	    copy_rest(file, begin, PIPE_SIZE))
		return -1;
	if (fstat(fileno(file->in), &stat))
		return tell_failed(file);
	file->size = stat.st_size;
	if (fseeko(file->in, 0, SEEK_SET) ||
	    fread(head, 1, sizeof(head), file->in) != sizeof(head)) {
		if (ferror(file->in))
			return tell_failed(file);
		return malformed(file, file->size, "it ends within its head");
	}
	return take_places(file, head);
}

static int read_head(struct perf_file *file)
{
	uint8_t head[PIPE_SIZE];
	size_t size = fread(head, 1, sizeof(head), file->in);
	uint64_t length;
	struct stat stat;

	if (ferror(file->in))
		return tell_failed(file);
	if (size >= MAGIC_SIZE && !memcmp(head, swapped, MAGIC_SIZE)) {
		say_error(
			"'%s' is of a machine with the other byte order; 'perf script' there turns it into text",
			file->name);
		return -1;
	}
	if (size < sizeof(head))
		return malformed(file, size, "it ends within its head");
	length = data_get64(head + 8);
	file->pipe = length == PIPE_SIZE;
	if (!file->pipe && length < FILE_SIZE)
		return malformed(file, 8, "its head has an unknown size");
	if (!fstat(fileno(file->in), &stat) && S_ISREG(stat.st_mode))
		file->written = stat.st_mtime;
	if (!file->pipe)
		return read_places(file, head);
	file->size = UINT64_MAX;
	file->records.offset = PIPE_SIZE;
	file->records.size = UINT64_MAX - PIPE_SIZE;
	return 0;
}

int perf_file_open(struct perf_file *file, const char *name, FILE *in,
		   bool force)
{
	memset(file, 0, sizeof(*file));
	file->name = name;
	file->in = in;
	file->force = force;
	file->stored = malloc(PERF_FILE_RECORD_MAX);
	if (!file->stored) {
		say_error("out of memory for reading '%s'", name);
		return -1;
	}
	return read_head(file);
}

uint8_t *perf_file_section(struct perf_file *file,
			   const struct perf_section *section, const char *what)
{
	uint8_t *bytes;

	if (!fits(file, section) || section->size > SECTION_MAX) {
		say_error("'%s' is damaged at byte %" PRIu64
			  ": %s are not within the file",
			  file->name, section->offset, what);
		return NULL;
	}
	bytes = malloc(section->size + 1);
	if (!bytes) {
		say_error("out of memory for reading '%s'", file->name);
		return NULL;
	}
	if (!fseeko(file->in, section->offset, SEEK_SET) &&
	    fread(bytes, 1, section->size, file->in) == section->size)
		return bytes;
	tell_failed(file);
	free(bytes);
	return NULL;
}

int perf_file_begin(struct perf_file *file)
{
	file->offset = file->records.offset;
	file->at = file->offset;
	if (!file->pipe && fseeko(file->in, file->offset, SEEK_SET))
		return tell_failed(file);
	return 0;
}

/* Reads @size bytes.  Returns 1; 0 at the end; or -1 after a message. */
static int read_bytes(struct perf_file *file, uint8_t *to, size_t size)
{
	if (fread(to, 1, size, file->in) == size) {
		file->offset += size;
		return 1;
	}
	return ferror(file->in) ? tell_failed(file) : tell_cut(file);
}

/* Leaves out @size bytes behind a record. */
static int skip(struct perf_file *file, uint64_t size)
{
	char bytes[4096];
	size_t part;

	if (size > file->records.offset + file->records.size - file->offset)
		return perf_file_damaged(
			file, file->at,
			"what follows the record is not within the file");
	while (size) {
		part = size < sizeof(bytes) ? size : sizeof(bytes);
		if (fread(bytes, 1, part, file->in) != part)
			return ferror(file->in) ? tell_failed(file)
						: tell_cut(file);
		file->offset += part;
		size -= part;
	}
	return 1;
}

/* Some records are followed by bytes that do not count in their size. */
static int skip_tail(struct perf_file *file)
{
	const uint8_t *record = file->record;

	switch (data_get32(record)) {
	case PERF_FILE_AUXTRACE:
		file->traced = true;
		if (file->record_size < 16)
			break;
		return skip(file, data_get64(record + 8));
	case PERF_FILE_TRACING_DATA:
		if (file->record_size < 12)
			break;
		return skip(file,
			    ((uint64_t)data_get32(record + 8) + 7) & ~7ULL);
	default:
		return 1;
	}
	return perf_file_damaged(file, file->at, "a record is too short");
}

static int unpack(struct perf_file *file)
{
	const uint8_t *packed = file->record + PERF_FILE_HEAD;
	size_t size = file->record_size - PERF_FILE_HEAD;
	const char *wrong = NULL;
	uint64_t length;

	if (data_get32(file->record) == PERF_FILE_COMPRESSED2) {
		length = size < 8 ? UINT64_MAX : data_get64(packed);
		if (length > size - 8)
			wrong = "a packed record is too short";
		packed += 8;
		size = length;
	}
	if (!wrong)
		wrong = unpacker_add(&file->unpacker, packed, size);
	return wrong ? perf_file_damaged(file, file->at, wrong) : 1;
}

/* Takes a record that was unpacked.  Returns false if there is none that is whole. */
static bool next_plain(struct perf_file *file)
{
	struct unpacker *unpacker = &file->unpacker;
	size_t left = unpacker->size - unpacker->at, size;
	const uint8_t *at;

	if (left < PERF_FILE_HEAD)
		return false;
	at = unpacker->plain + unpacker->at;
	size = data_get16(at + 6);
	if (size > left)
		return false;
	file->record = at;
	file->record_size = size;
	unpacker->at += size;
	return true;
}

/* Returns 1 with a record of the file, 0 at the end, or -1 after a message. */
static int next_stored(struct perf_file *file)
{
	uint64_t left =
		file->records.offset + file->records.size - file->offset;
	uint8_t *stored = file->stored;
	size_t size;
	int c, ret;

	file->at = file->offset;
	if (!left)
		return 0;
	if (left == UINT64_MAX - file->offset) {
		c = getc(file->in);
		if (c == EOF)
			return ferror(file->in) ? tell_failed(file) : 0;
		ungetc(c, file->in);
	}
	ret = read_bytes(file, stored, PERF_FILE_HEAD);
	if (ret <= 0)
		return ret;
	size = data_get16(stored + 6);
	if (size < PERF_FILE_HEAD)
		return perf_file_damaged(file, file->at,
					 "a record is smaller than its head");
	if (size > left)
		return perf_file_damaged(
			file, file->at, "a record goes on behind the last one");
	ret = read_bytes(file, stored + PERF_FILE_HEAD, size - PERF_FILE_HEAD);
	if (ret <= 0)
		return ret;
	file->record = stored;
	file->record_size = size;
	return skip_tail(file);
}

static bool is_packed(const uint8_t *record)
{
	uint32_t type = data_get32(record);

	return type == PERF_FILE_COMPRESSED || type == PERF_FILE_COMPRESSED2;
}

int perf_file_next(struct perf_file *file)
{
	int ret;

	if (file->again) {
		file->again = false;
		return 1;
	}
	while (!file->over) {
		if (next_plain(file)) {
			if (file->record_size < PERF_FILE_HEAD ||
			    is_packed(file->record))
				return perf_file_damaged(
					file, file->at,
					"what was packed is no record");
			return 1;
		}
		ret = next_stored(file);
		if (ret <= 0) {
			file->over = true;
			return ret;
		}
		if (!is_packed(file->record))
			return 1;
		ret = unpack(file);
		if (ret <= 0)
			return ret;
	}
	return 0;
}

void perf_file_close(struct perf_file *file)
{
	if (file->in && file->in != stdin)
		fclose(file->in);
	unpacker_free(&file->unpacker);
	free(file->stored);
	memset(file, 0, sizeof(*file));
}
