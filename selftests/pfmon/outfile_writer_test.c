// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of the process that writes the results: a signal that interrupts pfmon's wait for it, and
 * a writer that pfmon cannot wait for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../lib/tests/tap.h"
#include "base/outfile.h"
#include "base/outfile_writer.h"

/*
 * More than a pipe holds, so the writer does not end before somebody reads.  The writer and the pipe to it
 * have room for the rest.
 */
#define BYTES 100000

static int from = -1;
static volatile sig_atomic_t signals;
static volatile size_t bytes;

/* Reads from the second signal on: the first ones interrupt a wait that goes on. */
static void read_some(int number)
{
	static char buffer[65536];
	ssize_t got;

	(void)number;
	if (++signals < 3)
		return;
	while ((got = read(from, buffer, sizeof(buffer))) > 0)
		bytes += got;
}

static void begin(struct outfile *output, FILE *file)
{
	*output = (struct outfile){ .file = file, .name = "pipe" };
	outfile_writer_begin(output);
}

static void test_interrupted(void)
{
	/* No SA_RESTART: the handler ends waitpid(2), as those of pfmon do. */
	const struct sigaction action = { .sa_handler = read_some };
	const struct itimerval often = { { 0, 10000 }, { 0, 10000 } };
	const struct itimerval never = { 0 };
	static char text[BYTES];
	struct outfile output;
	pid_t writer;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		exit(1);
	from = ends[0];
	fcntl(ends[1], F_SETFL, 0);
	memset(text, 'x', sizeof(text));
	begin(&output, fdopen(ends[1], "w"));
	writer = output.writer;
	ok(writer > 0, "there is a writer");
	fwrite(text, sizeof(text), 1, output.file);
	fclose(output.file);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	if (!is_num(outfile_writer_end(&output), 0,
		    "the writer has ended well")) {
		/* It writes still, and nobody would read. */
		kill(writer, SIGKILL);
		exit(tap_end());
	}
	setitimer(ITIMER_REAL, &never, NULL);
	ok(signals >= 3, "signals have interrupted the wait for it");
	read_some(0);
	is_num(bytes, BYTES, "all that it got was written");
	is_num(output.writer, 0, "it is waited for once");
	is_num(outfile_writer_end(&output), 0,
	       "without a writer it is the end");
	close(from);
}

static void test_failed(void)
{
	struct outfile output;

	begin(&output, fopen("/dev/full", "we"));
	fputs("x", output.file);
	fclose(output.file);
	is_num(outfile_writer_end(&output), ENOSPC, "why the writer failed");
}

/* The kernel keeps no status of children if SIGCHLD is ignored. */
static void test_not_kept(void)
{
	struct outfile output;

	signal(SIGCHLD, SIG_IGN);
	begin(&output, fopen("/dev/null", "we"));
	fclose(output.file);
	is_num(outfile_writer_end(&output), ECHILD,
	       "a writer that cannot be waited for");
	signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
	test_interrupted();
	test_failed();
	test_not_kept();
	return tap_end();
}
