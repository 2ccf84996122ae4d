// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon formats: the sampling formats of this machine, or what one of them says of itself.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/long_options.h"
#include "base/message.h"
#include "base/outfile.h"
#include "base/pager.h"
#include "base/version.h"
#include "check/formats.h"
#include "options/options.h"
#include "verbs/verb.h"

#define SCHEMA_VERSION 1

static const char *const layout_words[] = {
	[PFM_FORMAT_NONE] = "none",
	[PFM_FORMAT_LINEAR] = "linear",
	[PFM_FORMAT_PARTS] = "parts",
	[PFM_FORMAT_ARRAY] = "array",
};

static const char *const use_words[] = {
	[PFM_FORMAT_STREAM] = "stream",
	[PFM_FORMAT_HISTOGRAM] = "histogram",
	[PFM_FORMAT_TABLE] = "table",
};

static const char *const kind_words[] = {
	[PFM_FORMAT_NUMBER] = "number",	  [PFM_FORMAT_BITS] = "bits",
	[PFM_FORMAT_CODE] = "code",	  [PFM_FORMAT_STACK] = "stack",
	[PFM_FORMAT_DATA] = "data",	  [PFM_FORMAT_TIME] = "time",
	[PFM_FORMAT_PID] = "pid",	  [PFM_FORMAT_TID] = "tid",
	[PFM_FORMAT_CPU] = "cpu",	  [PFM_FORMAT_SET] = "set",
	[PFM_FORMAT_PMD] = "pmd",	  [PFM_FORMAT_EVENT] = "event",
	[PFM_FORMAT_RESET] = "reset",	  [PFM_FORMAT_PERIOD] = "period",
	[PFM_FORMAT_COUNT] = "count",	  [PFM_FORMAT_VALUE] = "value",
	[PFM_FORMAT_ENTRIES] = "entries", [PFM_FORMAT_SEEN] = "seen",
	[PFM_FORMAT_LOST] = "lost",
};

/* The largest value that the bytes of a field have room for. */
static uint64_t largest(const struct pfm_format_arg *arg)
{
	const uint64_t bits = arg->size == 8 ? UINT64_MAX
					     : (1ULL << 8 * arg->size) - 1;

	return arg->flags & PFM_FORMAT_SIGNED ? bits >> 1 : bits;
}

static uint64_t smallest(const struct pfm_format_arg *arg)
{
	return arg->flags & PFM_FORMAT_SIGNED ? ~largest(arg) : 0;
}

static void print_value(const struct pfm_format_arg *arg, uint64_t value)
{
	if (arg->flags & PFM_FORMAT_SIGNED)
		printf("%" PRId64, (int64_t)value);
	else
		printf("%" PRIu64, value);
}

static void print_range(const struct pfm_format_arg *arg)
{
	const bool low = arg->min != smallest(arg);
	const bool high = arg->max != largest(arg);

	if (low && high) {
		printf(", ");
		print_value(arg, arg->min);
		printf(" to ");
		print_value(arg, arg->max);
	} else if (high) {
		printf(", at most ");
		print_value(arg, arg->max);
	} else if (low) {
		printf(", at least ");
		print_value(arg, arg->min);
	}
}

/* "  part_size=98432  of a part, at least 168 bytes" */
static void print_arg(const struct pfm_format_arg *arg)
{
	printf("  %s=", arg->name);
	if (arg->flags & PFM_FORMAT_REQUIRED)
		printf("%s, required", arg->mask ? "yes|no" : "NUMBER");
	else if (arg->mask)
		printf("%s", arg->dfl ? "yes" : "no");
	else
		print_value(arg, arg->dfl);
	if (!arg->mask)
		print_range(arg);
	if (arg->unit)
		printf(" %s", arg->unit);
	if (arg->help)
		printf("\n      %s", arg->help);
	putchar('\n');
}

static void print_field(const struct pfm_format_field *field)
{
	printf("  %s (%s%s%s)", field->name, kind_words[field->kind],
	       field->unit ? ", " : "", field->unit ? field->unit : "");
	if (field->count)
		printf(", as many as %s says", field->count);
	putchar('\n');
}

static void print_entry(const struct pfm_format *format, unsigned int number)
{
	const struct pfm_format_entry *entry = pfm_format_entry(format, number);
	const struct pfm_format_field *field;
	unsigned int i;

	printf("entry %s, a %s, %u bytes%s:\n", entry->name,
	       entry->use == PFM_FORMAT_STREAM ? "sample"
					       : use_words[entry->use],
	       entry->size, entry->tails ? " and more" : "");
	for (i = 0; (field = pfm_format_field(format, number, i)); i++)
		print_field(field);
	for (i = 0; (field = pfm_format_tail(format, number, i)); i++)
		print_field(field);
}

