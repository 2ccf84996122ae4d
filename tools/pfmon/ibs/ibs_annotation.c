// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints rows as text or JSON, see ibs_annotation.h.  The rows that are printed, the sum
 * of the rest, and what other functions have, add up to all samples.
 */
#include <inttypes.h>

#include "base/json_writer.h"
#include "ibs/ibs_annotation.h"

const char *const ibs_view_names[] = {
	[IBS_VIEW_FUNCTION] = "function",
	[IBS_VIEW_LINE] = "line",
	[IBS_VIEW_INSTRUCTION] = "instruction",
};

static const char
	*const kind_names[] = { [IBS_OP] = "op", [IBS_FETCH] = "fetch" };

static size_t num_shown(const struct ibs_annotation *annotation)
{
	size_t count = annotation->rows->count;

	return annotation->limit && annotation->limit < count
		       ? annotation->limit
		       : count;
}

static uint64_t rest_of(const struct ibs_annotation *annotation)
{
	size_t i, shown = num_shown(annotation);
	uint64_t rest = annotation->rows->samples;

	for (i = 0; i < shown; i++)
		rest -= annotation->rows->list[i].count;
	return rest;
}

static uint64_t elsewhere(const struct ibs_annotation *annotation)
{
	return annotation->tally->samples - annotation->rows->samples;
}

/* Replaces control characters, so that a name stays on its line. */
static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc((unsigned char)*name < 0x20 || *name == 0x7f ? '?'
								   : *name,
		      out);
}

static void print_share(FILE *out, const struct ibs_annotation *annotation,
			uint64_t count)
{
	uint64_t all = annotation->tally->samples;

	fprintf(out, "%9" PRIu64 " %6.2f%%  ", count,
		all ? 100.0 * count / all : 0);
}

static void print_symbol(FILE *out, const struct ibs_line_row *row,
			 bool with_offset)
{
	const struct ibs_place *place = &row->place;

	if (!row->valid) {
		fputs("[no valid address]", out);
		return;
	}
	if (place->symbol)
		print_name(out, place->symbol);
	else
		fprintf(out, "0x%" PRIx64, place->address);
	if (place->symbol && with_offset && place->symbol_offset)
		fprintf(out, "+0x%" PRIx64, place->symbol_offset);
}

static void print_image(FILE *out, const struct ibs_line_row *row)
{
	if (!row->valid)
		return;
	fputs("  ", out);
	print_name(out, row->place.name ? row->place.name : "[unknown]");
}

static void print_row(FILE *out, enum ibs_view view,
		      const struct ibs_line_row *row)
{
	if (view == IBS_VIEW_LINE && row->file) {
		print_name(out, row->file);
		fprintf(out, ":%u", row->line);
	} else if (view == IBS_VIEW_INSTRUCTION && row->valid) {
		fprintf(out, "%8" PRIx64 "  ", row->place.address);
		print_symbol(out, row, true);
		fprintf(out, "  %s",
			row->text     ? row->text
			: row->inside ? "(within an instruction)"
				      : "(code cannot be read)");
	} else {
		print_symbol(out, row, false);
	}
	print_image(out, row);
	fputc('\n', out);
}

void ibs_annotation_print_text(FILE *out,
			       const struct ibs_annotation *annotation)
{
	const struct ibs_rows *rows = annotation->rows;
	const struct ibs_tally *tally = annotation->tally;
	size_t i, shown = num_shown(annotation);

	fprintf(out, "# %s samples of ", kind_names[tally->kind]);
	print_name(out, annotation->name);
	fprintf(out, " by %s", ibs_view_names[annotation->view]);
	if (annotation->function) {
		fputs(" of ", out);
		print_name(out, annotation->function);
	}
	fputs("\n#samples   share\n", out);
	for (i = 0; i < shown; i++) {
		print_share(out, annotation, rows->list[i].count);
		print_row(out, annotation->view, &rows->list[i]);
	}
	if (shown < rows->count) {
		print_share(out, annotation, rest_of(annotation));
		fprintf(out, "[%zu more rows]\n", rows->count - shown);
	}
	if (annotation->function) {
		print_share(out, annotation, elsewhere(annotation));
		fputs("[other functions]\n", out);
	}
	print_share(out, annotation, tally->samples);
	fputs("[all samples]\n", out);
}

static void json_address(struct json *json, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	jsonw_string(json, key, text);
}

static void json_text(struct json *json, const char *key, const char *text)
{
	if (text)
		jsonw_string(json, key, text);
	else
		jsonw_null(json, key);
}

static void json_row(struct json *json, enum ibs_view view,
		     const struct ibs_line_row *row)
{
	const struct ibs_place *place = &row->place;

	jsonw_line_object(json, NULL);
	jsonw_uint(json, "samples", row->count);
	jsonw_bool(json, "valid", row->valid);
	jsonw_string(json, "kind", ibs_place_names[place->kind]);
	json_text(json, "image", place->name);
	json_text(json, "function", place->symbol);
	if (view == IBS_VIEW_LINE) {
		json_text(json, "file", row->file);
		jsonw_uint(json, "line", row->line);
	}
	if (view != IBS_VIEW_LINE || !row->file)
		json_address(json, "address", row->start);
	if (view == IBS_VIEW_INSTRUCTION)
		json_text(json, "instruction", row->text);
	jsonw_close(json);
}

void ibs_annotation_print_json(FILE *out,
			       const struct ibs_annotation *annotation)
{
	const struct ibs_rows *rows = annotation->rows;
	const struct ibs_tally *tally = annotation->tally;
	size_t i, shown = num_shown(annotation);
	struct json json;

	jsonw_begin(&json, out);
	jsonw_string(&json, "samples_of", kind_names[tally->kind]);
	jsonw_string(&json, "file", annotation->name);
	jsonw_string(&json, "by", ibs_view_names[annotation->view]);
	json_text(&json, "of_function", annotation->function);
	jsonw_uint(&json, "samples", tally->samples);
	jsonw_uint(&json, "without_valid_address", tally->invalid);
	jsonw_uint(&json, "samples_of_other_kind", tally->others);
	jsonw_array(&json, "rows");
	for (i = 0; i < shown; i++)
		json_row(&json, annotation->view, &rows->list[i]);
	jsonw_close(&json);
	jsonw_uint(&json, "more_rows", rows->count - shown);
	jsonw_uint(&json, "samples_of_more_rows", rest_of(annotation));
	jsonw_uint(&json, "samples_of_other_functions", elsewhere(annotation));
	jsonw_finish(&json);
}
