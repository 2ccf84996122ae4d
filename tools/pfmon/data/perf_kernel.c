// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf does not write which boot a file is of.  A kernel is at other addresses after each boot, so the same
 * build at the same addresses is the same boot, or does as well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "data/data_format.h"
#include "data/perf_kernel.h"

#define NOTE_HEAD     12
#define NOTE_BUILD_ID 3

static size_t aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* True if one of the notes of the running kernel is that build id. */
static bool has_build_id(const uint8_t *id, size_t size)
{
	FILE *file = fopen("/sys/kernel/notes", "re");
	uint8_t notes[8192], *at = notes;
	size_t left, name, body, all;

	if (!file)
		return false;
	left = fread(notes, 1, sizeof(notes), file);
	fclose(file);
	while (left >= NOTE_HEAD) {
		name = data_get32(at);
		body = data_get32(at + 4);
		if (name > sizeof(notes) || body > sizeof(notes))
			break;
		all = NOTE_HEAD + aligned(name) + aligned(body);
		if (all > left)
			break;
		if (data_get32(at + 8) == NOTE_BUILD_ID && name == 4 &&
		    !memcmp(at + NOTE_HEAD, "GNU", 4) && body == size &&
		    !memcmp(at + NOTE_HEAD + 4, id, size))
			return true;
		at += all;
		left -= all;
	}
	return false;
}

static bool has_symbol(const char *symbol, uint64_t address)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], name[256];
	bool found = false;
	uint64_t at;

	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%" SCNx64 " %*c %255s", &at, name) == 2 &&
			at == address && !strcmp(name, symbol);
	if (file)
		fclose(file);
	return found;
}

/* Without a build id, as in packed files, its release tells which kernel it is. */
static bool has_release(const char *release)
{
	struct utsname system;

	return release && !uname(&system) && !strcmp(system.release, release);
}

bool perf_kernel_is_here(const uint8_t *id, size_t size, const char *release,
			 const char *symbol, uint64_t address)
{
	if (!address || !(size ? has_build_id(id, size) : has_release(release)))
		return false;
	return has_symbol(symbol, address);
}
