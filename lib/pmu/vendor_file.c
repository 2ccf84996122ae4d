// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reader of event tables, and of the index of their folder.
 *
 * Documentation/extend/event-tables.rst describes both kinds of files.  A table is read whole and each line is
 * checked: an event of a damaged table could count something else than its name says.
 */
#include "pmu/vendor_file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#define MAGIC  "@perfmon-events 1"
#define SUFFIX ".events"

/* A table with the descriptions of a vendor has a tenth of this. */
#define SIZE_MAX_OF_FILE (16 << 20)

/* Reads a whole file.  Returns 0, or a negative errno value; the caller frees the text. */
static int read_file(const char *folder, const char *name, const char *suffix,
		     char **text)
{
	char path[1024];
	size_t pos = 0, done = 0;
	struct stat stat;
	ssize_t got;
	int fd, err = 0;

	if (!pfmi_text_add(path, sizeof(path), &pos, "%s/%s%s", folder, name,
			   suffix))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &stat) || !S_ISREG(stat.st_mode) ||
	    stat.st_size > SIZE_MAX_OF_FILE)
		err = -EBADMSG;
	*text = err ? NULL : malloc(stat.st_size + 1);
	if (!err && !*text)
		err = -ENOMEM;
	while (!err && done < (size_t)stat.st_size) {
		got = read(fd, *text + done, stat.st_size - done);
		if (got < 0)
			err = -errno;
		if (got <= 0)
			break;
		done += got;
	}
	close(fd);
	if (err) {
		free(*text);
		*text = NULL;
		return err;
	}
	(*text)[done] = 0;
	/* Text behind a zero would not be seen. */
	if (strlen(*text) != done) {
		free(*text);
		*text = NULL;
		return -EBADMSG;
	}
	return 0;
}

/* True if a list of hexadecimal numbers and ranges, 8f,a0-af, has the number; "*" has each. */
static bool list_has(char *list, unsigned int number)
{
	uint64_t first, last;
	char *item, *end;

	if (!strcmp(list, "*"))
		return true;
	while ((item = strsep(&list, ","))) {
		end = strchr(item, '-');
		if (end)
			*end++ = 0;
		if (!pfmi_text_digits(item, 16, &first) ||
		    !pfmi_text_digits(end ? end : item, 16, &last))
			return false;
		if (number >= first && number <= last)
			return true;
	}
	return false;
}

#define INDEX_FIELDS 4

/* NAME VENDOR FAMILY MODELS, or NAME midr VALUE MASK. */
static bool is_for(char *fields[INDEX_FIELDS],
		   const struct pfmi_vendor_cpu *cpu)
{
	uint64_t value, mask;

	if (!strcmp(fields[1], "midr"))
		return cpu->midr && pfmi_text_digits(fields[2], 16, &value) &&
		       pfmi_text_digits(fields[3], 16, &mask) && mask &&
		       (cpu->midr & mask) == (value & mask);
	return !strcmp(fields[1], cpu->vendor) &&
	       pfmi_text_digits(fields[2], 16, &value) &&
	       value == cpu->family && list_has(fields[3], cpu->model);
}

/* A name becomes part of a path. */
static bool is_table_name(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (!((name[i] >= 'a' && name[i] <= 'z') ||
		      (name[i] >= '0' && name[i] <= '9') || name[i] == '_'))
			return false;
	return i && i < PFMI_VENDOR_NAME_LEN;
}

static void add_table(const char *folder, const char *name,
		      struct pfmi_vendor_table *tables, unsigned int *count)
{
	unsigned int i;

	for (i = 0; i < *count; i++)
		if (!strcmp(tables[i].name, name))
			return;
	if (*count == PFMI_VENDOR_TABLES || !is_table_name(name))
		return;
	memset(&tables[i], 0, sizeof(tables[i]));
	memcpy(tables[i].name, name, strlen(name) + 1);
	tables[i].folder = folder;
	++*count;
}

void pfmi_vendor_file_find(const char *folder,
			   const struct pfmi_vendor_cpu *cpu,
			   struct pfmi_vendor_table *tables,
			   unsigned int *count)
{
	char *fields[INDEX_FIELDS], *text, *rest, *line, *field;
	unsigned int num;

	if (read_file(folder, "index", "", &text))
		return;
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (*line == '#')
			continue;
		num = 0;
		while (num < INDEX_FIELDS && (field = strsep(&line, " ")))
			fields[num++] = field;
		if (num == INDEX_FIELDS && is_for(fields, cpu))
			add_table(folder, fields[0], tables, count);
	}
	free(text);
}

