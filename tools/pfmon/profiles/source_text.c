// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads source files, see source_text.h.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "profiles/source_text.h"

/* Longer files are no sources that a person reads, bytes. */
#define SOURCE_MAX (32 << 20)

static char *read_all(int fd, size_t size)
{
	char *text = malloc(size + 1);
	size_t used = 0;
	ssize_t got = 1;

	while (text && used < size && got > 0) {
		got = read(fd, text + used, size - used);
		if (got > 0)
			used += got;
	}
	if (text)
		text[used] = '\0';
	return text;
}

/* Without memory the lines behind are missing. */
static void split(struct source_file *file)
{
	size_t room = 0;
	char *at, *end;

	for (at = file->text; *at; at = end) {
		end = strchrnul(at, '\n');
		/* Some editors end lines by two characters. */
		if (end > at && end[-1] == '\r')
			end[-1] = '\0';
		if (*end)
			*end++ = '\0';
		if (array_reserve(&file->lines, sizeof(*file->lines), &room,
				  file->count + 1))
			return;
		file->lines[file->count++] = at;
	}
}

/* A source that was edited has other lines than those that the program was made of. */
static void tell_newer(const struct stat *source, const char *path,
		       const char *program)
{
	struct stat st;

	if (!stat(program, &st) && source->st_mtime > st.st_mtime)
		say_note(
			"'%s' is newer than '%s': the lines that are shown may not be those that ran",
			path, program);
}

static void load(struct source_file *file, const char *program)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= SOURCE_MAX)
		file->text = read_all(fd, st.st_size);
	close(fd);
	if (!file->text)
		return;
	split(file);
	tell_newer(&st, file->path, program);
}

/* The file, which is read at its first use; NULL without memory. */
static const struct source_file *find(struct source_text *sources,
				      const char *path, const char *program)
{
	struct source_file *file;
	size_t i;

	/* Lines of one function come from few files. */
	for (i = 0; i < sources->count; i++)
		if (!strcmp(sources->list[i].path, path))
			return &sources->list[i];
	if (array_reserve(&sources->list, sizeof(*sources->list),
			  &sources->room, sources->count + 1))
		return NULL;
	file = &sources->list[sources->count];
	*file = (struct source_file){ .path = strdup(path) };
	if (!file->path)
		return NULL;
	sources->count++;
	load(file, program);
	return file;
}

const char *source_text_line(struct source_text *sources, const char *path,
			     unsigned int line, const char *program)
{
	const struct source_file *file = NULL;

	/* A relative path is one of where the program was built. */
	if (*path == '/')
		file = find(sources, path, program);
	return file && line && line <= file->count ? file->lines[line - 1]
						   : NULL;
}

void source_text_free(struct source_text *sources)
{
	size_t i;

	for (i = 0; i < sources->count; i++) {
		free(sources->list[i].path);
		free(sources->list[i].text);
		free(sources->list[i].lines);
	}
	free(sources->list);
	*sources = (struct source_text){ 0 };
}
