// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files in which the functions of --irange are looked for: the program, and its libraries in the
 * order in which the loader finds them.  Those of a process that runs are the files that it has
 * mapped.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "options/options.h"
#include "session/range_files.h"
#include "session/session.h"
#include "symbols/functions.h"
#include "symbols/images.h"

extern char **environ;

static bool has(const struct range_files *files, uint32_t number)
{
	size_t i;

	for (i = 0; i < files->count; i++)
		if (files->list[i] == number)
			return true;
	return false;
}

static int add(struct range_files *files, const char *path)
{
	uint32_t number = images_number(files->images, path, 0);

	if (number == IMAGE_NONE ||
	    array_reserve(&files->list, sizeof(*files->list), &files->room,
			  files->count + 1)) {
		say_error("out of memory for the files of --irange");
		return -1;
	}
	if (!has(files, number))
		files->list[files->count++] = number;
	return 0;
}

/* Adds the library of a line "NAME => PATH (ADDRESS)", or "PATH (ADDRESS)", of the loader's. */
static int add_line(struct range_files *files, char *line)
{
	char *path = strstr(line, " => "), *end;

	path = path ? path + 4 : line + strspn(line, " \t");
	end = strstr(path, " (0x");
	if (*path != '/' || !end)
		return 0;
	*end = '\0';
	return add(files, path);
}

static int read_lines(struct range_files *files, int fd)
{
	FILE *in = fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	if (!in) {
		close(fd);
		return 0;
	}
	while (!err && getline(&line, &room, in) > 0)
		err = add_line(files, line);
	free(line);
	fclose(in);
	return err;
}

/*
 * Has the loader list the libraries, in the environment that the command will have.  Where it does
 * not, functions are found in the program only.
 */
static int add_libraries(struct range_files *files, char *loader, char *program)
{
	char *const argv[] = { loader, "--list", program, NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], err, status;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return 0;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
					 O_WRONLY, 0);
	err = posix_spawn(&pid, loader, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (err) {
		close(fds[0]);
		say_verbose("cannot execute '%s': %s", loader, strerror(err));
		return 0;
	}
	err = read_lines(files, fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return err;
}

static int find_of_command(struct range_files *files, const char *command)
{
	char *path = images_find_command(command), loader[PATH_MAX];
	int err;

	if (!path) {
		say_error("--irange: cannot find the program '%s'", command);
		return -1;
	}
	err = add(files, path);
	if (!err && functions_loader(files->images, files->list[0], loader,
				     sizeof(loader)))
		err = add_libraries(files, loader, path);
	free(path);
	return err;
}

/* Adds the files of /proc/PID/maps that are mapped as code, as the process names them. */
static int add_mapped(struct range_files *files, FILE *maps)
{
	char *line = NULL, *path, name[2 * PATH_MAX], access[8];
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, maps) > 0) {
		path = strchr(line, '/');
		if (!path || sscanf(line, "%*s %7s", access) != 1 ||
		    !strchr(access, 'x'))
			continue;
		path[strcspn(path, "\n")] = '\0';
		if (snprintf(name, sizeof(name), "%s%s", files->root, path) <
		    (int)sizeof(name))
			err = add(files, name);
	}
	free(line);
	return err;
}

static int find_of_task(struct range_files *files, pid_t pid)
{
	char name[64], path[PATH_MAX], *program;
	ssize_t length;
	FILE *maps;
	int err = -1;

	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	length = readlink(name, path, sizeof(path) - 1);
	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "re");
	if (length < 0 || !maps ||
	    asprintf(&files->root, "/proc/%d/root", pid) < 0) {
		say_error("--irange: cannot read which files %d executes: %s",
			  pid, strerror(errno));
		files->root = NULL;
	} else {
		path[length] = '\0';
		if (asprintf(&program, "%s%s", files->root, path) >= 0) {
			err = add(files, program);
			free(program);
		}
		if (!err)
			err = add_mapped(files, maps);
	}
	if (maps)
		fclose(maps);
	return err;
}

int range_files_find(struct range_files *files, const struct session *session)
{
	files->images = calloc(1, sizeof(*files->images));
	if (!files->images) {
		say_error("out of memory for the files of --irange");
		return -1;
	}
	if (session->options->command)
		return find_of_command(files, session->options->command[0]);
	return find_of_task(files, session->task);
}

void range_files_free(struct range_files *files)
{
	size_t i;

	for (i = 0; files->fds && i < files->count; i++)
		if (files->fds[i] >= 0)
			close(files->fds[i]);
	if (files->images)
		images_free(files->images);
	free(files->images);
	free(files->list);
	free(files->fds);
	free(files->root);
}

static int make_fds(struct range_files *files)
{
	size_t i;

	files->fds = calloc(files->count, sizeof(*files->fds));
	if (!files->fds) {
		say_error("out of memory for the files of --irange");
		return -1;
	}
	for (i = 0; i < files->count; i++)
		files->fds[i] = -1;
	return 0;
}

int range_files_open(struct range_files *files, uint32_t number)
{
	const char *path = images_name(files->images, number);
	size_t i;

	if (!files->fds && make_fds(files))
		return -1;
	for (i = 0; files->list[i] != number; i++)
		;
	if (files->fds[i] < 0)
		files->fds[i] = open(path, O_RDONLY | O_CLOEXEC);
	if (files->fds[i] < 0)
		say_error("--irange: cannot read '%s': %s", path,
			  strerror(errno));
	return files->fds[i];
}