static void print_details(const struct pfm_format *format)
{
	const struct pfm_format_info *info = pfm_format_info(format);
	const struct pfm_format_arg *arg;
	char uuid[UUID_TEXT_ROOM];
	unsigned int i;

	printf("%s %u.%u%s%s\n", info->name, info->version >> 16,
	       info->version & 0xffff, info->help ? ": " : "",
	       info->help ? info->help : "");
	printf("UUID %s, layout %s\n", formats_uuid_text(info->uuid, uuid),
	       layout_words[info->layout]);
	if (info->pmu)
		printf("only for samples of the PMU %s\n", info->pmu);
	printf("argument:%s\n", info->args ? "" : " none");
	for (i = 0; (arg = pfm_format_arg(format, i)); i++)
		print_arg(arg);
	for (i = 0; i < info->entries; i++)
		print_entry(format, i);
}

static void json_value(struct json *json, const char *key,
		       const struct pfm_format_arg *arg, uint64_t value)
{
	if (arg->mask)
		jsonw_bool(json, key, value);
	else if (arg->flags & PFM_FORMAT_SIGNED)
		jsonw_int(json, key, value);
	else
		jsonw_uint(json, key, value);
}

static void json_args(struct json *json, const struct pfm_format *format)
{
	const struct pfm_format_arg *arg;
	unsigned int i;

	jsonw_array(json, "argument");
	for (i = 0; (arg = pfm_format_arg(format, i)); i++) {
		jsonw_line_object(json, NULL);
		jsonw_string(json, "name", arg->name);
		jsonw_string(json, "type", arg->mask ? "flag" : "number");
		if (!(arg->flags & PFM_FORMAT_REQUIRED))
			json_value(json, "default", arg, arg->dfl);
		if (!arg->mask) {
			json_value(json, "min", arg, arg->min);
			json_value(json, "max", arg, arg->max);
		}
		if (arg->unit)
			jsonw_string(json, "unit", arg->unit);
		if (arg->help)
			jsonw_string(json, "help", arg->help);
		jsonw_close(json);
	}
	jsonw_close(json);
}

static void json_field(struct json *json, const struct pfm_format_field *field)
{
	jsonw_line_object(json, NULL);
	jsonw_string(json, "name", field->name);
	jsonw_string(json, "kind", kind_words[field->kind]);
	if (field->count)
		jsonw_string(json, "count", field->count);
	else
		jsonw_uint(json, "offset", field->offset);
	jsonw_uint(json, "size", field->size);
	if (field->unit)
		jsonw_string(json, "unit", field->unit);
	jsonw_close(json);
}

static void json_entries(struct json *json, const struct pfm_format *format)
{
	const struct pfm_format_entry *entry;
	const struct pfm_format_field *field;
	unsigned int i, k;

	jsonw_array(json, "entries");
	for (i = 0; (entry = pfm_format_entry(format, i)); i++) {
		jsonw_object(json, NULL);
		jsonw_string(json, "name", entry->name);
		jsonw_string(json, "use", use_words[entry->use]);
		jsonw_uint(json, "size", entry->size);
		jsonw_array(json, "fields");
		for (k = 0; (field = pfm_format_field(format, i, k)); k++)
			json_field(json, field);
		for (k = 0; (field = pfm_format_tail(format, i, k)); k++)
			json_field(json, field);
		jsonw_close(json);
		jsonw_close(json);
	}
	jsonw_close(json);
}

static void json_version(struct json *json, uint32_t version)
{
	char text[16];

	snprintf(text, sizeof(text), "%u.%u", version >> 16, version & 0xffff);
	jsonw_string(json, "version", text);
}

/* Write the members with which each document begins. */
static void json_begin(struct json *json, const char *type)
{
	jsonw_begin(json, stdout);
	jsonw_uint(json, "schema_version", SCHEMA_VERSION);
	jsonw_string(json, "type", type);
	jsonw_string(json, "pfmon_version", PFMON_VERSION);
}

static void json_details(const struct pfm_format *format)
{
	const struct pfm_format_info *info = pfm_format_info(format);
	char uuid[UUID_TEXT_ROOM];
	struct json json;

	json_begin(&json, "format");
	jsonw_string(&json, "name", info->name);
	jsonw_string(&json, "uuid", formats_uuid_text(info->uuid, uuid));
	json_version(&json, info->version);
	if (info->help)
		jsonw_string(&json, "help", info->help);
	if (info->pmu)
		jsonw_string(&json, "pmu", info->pmu);
	jsonw_string(&json, "layout", layout_words[info->layout]);
	json_args(&json, format);
	json_entries(&json, format);
	jsonw_finish(&json);
}

