// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes the fields of PERFEVTSEL.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/evtsel.h"

#define PREFIX "cpu/"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define INTEL (1U << EVTSEL_INTEL)
#define AMD   (1U << EVTSEL_AMD)
#define BOTH  (INTEL | AMD)

#define GUEST (1ULL << 40)
#define HOST  (1ULL << 41)

/**
 * struct field - a field that perf has
 * @name: perf's name
 * @makers: whose registers have it
 * @bits: its bits; a number goes to them from the lowest up
 */
struct field {
	const char *name;
	unsigned int makers;
	uint64_t bits;
};

static const struct field fields[] = {
	{ "event", INTEL, 0xff },	   { "event", AMD, 0xf000000ff },
	{ "umask", BOTH, 0xff00 },	   { "cmask", BOTH, 0xff000000 },
	{ "inv", BOTH, 1ULL << 23 },	   { "edge", BOTH, 1ULL << 18 },
	{ "any", INTEL, 1ULL << 21 },	   { "in_tx", INTEL, 1ULL << 32 },
	{ "in_tx_cp", INTEL, 1ULL << 33 },
};

/* Fields of a second register, which the library takes by perf's names. */
static const char *const extra_fields[] = {
	"offcore_rsp",
	"ldlat",
	"frontend",
};

/* The options in the order of enum event_mask; modifiers are the library's. */
static const struct {
	const char *option;
	const char *modifier;
	unsigned int makers;
	uint64_t bits;
} masks_known[NUM_EVENT_MASKS] = {
	[EVENT_MASK_COUNTER] = { "counter-mask", "c", BOTH, 0xff000000 },
	[EVENT_MASK_INV] = { "inv-mask", "i", BOTH, 1ULL << 23 },
	[EVENT_MASK_EDGE] = { "edge-mask", "e", BOTH, 1ULL << 18 },
	[EVENT_MASK_ANYTHR] = { "anythr-mask", "t", INTEL, 1ULL << 21 },
	[EVENT_MASK_GUEST] = { "guest-mask", "guest", AMD, GUEST },
	[EVENT_MASK_HOST] = { "host-mask", "host", AMD, HOST },
};

const struct evtsel_masks evtsel_no_masks = {
	.value = { -1, -1, -1, -1, -1, -1 },
};

/**
 * struct evtsel - an event that is being encoded
 * @maker: whose register it is
 * @code: the register, without levels and what the kernel sets
 * @named: bits of the fields that the event names
 * @extra: field of a second register with its value; NULL none
 * @levels: the levels that it names, as the library writes them
 */
struct evtsel {
	enum evtsel_maker maker;
	uint64_t code;
	uint64_t named;
	const char *extra;
	char levels[8];
};

/**
 * struct reason - room for the reason why an event is refused
 */
struct reason {
	char *text;
	size_t size;
};

static int refuse(const struct reason *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(const struct reason *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, why->size, format, args);
	va_end(args);
	return -1;
}

static const char *const maker_names[] = {
	[EVTSEL_INTEL] = "Intel",
	[EVTSEL_AMD] = "AMD",
};

enum evtsel_maker evtsel_maker(const char *pmu)
{
	if (!strcmp(pmu, "intel"))
		return EVTSEL_INTEL;
	return strcmp(pmu, "amd") ? EVTSEL_OTHER : EVTSEL_AMD;
}

static bool has_fields(const char *text)
{
	return !strncasecmp(text, PREFIX, sizeof(PREFIX) - 1);
}

bool evtsel_is_ours(const char *text)
{
	return has_fields(text) || !strncasecmp(text, "raw:", 4);
}

const char *evtsel_option(enum event_mask mask)
{
	return masks_known[mask].option;
}

bool evtsel_has(enum evtsel_maker maker, enum event_mask mask)
{
	return masks_known[mask].makers >> maker & 1;
}

/* Puts a number into bits that need not be neighbours.  False if it is too large. */
static bool spread(uint64_t number, uint64_t bits, uint64_t *code)
{
	uint64_t value = 0;

	for (; bits; bits &= bits - 1, number >>= 1)
		if (number & 1)
			value |= bits & -bits;
	*code |= value;
	return !number;
}

