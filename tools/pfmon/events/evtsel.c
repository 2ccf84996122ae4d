// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds to events what the options say of PERFEVTSEL.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/evtsel.h"

#define PREFIX "cpu/"

#define INTEL (1U << EVTSEL_INTEL)
#define AMD   (1U << EVTSEL_AMD)
#define BOTH  (INTEL | AMD)

/**
 * struct mask - what an option sets
 * @option: its name
 * @modifier: the library's modifier for it
 * @term: its term in cpu/.../
 * @letter: its letter behind cpu/.../; 0 if none
 * @makers: whose registers have it
 * @bits: its bits in the register
 */
struct mask {
	const char *option;
	const char *modifier;
	const char *term;
	char letter;
	unsigned int makers;
	uint64_t bits;
};

static const struct mask masks_known[NUM_EVENT_MASKS] = {
	[EVENT_MASK_COUNTER] = { "counter-mask", "c", "cmask", 0, BOTH,
				 0xff000000 },
	[EVENT_MASK_INV] = { "inv-mask", "i", "inv", 0, BOTH, 1ULL << 23 },
	[EVENT_MASK_EDGE] = { "edge-mask", "e", "edge", 0, BOTH, 1ULL << 18 },
	[EVENT_MASK_ANYTHR] = { "anythr-mask", "t", "any", 0, INTEL,
				1ULL << 21 },
	[EVENT_MASK_GUEST] = { "guest-mask", "guest", "guest", 'G', AMD,
			       1ULL << 40 },
	[EVENT_MASK_HOST] = { "host-mask", "host", "host", 'H', AMD,
			      1ULL << 41 },
};

const struct evtsel_masks evtsel_no_masks = {
	.value = { -1, -1, -1, -1, -1, -1 },
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

bool evtsel_inv_alone(enum evtsel_maker maker, uint64_t code)
{
	/* Intel's manuals say so; AMD's leave it open. */
	return maker == EVTSEL_INTEL &&
	       code & masks_known[EVENT_MASK_INV].bits &&
	       !(code & masks_known[EVENT_MASK_COUNTER].bits);
}

static bool is_word(const char *word, const char *name)
{
	size_t length = strlen(name);

	/* The end of the string counts as a delimiter for strchr(). */
	return !strncasecmp(word, name, length) &&
	       strchr("=:./,", word[length]);
}

/* True if one of the words behind the event's name, or a term, is about the mask. */
static bool has_word(const char *text, const struct mask *mask)
{
	const bool fields = has_fields(text);
	const char *delimiters = fields ? "/,:" : ":.";
	const char *word = strstr(text, "::");

	word = word ? word + 2 : text;
	while ((word = strpbrk(word, delimiters))) {
		word++;
		if (is_word(word, mask->modifier))
			return true;
		/* Elsewhere ANY is a unit mask. */
		if (fields && is_word(word, mask->term))
			return true;
	}
	return false;
}

/* True if one of the letters behind cpu/.../ is about the mask. */
static bool has_letter(const char *text, const struct mask *mask)
{
	const char *letters;

	if (!mask->letter || !has_fields(text))
		return false;
	letters = strchr(text + sizeof(PREFIX) - 1, '/');
	return letters && memchr(letters, mask->letter, strcspn(letters, ":"));
}

/* The code of an event that is written r1b or 0x1b; 0 if it is written otherwise. */
static uint64_t raw_code(const char *text)
{
	const char *digits;
	size_t length;

	if (!strncasecmp(text, "0x", 2))
		digits = text + 2;
	else if (*text == 'r' || *text == 'R')
		digits = text + 1;
	else
		return 0;
	length = strspn(digits, "0123456789abcdefABCDEF");
	/* The end of the string counts as a delimiter for strchr(). */
	if (!length || !strchr(":.", digits[length]))
		return 0;
	return strtoull(digits, NULL, 16);
}

/*
 * True if the event itself says something about the mask.  A raw code does so with bits that
 * are set; a modifier would replace them.
 */
static bool names(const char *text, const struct mask *mask)
{
	return has_word(text, mask) || has_letter(text, mask) ||
	       (raw_code(text) & mask->bits);
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
		if (masks->value[i] <= 0 || names(text, &masks_known[i]))
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
	if (evtsel_is_ours(text) && !has_fields(text) &&
	    refuse_raw(masks, &reason))
		return -1;
	return add_modifiers(text, masks, event, size, &reason);
}
