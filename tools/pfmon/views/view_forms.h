/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The forms of a view.
 */
#ifndef PFMON_VIEWS_VIEW_FORMS_H
#define PFMON_VIEWS_VIEW_FORMS_H

#include <stdio.h>

#include "views/view.h"

struct json;

/* view_text.c */

/**
 * view_print_text() - print a view as a table
 * @out: where to; keeps an error
 * @view: the view, sorted
 */
void view_print_text(FILE *out, const struct view *view);

/* view_json.c */

/**
 * view_print_json() - print a view as a JSON document, which pfmon-report(1) describes
 * @out: where to; keeps an error
 * @view: the view, sorted
 */
void view_print_json(FILE *out, const struct view *view);

/* Writes the members of that document. */
void view_write_json(struct json *json, const struct view *view);

/* view_label.c */

/**
 * view_print_label() - print what a row is, for people
 * @out: where to
 * @view: the view
 * @group: a row of it
 *
 * Prints on one line: control characters in names become question marks.
 */
void view_print_label(FILE *out, const struct view *view,
		      const struct group *group);

/* Name of the sharing of a line, for people; empty for a private line. */
const char *view_sharing_text(enum sharing sharing);

#endif
