/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the scanner and the parser of formulas share.
 */
#ifndef PFMON_METRICS_FORMULA_SCAN_H
#define PFMON_METRICS_FORMULA_SCAN_H

#include <stddef.h>

struct formula;

/**
 * struct formula_source - a formula that is being parsed
 * @at: characters that have been scanned
 * @formula: the result; NULL if there is none
 * @why: what is wrong with the text; empty: nothing
 * @size: size of @why
 */
struct formula_source {
	size_t at;
	struct formula *formula;
	char *why;
	size_t size;
};

/*
 * Returns 0, also if the text is no formula; 1 if it nests deeper than the parser's stack allows; -1
 * without memory.
 */
int formula_scan_text(const char *text, struct formula_source *source);

#endif
