/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A terminal on which a text is drawn again and again, and whose keys are read one by one.
 */
#ifndef PFMON_BASE_SCREEN_H
#define PFMON_BASE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct screen_size - characters that fit
 * @lines: lines
 * @columns: characters of a line
 */
struct screen_size {
	unsigned int lines;
	unsigned int columns;
};

/* True if standard output is a terminal that understands its codes. */
bool screen_can(void);

/* The size now: a window may change. */
struct screen_size screen_size(void);

/*
 * Draws a text in place of the one before, and below it the line @last, if that is not empty.  Of a line
 * as much is drawn as fits; if lines do not fit, one says how many.  Messages of pfmon end the screen,
 * so that they stay, and the next text begins it again.  Returns 0, or -1 after a message.
 */
int screen_draw(const char *text, const char *last);

/*
 * Has keys come without ENTER, and without being shown, if the keyboard is pfmon's.  Returns the
 * descriptor to poll, or -1.
 */
int screen_take_keys(void);

/*
 * False if the keyboard is that of another process group: reading it, or changing the terminal, would
 * stop pfmon.
 */
bool screen_has_keys(void);

/* The terminal is as it was. */
void screen_end(void);

#endif
