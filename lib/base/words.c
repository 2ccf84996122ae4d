// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Splitting of event strings.
 */
#include "base/words.h"

#include "base/array.h"
#include "base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* An event string that begins so has terms; those of IBS have a name as well. */
static const char *const terms_prefixes[] = {
	"cpu/",
	"ibs_op/",
	"ibs_fetch/",
};

/**
 * struct letters - what the letters of a field stand for
 * @levels: PFM_PLM_* of u, k, h and hv
 * @precise: number of letters p
 * @most_precise: there is a letter P
 */
struct letters {
	uint32_t levels;
	unsigned int precise;
	bool most_precise;
};

/* Returns false if the text has other letters, or none. */
static bool read_letters(const char *text, size_t length,
			 struct letters *letters)
{
	size_t i;

	memset(letters, 0, sizeof(*letters));
	for (i = 0; i < length; i++) {
		switch (text[i]) {
		case 'u':
		case 'U':
			letters->levels |= PFM_PLM_USER;
			break;
		case 'k':
		case 'K':
			letters->levels |= PFM_PLM_KERNEL;
			break;
		case 'h':
		case 'H':
			letters->levels |= PFM_PLM_HYP;
			if (i + 1 < length && pfmi_text_lower(text[i + 1]) == 'v')
				i++;
			break;
		case 'p':
			letters->precise++;
			break;
		case 'P':
			letters->most_precise = true;
			break;
		default:
			return false;
		}
	}
	return length;
}

static uint32_t levels_of(const char *text, size_t length)
{
	struct letters letters;

	return read_letters(text, length, &letters) && !letters.precise &&
			       !letters.most_precise ?
		       letters.levels :
		       0;
}

uint32_t pfmi_levels(const char *text)
{
	return levels_of(text, strlen(text));
}

/* Adds what the letters of a field stand for, :ukp, to @words.  Returns false if it has others. */
static bool take_letters(const char *field, struct pfmi_words *words)
{
	struct letters letters;

	if (!read_letters(field, strlen(field), &letters))
		return false;
	words->levels_on |= letters.levels;
	words->precise += letters.precise;
	words->most_precise |= letters.most_precise;
	return true;
}

/* Adds the levels that a field names to @words.  Returns false if it names none. */
static bool take_levels(const char *field, struct pfmi_words *words)
{
	size_t length = strcspn(field, "=");
	uint32_t levels = levels_of(field, length);

	if (!levels)
		return false;
	if (!field[length] || !strcmp(field + length, "=1"))
		words->levels_on |= levels;
	else if (!strcmp(field + length, "=0"))
		words->levels_off |= levels;
	else
		return false;
	return true;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || strchr("_-+/", c);
}

static bool is_name(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!is_name_char(*text))
			return false;
	return true;
}

static int take_field(const char *field, struct pfmi_words *words)
{
	if (!*field)
		return -EINVAL;
	if (take_letters(field, words) || take_levels(field, words))
		return 0;
	if (words->num_fields == PFMI_FIELDS_MAX)
		return -EINVAL;
	words->fields[words->num_fields++] = field;
	return 0;
}

/* Compare, regardless of case, the beginning of the text with a prefix in lower case. */
static bool has_prefix(const char *text, const char *prefix)
{
	while (*prefix && pfmi_text_lower(*text) == *prefix) {
		text++;
		prefix++;
	}
	return !*prefix;
}

/* True if the text begins as an event string in terms does. */
static bool has_terms(const char *text)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(terms_prefixes); i++)
		if (has_prefix(text, terms_prefixes[i]))
			return true;
	return false;
}

/*
 * NAME/TERM,TERM.../LETTERS:FIELD...; terms.c and ibs.c parse what is before the first
 * colon.
 */
static int split_terms(struct pfmi_words *words)
{
	char *rest = strchr(words->text, '/');
	char *fields, *field;
	int ret = 0;

	*rest++ = 0;
	fields = strchr(rest, '/');
	words->name = words->text;
	words->terms = rest;
	if (!fields)
		return 0;
	*fields++ = 0;
	words->letters = strsep(&fields, ":");
	while (!ret && (field = strsep(&fields, ":")))
		ret = take_field(field, words);
	return ret;
}

int pfmi_words_split(const char *text, struct pfmi_words *words)
{
	size_t length = strlen(text);
	char *rest, *end;
	int ret = 0;

	memset(words, 0, sizeof(*words));
	if (length >= sizeof(words->text))
		return -ENAMETOOLONG;
	memcpy(words->text, text, length + 1);
	if (has_terms(text))
		return split_terms(words);

	rest = words->text;
	end = strstr(rest, "::");
	if (end) {
		*end = 0;
		words->table = rest;
		rest = end + 2;
		if (!is_name(words->table))
			return -EINVAL;
	}
	words->name = rest;
	/* libpfm4 treats a dot as a colon, so INST_RETIRED.u names a level here, too. */
	end = strpbrk(rest, ":.");
	while (end && !ret) {
		rest = end + 1;
		*end = 0;
		end = strpbrk(rest, ":.");
		if (end)
			*end = 0;
		ret = take_field(rest, words);
	}
	if (ret)
		return ret;
	return is_name(words->name) ? 0 : -EINVAL;
}

/* Compares a part of a name, of @length characters, with a word; case does not matter. */
static bool is_part(const char *part, size_t length, const char *word)
{
	size_t i;

	for (i = 0; i < length && word[i]; i++)
		if (pfmi_text_lower(part[i]) != pfmi_text_lower(word[i]))
			return false;
	return i == length && !word[i];
}

int pfmi_words_match(const struct pfmi_words *words, const char *name)
{
	const char *word = words->name;
	unsigned int fields = 0;
	size_t length;

	for (;;) {
		length = strcspn(name, ".");
		if (!is_part(name, length, word))
			return -1;
		if (!name[length])
			return fields;
		if (fields == words->num_fields)
			return -1;
		name += length + 1;
		word = words->fields[fields++];
	}
}
