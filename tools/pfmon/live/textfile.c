// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file for the textfile collector of node_exporter.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "live/exports.h"
#include "session/cpu_context.h"
#include "session/session.h"
#include "session/system_wide.h"

/**
 * struct textfile - the file of --textfile
 * @session: the session that counts
 * @file: its path, with links resolved
 * @temporary: file that is renamed to @file when it is complete
 * @failed: the latest write failed, which was reported
 */
struct textfile {
	struct session *session;
	char *file;
	char *temporary;
	bool failed;
};

static FILE *open_temporary(struct textfile *textfile)
{
	int fd = open(textfile->temporary,
		      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		      0644);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	/* Another user has to read the file, whatever the umask is. */
	if (file)
		fchmod(fd, 0644);
	else if (fd >= 0)
		close(fd);
	return file;
}

/*
 * rename(2) will replace whatever has the name: follow a link to its file, and
 * refuse anything but a regular file, for example a device.
 */
static int find_textfile(struct textfile *textfile, const char *name)
{
	struct stat st;

	if (!stat(name, &st) && !S_ISREG(st.st_mode)) {
		say_error(
			"--textfile: '%s' is not a regular file; it would be replaced by one",
			name);
		return -1;
	}
	textfile->file = realpath(name, NULL);
	if (!textfile->file)
		textfile->file = strdup(name);
	if (textfile->file && asprintf(&textfile->temporary, "%s.%d",
				       textfile->file, getpid()) >= 0)
		return 0;
	textfile->temporary = NULL;
	say_error("out of memory for --textfile");
	return -1;
}

struct textfile *textfile_create(struct session *session, const char *name)
{
	struct textfile *textfile = calloc(1, sizeof(*textfile));
	FILE *file;

	if (!textfile) {
		say_error("out of memory for --textfile");
		return NULL;
	}
	textfile->session = session;
	if (find_textfile(textfile, name))
		goto out_free;
	file = open_temporary(textfile);
	if (!file) {
		say_error("--textfile: cannot create '%s': %s",
			  textfile->temporary, strerror(errno));
		goto out_free;
	}
	fclose(file);
	unlink(textfile->temporary);
	return textfile;
out_free:
	textfile_free(textfile);
	return NULL;
}

/*
 * A failed write is no reason to stop counting: a full disk may have room later.
 */
static void tell_failed(struct textfile *textfile, int err)
{
	if (!textfile->failed)
		say_warning(
			"--textfile: cannot write '%s': %s; the file keeps its old counts",
			textfile->temporary, strerror(err));
	textfile->failed = true;
	unlink(textfile->temporary);
}

int textfile_write(struct textfile *textfile)
{
	bool failed;
	FILE *file;

	if (!textfile->session->system->stopped &&
	    cpu_read_all(textfile->session))
		return -1;
	errno = 0;
	file = open_temporary(textfile);
	if (!file) {
		tell_failed(textfile, errno);
		return 0;
	}
	failed = metrics_print(file, textfile->session, METRICS_TEXT) ||
		 ferror(file);
	if (fclose(file) || failed ||
	    rename(textfile->temporary, textfile->file))
		tell_failed(textfile, errno ? errno : EIO);
	else
		textfile->failed = false;
	return 0;
}

void textfile_free(struct textfile *textfile)
{
	if (!textfile)
		return;
	free(textfile->temporary);
	free(textfile->file);
	free(textfile);
}
