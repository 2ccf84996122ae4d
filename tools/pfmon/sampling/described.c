// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arguments and entries of a sampling format that pfmon knows by its description only.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "check/formats.h"
#include "options/options.h"
#include "sampling/described.h"
#include "sampling/sample.h"

#define OPTION "--smpl-module"

/* Longest list of keys in a message. */
#define KEYS_ROOM 512

/* Writes the keys of the argument, with ", " between them. */
static const char *list_keys(const struct described *described, char *text)
{
	size_t at = 0;
	unsigned int i;

	strcpy(text, "none");
	for (i = 0; i < described->info->args && at < KEYS_ROOM; i++)
		at += snprintf(text + at, KEYS_ROOM - at, "%s%s", i ? ", " : "",
			       pfm_format_arg(described->format, i)->name);
	return text;
}

static int find_key(const struct described *described, const char *key)
{
	char keys[KEYS_ROOM];
	unsigned int i;

	for (i = 0; i < described->info->args; i++)
		if (!strcmp(pfm_format_arg(described->format, i)->name, key))
			return i;
	say_error(OPTION
		  ": the sampling format '%s' has no argument '%s'; it has: %s",
		  described->info->name, key, list_keys(described, keys));
	return -1;
}

static void tell_range(const struct pfm_format_arg *arg, const char *value)
{
	if (arg->flags & PFM_FORMAT_SIGNED)
		say_error(OPTION
			  ": %s=%s is out of range: it is from %lld to %lld",
			  arg->name, value, (long long)arg->min,
			  (long long)arg->max);
	else
		say_error(OPTION
			  ": %s=%s is out of range: it is from %llu to %llu",
			  arg->name, value, (unsigned long long)arg->min,
			  (unsigned long long)arg->max);
}

/* Sets what a word KEY=VALUE says; KEY alone is that of a flag. */
static int set_word(struct described *described, char *word, uint64_t *given)
{
	char *value = strchr(word, '=');
	const struct pfm_format_arg *arg;
	int field, err;

	if (value)
		*value++ = '\0';
	field = find_key(described, word);
	if (field < 0)
		return -1;
	arg = pfm_format_arg(described->format, field);
	if (*given >> field & 1) {
		say_error(OPTION ": '%s' is there twice", word);
		return -1;
	}
	if (!value && arg->mask)
		value = (char *)"yes";
	if (!value) {
		say_error(OPTION ": '%s' needs a value: %s=NUMBER", word, word);
		return -1;
	}
	*given |= 1ULL << field;
	err = pfm_format_arg_set(described->format, described->arg, field,
				 value);
	if (err == -ERANGE)
		tell_range(arg, value);
	else if (err)
		say_error(OPTION ": %s=%s: '%s' is not %s", word, value, value,
			  arg->mask ? "yes or no" : "a number");
	return err ? -1 : 0;
}

static int check_required(const struct described *described, uint64_t given)
{
	unsigned int i;

	for (i = 0; i < described->info->args; i++) {
		const struct pfm_format_arg *arg =
			pfm_format_arg(described->format, i);

		if (!(arg->flags & PFM_FORMAT_REQUIRED) || given >> i & 1)
			continue;
		say_error(OPTION ": the sampling format '%s' needs %s=%s%s%s%s",
			  described->info->name, arg->name,
			  arg->mask ? "yes|no" : "NUMBER",
			  arg->help ? " (" : "", arg->help ? arg->help : "",
			  arg->help ? ")" : "");
		return -1;
	}
	return 0;
}

static int make_arg(struct described *described, char *words)
{
	uint64_t given = 0;
	char *word;

	described->arg = calloc(1, described->info->arg_size + 1);
	if (!described->arg) {
		say_error(
			"out of memory for the argument of the sampling format");
		return -1;
	}
	pfm_format_arg_init(described->format, described->arg);
	while (words) {
		word = strsep(&words, ",");
		if (!*word) {
			say_error(
				OPTION
				": nothing stands behind a ':' or ','; write KEY=VALUE there");
			return -1;
		}
		if (set_word(described, word, &given))
			return -1;
	}
	return check_required(described, given);
}

