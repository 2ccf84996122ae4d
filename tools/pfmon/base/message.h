/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages of pfmon itself, on stderr.  Results go elsewhere (outfile.h).
 */
#ifndef PFMON_BASE_MESSAGE_H
#define PFMON_BASE_MESSAGE_H

#include <stdbool.h>

/**
 * struct message_level - which messages are printed
 * @quiet: leave out notes, but never errors and warnings
 * @verbose: print what is being done
 * @debug: print it in every detail
 * @once: leave out notes and warnings that were printed before, as a command
 *	that runs several times leads to the same ones each time
 */
struct message_level {
	int quiet;
	int verbose;
	int debug;
	bool once;
};

extern struct message_level message_level;

/* Called before a message is written, as when the terminal shows something else; NULL if nothing is. */
extern void (*message_before)(void);

/* Something could not be done. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* There are results, but they are incomplete. */
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Worth knowing, though nothing is wrong. */
void say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
