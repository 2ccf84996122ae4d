// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts a pager as the reader of standard output.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/pager.h"

static pid_t pager;
static const char *chosen;

void pager_set(const char *command)
{
	chosen = command;
}

/* The text, if there is no pager. */
static void __attribute__((noreturn)) copy(void)
{
	char text[4096];
	ssize_t length;

	while ((length = read(STDIN_FILENO, text, sizeof(text))) > 0)
		if (write(STDOUT_FILENO, text, length) != length)
			break;
	_exit(0);
}

static void __attribute__((noreturn)) run(const char *command)
{
	/* A text that fits the screen ends at once, and stays there; colours are shown. */
	setenv("LESS", "FRX", 0);
	if (*command)
		execlp("sh", "sh", "-c", command, NULL);
	execlp("less", "less", NULL);
	execlp("more", "more", NULL);
	copy();
}

void pager_begin(void)
{
	const char *command = chosen ? chosen : getenv("PAGER");
	int fds[2];

	if (!isatty(STDOUT_FILENO) ||
	    (command && (!*command || !strcmp(command, "cat"))))
		return;
	if (pipe2(fds, O_CLOEXEC))
		return;
	fflush(stdout);
	pager = fork();
	if (!pager) {
		if (dup2(fds[0], STDIN_FILENO) < 0)
			_exit(1);
		run(command ? command : "");
	}
	if (pager > 0)
		dup2(fds[1], STDOUT_FILENO);
	close(fds[0]);
	close(fds[1]);
}

void pager_end(void)
{
	if (pager <= 0)
		return;
	close(STDOUT_FILENO);
	/* A keyboard's signal is for the pager, which the terminal belongs to until it ends. */
	signal(SIGINT, SIG_IGN);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}

int pager_print(const char *outfile, int (*print)(FILE *out, const void *what),
		const void *what)
{
	struct outfile output;
	int err;

	if (!outfile) {
		pager_begin();
		err = print(stdout, what);
		if (outfile_finish_stdout())
			err = -1;
		pager_end();
		return err;
	}
	if (outfile_open(&output, outfile, false))
		return -1;
	err = outfile_start(&output);
	if (!err)
		err = print(output.file, what);
	return outfile_close(&output) || err ? -1 : 0;
}

/**
 * struct whole - a text in memory
 * @text: the text
 * @size: its bytes
 */
struct whole {
	char *text;
	size_t size;
};

/* The stream keeps an error, which is told when it is closed. */
static int write_whole(FILE *out, const void *what)
{
	const struct whole *whole = what;

	fwrite(whole->text, 1, whole->size, out);
	return 0;
}

int pager_print_whole(const char *outfile,
		      int (*print)(FILE *out, const void *what),
		      const void *what)
{
	struct whole whole = { 0 };
	FILE *out = open_memstream(&whole.text, &whole.size);
	int err;

	if (!out) {
		say_error("out of memory for the text");
		return -1;
	}
	err = print(out, what);
	if (fclose(out) && !err) {
		say_error("out of memory for the text");
		err = -1;
	}
	if (!err)
		err = pager_print(outfile, write_whole, &whole);
	free(whole.text);
	return err;
}
