// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page with a flame graph.  The input is read and checked completely before the first byte is
 * written, so that invalid input does not destroy an old page.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json_writer.h"
#include "base/message.h"
#include "base/outfile.h"
#include "report/pages.h"
#include "report/report_input.h"
#include "report/thin_frames.h"

#define DATA_MARK "@DATA@"

/* Thin frames of fewer stacks are kept: the page is small, and shows them when one zooms in. */
#define STACKS_MAX 10000

/* The largest integer that a JavaScript number holds exactly. */
#define SAMPLES_MAX ((1ULL << 53) - 1)

/**
 * struct stacks - the stacks of a page
 * @title: title of the page; NULL if none
 * @outfile: where the page goes; NULL for standard output
 * @name: name of the input in messages
 * @in: the input
 * @line: number of the current line
 * @samples: sum of all counts
 * @list: the stacks
 * @count: elements of @list
 * @room: elements that @list has room for
 * @buffer: for a line of the page
 * @buffer_size: size of @buffer
 * @failed: there was no memory for @buffer
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
	struct thin_stack *list;
	size_t count;
	size_t room;
	char *buffer;
	size_t buffer_size;
	bool failed;
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

static int no_memory(void)
{
	say_error("out of memory");
	return -1;
}

/* Reads the decimal number @text, and adds it to the number of samples. */
static int read_count(struct stacks *stacks, const char *text, uint64_t *count)
{
	*count = 0;
	if (!*text)
		return bad_line(stacks, "it ends in a blank, not in a count");
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return bad_line(stacks, "its last word is not a count");
		*count = *count * 10 + (*text - '0');
		if (*count > SAMPLES_MAX)
			return bad_line(stacks, "its count exceeds 2^53 - 1");
	}
	stacks->samples += *count;
	if (stacks->samples > SAMPLES_MAX)
		return bad_line(stacks, "the sum of counts exceeds 2^53 - 1");
	return 0;
}

static int add_stack(struct stacks *stacks, const char *text, size_t length,
		     uint64_t samples)
{
	if (array_reserve(&stacks->list, sizeof(*stacks->list), &stacks->room,
			  stacks->count + 1))
		return no_memory();
	stacks->list[stacks->count].text = strndup(text, length);
	if (!stacks->list[stacks->count].text)
		return no_memory();
	stacks->list[stacks->count++].samples = samples;
	return 0;
}

static int read_stack(struct stacks *stacks, const char *line)
{
	const char *blank = strrchr(line, ' ');
	const char *gap = strstr(line, ";;");
	uint64_t samples;

	if (!blank)
		return bad_line(stacks, "it has no blank followed by a count");
	if (blank == line || *line == ';' || blank[-1] == ';' ||
	    (gap && gap < blank))
		return bad_line(stacks, "a frame has no name");
	if (read_count(stacks, blank + 1, &samples))
		return -1;
	return add_stack(stacks, line, blank - line, samples);
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
	if (*line != '#')
		return read_stack(stacks, line);
	jsonw_string(&stacks->json, NULL, line);
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

/* Adds a stack to the page; @last is its last frame, NULL if it is in @text. */
static void write_stack(void *arg, const char *text, size_t length,
			const char *last, uint64_t samples)
{
	struct stacks *stacks = arg;
	size_t size = length + (last ? strlen(last) : 0) + 32;

	if (array_reserve(&stacks->buffer, 1, &stacks->buffer_size, size)) {
		stacks->failed = true;
		return;
	}
	snprintf(stacks->buffer, stacks->buffer_size, "%.*s%s%s %" PRIu64,
		 (int)length, text, length && last ? ";" : "", last ? last : "",
		 samples);
	jsonw_string(&stacks->json, NULL, stacks->buffer);
}

static void tell_merged(struct stacks *stacks, const struct thin_merged *merged)
{
	struct json *json = &stacks->json;

	if (!merged->stacks)
		return;
	jsonw_object(json, "merged");
	jsonw_uint(json, "stacks", merged->stacks);
	jsonw_uint(json, "samples", merged->samples);
	jsonw_uint(json, "of", stacks->count);
	jsonw_string(json, "name", THIN_NAME);
	jsonw_uint(json, "part", THIN_PART);
	jsonw_close(json);
	say_note(
		"%s: %" PRIu64
		" of %zu stacks have a frame with less than 1/%u of all samples: such frames, with %" PRIu64
		" of %" PRIu64 " samples, are merged into \"" THIN_NAME "\"",
		stacks->name, merged->stacks, stacks->count, THIN_PART,
		merged->samples, stacks->samples);
}

static int write_stacks(struct stacks *stacks, struct thin_merged *merged)
{
	size_t i;

	*merged = (struct thin_merged){ 0 };
	if (stacks->count > STACKS_MAX)
		stacks->failed = thin_frames_merge(stacks->list, stacks->count,
						   write_stack, stacks, merged);
	for (i = 0; stacks->count <= STACKS_MAX && i < stacks->count; i++)
		write_stack(stacks, stacks->list[i].text,
			    strlen(stacks->list[i].text), NULL,
			    stacks->list[i].samples);
	return stacks->failed ? no_memory() : 0;
}

static int read_all(struct stacks *stacks)
{
	struct json *json = &stacks->json;
	FILE *out = open_memstream(&stacks->data, &stacks->size);
	const char *slash = strrchr(stacks->name, '/');
	struct thin_merged merged;
	int err;

	if (!out)
		return no_memory();
	jsonw_begin(json, out);
	if (stacks->title)
		jsonw_string(json, "title", stacks->title);
	jsonw_string(json, "source", slash ? slash + 1 : stacks->name);
	jsonw_array(json, "lines");
	err = read_lines(stacks);
	if (!err)
		err = write_stacks(stacks, &merged);
	jsonw_close(json);
	if (!err)
		tell_merged(stacks, &merged);
	jsonw_finish(json);
	if (fclose(out) && !err)
		err = no_memory();
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
	size_t i;
	int err;

	err = read_all(&stacks);
	if (!err)
		err = write_page(&stacks);
	for (i = 0; i < stacks.count; i++)
		free(stacks.list[i].text);
	free(stacks.list);
	free(stacks.buffer);
	free(stacks.data);
	return err;
}
