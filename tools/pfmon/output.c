// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening and closing of the place for results.  Everything is buffered, so a
 * write error (disk full, closed pipe) is found at the latest in the close.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "options.h"
#include "output.h"
#include "writer.h"

static int open_file(struct output *output, const char *name, bool append)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
	int fd;

	output->name = name;
	flags |= append ? O_APPEND : O_TRUNC;
	fd = open(name, flags, 0666);
	if (fd < 0)
		say_error("cannot open '%s' for the results: %s", name,
			  strerror(errno));
	return fd;
}

static int copy_stderr(struct output *output)
{
	int fd;

	output->name = "standard error";
	fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		say_error("cannot write the results to standard error: %s",
			  strerror(errno));
	return fd;
}

static int buffer(struct output *output, int fd, bool append)
{
	struct stat st;

	output->writer = 0;
	if (fd < 0)
		return -1;
	output->fresh = !append || fstat(fd, &st) || !st.st_size;
	output->file = fdopen(fd, "w");
	if (output->file)
		return 0;
	say_error("cannot buffer the results: %s", strerror(errno));
	close(fd);
	return -1;
}

int output_open(struct output *output, const struct options *options)
{
	if (!options->outfile)
		return buffer(output, copy_stderr(output), false);
	return output_open_file(output, options->outfile, options->append);
}

int output_open_file(struct output *output, const char *name, bool append)
{
	return buffer(output, open_file(output, name, append), append);
}

int output_close(struct output *output)
{
	int failed, err, writer;

	errno = 0;
	failed = ferror(output->file);
	err = errno;
	if (fclose(output->file)) {
		failed = 1;
		err = errno;
	}
	output->file = NULL;
	/* What the writer met is the cause, a broken pipe its effect. */
	writer = writer_end(output);
	if (writer) {
		failed = 1;
		err = writer;
	}
	if (!failed)
		return 0;
	say_error("the results could not be written to %s: %s", output->name,
		  strerror(err ? err : EIO));
	return -1;
}

int output_finish_stdout(void)
{
	if (!ferror(stdout) && !fclose(stdout))
		return 0;
	say_error("standard output could not be written: %s", strerror(errno));
	return -1;
}

void output_hold_standard(void)
{
	int fd;

	/* Read-only and closed in the command: as if it were not there. */
	do {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
