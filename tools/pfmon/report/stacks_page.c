// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page with a flame graph.  The input is read and checked completely before the first byte is
 * written, so that invalid input does not destroy an old page.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/outfile.h"
#include "report/page.h"
#include "report/report_input.h"
#include "report/stacks_page.h"

#define DATA_MARK "@DATA@"

/* The largest integer that a JavaScript number holds exactly. */
#define SAMPLES_MAX ((1ULL << 53) - 1)

/**
 * struct stacks - the stacks of a page
 * @title: title of the page; NULL none
 * @outfile: where the page goes; NULL standard output
 * @name: name of the input in messages
 * @in: the input
 * @line: number of the current line
 * @samples: sum of all counts
 * @json: data of the page
 * @data: text of @json
 * @size: length of @data
 */
struct stacks {
	const char *title;
	const char *outfile;
	const char *name;
	FILE *in;
	unsigned long line;
	uint64_t samples;
	struct json json;
	char *data;
	size_t size;
};

/* Reports an error in the current line. */
static int bad_line(const struct stacks *stacks, const char *why)
{
	say_error("%s: line %lu: %s", stacks->name, stacks->line, why);
	return -1;
}

/* Adds the decimal number @text to the number of samples. */
static int add_count(struct stacks *stacks, const char *text)
{
	uint64_t count = 0;

	if (!*text)
		return bad_line(stacks, "it ends in a blank, not in a count");
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return bad_line(stacks, "its last word is not a count");
		count = count * 10 + (*text - '0');
		if (count > SAMPLES_MAX)
			return bad_line(stacks, "its count exceeds 2^53 - 1");
	}
	stacks->samples += count;
	if (stacks->samples > SAMPLES_MAX)
		return bad_line(stacks, "the sum of counts exceeds 2^53 - 1");
	return 0;
}

static int check_stack(struct stacks *stacks, const char *line)
{
	const char *blank = strrchr(line, ' ');
	const char *gap = strstr(line, ";;");

	if (!blank)
		return bad_line(stacks, "it has no blank followed by a count");
	if (blank == line || *line == ';' || blank[-1] == ';' ||
	    (gap && gap < blank))
		return bad_line(stacks, "a frame has no name");
	return add_count(stacks, blank + 1);
}

static int read_line(struct stacks *stacks, char *line, size_t length)
{
	stacks->line++;
	if (length && line[length - 1] == '\n')
		line[--length] = 0;
	if (strlen(line) != length)
		return bad_line(stacks, "it holds a byte 0: not text");
	if (!length)
		return 0;
	if (*line != '#' && check_stack(stacks, line))
		return -1;
	json_string(&stacks->json, NULL, line);
	return 0;
}

static int read_lines(struct stacks *stacks)
{
	char *line = NULL;
	ssize_t length;
	size_t size = 0;
	int err = 0;

	errno = 0;
	while (!err && (length = getline(&line, &size, stacks->in)) >= 0)
		err = read_line(stacks, line, length);
	if (!err && !feof(stacks->in)) {
		say_error("cannot read %s: %s", stacks->name, strerror(errno));
		err = -1;
	}
	free(line);
	return err;
}

static int read_all(struct stacks *stacks)
{
	struct json *json = &stacks->json;
	FILE *out = open_memstream(&stacks->data, &stacks->size);
	const char *slash = strrchr(stacks->name, '/');
	int err;

	if (!out) {
		say_error("out of memory");
		return -1;
	}
	json_begin(json, out);
	if (stacks->title)
		json_string(json, "title", stacks->title);
	json_string(json, "source", slash ? slash + 1 : stacks->name);
	json_array(json, "lines");
	err = read_lines(stacks);
	json_close(json);
	json_finish(json);
	if (fclose(out) && !err) {
		say_error("out of memory");
		err = -1;
	}
	if (!err && !stacks->samples)
		say_warning("%s has no samples", stacks->name);
	return err;
}

/*
 * In a script element only '<' is special, and in JSON it occurs in strings only,
 * where it can be escaped.
 */
static void write_data(const struct stacks *stacks, FILE *out)
{
	size_t i;

	for (i = 0; i < stacks->size; i++) {
		if (stacks->data[i] == '<')
			fputs("\\u003c", out);
		else
			fputc(stacks->data[i], out);
	}
}

static int write_page(const struct stacks *stacks)
{
	const char *mark = strstr(report_page, DATA_MARK);
	const char *rest = mark + strlen(DATA_MARK);
	struct outfile output = { .name = stacks->outfile, .file = stdout };

	if (stacks->outfile) {
		output.file = fopen(stacks->outfile, "we");
		if (!output.file) {
			say_error("cannot open '%s' for the page: %s",
				  stacks->outfile, strerror(errno));
			return -1;
		}
	}
	fwrite(report_page, 1, mark - report_page, output.file);
	write_data(stacks, output.file);
	fputs(rest, output.file);
	return stacks->outfile ? outfile_close(&output)
			       : outfile_finish_stdout();
}

int stacks_page(const struct report_input *input, const char *title,
		const char *outfile)
{
	struct stacks stacks = {
		.title = title,
		.outfile = outfile,
		.name = input->name,
		.in = input->in,
		.line = input->lines,
	};
	int err;

	err = read_all(&stacks);
	if (!err)
		err = write_page(&stacks);
	free(stacks.data);
	return err;
}
