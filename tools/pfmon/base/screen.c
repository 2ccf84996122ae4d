// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws by the codes that all terminals of today have, see screen.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/message.h"
#include "base/screen.h"

/* Size of a terminal that does not tell it */
#define LINES_DFL   24
#define COLUMNS_DFL 80

/*
 * The second screen of a terminal keeps what is on the first one.  Characters that are wider than
 * pfmon thinks are lost at the end of a line, instead of making a line of their own.
 */
#define BEGIN	   "\033[?1049h\033[?25l\033[?7l"
#define END	   "\033[?7h\033[?25h\033[?1049l"
#define HOME	   "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

static bool drawn;
static bool takes_keys;
static struct termios before;

bool screen_can(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb");
}

struct screen_size screen_size(void)
{
	struct screen_size size = { LINES_DFL, COLUMNS_DFL };
	struct winsize window;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) && window.ws_row &&
	    window.ws_col)
		size = (struct screen_size){ window.ws_row, window.ws_col };
	return size;
}

static int write_all(const char *text, size_t size)
{
	ssize_t done;

	while (size) {
		done = write(STDOUT_FILENO, text, size);
		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0) {
			text += done;
			size -= done;
		}
	}
	return 0;
}

static void end_drawing(void)
{
	if (!drawn)
		return;
	drawn = false;
	write_all(END, strlen(END));
}

/* Bytes of the text that fit on a line: a character of UTF-8 has several. */
static size_t fitting(const char *text, size_t length, unsigned int columns)
{
	unsigned int used = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) == 0x80)
			continue;
		if (used++ == columns)
			break;
	}
	return i;
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; count++) {
		text += strcspn(text, "\n");
		text += !!*text;
	}
	return count;
}

/* Control characters of a name would be commands to the terminal. */
static void print_line(FILE *out, const char *text, unsigned int columns)
{
	const char *end = text + fitting(text, strcspn(text, "\n"), columns);

	for (; text < end; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?'
								   : *text,
		      out);
	fputs(CLEAR_LINE, out);
}

/* Lines for which there is no room have a line that says so. */
static void print_lines(FILE *out, const char *text, const char *last,
			struct screen_size size)
{
	const size_t all = count_lines(text);
	size_t room = size.lines, i;
	char more[48];

	if (*last && room > 1)
		room--;
	for (i = 0; i < all && i < room; i++) {
		if (i)
			fputs("\r\n", out);
		if (i + 1 == room && all > room) {
			snprintf(more, sizeof(more), "# %zu more lines",
				 all - i);
			print_line(out, more, size.columns);
			break;
		}
		print_line(out, text, size.columns);
		text += strcspn(text, "\n");
		text += !!*text;
	}
	if (!*last || size.lines < 2)
		return;
	if (all)
		fputs("\r\n", out);
	print_line(out, last, size.columns);
}

int screen_draw(const char *text, const char *last)
{
	char *codes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&codes, &size);
	int err = -1;

	if (!out) {
		say_error("out of memory for the screen");
		return -1;
	}
	message_before = end_drawing;
	fputs(drawn ? HOME : BEGIN HOME, out);
	print_lines(out, text, last, screen_size());
	fputs(CLEAR_REST, out);
	if (fclose(out)) {
		say_error("out of memory for the screen");
	} else {
		drawn = true;
		err = write_all(codes, size);
		if (err)
			say_error("cannot write to the terminal: %s",
				  strerror(errno));
	}
	free(codes);
	return err;
}

bool screen_has_keys(void)
{
	return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

int screen_take_keys(void)
{
	struct termios now;

	if (!isatty(STDIN_FILENO) || !screen_has_keys() ||
	    (!takes_keys && tcgetattr(STDIN_FILENO, &before)))
		return -1;
	now = before;
	now.c_lflag &= ~(ICANON | ECHO);
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	/* A stopped program would leave the terminal as it is here. */
	now.c_cc[VSUSP] = _POSIX_VDISABLE;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &now))
		return -1;
	takes_keys = true;
	return STDIN_FILENO;
}

void screen_end(void)
{
	end_drawing();
	message_before = NULL;
	if (takes_keys && screen_has_keys())
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	takes_keys = false;
}
