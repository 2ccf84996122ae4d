// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds sampling formats: in sysfs if they are loaded, and by the aliases of modules that are
 * installed, by which the kernel loads them.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "check/formats.h"

#define FOLDER "/sys/kernel/perfmon/formats"
#define ALIAS  "alias perfmon-format-"

/* Digits and dashes of a UUID. */
#define UUID_LENGTH (UUID_TEXT_ROOM - 1)

const char *formats_uuid_text(const uint8_t *uuid, char *text)
{
	char *at = text;
	unsigned int i;

	for (i = 0; i < PFM_UUID_LEN; i++)
		at += sprintf(at, "%s%02x",
			      i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      uuid[i]);
	return text;
}

static struct found_format *add(struct formats *formats)
{
	struct found_format *format;

	if (array_reserve(&formats->list, sizeof(*formats->list),
			  &formats->room, formats->count + 1)) {
		say_error("out of memory for the sampling formats");
		return NULL;
	}
	format = &formats->list[formats->count++];
	memset(format, 0, sizeof(*format));
	return format;
}

static struct found_format *find_uuid(const struct formats *formats,
				      const uint8_t *uuid)
{
	size_t i;

	for (i = 0; i < formats->count; i++)
		if (!memcmp(formats->list[i].uuid, uuid, PFM_UUID_LEN))
			return &formats->list[i];
	return NULL;
}

/* The first line of a file in the folder of a format.  Returns false if there is none. */
static bool read_line(const char *folder, const char *name, char *line,
		      size_t room)
{
	char path[512];
	bool found;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "re");
	if (!file)
		return false;
	found = fgets(line, room, file);
	fclose(file);
	if (found)
		line[strcspn(line, "\n")] = '\0';
	return found;
}

static int read_loaded(struct formats *formats, const char *folder)
{
	unsigned int major, minor;
	uint8_t uuid[PFM_UUID_LEN];
	struct found_format *format;
	char line[64];

	/* The format was unloaded in this moment. */
	if (!read_line(folder, "uuid", line, sizeof(line)) ||
	    pfm_format_uuid(line, uuid))
		return 0;
	format = add(formats);
	if (!format)
		return -1;
	memcpy(format->uuid, uuid, sizeof(uuid));
	format->loaded = true;
	snprintf(format->name, sizeof(format->name), "%s",
		 strrchr(folder, '/') + 1);
	if (read_line(folder, "version", line, sizeof(line)) &&
	    sscanf(line, "%u.%u", &major, &minor) == 2)
		format->version = major << 16 | minor;
	return 0;
}

static int read_all_loaded(struct formats *formats)
{
	glob_t found;
	int err = 0;
	size_t i;

	if (glob(FOLDER "/*", 0, NULL, &found))
		return 0;
	for (i = 0; !err && i < found.gl_pathc; i++)
		err = read_loaded(formats, found.gl_pathv[i]);
	globfree(&found);
	return err;
}

/* The name of the format in the module perfmon_NAME or perfmon_format_NAME. */
static const char *name_of_module(const char *module)
{
	static const char *const prefixes[] = { "perfmon_format_", "perfmon_" };
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (!strncmp(module, prefixes[i], strlen(prefixes[i])))
			return module + strlen(prefixes[i]);
	return module;
}

/* A line of modules.alias: "alias perfmon-format-UUID MODULE". */
static int read_alias(struct formats *formats, const char *line)
{
	char uuid_text[UUID_TEXT_ROOM], module[FORMAT_NAME_ROOM];
	uint8_t uuid[PFM_UUID_LEN];
	struct found_format *format;

	if (strncmp(line, ALIAS, strlen(ALIAS)) ||
	    sscanf(line + strlen(ALIAS), "%36s %63s", uuid_text, module) != 2 ||
	    pfm_format_uuid(uuid_text, uuid))
		return 0;
	format = find_uuid(formats, uuid);
	if (!format) {
		format = add(formats);
		if (!format)
			return -1;
		memcpy(format->uuid, uuid, sizeof(uuid));
		snprintf(format->name, sizeof(format->name), "%s",
			 name_of_module(module));
	}
	memcpy(format->module, module, sizeof(module));
	return 0;
}

