// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the user's configuration, which is $XDG_CONFIG_HOME/pfmon/config or ~/.config/pfmon/config.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/colour.h"
#include "base/message.h"
#include "base/pager.h"
#include "cli/option_row.h"
#include "verbs/config.h"
#include "verbs/config_words.h"
#include "verbs/verb.h"

#define BLANKS " \t"

/* Room for the name of the file and a number of a line. */
#define PLACE_ROOM (PATH_MAX + 16)

/**
 * enum entry_kind - what a line of the file sets
 */
enum entry_kind {
	ENTRY_ALIAS,
	ENTRY_DEFAULT,
	ENTRY_SETTING,
};

/**
 * struct entry - a line of the file; its texts live until pfmon ends
 * @kind: what it sets
 * @scope: the verb of a default; otherwise ""
 * @name: the alias, the option or the setting
 * @value: its value
 * @place: file and line, for messages
 * @line: number of the line
 */
struct entry {
	enum entry_kind kind;
	const char *scope;
	const char *name;
	const char *value;
	const char *place;
	unsigned int line;
};

static struct {
	struct entry *list;
	size_t count;
	size_t room;
} entries;

/* Verbs whose options have defaults. */
static bool has_defaults(const char *verb)
{
	return !strcmp(verb, "stat") || !strcmp(verb, "topdown");
}

