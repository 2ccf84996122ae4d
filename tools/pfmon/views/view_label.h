/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a row of a view is called.
 */
#ifndef PFMON_VIEWS_VIEW_LABEL_H
#define PFMON_VIEWS_VIEW_LABEL_H

#include <stdio.h>

#include "views/view.h"

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