/* Takes KEY=HEX.  False if the field is no such, or has no number. */
static bool take_number(const char *field, char key, uint64_t *number)
{
	return field[0] == key && field[1] == '=' &&
	       pfmi_text_digits(field + 2, 16, number);
}

/* Letters, digits and the few others that names of vendors have. */
static bool is_event_name(const char *name)
{
	size_t length = strlen(name);

	return length && length < PFM_EVENT_NAME_LEN / 2 &&
	       length == strspn(name, "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-");
}

/* NAME CODE [x=EXTRA] [c=COUNTERS] [d[=INSTEAD]] [; DESCRIPTION] */
static bool take_event(char *line, struct pfmi_vendor_event *event)
{
	char *desc = strstr(line, "; "), *field;
	uint64_t counters = 0;

	memset(event, 0, sizeof(*event));
	event->desc = event->instead = "";
	if (desc) {
		event->desc = desc + 2;
		/* The blank in front of it. */
		if (desc == line || desc[-1] != ' ')
			return false;
		desc[-1] = 0;
	}
	event->name = strsep(&line, " ");
	field = strsep(&line, " ");
	if (!is_event_name(event->name) || !field ||
	    !pfmi_text_digits(field, 16, &event->code))
		return false;
	while ((field = strsep(&line, " "))) {
		if (take_number(field, 'x', &event->extra))
			event->has_extra = true;
		else if (take_number(field, 'c', &counters) && counters &&
			 counters <= UINT32_MAX)
			event->counters = counters;
		else if (!strcmp(field, "d"))
			event->deprecated = true;
		else if (!strncmp(field, "d=", 2) && is_event_name(field + 2))
			event->deprecated = true, event->instead = field + 2;
		else
			return false;
	}
	return true;
}

static bool take_word(const char *line, const char *key, const char **value)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) || !line[length])
		return false;
	*value = line + length;
	return true;
}

static bool grow(struct pfmi_vendor_table *table)
{
	const size_t room = table->count ? 2 * table->count : 64;
	struct pfmi_vendor_event *events;

	if (table->count & (table->count - 1) ||
	    (table->count && table->count < 64))
		return true;
	events = realloc(table->events, room * sizeof(*events));
	if (events)
		table->events = events;
	return events;
}

/*
 * Takes one line.  *@end is set behind the last one, which has the number of events: a file that is cut off
 * lacks it.
 */
static int take_line(struct pfmi_vendor_table *table, char *line, bool *end)
{
	const char *name, *number;
	uint64_t count;

	if (*end)
		return *line ? -EBADMSG : 0;
	if (table->line == 1)
		return strcmp(line, MAGIC) ? -EBADMSG : 0;
	if (*line == '#')
		return 0;
	if (take_word(line, "@table ", &name))
		return strcmp(name, table->name) ? -EBADMSG : 0;
	if (take_word(line, "@arch ", &table->arch) ||
	    take_word(line, "@source ", &table->source))
		return 0;
	if (take_word(line, "@end ", &number)) {
		*end = true;
		return pfmi_text_digits(number, 10, &count) &&
				       count == table->count && table->arch &&
				       table->source
			       ? 0
			       : -EBADMSG;
	}
	if (!grow(table))
		return -ENOMEM;
	if (!take_event(line, &table->events[table->count]))
		return -EBADMSG;
	table->count++;
	return 0;
}

int pfmi_vendor_file_load(struct pfmi_vendor_table *table)
{
	char *rest, *line;
	bool end = false;

	if (table->loaded)
		return table->err;
	table->loaded = true;
	table->err =
		read_file(table->folder, table->name, SUFFIX, &table->text);
	rest = table->text;
	while (!table->err && (line = strsep(&rest, "\n"))) {
		table->line++;
		table->err = take_line(table, line, &end);
	}
	if (!table->err && !end)
		table->err = -EBADMSG;
	/* Any other error means that there is no such table. */
	if (table->err == -EBADMSG || table->err == -ENOMEM || !table->err)
		return table->err;
	table->err = -ENOENT;
	return table->err;
}
