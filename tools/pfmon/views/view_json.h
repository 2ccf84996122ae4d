/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Views for programs.
 */
#ifndef PFMON_VIEWS_VIEW_JSON_H
#define PFMON_VIEWS_VIEW_JSON_H

#include <stdio.h>

#include "views/view.h"

/**
 * view_print_json() - print a view as a JSON document, which pfmon-report(1) describes
 * @out: where to; keeps an error
 * @view: the view, sorted
 */
void view_print_json(FILE *out, const struct view *view);

#endif
