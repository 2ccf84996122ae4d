// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names rows, see view_label.h.
 */
#include <inttypes.h>
#include <string.h>

#include "views/view_forms.h"

/* Names of symbols and files may have any bytes. */
static void print_one_line(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text,
		      out);
}

static void print_process(FILE *out, const struct group *group)
{
	if (group->key.pid)
		fprintf(out, " of process %" PRIu32, group->key.pid);
}

/* As pfmon prints addresses elsewhere: "symbol+0xoffset<file>". */
static void print_code(FILE *out, const struct ibs_place *place)
{
	if (place->symbol) {
		print_one_line(out, place->symbol);
		if (place->symbol_offset)
			fprintf(out, "+0x%" PRIx64, place->symbol_offset);
	} else {
		fprintf(out, "0x%" PRIx64, place->address);
	}
	if (!place->name)
		return;
	fputc('<', out);
	print_one_line(out, place->name);
	fputc('>', out);
}

/* Memory that is not told apart any further than by its mapping. */
static void print_memory(FILE *out, const struct group *group)
{
	const struct ibs_place *place = &group->place;

	switch (place->kind) {
	case IBS_PLACE_UNKNOWN:
		fputs("no known mapping", out);
		break;
	case IBS_PLACE_STACK:
		/* It is the stack of the thread whose number is that of the process. */
		fprintf(out, "[stack] of thread %" PRIu32, group->key.pid);
		return;
	case IBS_PLACE_ANON:
		print_one_line(out, place->name);
		fprintf(out, " 0x%" PRIx64 "-0x%" PRIx64, place->start,
			place->end);
		break;
	default:
		print_one_line(out, place->name);
	}
	print_process(out, group);
}

static void print_data(FILE *out, const struct group *group)
{
	if (group->place.symbol)
		print_code(out, &group->place);
	else
		print_memory(out, group);
}

static void print_address(FILE *out, const struct group *group)
{
	const struct ibs_place *place = &group->place;

	fprintf(out, "0x%" PRIx64, group->key.address);
	print_process(out, group);
	if (place->symbol) {
		fputs(", ", out);
		print_code(out, place);
	} else if (place->name) {
		fputs(", ", out);
		print_one_line(out, place->name);
	}
}

void view_print_label(FILE *out, const struct view *view,
		      const struct group *group)
{
	switch (view->kind) {
	case VIEW_INSTRUCTIONS:
		print_code(out, &group->place);
		if (!group->place.symbol)
			print_process(out, group);
		break;
	case VIEW_DATA:
		print_data(out, group);
		break;
	default:
		print_address(out, group);
	}
}

const char *view_sharing_text(enum sharing sharing)
{
	static const char *const texts[] = {
		[SHARING_NOT_KNOWN] = "bytes not known",
		[SHARING_PRIVATE] = "",
		[SHARING_READ] = "only read",
		[SHARING_SAME] = "shared",
		[SHARING_FALSE] = "possible false sharing",
	};

	return texts[sharing];
}
