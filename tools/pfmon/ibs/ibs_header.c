// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the header of a file of IBS samples, see ibs_header.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "ibs/ibs_header.h"

/* Longer lines, as of long commands, are of no use here, and are cut. */
#define LINE_SIZE 256

/*
 * Bytes of the first line, and of the header.  What is longer is no header, but something
 * that may have no end.
 */
#define FIRST_MAX  LINE_SIZE
#define HEADER_MAX (4 << 20)

/**
 * struct type - a type of file
 * @first: its first line
 * @version: key of the version of its structures
 */
struct type {
	const char *first;
	const char *version;
};

static const struct type types[] = {
	[IBS_FILE_PERFMON] = { IBS_HEADER_PERFMON, "IBS Structure Version" },
	[IBS_FILE_TOOLKIT_OP] = { IBS_HEADER_OP, "IBS Op Structure Version" },
	[IBS_FILE_TOOLKIT_FETCH] = { IBS_HEADER_FETCH,
				     "IBS Fetch Structure Version" },
};

#define NUM_TYPES (sizeof(types) / sizeof(*types))

/**
 * struct number - a line "KEY: NUMBER" that a header must have
 * @key: before the colon
 * @value: where the number goes
 * @seen: there was such a line
 */
struct number {
	const char *key;
	uint32_t *value;
	bool seen;
};

#define MAX_NUMBERS 4

/**
 * struct header - a header that is being read
 * @input: the file
 * @format: result
 * @version: of the structures
 * @numbers: what must be there; ends with a key that is NULL
 * @has: features about which there was a line
 * @features: what these lines say
 */
struct header {
	struct ibs_input *input;
	struct ibs_format *format;
	uint32_t version;
	struct number numbers[MAX_NUMBERS + 1];
	struct ibs_features has;
	struct ibs_features features;
};

static bool *feature_at(struct ibs_features *features,
			const struct ibs_key *key)
{
	return (bool *)((char *)features + key->offset);
}

/* The value in a line that begins with @key and a colon, else NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t length = strlen(key);

	return strncmp(line, key, length) || line[length] != ':'
		       ? NULL
		       : line + length + 1;
}

static int read_number(const struct header *header, const char *key,
		       const char *text, uint32_t max, uint32_t *number)
{
	unsigned long long value;
	char *end;

	text += strspn(text, " \t");
	errno = 0;
	value = strtoull(text, &end, 0);
	if (end != text && *text != '-' && !end[strspn(end, " \t\r")] &&
	    !errno && value <= max) {
		*number = value;
		return 0;
	}
	say_error("%s: the value of '%s:', in the line that ends at offset "
		  "%llu, is not a number from 0 to %u: the header is damaged",
		  header->input->name, key,
		  (unsigned long long)header->input->offset, max);
	return -1;
}

/* The first of several lines counts: a command may have lines that look like one. */
static int take_line(struct header *header, const char *line)
{
	const struct ibs_key *key;
	struct number *number;
	const char *text;
	uint32_t value;

	for (number = header->numbers; number->key; number++) {
		text = value_of(line, number->key);
		if (!text || number->seen)
			continue;
		number->seen = true;
		return read_number(header, number->key, text, UINT32_MAX,
				   number->value);
	}
	for (key = ibs_keys; key->name; key++) {
		text = value_of(line, key->name);
		if (!text || *feature_at(&header->has, key))
			continue;
		if (read_number(header, key->name, text, 1, &value))
			return -1;
		*feature_at(&header->has, key) = true;
		*feature_at(&header->features, key) = value;
	}
	return 0;
}

static int no_header(const struct ibs_input *input)
{
	say_error("%s is no file of IBS samples: its first line is neither "
		  "'" IBS_HEADER_PERFMON "' nor '" IBS_HEADER_OP "' nor "
		  "'" IBS_HEADER_FETCH "'",
		  input->name);
	return -1;
}

static int read_first(struct header *header)
{
	char line[LINE_SIZE];
	size_t i;
	int status =
		ibs_input_line(header->input, line, sizeof(line), FIRST_MAX);

	if (status < 0)
		return -1;
	for (i = 0; status && i < NUM_TYPES; i++) {
		if (strcmp(line, types[i].first))
			continue;
		header->format->type = i;
		return 0;
	}
	return no_header(header->input);
}

static int read_lines(struct header *header)
{
	struct ibs_input *input = header->input;
	char line[LINE_SIZE];
	int status;

	while ((status = ibs_input_line(input, line, sizeof(line),
					HEADER_MAX)) > 0) {
		if (!strcmp(line, IBS_HEADER_END))
			return 0;
		if (take_line(header, line))
			return -1;
	}
	if (status < 0)
		return -1;
	say_error("%s: up to offset %llu there is no line of %zu '=', which "
		  "ends the header: the file is cut or damaged; copy or record "
		  "it again",
		  input->name, (unsigned long long)input->offset,
		  strlen(IBS_HEADER_END));
	return -1;
}

static int check(const struct header *header)
{
	unsigned long long end = header->input->offset;
	const char *name = header->input->name;
	const struct number *number;

	for (number = header->numbers; number->key; number++) {
		if (number->seen)
			continue;
		say_error("%s: the header, which ends at offset %llu, has no "
			  "line '%s:'; without it the samples cannot be "
			  "decoded",
			  name, end, number->key);
		return -1;
	}
	if (header->version == IBS_HEADER_VERSION)
		return 0;
	say_error("%s: the header, which ends at offset %llu, says that the "
		  "samples have version %u; this pfmon knows version %d only: "
		  "use the program that wrote the file, or a later pfmon",
		  name, end, header->version, IBS_HEADER_VERSION);
	return -1;
}

static void expect_numbers(struct header *header)
{
	struct ibs_processor *processor = &header->format->processor;
	bool perfmon = header->format->type == IBS_FILE_PERFMON;
	struct number numbers[MAX_NUMBERS] = {
		{ types[header->format->type].version, &header->version,
		  false },
		{ "AMD Processor Family", &processor->family, false },
		{ "AMD Processor Model", &processor->model, false },
		{ perfmon ? "IBS Capabilities" : NULL, &processor->caps,
		  false },
	};

	memcpy(header->numbers, numbers, sizeof(numbers));
}

/*
 * The toolkit's files say what is there.  In those of perfmon the processor says it, and
 * lines can only correct that.
 */
static void conclude(struct header *header)
{
	struct ibs_format *format = header->format;
	const struct ibs_key *key;

	if (format->type == IBS_FILE_PERFMON)
		ibs_features_derive(&format->processor, &format->features);
	for (key = ibs_keys; key->name; key++)
		if (*feature_at(&header->has, key))
			*feature_at(&format->features, key) =
				*feature_at(&header->features, key);
	ibs_quirks_derive(&format->processor, &format->quirks);
}

int ibs_header_read(struct ibs_input *input, struct ibs_format *format)
{
	struct header header = { .input = input, .format = format };

	memset(format, 0, sizeof(*format));
	if (read_first(&header))
		return -1;
	expect_numbers(&header);
	if (read_lines(&header) || check(&header))
		return -1;
	conclude(&header);
	return 0;
}
