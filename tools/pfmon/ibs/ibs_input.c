// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads lines and samples, and says where in the file something is wrong.
 */
#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "ibs/ibs_input.h"

#define BUFFER_SIZE (256 << 10)

int ibs_input_open(struct ibs_input *input, const char *name)
{
	input->name = name;
	input->offset = 0;
	if (!strcmp(name, "-")) {
		input->name = "standard input";
		input->stream = stdin;
	} else {
		input->stream = fopen(name, "re");
	}
	if (!input->stream) {
		say_error("cannot open '%s': %s", name, strerror(errno));
		return -1;
	}
	setvbuf(input->stream, NULL, _IOFBF, BUFFER_SIZE);
	return 0;
}

void ibs_input_close(struct ibs_input *input)
{
	if (input->stream && input->stream != stdin)
		fclose(input->stream);
	input->stream = NULL;
}

static int cannot_read(const struct ibs_input *input)
{
	say_error("cannot read %s at offset %llu: %s", input->name,
		  (unsigned long long)input->offset, strerror(errno));
	return -1;
}

int ibs_input_line(struct ibs_input *input, char *line, size_t size,
		   uint64_t limit)
{
	size_t length = 0;
	int c = 0;

	while (input->offset < limit) {
		c = getc_unlocked(input->stream);
		if (c == EOF)
			break;
		input->offset++;
		if (c == '\n')
			break;
		if (length + 1 < size)
			line[length++] = c;
	}
	line[length] = 0;
	if (c == '\n')
		return 1;
	return ferror(input->stream) ? cannot_read(input) : 0;
}

int ibs_input_read(struct ibs_input *input, void *sample, size_t have,
		   size_t size)
{
	size_t got;

	got = have + fread_unlocked((char *)sample + have, 1, size - have,
				    input->stream);
	if (got == size) {
		input->offset += size - have;
		return 1;
	}
	if (ferror(input->stream))
		return cannot_read(input);
	if (!got)
		return 0;
	say_error("%s: the sample at offset %llu is cut: the file has %zu of "
		  "its %zu bytes; copy or record the file again",
		  input->name, (unsigned long long)input->offset - have, got,
		  size);
	return -1;
}
