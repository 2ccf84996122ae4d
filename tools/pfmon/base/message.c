// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages, see message.h.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"

struct message_level message_level;

/* Write each message at once: the command may write to the same terminal. */
static void say(const char *kind, const char *format, va_list args)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, args);
	fprintf(stderr, "pfmon: %s%s\n", kind, text);
}

#define SAY(kind)				\
	do {					\
		va_list args;			\
						\
		va_start(args, format);		\
		say(kind, format, args);	\
		va_end(args);			\
	} while (0)

void say_error(const char *format, ...)
{
	SAY("");
}

void say_warning(const char *format, ...)
{
	SAY("warning: ");
}

void say_note(const char *format, ...)
{
	if (!message_level.quiet)
		SAY("");
}

void say_verbose(const char *format, ...)
{
	if (message_level.verbose)
		SAY("");
}

void say_debug(const char *format, ...)
{
	if (message_level.debug)
		SAY("debug: ");
}
