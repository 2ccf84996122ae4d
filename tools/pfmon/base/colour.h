/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Colours of texts on a terminal.  A text has its meaning without them.
 */
#ifndef PFMON_BASE_COLOUR_H
#define PFMON_BASE_COLOUR_H

#include <stdio.h>

/**
 * enum colour - what a text is
 */
enum colour {
	COLOUR_NONE,
	COLOUR_ESTIMATE, /* it is not exact */
	COLOUR_MISSING, /* there is nothing to show */
};

/* From now on there are no colours. */
void colour_refuse(void);

/*
 * Begin and end a text.  Nothing is printed if the stream is no terminal, or NO_COLOR is set, and
 * for COLOUR_NONE.
 */
void colour_begin(FILE *out, enum colour colour);
void colour_end(FILE *out, enum colour colour);

#endif
