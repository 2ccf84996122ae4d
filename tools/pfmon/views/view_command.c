// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes views, see view_command.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/outfile.h"
#include "views/view_command.h"
#include "views/view_forms.h"

/* Rows of each view where several are printed: as many as one looks at. */
#define SHOWN 10

/* Index of a word in a list; @count if it is not there. */
static unsigned int find_word(const char *const *words, unsigned int count,
			      const char *word)
{
	unsigned int i;

	for (i = 0; i < count && strcmp(words[i], word); i++)
		;
	return i;
}

/* A number of rows; 0 for what is none. */
static size_t rows_of(const char *text)
{
	unsigned long long rows;
	char *end;

	if (*text < '1' || *text > '9')
		return 0;
	rows = strtoull(text, &end, 10);
	return *end || rows > GROUPS_MAX ? 0 : rows;
}

const char *view_check(const struct view_request *request)
{
	enum view_kind kind =
		request->view ? find_word(view_names, NUM_VIEWS, request->view)
			      : VIEW_DATA;
	enum view_sort sort = VIEW_SORT_LATENCY;

	if (request->sort)
		sort = find_word(view_sort_names, NUM_VIEW_SORTS,
				 request->sort);
	if (kind == NUM_VIEWS)
		return "--view is one of instructions, data, addresses, lines";
	if (sort == NUM_VIEW_SORTS)
		return "--sort is one of latency, misses, tlb, samples, and "
		       "of lines also sharing";
	if (sort == VIEW_SORT_SHARING && kind != VIEW_LINES)
		return "only lines can be sorted by sharing: use --view=lines";
	if (request->max_rows && !rows_of(request->max_rows))
		return "--max-rows is a number from 1 to 16777216";
	return NULL;
}

static enum view_sort sort_of(const struct view_request *request,
			      enum view_kind kind)
{
	if (request->sort)
		return find_word(view_sort_names, NUM_VIEW_SORTS,
				 request->sort);
	return kind == VIEW_LINES ? VIEW_SORT_SHARING : VIEW_SORT_LATENCY;
}

static int name_places(const struct view_request *request, struct view *view)
{
	unsigned int i;

	for (i = 0; i < request->num_images; i++)
		if (ibs_places_add_image(&view->places, request->images[i]))
			return -1;
	if (!request->sysmap)
		return 0;
	return ibs_places_set_sysmap(&view->places, request->sysmap);
}

/* Says what makes the view of less use than it could be. */
static void warn(const struct view *view)
{
	if (!view->total.samples)
		say_warning("%s has no samples of %s", view->name,
			    view->kind == VIEW_INSTRUCTIONS
				    ? "ops"
				    : "ops that load or store");
	else if (!view->places.noted)
		say_warning("%s does not say what was mapped: name the "
			    "programs with --image",
			    view->name);
	if (view->others.samples)
		say_warning("%llu samples are in no row, as there would be "
			    "more than %zu; allow more with --max-rows",
			    (unsigned long long)view->others.samples,
			    view->groups.max);
}

/* Makes a view of a file.  view_free() is needed in any case.  Returns 0, or -1 after a message. */
static int make(const struct view_request *request, enum view_kind kind,
		const char *name, struct view *view)
{
	size_t max_rows = request->max_rows ? rows_of(request->max_rows)
					    : GROUPS_DEFAULT;
	int err;

	err = view_begin(view, kind, max_rows, name);
	view->shown = request->view ? 0 : SHOWN;
	if (!err)
		err = name_places(request, view);
	if (!err)
		err = view_read(view);
	if (err)
		return err;
	view_sort(view, sort_of(request, kind));
	warn(view);
	return 0;
}

static int print(const struct view_request *request, const struct view *view)
{
	struct outfile output = { .name = request->outfile, .file = stdout };

	if (request->outfile) {
		output.file = fopen(request->outfile, "we");
		if (!output.file) {
			say_error("cannot open '%s' for the view: %s",
				  request->outfile, strerror(errno));
			return -1;
		}
	}
	if (request->json)
		view_print_json(output.file, view);
	else
		view_print_text(output.file, view);
	return request->outfile ? outfile_close(&output)
				: outfile_finish_stdout();
}

static struct view *allocate(const char *name)
{
	struct view *view = malloc(sizeof(*view));

	if (!view)
		say_error("out of memory for the view of %s", name);
	return view;
}

int view_report(const struct view_request *request, const char *name)
{
	enum view_kind kind = find_word(view_names, NUM_VIEWS, request->view);
	struct view *view = allocate(name);
	int err;

	if (!view)
		return -1;
	err = make(request, kind, name, view);
	if (!err)
		err = print(request, view);
	view_free(view);
	free(view);
	return err;
}

static int write_one(const struct view_request *request, enum view_kind kind,
		     const char *name, FILE *out, struct json *json)
{
	struct view *view = allocate(name);
	int err;

	if (!view)
		return -1;
	err = make(request, kind, name, view);
	if (!err && json) {
		jsonw_object(json, NULL);
		view_write_json(json, view);
		jsonw_close(json);
	} else if (!err) {
		view_print_text(out, view);
	}
	view_free(view);
	free(view);
	return err;
}

int view_write(const struct view_request *request, const char *name, FILE *out)
{
	static const enum view_kind all[] = { VIEW_INSTRUCTIONS, VIEW_DATA,
					      VIEW_LINES };
	struct json json;
	unsigned int i;
	int err = 0;

	/* The views would say the same of the same file. */
	message_level.once = true;
	if (request->json) {
		jsonw_begin(&json, out);
		jsonw_array(&json, "views");
	}
	if (request->view)
		err = write_one(request,
				find_word(view_names, NUM_VIEWS, request->view),
				name, out, request->json ? &json : NULL);
	for (i = 0; !err && !request->view && i < sizeof(all) / sizeof(all[0]);
	     i++) {
		if (i && !request->json)
			fputc('\n', out);
		err = write_one(request, all[i], name, out,
				request->json ? &json : NULL);
	}
	if (request->json) {
		jsonw_close(&json);
		jsonw_finish(&json);
	}
	return err;
}