/* A decimal number, or a hexadecimal one with 0x. */
static bool read_number(const char *text, uint64_t *number)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	char *end;

	/* strtoull() takes blanks, signs and another 0x as well. */
	if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF"
						  : "0123456789")])
		return false;
	errno = 0;
	*number = strtoull(digits, &end, hex ? 16 : 10);
	return !errno && !*end;
}

static const struct field *find_field(const char *name, enum evtsel_maker maker)
{
	size_t i;

	for (i = 0; i < COUNT(fields); i++)
		if (fields[i].makers >> maker & 1 &&
		    !strcmp(fields[i].name, name))
			return &fields[i];
	return NULL;
}

static int unknown_field(const struct evtsel *evtsel, const char *name,
			 const struct reason *why)
{
	char list[256] = "";
	size_t used = 0, i;

	for (i = 0; i < COUNT(fields); i++)
		if (fields[i].makers >> evtsel->maker & 1)
			used += snprintf(list + used, sizeof(list) - used,
					 "%s%s", used ? ", " : "",
					 fields[i].name);
	return refuse(why,
		      "the counters of %s have no field '%s'; they have %s",
		      maker_names[evtsel->maker], name, list);
}

/* @text is NAME=VALUE, which is what the library takes. */
static int take_extra(struct evtsel *evtsel, const char *text,
		      const struct reason *why)
{
	if (evtsel->extra)
		return refuse(why, "'%s' and '%s' cannot be combined",
			      evtsel->extra, text);
	evtsel->extra = text;
	return 0;
}

static bool is_extra(const struct evtsel *evtsel, const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(extra_fields); i++)
		if (!strcmp(extra_fields[i], name))
			return evtsel->maker == EVTSEL_INTEL;
	return false;
}

static int take_field(struct evtsel *evtsel, const char *text,
		      const struct reason *why)
{
	const char *value = strchr(text, '=');
	const struct field *field;
	uint64_t number = 1;
	char name[32];

	if (!*text)
		return refuse(why, "there is an empty field");
	snprintf(name, sizeof(name), "%.*s",
		 (int)(value ? value - text : (long)strlen(text)), text);
	if (value && !read_number(value + 1, &number))
		return refuse(why, "'%s' is not a number from 0 up", value + 1);
	if (value && is_extra(evtsel, name))
		return take_extra(evtsel, text, why);
	field = find_field(name, evtsel->maker);
	if (!field)
		return unknown_field(evtsel, name, why);
	/* perf takes a field of several bits without a value for 1. */
	if (!value && field->bits & (field->bits - 1))
		return refuse(why, "'%s' needs a value, %s=N", name, name);
	if (evtsel->named & field->bits)
		return refuse(why, "'%s' is given twice", name);
	evtsel->named |= field->bits;
	if (!spread(number, field->bits, &evtsel->code))
		return refuse(why, "'%s': the largest number is %u", text,
			      (1U << __builtin_popcountll(field->bits)) - 1);
	return 0;
}

/* What follows the second slash.  Other modifiers of perf are about its sampling. */
static int take_modifiers(struct evtsel *evtsel, const char *text,
			  const struct reason *why)
{
	size_t count = 0;

	text += *text == ':';
	for (; *text; text++) {
		switch (*text) {
		case 'u':
		case 'k':
			if (!memchr(evtsel->levels, *text, count))
				evtsel->levels[count++] = *text;
			continue;
		case 'G':
			if (evtsel->maker != EVTSEL_AMD)
				break;
			evtsel->code |= GUEST;
			evtsel->named |= GUEST;
			continue;
		case 'H':
			if (evtsel->maker != EVTSEL_AMD)
				break;
			evtsel->code |= HOST;
			evtsel->named |= HOST;
			continue;
		}
		return refuse(
			why,
			"there is no modifier '%c'; the counters of %s have u, k%s",
			*text, maker_names[evtsel->maker],
			evtsel->maker == EVTSEL_AMD ? ", G and H" : "");
	}
	return 0;
}

/* Splits and takes cpu/FIELD,.../MODIFIERS; @text is changed. */
static int parse(struct evtsel *evtsel, char *text, const struct reason *why)
{
	char *rest = text + sizeof(PREFIX) - 1, *end = strchr(rest, '/'),
	     *field;

	if (!end)
		return refuse(why, "the '/' at the end is missing");
	*end = '\0';
	while ((field = strsep(&rest, ",")))
		if (take_field(evtsel, field, why))
			return -1;
	if (!(evtsel->named & 0xff))
		return refuse(why, "the field 'event' is missing");
	return take_modifiers(evtsel, end + 1, why);
}