/* Writes the words that the option has of its own, with ", " between them. */
static const char *list_words(char *text)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < MODULE_FORMAT && at < KEYS_ROOM; i++)
		at += snprintf(text + at, KEYS_ROOM - at, "%s%s", i ? ", " : "",
			       smpl_module_names[i]);
	return text;
}

int described_open(struct described *described, const char *value)
{
	char *name = strdup(value), *args, words[KEYS_ROOM];
	int err = -1;

	memset(described, 0, sizeof(*described));
	if (!name) {
		say_error("out of memory for the name of the sampling format");
		return -1;
	}
	args = strchr(name, ':');
	if (args)
		*args++ = '\0';
	if (!formats_describe(OPTION, list_words(words), name,
			      &described->format)) {
		described->info = pfm_format_info(described->format);
		err = make_arg(described, args);
	}
	free(name);
	return err;
}

bool described_has(const struct described *described, unsigned int type,
		   uint32_t kind)
{
	const struct pfm_format_entry *entry =
		pfm_format_entry(described->format, type);
	unsigned int i;

	for (i = 0; i < entry->fields; i++)
		if (pfm_format_field(described->format, type, i)->kind == kind)
			return true;
	return false;
}

uint64_t described_period(const struct pfm_format_field *field, uint64_t value)
{
	return -value & (UINT64_MAX >> (64 - 8 * field->size));
}

bool described_convert(const struct described *described,
		       const struct pfm_format_record *record,
		       struct sample *sample)
{
	const struct pfm_format_entry *entry =
		pfm_format_entry(described->format, record->type);
	bool pmd = false, weight = false, timed = false;
	uint64_t count = 0;
	unsigned int i;

	memset(sample, 0, sizeof(*sample));
	sample->record = record;
	for (i = 0; i < entry->fields; i++) {
		const struct pfm_format_field *field =
			pfm_format_field(described->format, record->type, i);
		const uint64_t value = pfm_format_value(field, record->at);

		switch (field->kind) {
		case PFM_FORMAT_TIME:
			sample->tstamp = value;
			timed = true;
			break;
		case PFM_FORMAT_PID:
			sample->pid = value;
			break;
		case PFM_FORMAT_TID:
			sample->tid = value;
			break;
		case PFM_FORMAT_CPU:
			sample->cpu = value;
			break;
		case PFM_FORMAT_SET:
			sample->set = value;
			break;
		case PFM_FORMAT_PMD:
			sample->pmd = value;
			pmd = true;
			break;
		case PFM_FORMAT_RESET:
			sample->weight += described_period(field, value);
			weight = true;
			break;
		case PFM_FORMAT_PERIOD:
			sample->weight += value;
			weight = true;
			break;
		case PFM_FORMAT_COUNT:
			count += value;
			break;
		default:
			break;
		}
	}
	sample->count = entry->use == PFM_FORMAT_HISTOGRAM ? count : 1;
	/* Without a time of its own, what is mapped now has to do. */
	if (!timed)
		sample->tstamp = clock_now();
	/* A table leaves samples out, so its weights are no counts. */
	return pmd && weight && entry->use != PFM_FORMAT_TABLE;
}

bool described_weighs(const struct described *described)
{
	const struct pfm_format_entry *entry;
	unsigned int i;

	for (i = 0; (entry = pfm_format_entry(described->format, i)); i++)
		if (entry->use == PFM_FORMAT_TABLE ||
		    !described_has(described, i, PFM_FORMAT_PMD) ||
		    !(described_has(described, i, PFM_FORMAT_RESET) ||
		      described_has(described, i, PFM_FORMAT_PERIOD)))
			return false;
	return described->info->layout != PFM_FORMAT_NONE;
}

void described_close(struct described *described)
{
	pfm_format_free(described->format);
	free(described->arg);
	memset(described, 0, sizeof(*described));
}
