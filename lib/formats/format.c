// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Descriptions of sampling formats: what they say, and where they are.
 */
#include "formats/format.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/sys/kernel/perfmon/formats"

/* A file of sysfs has a page at most. */
#define TEXT_ROOM 65536

/* Room for a name of a folder there, and for a path. */
#define NAME_ROOM 256
#define PATH_ROOM 512

/* 8-4-4-4-12 digits */
#define UUID_LENGTH 36

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at;

	if (c >= 'A' && c <= 'F')
		c += 'a' - 'A';
	at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

int pfm_format_uuid(const char *text, uint8_t *uuid)
{
	uint8_t bytes[PFM_UUID_LEN];
	unsigned int i;

	for (i = 0; i < PFM_UUID_LEN; i++) {
		if ((i == 4 || i == 6 || i == 8 || i == 10) && *text++ != '-')
			return -EINVAL;
		if (digit(text[0]) < 0 || digit(text[1]) < 0)
			return -EINVAL;
		bytes[i] = digit(text[0]) << 4 | digit(text[1]);
		text += 2;
	}
	if (*text)
		return -EINVAL;
	memcpy(uuid, bytes, sizeof(bytes));
	return 0;
}

/* Reads a file to its end.  Returns its bytes, which end with a zero byte, or -errno. */
static ssize_t read_file(const char *path, char *text, size_t room)
{
	FILE *file = fopen(path, "re");
	size_t length;
	int err;

	if (!file)
		return -errno;
	length = fread(text, 1, room - 1, file);
	err = ferror(file) ? -EIO : 0;
	fclose(file);
	text[length] = '\0';
	return err ? err : (ssize_t)length;
}

/* True if the folder of a format has a file with this UUID. */
static bool has_uuid(const char *name, const uint8_t *uuid)
{
	uint8_t found[PFM_UUID_LEN];
	char path[PATH_ROOM], text[64];

	snprintf(path, sizeof(path), FOLDER "/%s/uuid", name);
	if (read_file(path, text, sizeof(text)) < UUID_LENGTH)
		return false;
	text[UUID_LENGTH] = '\0';
	return !pfm_format_uuid(text, found) &&
	       !memcmp(found, uuid, sizeof(found));
}

/* Writes the name of the format with a UUID.  Returns 0 or -ENOENT. */
static int find_uuid(const uint8_t *uuid, char *name, size_t room)
{
	DIR *folder = opendir(FOLDER);
	struct dirent *entry;
	int ret = -ENOENT;

	while (folder && ret && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= room ||
		    !has_uuid(entry->d_name, uuid))
			continue;
		strcpy(name, entry->d_name);
		ret = 0;
	}
	if (folder)
		closedir(folder);
	return ret;
}

/* Writes the path of the file @file of a format that is named by name or UUID. */
static int find_file(const char *name, const char *file, char *path)
{
	uint8_t uuid[PFM_UUID_LEN];
	char found[NAME_ROOM];
	int ret;

	if (!pfm_format_uuid(name, uuid)) {
		ret = find_uuid(uuid, found, sizeof(found));
		if (ret)
			return ret;
		name = found;
	}
	if (!*name || *name == '.' || strchr(name, '/') ||
	    strlen(name) >= NAME_ROOM)
		return -ENOENT;
	snprintf(path, PATH_ROOM, FOLDER "/%s", name);
	if (access(path, F_OK))
		return -ENOENT;
	snprintf(path, PATH_ROOM, FOLDER "/%s/%s", name, file);
	return 0;
}

static int read_format(const char *name, struct pfm_format **format)
{
	char path[PATH_ROOM];
	ssize_t length;
	char *text;
	int ret;

	ret = find_file(name, "format", path);
	if (ret)
		return ret;
	text = malloc(TEXT_ROOM);
	if (!text)
		return -ENOMEM;
	length = read_file(path, text, TEXT_ROOM);
	if (length == -ENOENT)
		ret = -ENODATA;
	else if (length < 0)
		ret = length;
	else
		ret = pfm_format_parse(text, length, format);
	free(text);
	return ret;
}

int pfm_format_read(const char *name, struct pfm_format **format)
{
	const int saved = errno;
	int ret;

	ret = read_format(name, format);
	errno = saved;
	return ret;
}

void pfm_format_free(struct pfm_format *format)
{
	unsigned int i;

	if (!format)
		return;
	for (i = 0; i < format->info.entries; i++) {
		free(format->entries[i].fields.list);
		free(format->entries[i].tails.list);
	}
	free(format->entries);
	free(format->hdr.list);
	free(format->args);
	free(format->text);
	free(format);
}

const struct pfm_format_info *pfm_format_info(const struct pfm_format *format)
{
	return &format->info;
}

const struct pfm_format_arg *pfm_format_arg(const struct pfm_format *format,
					    unsigned int arg)
{
	return arg < format->info.args ? &format->args[arg] : NULL;
}

static const struct pfm_format_field *field_of(const struct pfmi_fields *fields,
					       unsigned int i)
{
	return i < fields->count ? &fields->list[i] : NULL;
}

const struct pfm_format_field *
pfm_format_header(const struct pfm_format *format, unsigned int field)
{
	return field_of(&format->hdr, field);
}

const struct pfm_format_entry *pfm_format_entry(const struct pfm_format *format,
						unsigned int entry)
{
	return entry < format->info.entries ? &format->entries[entry].head
					    : NULL;
}

const struct pfm_format_field *pfm_format_field(const struct pfm_format *format,
						unsigned int entry,
						unsigned int field)
{
	return entry < format->info.entries
		       ? field_of(&format->entries[entry].fields, field)
		       : NULL;
}

const struct pfm_format_field *pfm_format_tail(const struct pfm_format *format,
					       unsigned int entry,
					       unsigned int tail)
{
	return entry < format->info.entries
		       ? field_of(&format->entries[entry].tails, tail)
		       : NULL;
}

const struct pfm_format_field *
pfmi_format_find(const struct pfmi_fields *fields, const char *name)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++)
		if (!strcmp(fields->list[i].name, name))
			return &fields->list[i];
	return NULL;
}

const struct pfm_format_field *
pfmi_format_kind(const struct pfmi_fields *fields, uint32_t kind)
{
	unsigned int i;

	for (i = 0; i < fields->count; i++)
		if (fields->list[i].kind == kind)
			return &fields->list[i];
	return NULL;
}

const struct pfm_format_arg *pfmi_format_arg(const struct pfm_format *format,
					     const char *name)
{
	unsigned int i;

	for (i = 0; i < format->info.args; i++)
		if (!strcmp(format->args[i].name, name))
			return &format->args[i];
	return NULL;
}
