// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer is a child that copies from a pipe, whose buffer is as large as an
 * unprivileged user may make it.
 *
 * It ignores signals from the terminal, which are for pfmon; it ends when pfmon
 * closes its end of the pipe, or dies.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/outfile_writer.h"

/* The kernel's limit without privilege; holds intervals of some seconds. */
#define PIPE_SIZE (1 << 20)

/* In the child the stream of @output still refers to the file itself. */
static void __attribute__((noreturn)) copy(int from, struct outfile *output)
{
	int to = fileno(output->file);
	static char buffer[65536];
	ssize_t length, done;
	char *at;

	while ((length = read(from, buffer, sizeof(buffer)))) {
		if (length < 0 && errno != EINTR)
			_exit(errno);
		if (length > 0 && outfile_start(output))
			_exit(EIO);
		for (at = buffer; length > 0; at += done, length -= done) {
			done = write(to, at, length);
			if (done < 0 && errno != EINTR)
				_exit(errno);
			if (done < 0)
				done = 0;
		}
	}
	_exit(close(to) ? errno : 0);
}

static void ignore_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_IGN);
}

void outfile_writer_begin(struct outfile *output)
{
	int ends[2], fd = fileno(output->file);
	pid_t pid;

	if (fflush(output->file) || pipe2(ends, O_CLOEXEC))
		return;
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE);
	pid = fork();
	if (!pid) {
		ignore_signals();
		close(ends[1]);
		copy(ends[0], output);
	}
	/* The stream keeps its descriptor number, and thus its buffer. */
	if (pid > 0 && dup3(ends[1], fd, O_CLOEXEC) >= 0) {
		output->writer = pid;
		output->kept = false;
	}
	close(ends[0]);
	close(ends[1]);
	say_debug("results are written by process %d", pid);
}

int outfile_writer_end(struct outfile *output)
{
	pid_t pid = output->writer;
	int status;

	output->writer = 0;
	if (!pid)
		return 0;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}
