// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages, see message.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"

struct message_level message_level;
void (*message_before)(void);

/**
 * struct said - a message that was printed
 * @next: the message before it
 * @text: without its kind
 */
struct said {
	struct said *next;
	char text[];
};

/* The messages live as long as pfmon does. */
static struct said *all_said;

static bool said_before(const char *text)
{
	struct said *said;

	for (said = all_said; said; said = said->next)
		if (!strcmp(said->text, text))
			return true;
	return false;
}

/* Without memory the message may be printed again, which is better than never. */
static void remember(const char *text)
{
	size_t size = strlen(text) + 1;
	struct said *said = malloc(sizeof(*said) + size);

	if (!said)
		return;
	memcpy(said->text, text, size);
	said->next = all_said;
	all_said = said;
}

/* Write each message at once: the command may write to the same terminal. */
static void say(const char *kind, bool once, const char *format, va_list args)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, args);
	if (once && said_before(text))
		return;
	if (message_before)
		message_before();
	fprintf(stderr, "pfmon: %s%s\n", kind, text);
	if (once)
		remember(text);
}

#define SAY(kind, once)				\
	do {					\
		va_list args;			\
						\
		va_start(args, format);		\
		say(kind, once, format, args);	\
		va_end(args);			\
	} while (0)

void say_error(const char *format, ...)
{
	SAY("", false);
}

void say_warning(const char *format, ...)
{
	SAY("warning: ", message_level.once);
}

void say_note(const char *format, ...)
{
	if (!message_level.quiet)
		SAY("", message_level.once);
}

void say_verbose(const char *format, ...)
{
	if (message_level.verbose)
		SAY("", false);
}

void say_debug(const char *format, ...)
{
	if (message_level.debug)
		SAY("debug: ", false);
}
