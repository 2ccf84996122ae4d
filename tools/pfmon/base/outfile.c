// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens and closes the file of the results.  The stream is buffered, so a write
 * error (disk full, closed pipe) may show up as late as in the close.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/outfile_writer.h"

/*
 * Finds a standard descriptor of pfmon that refers to the same file, to duplicate
 * it.  Opening the file again would fail for a socket, and would otherwise give
 * an open file with an offset of its own, so that pfmon and others would
 * overwrite each other's output.
 */
static int find_own(const char *name)
{
	struct stat st, own;
	int fd;

	if (stat(name, &st))
		return -1;
	for (fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &own) && own.st_dev == st.st_dev &&
		    own.st_ino == st.st_ino &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
			return fd;
	return -1;
}

/*
 * An existing file keeps its content until there are results: see
 * outfile_start().  It is not replaced by a new file, because it may be a device,
 * have links, or belong to another user, in a folder that pfmon may not write to.
 */
static int open_file(struct outfile *output, const char *name, bool append)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : 0);
	bool standard = !strcmp(name, "-");
	int own = standard ? STDOUT_FILENO : find_own(name), fd;

	output->name = standard ? "standard output" : name;
	if (own >= 0) {
		fd = fcntl(own, F_DUPFD_CLOEXEC, 3);
	} else {
		fd = open(name, flags | O_EXCL, 0666);
		if (fd >= 0)
			output->created = !fstat(fd, &output->own);
		else
			fd = open(name, flags, 0666);
		output->kept = !append && !output->created;
	}
	if (fd < 0)
		say_error("cannot open '%s' for the results: %s", name,
			  strerror(errno));
	return fd;
}

static int copy_stderr(struct outfile *output)
{
	int fd;

	output->name = "standard error";
	fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		say_error("cannot write the results to standard error: %s",
			  strerror(errno));
	return fd;
}

static int buffer(struct outfile *output, int fd, bool append)
{
	struct stat st;

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

int outfile_open(struct outfile *output, const char *name, bool append)
{
	memset(output, 0, sizeof(*output));
	if (!name)
		return buffer(output, copy_stderr(output), false);
	return buffer(output, open_file(output, name, append), append);
}

int outfile_start(struct outfile *output)
{
	int fd = fileno(output->file);
	struct stat st;
	int err;

	output->created = false;
	if (!output->kept)
		return 0;
	output->kept = false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !ftruncate(fd, 0))
		return 0;
	err = errno;
	say_error("the old results in %s could not be removed: %s",
		  output->name, strerror(err));
	return -1;
}

/* True if the file is still the one that pfmon created, and still empty. */
static bool is_own(const struct outfile *output)
{
	struct stat st;

	return output->created && !lstat(output->name, &st) &&
	       st.st_dev == output->own.st_dev &&
	       st.st_ino == output->own.st_ino && !st.st_size;
}

void outfile_abandon(struct outfile *output)
{
	if (!output->file)
		return;
	if (is_own(output))
		unlink(output->name);
	fclose(output->file);
	output->file = NULL;
}

/*
 * Closes a stream.  Returns 0, or the errno of the failed write.  A stream
 * remembers that a write failed, but not with which errno; so write its buffer,
 * or one more byte, again: that fails in the same way.
 */
static int finish(FILE *file)
{
	int err = 0;

	if (fflush(file))
		err = errno;
	else if (ferror(file))
		err = fputc('\n', file) == EOF || fflush(file) ? errno : EIO;
	if (fclose(file) && !err)
		err = errno;
	return err;
}

int outfile_close(struct outfile *output)
{
	int err = finish(output->file), writer;

	output->file = NULL;
	/*
	 * If the writer failed, its error is the cause, and a broken pipe only
	 * the effect.
	 */
	writer = outfile_writer_end(output);
	if (writer)
		err = writer;
	if (!err)
		return 0;
	say_error("the results could not be written to %s: %s", output->name,
		  strerror(err));
	return -1;
}

int outfile_finish_stdout(void)
{
	int err = finish(stdout);

	if (!err)
		return 0;
	say_error("standard output could not be written: %s", strerror(err));
	return -1;
}

void outfile_hold_standard(void)
{
	int fd;

	/*
	 * Open them read-only and close-on-exec: for pfmon writing still fails,
	 * and for the command they are as closed as before.
	 */
	do {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