static int translate_fields(const char *text, enum evtsel_maker maker,
			    const struct evtsel_masks *masks, char *event,
			    size_t size, const struct reason *why)
{
	struct evtsel evtsel = { .maker = maker };
	char *copy = strdup(text);
	unsigned int i;
	int err, length;

	if (!copy)
		return refuse(why, "%s", strerror(ENOMEM));
	err = parse(&evtsel, copy, why);
	for (i = 0; !err && i < NUM_EVENT_MASKS; i++)
		if (masks->value[i] > 0 &&
		    !(evtsel.named & masks_known[i].bits))
			spread(masks->value[i], masks_known[i].bits,
			       &evtsel.code);
	if (!err) {
		length = snprintf(event, size, "r%" PRIx64 "%s%s%s%s",
				  evtsel.code, evtsel.extra ? ":" : "",
				  evtsel.extra ? evtsel.extra : "",
				  *evtsel.levels ? ":" : "", evtsel.levels);
		if ((size_t)length >= size)
			err = refuse(why, "it is too long");
	}
	free(copy);
	return err;
}

/* True if one of the words behind the event's name is this modifier. */
static bool names(const char *text, const char *modifier)
{
	const char *word = strstr(text, "::");
	size_t length = strlen(modifier);

	word = word ? word + 2 : text;
	while ((word = strpbrk(word, ":."))) {
		word++;
		if (!strncasecmp(word, modifier, length) &&
		    strchr("=:.", word[length]))
			return true;
	}
	return false;
}

/* The value of the register has all its bits, so no option can say otherwise. */
static int refuse_raw(const struct evtsel_masks *masks,
		      const struct reason *why)
{
	unsigned int i;

	for (i = 0; i < NUM_EVENT_MASKS; i++)
		if (masks->value[i] > 0)
			return refuse(
				why,
				"it is the value of the whole register, to which --%s can add nothing; leave its place in the list empty",
				masks_known[i].option);
	return 0;
}

static int add_modifiers(const char *text, const struct evtsel_masks *masks,
			 char *event, size_t size, const struct reason *why)
{
	size_t used = snprintf(event, size, "%s", text);
	unsigned int i;

	for (i = 0; i < NUM_EVENT_MASKS && used < size; i++) {
		if (masks->value[i] <= 0 ||
		    names(text, masks_known[i].modifier))
			continue;
		used += snprintf(event + used, size - used, ":%s",
				 masks_known[i].modifier);
		if (i == EVENT_MASK_COUNTER && used < size)
			used += snprintf(event + used, size - used, "=%d",
					 masks->value[i]);
	}
	return used < size ? 0 : refuse(why, "it is too long");
}

static int check_masks(const struct evtsel_masks *masks,
		       enum evtsel_maker maker, const struct reason *why)
{
	unsigned int i;

	for (i = 0; i < NUM_EVENT_MASKS; i++) {
		if (masks->value[i] < 0 || evtsel_has(maker, i))
			continue;
		return refuse(
			why,
			"--%s is about counters of %s, which this machine does not have",
			masks_known[i].option,
			masks_known[i].makers == INTEL ? "Intel"
			: masks_known[i].makers == AMD ? "AMD"
						       : "Intel and AMD");
	}
	return 0;
}

int evtsel_translate(const char *text, enum evtsel_maker maker,
		     const struct evtsel_masks *masks, char *event, size_t size,
		     char *why, size_t why_size)
{
	const struct reason reason = { .text = why, .size = why_size };

	if (check_masks(masks, maker, &reason))
		return -1;
	if (maker == EVTSEL_OTHER && evtsel_is_ours(text))
		return refuse(
			&reason,
			"that is about the registers of Intel and AMD, which this machine's PMU does not have; codes are written r1b or 0x1b");
	if (has_fields(text))
		return translate_fields(text, maker, masks, event, size,
					&reason);
	if (evtsel_is_ours(text) && refuse_raw(masks, &reason))
		return -1;
	return add_modifiers(text, masks, event, size, &reason);
}
