/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What pfmon itself has to say, on stderr.  Results go elsewhere (output.h).
 */
#ifndef PFMON_BASE_MESSAGE_H
#define PFMON_BASE_MESSAGE_H

/**
 * struct message_level - how much is said
 * @quiet: notes are left out; errors and warnings never are
 * @verbose: say what is being done
 * @debug: say it in every detail
 */
struct message_level {
	int quiet;
	int verbose;
	int debug;
};

extern struct message_level message_level;

/* Something could not be done. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Results are there, but not what was asked for in full. */
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Worth knowing, nothing is wrong. */
void say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
