// SPDX-License-Identifier: GPL-2.0-only
/*
 * Annotated functions as text, JSON and CSV, see annotation_forms.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/quoting.h"
#include "events/event_list.h"
#include "profiles/annotation_forms.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"

/* Columns of text before that of the address. */
#define SHARE_WIDTH 19

/**
 * struct writer - one output
 * @out: where to
 * @annotation: the functions
 * @code: where instructions are read from
 * @request: what is printed
 * @json: the document, if it is one
 * @event: number of the current event
 * @function: the current function
 */
struct writer {
	FILE *out;
	struct annotation *annotation;
	struct code *code;
	const struct annotation_request *request;
	struct json json;
	size_t event;
	const struct annotated_function *function;
};

static const char *label_of(const struct writer *writer)
{
	const struct sampling *sampling = writer->annotation->sampling;

	return sampling->events
		->list[sampling->periods.list[writer->event].event]
		.label;
}

static double percent_of(const struct tally *part, const struct tally *all)
{
	if (all->weight)
		return 100.0 * part->weight / all->weight;
	return all->count ? 100.0 * part->count / all->count : 0;
}

/* The samples of a row; they are none if it has no tally. */
static struct tally samples_of(const struct writer *writer,
			       const struct annotated_row *row)
{
	return row->tally ? row->tally[writer->event] : (struct tally){ 0 };
}

static double share_of(const struct writer *writer,
		       const struct annotated_row *row)
{
	const struct tally part = samples_of(writer, row);

	return percent_of(&part, &writer->function->tally[writer->event]);
}

/* Replaces control characters, so that a text stays on its line. */
static void print_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(((unsigned char)*text < 0x20 && *text != '\t') ||
				      *text == 0x7f
			      ? '?'
			      : *text,
		      out);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static const char *source_of(const struct writer *writer,
			     const struct annotated_row *row)
{
	return row->file ? source_text_line(&writer->annotation->sources,
					    row->file, row->line,
					    writer->function->spots->module)
			 : NULL;
}

static void print_place(FILE *out, const struct annotated_row *row,
			const char *text)
{
	if (row->file) {
		print_text(out, base_name(row->file));
		fprintf(out, ":%u", row->line);
	} else {
		fputs("[no source line]", out);
	}
	if (text) {
		fputs("  ", out);
		print_text(out, text);
	}
	fputc('\n', out);
}

static void print_share(const struct writer *writer,
			const struct annotated_row *row)
{
	const struct tally part = samples_of(writer, row);

	if (part.count)
		fprintf(writer->out, " %6.2f%% %10" PRIu64,
			share_of(writer, row), part.count);
	else
		fprintf(writer->out, "%*s", SHARE_WIDTH, "");
}

static void print_lines(const struct writer *writer,
			const struct annotated_rows *rows)
{
	size_t i;

	if (!rows->count)
		return;
	fputs("#  share    samples  source line\n", writer->out);
	for (i = 0; i < rows->count; i++) {
		if (!samples_of(writer, &rows->list[i]).count)
			continue;
		print_share(writer, &rows->list[i]);
		fputs("  ", writer->out);
		print_place(writer->out, &rows->list[i], rows->list[i].text);
	}
}

static bool is_same_line(const struct annotated_row *a,
			 const struct annotated_row *b)
{
	return a->line == b->line && a->file && !strcmp(a->file, b->file);
}

static void print_instructions(const struct writer *writer,
			       const struct annotated_rows *rows)
{
	const struct annotated_row *row, *last = NULL;
	FILE *out = writer->out;
	size_t i;

	fprintf(out, "#  share    samples  %12s  instruction\n", "address");
	for (i = 0; i < rows->count; i++) {
		row = &rows->list[i];
		/* The source stands above its instructions. */
		if (row->file && (!last || !is_same_line(last, row))) {
			fprintf(out, "%*s", SHARE_WIDTH + 2, "");
			print_place(out, row, source_of(writer, row));
		}
		if (row->file)
			last = row;
		print_share(writer, row);
		fprintf(out, "  %12" PRIx64 "  %s\n", row->address,
			row->text     ? row->text
			: row->inside ? "(within an instruction)"
				      : "(code cannot be read)");
	}
}

static void print_title(const struct writer *writer)
{
	const struct annotated_function *function = writer->function;
	const struct tally *all =
		&writer->annotation->sampling->profile.totals[writer->event];
	const struct tally *part = &function->tally[writer->event];

	fputs("#\n# ", writer->out);
	print_text(writer->out, function->spots->name);
	fputs(", ", writer->out);
	print_text(writer->out, function->spots->module);
	fprintf(writer->out,
		"\n# %s: %" PRIu64 " of %" PRIu64 " samples, %.2f%%\n",
		label_of(writer), part->count, all->count,
		percent_of(part, all));
}

static void json_text(struct json *json, const char *key, const char *text)
{
	if (text)
		jsonw_string(json, key, text);
	else
		jsonw_null(json, key);
}

/* A string, as numbers of JSON are not exact above 2^53. */
static void json_address(struct json *json, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	jsonw_string(json, key, text);
}

static void json_row(struct writer *writer, const struct annotated_row *row,
		     bool line)
{
	struct json *json = &writer->json;
	const struct tally part = samples_of(writer, row);

	jsonw_line_object(json, NULL);
	jsonw_uint(json, "samples", part.count);
	jsonw_uint(json, "events", part.weight);
	jsonw_double(json, "share", share_of(writer, row));
	if (!line) {
		json_address(json, "address", row->address);
		json_text(json, "instruction", row->text);
	}
	json_text(json, "file", row->file);
	if (row->file)
		jsonw_uint(json, "line", row->line);
	else
		jsonw_null(json, "line");
	if (line)
		json_text(json, "text", row->text);
	jsonw_close(json);
}