/* Without the file, no module is installed. */
static int read_aliases(struct formats *formats)
{
	struct utsname uts = { 0 };
	char path[128], line[512];
	int err = 0;
	FILE *file;

	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.alias",
		 uts.release);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!err && fgets(line, sizeof(line), file))
		err = read_alias(formats, line);
	fclose(file);
	return err;
}

static int by_name(const void *a, const void *b)
{
	const struct found_format *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int formats_read(struct formats *formats)
{
	memset(formats, 0, sizeof(*formats));
	if (read_all_loaded(formats) || read_aliases(formats))
		return -1;
	if (formats->count)
		qsort(formats->list, formats->count, sizeof(*formats->list),
		      by_name);
	return 0;
}

const struct found_format *formats_find(const struct formats *formats,
					const char *name)
{
	const struct found_format *found = NULL;
	uint8_t uuid[PFM_UUID_LEN];
	size_t i;

	if (!pfm_format_uuid(name, uuid))
		return find_uuid(formats, uuid);
	/* A module that is installed may have the name of another format, which is loaded. */
	for (i = 0; i < formats->count; i++)
		if (!strcmp(formats->list[i].name, name) &&
		    (!found || formats->list[i].loaded))
			found = &formats->list[i];
	return found;
}

/*
 * A context that is created with the format has the kernel load its module, also if the
 * argument is refused afterwards.
 */
static void load(const uint8_t *uuid)
{
	PFM_OPTS(pfm_create_opts, opts, .fmt_uuid = uuid);
	const int fd = pfm_ctx_create(&opts);

	if (fd >= 0)
		close(fd);
	say_debug("sampling format loaded: %s", fd < 0 ? strerror(-fd) : "yes");
}

static void tell_unread(const char *option, const char *name, int err)
{
	switch (err) {
	case -ENODATA:
		say_error(
			"%s: the sampling format '%s' does not describe itself, so pfmon does not know its argument and its entries; use it by its own program",
			option, name);
		break;
	case -EBADMSG:
		say_error(
			"%s: the description of the sampling format '%s' cannot be understood; compare 'pfmon --version' and 'modinfo perfmon'",
			option, name);
		break;
	default:
		say_error(
			"%s: cannot read what the sampling format '%s' says of itself: %s",
			option, name, strerror(-err));
	}
}

/* The format is @found, or unknown if that is NULL. */
static int describe(const char *name, const struct found_format *found,
		    struct pfm_format **format)
{
	char text[UUID_TEXT_ROOM];
	uint8_t uuid[PFM_UUID_LEN];
	int err;

	/* A UUID that no file names may be an alias that this user cannot see. */
	if (found)
		memcpy(uuid, found->uuid, sizeof(uuid));
	else if (pfm_format_uuid(name, uuid))
		return -ENOENT;
	formats_uuid_text(uuid, text);
	err = pfm_format_read(text, format);
	if (err != -ENOENT)
		return err;
	load(uuid);
	return pfm_format_read(text, format);
}

int formats_describe(const char *option, const char *words, const char *name,
		     struct pfm_format **format)
{
	const struct found_format *found;
	struct formats formats;
	int err = -1;

	if (!formats_read(&formats)) {
		found = formats_find(&formats, name);
		err = describe(name, found, format);
		if (err == -ENOENT && found)
			say_error(
				"%s: the kernel did not load the module '%s' of the sampling format '%s'; run 'sudo modprobe %s' to see why",
				option, found->module, name, found->module);
		else if (err == -ENOENT)
			say_error(
				"%s: '%s' is %s%s%sno sampling format that is loaded or installed; 'pfmon formats' lists those",
				option, name, words ? "not one of " : "",
				words ? words : "", words ? ", and " : "");
		else if (err)
			tell_unread(option, name, err);
	}
	formats_free(&formats);
	return err ? -1 : 0;
}

void formats_free(struct formats *formats)
{
	free(formats->list);
	memset(formats, 0, sizeof(*formats));
}