static bool is_name(const char *text)
{
	return *text >= 'a' && *text <= 'z' &&
	       !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

static int set_pager(const struct entry *entry)
{
	pager_set(entry->value);
	return 0;
}

static int set_colour(const struct entry *entry)
{
	if (!strcmp(entry->value, "no")) {
		colour_refuse();
		return 0;
	}
	if (!strcmp(entry->value, "yes"))
		return 0;
	say_error("%s: colour is yes or no, not '%s'", entry->place,
		  entry->value);
	return -1;
}

static int take_setting(const struct entry *entry)
{
	if (!strcmp(entry->name, "pager"))
		return set_pager(entry);
	if (!strcmp(entry->name, "colour"))
		return set_colour(entry);
	say_error(
		"%s: there is no setting '%s'; there are pager, colour, alias NAME, stat.OPTION and topdown.OPTION",
		entry->place, entry->name);
	return -1;
}

static int check_alias(const struct entry *entry)
{
	size_t length = strcspn(entry->value, BLANKS);
	char *verb;
	bool known;

	if (!is_name(entry->name)) {
		say_error(
			"%s: '%s' is no name of an alias; it has lower case letters, digits and dashes",
			entry->place, entry->name);
		return -1;
	}
	if (verb_find(entry->name)) {
		say_error("%s: '%s' is a verb, and cannot be an alias",
			  entry->place, entry->name);
		return -1;
	}
	verb = strndup(entry->value, length);
	known = verb && verb_find(verb);
	free(verb);
	if (known)
		return 0;
	say_error(
		"%s: an alias begins with a verb, and '%.*s' is none; 'pfmon help' lists them",
		entry->place, (int)length, entry->value);
	return -1;
}

static int check_default(const struct entry *entry)
{
	if (has_defaults(entry->scope))
		return 0;
	say_error(
		"%s: options of '%s' have no defaults here; those of stat and topdown have",
		entry->place, entry->scope);
	return -1;
}

static int check_once(const struct entry *entry)
{
	size_t i;

	for (i = 0; i < entries.count; i++) {
		if (entries.list[i].kind != entry->kind ||
		    strcmp(entries.list[i].scope, entry->scope) ||
		    strcmp(entries.list[i].name, entry->name))
			continue;
		say_error("%s: '%s' is set in line %u already", entry->place,
			  entry->name, entries.list[i].line);
		return -1;
	}
	return 0;
}

static int add(const struct entry *entry)
{
	int err = check_once(entry);

	if (!err)
		err = entry->kind == ENTRY_ALIAS     ? check_alias(entry)
		      : entry->kind == ENTRY_DEFAULT ? check_default(entry)
						     : take_setting(entry);
	if (err)
		return -1;
	if (array_reserve(&entries.list, sizeof(*entries.list), &entries.room,
			  entries.count + 1)) {
		say_error("out of memory for the configuration");
		return -1;
	}
	entries.list[entries.count++] = *entry;
	return 0;
}

/* Without the blanks at both ends. */
static char *trim(char *text)
{
	size_t length;

	text += strspn(text, BLANKS);
	for (length = strlen(text);
	     length && strchr(BLANKS "\r\n", text[length - 1]); length--)
		text[length - 1] = '\0';
	return text;
}

/* Divides a line, which is changed.  Returns 0, or -1 after a message. */
static int read_line(char *text, struct entry *entry)
{
	char *key = trim(text), *value, *point;

	value = strchr(key, '=');
	if (!value) {
		say_error("%s: there is no '=' behind '%s'", entry->place, key);
		return -1;
	}
	*value++ = '\0';
	key = trim(key);
	entry->value = trim(value);
	entry->scope = "";
	point = strchr(key, '.');
	if (!strncmp(key, "alias", 5) && key[5] && strchr(BLANKS, key[5])) {
		entry->kind = ENTRY_ALIAS;
		entry->name = trim(key + 5);
	} else if (point) {
		*point = '\0';
		entry->kind = ENTRY_DEFAULT;
		entry->scope = key;
		entry->name = point + 1;
	} else {
		entry->kind = ENTRY_SETTING;
		entry->name = key;
	}
	return add(entry);
}

static int read_lines(FILE *file, const char *path)
{
	struct entry entry = { 0 };
	char place[PLACE_ROOM];
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int err = 0;

	while (!err && (length = getline(&line, &room, file)) >= 0) {
		entry.line++;
		if (strchr("#\n", line[strspn(line, BLANKS "\r")]))
			continue;
		snprintf(place, sizeof(place), "%s:%u", path, entry.line);
		entry.place = strdup(place);
		if (!entry.place) {
			say_error("out of memory for the configuration");
			err = -1;
		} else if (memchr(line, '\0', length)) {
			say_error("%s: the line has a zero byte", place);
			err = -1;
		} else {
			err = read_line(line, &entry);
			/* The entry has its texts, or there was an error. */
			line = NULL;
			room = 0;
		}
	}
	free(line);
	if (!err && ferror(file)) {
		say_error("cannot read %s: %s", path, strerror(errno));
		err = -1;
	}
	return err;
}

/* A file that others may write could run commands as this user. */
static int check_owner(const char *path, const struct stat *status)
{
	const char *what = S_ISDIR(status->st_mode) ? "folder " : "";

	if (status->st_uid && status->st_uid != geteuid()) {
		say_error(
			"%s%s belongs to another user, so it is not used; --no-config does without",
			what, path);
		return -1;
	}
	if (status->st_mode & (S_IWGRP | S_IWOTH)) {
		say_error(
			"%s%s may be written by others, so it is not used: chmod go-w %s",
			what, path, path);
		return -1;
	}
	return 0;
}

static int check_file(FILE *file, const char *path)
{
	struct stat status;
	char *copy, *folder;
	int err;

	if (fstat(fileno(file), &status) || !S_ISREG(status.st_mode)) {
		say_error("%s is no file", path);
		return -1;
	}
	if (check_owner(path, &status))
		return -1;
	copy = strdup(path);
	if (!copy) {
		say_error("out of memory for the configuration");
		return -1;
	}
	folder = dirname(copy);
	err = stat(folder, &status) ? -1 : check_owner(folder, &status);
	free(copy);
	return err;
}

/* Returns false if there is no place for a configuration. */
static bool find(char *path, size_t size)
{
	const char *folder = getenv("XDG_CONFIG_HOME");
	const char *below = "";
	int length;

	/* Relative names are invalid there, and ignored. */
	if (!folder || *folder != '/') {
		folder = getenv("HOME");
		below = "/.config";
	}
	if (!folder || *folder != '/')
		return false;
	length = snprintf(path, size, "%s%s/pfmon/config", folder, below);
	return length > 0 && (size_t)length < size;
}

int config_read(void)
{
	char path[PATH_MAX];
	FILE *file;
	int fd, err;

	if (!find(path, sizeof(path)))
		return 0;
	/* Of a pipe the end would be waited for. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	file = fd < 0 ? NULL : fdopen(fd, "r");
	if (!file) {
		say_error("cannot open %s: %s; --no-config does without", path,
			  strerror(errno));
		return -1;
	}
	err = check_file(file, path);
	if (!err)
		err = read_lines(file, path);
	fclose(file);
	return err;
}

void config_add_defaults(const char *verb, struct option_table *table)
{
	static struct option_default defaults[OPTION_DEFAULTS_MAX];
	size_t i;

	table->defaults = defaults;
	table->num_defaults = 0;
	for (i = 0; i < entries.count; i++) {
		const struct entry *entry = &entries.list[i];

		if (entry->kind != ENTRY_DEFAULT ||
		    strcmp(entry->scope, verb) ||
		    table->num_defaults == OPTION_DEFAULTS_MAX)
			continue;
		defaults[table->num_defaults++] = (struct option_default){
			.name = entry->name,
			.value = entry->value,
			.place = entry->place,
		};
	}
}

static const struct entry *find_alias(const char *name)
{
	size_t i;

	for (i = 0; i < entries.count; i++)
		if (entries.list[i].kind == ENTRY_ALIAS &&
		    !strcmp(entries.list[i].name, name))
			return &entries.list[i];
	return NULL;
}

char **config_expand(int *argc, char **argv)
{
	const struct entry *alias = *argc > 1 ? find_alias(argv[1]) : NULL;
	char **words;

	if (!alias)
		return argv;
	words = config_words(alias->value, argc, argv);
	if (!words)
		say_error("%s: a quote is not closed, or there is no memory",
			  alias->place);
	return words;
}

void config_print_aliases(FILE *out)
{
	bool titled = false;
	size_t i;

	for (i = 0; i < entries.count; i++) {
		const struct entry *entry = &entries.list[i];

		if (entry->kind != ENTRY_ALIAS)
			continue;
		if (!titled)
			fputs("\nYour aliases:\n", out);
		titled = true;
		fprintf(out, "  %-9s %s\n", entry->name, entry->value);
	}
}
