// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Parser of cpu/TERM,.../LETTERS, the form in which perf writes an event in parts.
 */
#include "events/terms.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/**
 * struct parser - an event that is being parsed
 * @ops: the PMU
 * @event: out: the event
 * @named: bits of the terms that were taken
 * @extra: the term that is the value of a second register; "" none
 * @why: out: the reason why the event is refused
 * @size: bytes of @why
 */
struct parser {
	const struct pfm_arch_ops *ops;
	struct pfm_event *event;
	uint64_t named;
	char extra[PFM_EVENT_NAME_LEN];
	char *why;
	size_t size;
};

static int refuse(const struct parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(const struct parser *parser, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->why, parser->size, format, args);
	va_end(args);
	return -EINVAL;
}

/* Put a number into bits that need not be adjacent.  False if it is too large. */
static bool spread(uint64_t number, uint64_t bits, uint64_t *value)
{
	*value = 0;
	for (; bits; bits &= bits - 1, number >>= 1)
		if (number & 1)
			*value |= bits & -bits;
	return !number;
}

static uint64_t largest(uint64_t bits)
{
	uint64_t number = 0;

	for (; bits; bits &= bits - 1)
		number = number << 1 | 1;
	return number;
}

static const struct pfm_arch_term *find_term(const struct pfm_arch_ops *ops,
					     const char *name)
{
	const struct pfm_arch_term *term;

	for (term = ops->terms; term->name; term++)
		if (pfmi_text_equal(term->name, name))
			return term;
	return NULL;
}

/* Whether it is the name of a second register. */
static bool is_extra(const struct pfm_arch_ops *ops, const char *name)
{
	const struct pfm_arch_shared *shared;

	if (!ops->shared)
		return false;
	for (shared = ops->shared(); shared->pmc; shared++)
		if (!strcmp(shared->field, name))
			return true;
	return false;
}

/* Several events of the list can have a register of the same name. */
static bool is_repeated(const struct pfm_arch_shared *first,
			const struct pfm_arch_shared *shared)
{
	for (; first != shared; first++)
		if (!strcmp(first->field, shared->field))
			return true;
	return false;
}

static int refuse_name(const struct parser *parser, const char *name)
{
	const struct pfm_arch_shared *shared, *first;
	const struct pfm_arch_term *term;
	char list[256] = "";
	size_t pos = 0;

	for (term = parser->ops->terms; term->name; term++)
		pfmi_text_add(list, sizeof(list), &pos, "%s%s", pos ? ", " : "",
			      term->name);
	first = parser->ops->shared ? parser->ops->shared() : NULL;
	for (shared = first; shared && shared->pmc; shared++)
		if (!is_repeated(first, shared))
			pfmi_text_add(list, sizeof(list), &pos, ", %s",
				      shared->field);
	return refuse(parser, "the PMU %s has no term '%s'; it has %s",
		      parser->ops->name, name, list);
}

static int take_extra(struct parser *parser, const char *text)
{
	if (*parser->extra)
		return refuse(parser, "'%s' and '%s' cannot be combined",
			      parser->extra, text);
	strcpy(parser->extra, text);
	return 0;
}

static int take_term(struct parser *parser, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *value = text[length] ? text + length + 1 : NULL;
	const struct pfm_arch_term *term;
	char name[PFM_EVENT_NAME_LEN];
	uint64_t number = 1, bits;
	bool extra;

	memcpy(name, text, length);
	name[length] = 0;
	if (!*text)
		return refuse(parser, "there is an empty term");
	if (value && !pfmi_text_number(value, &number))
		return refuse(parser, "'%s' is not a number from 0 up", value);
	extra = is_extra(parser->ops, name);
	term = find_term(parser->ops, name);
	if (!term && !extra)
		return refuse_name(parser, name);
	/* perf takes a term of several bits without a value for 1. */
	if (!value && (extra || term->bits & (term->bits - 1)))
		return refuse(parser, "'%s' needs a value, %s=N", name, name);
	if (extra)
		return take_extra(parser, text);
	if (parser->named & term->bits)
		return refuse(parser, "'%s' is given twice", name);
	parser->named |= term->bits;
	if (!spread(number, term->bits, &bits))
		return refuse(parser, "'%s': the largest number is %llu", text,
			      (unsigned long long)largest(term->bits));
	parser->event->code |= bits;
	return 0;
}

static int take_terms(struct parser *parser, const char *text)
{
	char term[PFM_EVENT_NAME_LEN];
	size_t length;
	int ret;

	do {
		length = strcspn(text, ",");
		memcpy(term, text, length);
		term[length] = 0;
		ret = take_term(parser, term);
		text += length;
	} while (!ret && *text++);
	if (ret)
		return ret;
	/* Without this a unit mask alone would count some other event. */
	if (!(parser->named & parser->ops->terms[0].bits))
		return refuse(parser, "the term '%s' is missing",
			      parser->ops->terms[0].name);
	/* Which second register an event has depends on its code, so this comes last. */
	if (*parser->extra &&
	    !parser->ops->modifier(parser->event, parser->extra))
		return refuse(parser,
			      "'%s': the event 0x%llx has no such register",
			      parser->extra,
			      (unsigned long long)parser->event->code);
	return 0;
}

static const struct pfm_arch_term *find_letter(const struct pfm_arch_ops *ops,
					       char letter)
{
	const struct pfm_arch_term *term;

	for (term = ops->terms; term->name; term++)
		if (term->letter == letter)
			return term;
	return NULL;
}

static int refuse_letter(const struct parser *parser, char letter)
{
	const struct pfm_arch_term *term;
	char list[32] = "u, k";
	size_t pos = strlen(list);

	for (term = parser->ops->terms; term->name; term++)
		if (term->letter)
			pfmi_text_add(list, sizeof(list), &pos, ", %c",
				      term->letter);
	return refuse(
		parser,
		"there is no modifier '%c' behind the '/'; the PMU %s has %s",
		letter, parser->ops->name, list);
}

/* perf has other letters, too, which are about its own sampling. */
static int take_letters(struct parser *parser, const char *text)
{
	const struct pfm_arch_term *term;

	for (; *text; text++) {
		term = find_letter(parser->ops, *text);
		if (term)
			parser->event->code |= term->bits;
		else if (pfmi_text_lower(*text) == 'u')
			parser->event->plm |= PFM_PLM_USER;
		else if (pfmi_text_lower(*text) == 'k')
			parser->event->plm |= PFM_PLM_KERNEL;
		else
			return refuse_letter(parser, *text);
	}
	return 0;
}

static int take_fields(struct parser *parser, const struct pfmi_words *words)
{
	unsigned int i;

	for (i = 0; i < words->num_fields; i++)
		if (!parser->ops->modifier(parser->event, words->fields[i]))
			return refuse(parser, "the PMU %s has no modifier '%s'",
				      parser->ops->name, words->fields[i]);
	return 0;
}

int pfmi_terms_take(const struct pfm_arch_ops *ops,
		    const struct pfmi_words *words, struct pfm_event *event,
		    char *why, size_t size)
{
	struct parser parser = {
		.ops = ops,
		.event = event,
		.why = why,
		.size = size,
	};
	int ret;

	if (!ops->terms)
		return refuse(
			&parser,
			"the PMU %s has no events in parts; codes are written r1b or 0x1b",
			ops->name);
	if (!words->letters)
		return refuse(&parser, "the '/' at the end is missing");
	ret = take_terms(&parser, words->terms);
	if (!ret)
		ret = take_letters(&parser, words->letters);
	return ret ? ret : take_fields(&parser, words);
}