static void json_rows(struct writer *writer, const char *key,
		      const struct annotated_rows *rows, bool lines)
{
	size_t i;

	jsonw_array(&writer->json, key);
	for (i = 0; i < rows->count; i++)
		if (!lines || samples_of(writer, &rows->list[i]).count)
			json_row(writer, &rows->list[i], lines);
	jsonw_close(&writer->json);
}

static void json_function(struct writer *writer,
			  const struct annotated_rows *lines,
			  const struct annotated_rows *instructions)
{
	const struct annotated_spot *spot = writer->function->spots;
	const struct tally *part = &writer->function->tally[writer->event];
	struct json *json = &writer->json;

	jsonw_object(json, NULL);
	jsonw_string(json, "event", label_of(writer));
	jsonw_string(json, "function", spot->name);
	jsonw_string(json, "image", spot->module);
	json_address(json, "start", spot->start);
	jsonw_uint(json, "samples", part->count);
	jsonw_uint(json, "events", part->weight);
	jsonw_double(json, "share",
		     percent_of(part, &writer->annotation->sampling->profile
					       .totals[writer->event]));
	if (writer->request->lines)
		json_rows(writer, "lines", lines, true);
	if (writer->request->instructions)
		json_rows(writer, "instructions", instructions, false);
	jsonw_close(json);
}

static void csv_text(FILE *out, const char *text)
{
	fputc(',', out);
	if (text)
		csv_field_print(out, text);
}

static void csv_row(const struct writer *writer,
		    const struct annotated_row *row, bool line)
{
	const struct annotated_spot *spot = writer->function->spots;
	const struct tally part = samples_of(writer, row);
	FILE *out = writer->out;

	csv_field_print(out, label_of(writer));
	csv_text(out, spot->name);
	csv_text(out, spot->module);
	fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%.4f,",
		line ? "line" : "instruction", part.count, part.weight,
		share_of(writer, row));
	if (!line)
		fprintf(out, "0x%" PRIx64, row->address);
	csv_text(out, line ? NULL : row->text);
	csv_text(out, row->file);
	fputc(',', out);
	if (row->file)
		fprintf(out, "%u", row->line);
	csv_text(out, line ? row->text : NULL);
	fputc('\n', out);
}

static void csv_rows(const struct writer *writer,
		     const struct annotated_rows *rows, bool lines)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		if (!lines || samples_of(writer, &rows->list[i]).count)
			csv_row(writer, &rows->list[i], lines);
}

static void print_rows(struct writer *writer,
		       const struct annotated_rows *lines,
		       const struct annotated_rows *instructions)
{
	const struct annotation_request *request = writer->request;

	switch (request->form) {
	case ANNOTATION_JSON:
		json_function(writer, lines, instructions);
		break;
	case ANNOTATION_CSV:
		if (request->lines)
			csv_rows(writer, lines, true);
		if (request->instructions)
			csv_rows(writer, instructions, false);
		break;
	default:
		print_title(writer);
		/* Without lines the instructions say more than nothing. */
		if (request->lines)
			print_lines(writer, lines);
		if (request->instructions || !lines->count)
			print_instructions(writer, instructions);
	}
}

static void tell_no_lines(const struct annotated_spot *spot)
{
	if (spot->image == IMAGE_KERNEL)
		say_note("source lines of the kernel are not shown");
	else
		say_note(
			"'%s' has no source lines: build it with -g, or install its debugging symbols",
			spot->module);
}

static int print_function(struct writer *writer)
{
	const size_t events = writer->annotation->sampling->periods.count;
	struct annotated_rows instructions = { 0 }, lines = { 0 };
	int err;

	err = annotation_instructions(writer->annotation, writer->function,
				      writer->code, &instructions);
	if (!err)
		err = annotation_lines(writer->annotation, writer->function,
				       &instructions, &lines);
	if (!err && !lines.count && writer->request->lines &&
	    !writer->request->instructions)
		tell_no_lines(writer->function->spots);
	for (writer->event = 0; !err && writer->event < events; writer->event++)
		if (writer->function->tally[writer->event].count)
			print_rows(writer, &lines, &instructions);
	annotated_rows_free(&lines);
	annotated_rows_free(&instructions);
	return err;
}

static void begin(struct writer *writer)
{
	const struct sampling *sampling = writer->annotation->sampling;
	struct json *json = &writer->json;

	switch (writer->request->form) {
	case ANNOTATION_JSON:
		jsonw_begin(json, writer->out);
		jsonw_string(json, "file", writer->request->name);
		jsonw_uint(json, "lost", sampling_missing(sampling));
		jsonw_array(json, "functions");
		break;
	case ANNOTATION_CSV:
		fputs("event,function,image,row,samples,events,share,address,instruction,file,line,text\n",
		      writer->out);
		break;
	default:
		print_loss_comments(writer->out, sampling, true);
	}
}

int annotation_print(FILE *out, struct annotation *annotation,
		     struct code *code,
		     const struct annotation_request *request)
{
	struct writer writer = {
		.out = out,
		.annotation = annotation,
		.code = code,
		.request = request,
	};
	size_t i;
	int err = 0;

	begin(&writer);
	for (i = 0; !err && i < annotation->count; i++) {
		writer.function = &annotation->functions[i];
		if (request->function ? annotation_is_called(writer.function,
							     request->function)
				      : !i)
			err = print_function(&writer);
	}
	if (request->form == ANNOTATION_JSON) {
		jsonw_close(&writer.json);
		jsonw_finish(&writer.json);
	}
	return err;
}