/* Print the purpose of a format that is loaded, or why it is not known. */
static void print_help(const struct found_format *found)
{
	struct pfm_format *format = NULL;
	const char *help = NULL;
	int err;

	if (!found->loaded) {
		printf("not loaded");
		return;
	}
	err = pfm_format_read(found->name, &format);
	if (!err)
		help = pfm_format_info(format)->help;
	printf("%s", help	       ? help
		     : err == -ENODATA ? "it does not describe itself"
				       : "");
	pfm_format_free(format);
}

static void print_table(const struct formats *formats)
{
	char uuid[UUID_TEXT_ROOM], version[16];
	size_t i;

	printf("%-12s %-8s %-36s  %s\n", "NAME", "VERSION", "UUID", "");
	for (i = 0; i < formats->count; i++) {
		const struct found_format *found = &formats->list[i];

		snprintf(version, sizeof(version), "%u.%u",
			 found->version >> 16, found->version & 0xffff);
		printf("%-12s %-8s %s  ", found->name,
		       found->loaded ? version : "-",
		       formats_uuid_text(found->uuid, uuid));
		print_help(found);
		putchar('\n');
	}
}

static void json_table(const struct formats *formats)
{
	char uuid[UUID_TEXT_ROOM];
	struct json json;
	size_t i;

	json_begin(&json, "formats");
	jsonw_array(&json, "formats");
	for (i = 0; i < formats->count; i++) {
		const struct found_format *found = &formats->list[i];

		jsonw_line_object(&json, NULL);
		jsonw_string(&json, "name", found->name);
		jsonw_string(&json, "uuid",
			     formats_uuid_text(found->uuid, uuid));
		jsonw_bool(&json, "loaded", found->loaded);
		if (found->loaded)
			json_version(&json, found->version);
		if (*found->module)
			jsonw_string(&json, "module", found->module);
		jsonw_close(&json);
	}
	jsonw_close(&json);
	jsonw_finish(&json);
}

static int list_all(bool as_json)
{
	struct formats formats;
	int err;

	err = formats_read(&formats);
	if (!err && !formats.count) {
		say_error(
			"no sampling format is loaded or installed; 'pfmon doctor' says whether perfmon is");
		err = -1;
	}
	if (!err && as_json)
		json_table(&formats);
	else if (!err)
		print_table(&formats);
	formats_free(&formats);
	return err;
}

static int list_one(const char *name, bool as_json)
{
	struct pfm_format *format;

	if (formats_describe("formats", NULL, name, &format))
		return -1;
	if (as_json)
		json_details(format);
	else
		print_details(format);
	pfm_format_free(format);
	return 0;
}

static int refuse(char **argv)
{
	say_error("'%s' is no option of formats; 'pfmon help formats' has them",
		  argv[optind - 1]);
	return EXIT_OWN_FAILURE;
}

static int run(int argc, char **argv)
{
	static const struct option names[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ LONG_OPTIONS_SHOW, no_argument, NULL, 'O' },
		{ 0 },
	};
	static const struct option_value none;
	bool as_json = false;
	int opt, err;

	if (verb_wants_help(argc, argv))
		return verb_print_help(&verb_formats);
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "j", names, NULL)) != -1) {
		if (opt == 'O')
			return long_options_show(names, "j", &none)
				       ? EXIT_OWN_FAILURE
				       : 0;
		if (opt != 'j')
			return refuse(argv);
		as_json = true;
	}
	if (argc - optind > 1) {
		say_error("formats: one NAME, or none; there are %d",
			  argc - optind);
		return EXIT_OWN_FAILURE;
	}
	if (!as_json)
		pager_begin();
	err = argc > optind ? list_one(argv[optind], as_json)
			    : list_all(as_json);
	if (outfile_finish_stdout())
		err = -1;
	pager_end();
	return err ? EXIT_OWN_FAILURE : 0;
}

const struct verb verb_formats = {
	.name = "formats",
	.title = "sampling formats, and how each is used",
	.help = "Usage: pfmon formats [--json] [NAME|UUID]\n"
		"Lists the sampling formats that are loaded or installed. With a NAME, loads\n"
		"that format, and tells what it says of its argument and its entries.\n"
		"\n"
		"  -j, --json   a document for programs\n"
		"\n"
		"A format samples with\n"
		"  pfmon --long-smpl-periods=N --smpl-module=NAME[:KEY=VALUE,...] -- COMMAND\n"
		"The entries are printed as text, or with --smpl-output=csv or json.\n",
	.run = run,
};
