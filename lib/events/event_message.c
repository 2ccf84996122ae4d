// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Messages for users about event strings that are refused.
 */
#include "base/text.h"
#include "events/event.h"
#include "events/ibs.h"
#include "events/names.h"
#include "events/terms.h"
#include "pmu/tables.h"
#include "pmu/vendor.h"
#include "registers/reg_map.h"
#include "registers/virtual.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SUGGESTIONS 3
/* Most unit masks that a message names. */
#define MASKS 6

/* ix86arch has the few events that all processors of Intel have. */
static bool lacks_table(const struct pfm_reg_map *map)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	const char *table = ops ? pfmi_tables_name(ops) : NULL;

	return ops && (!table || !strcmp(table, "ix86arch")) &&
	       !pfmi_vendor_name(ops);
}

static void write_unknown(const struct pfm_reg_map *map, const char *text,
			  char *buf, size_t size)
{
	char names[SUGGESTIONS][PFM_EVENT_NAME_LEN];
	struct pfmi_words words;
	size_t pos = 0;
	int count, i;

	if (!pfmi_words_split(text, &words) && !words.table && !words.terms &&
	    pfmi_name_perf_only(words.name)) {
		snprintf(buf, size,
			 "event '%s': only the kernel's perf counts it, with the module perfmon_perf",
			 text);
		return;
	}
	pfmi_text_add(buf, size, &pos, "unknown event '%s'", text);
	count = pfm_event_suggest(map, text, names, SUGGESTIONS);
	for (i = 0; i < count; i++)
		pfmi_text_add(buf, size, &pos, "%s%s",
			      i ? ", " : "; closest: ", names[i]);
	if (!count && lacks_table(map))
		pfmi_text_add(
			buf, size, &pos,
			"; libpfm4 has no table for this processor: the variable LIBPFM_FORCE_PMU names that of another one, if its events are the same");
}

/**
 * struct fields - search for the field of an event that is wrong
 * @ops: the PMU
 * @words: the event
 * @seen: the event exists
 * @wrong: out: the first field that it does not have; NULL: it has them all
 * @masks: out: names of its unit masks
 * @pos: characters of @masks
 * @num: number of names in @masks
 */
struct fields {
	const struct pfm_arch_ops *ops;
	const struct pfmi_words *words;
	bool seen;
	const char *wrong;
	char masks[256];
	size_t pos;
	unsigned int num;
};

/* Whether the event has a unit mask or modifier of that name, whatever its value. */
static bool has_field(const struct fields *fields,
		      const struct pfm_event_desc *desc, const char *field)
{
	bool (*takes)(struct pfm_event *event, const char *field) = NULL;
	struct pfm_event event = { .code = desc->code };
	const int length = strcspn(field, "=");
	char name[PFM_EVENT_NAME_LEN + 2];
	unsigned int i;

	snprintf(name, sizeof(name), "%.*s", length, field);
	for (i = 0; i < desc->num_umasks; i++)
		if (pfmi_text_equal(desc->umasks[i].name, name) ||
		    pfmi_text_equal(desc->umasks[i].name, field))
			return true;
	/* Events without a table take all modifiers of the PMU. */
	if (fields->ops)
		takes = desc->num_umasks ? fields->ops->table_modifier :
					   fields->ops->modifier;
	if (!takes)
		return false;
	snprintf(name, sizeof(name), "%.*s=1", length, field);
	return takes(&event, field) || takes(&event, name);
}

static int see_fields(const struct pfm_event_desc *desc, void *arg)
{
	struct fields *fields = arg;
	unsigned int i;

	fields->seen = true;
	for (i = 0; i < fields->words->num_fields && !fields->wrong; i++)
		if (!has_field(fields, desc, fields->words->fields[i]))
			fields->wrong = fields->words->fields[i];
	for (i = 0; i < desc->num_umasks; i++) {
		if (desc->umasks[i].is_modifier)
			continue;
		if (fields->num++ < MASKS)
			pfmi_text_add(fields->masks, sizeof(fields->masks),
				      &fields->pos, "%s%s",
				      fields->num > 1 ? ", " : "",
				      desc->umasks[i].name);
	}
	if (fields->num > MASKS)
		pfmi_text_add(fields->masks, sizeof(fields->masks),
			      &fields->pos, " and %u more",
			      fields->num - MASKS);
	return 1;
}

/* The event has no unit mask, or one that it does not have, or they do not go together. */
static void write_wrong_field(const struct pfm_reg_map *map, const char *text,
			      const struct pfmi_words *words, char *buf,
			      size_t size)
{
	struct fields fields = { .ops = pfmi_reg_map_arch(map), .words = words };
	char name[2 * PFM_EVENT_NAME_LEN];
	const char *separator = "";
	size_t pos = 0;
	unsigned int i;

	snprintf(name, sizeof(name), "%s%s%s", words->table ? words->table : "",
		 words->table ? "::" : "", words->name);
	/* Unit masks are part of the names of a vendor's table. */
	fields.seen = pfmi_vendor_wrong_field(fields.ops, words, &fields.wrong);
	if (!fields.seen)
		pfm_event_describe(map, name, see_fields, &fields);
	if (!words->num_fields) {
		pfmi_text_add(buf, size, &pos, "event '%s' needs a unit mask",
			      text);
		separator = ": ";
	} else if (!fields.seen || fields.wrong) {
		pfmi_text_add(buf, size, &pos,
			      "event '%s': %s has no unit mask or modifier '%s'",
			      text, words->name,
			      fields.wrong ? fields.wrong : words->fields[0]);
		separator = "; its unit masks: ";
	} else {
		pfmi_text_add(buf, size, &pos, "event '%s': %s does not take ",
			      text, words->name);
		for (i = 0; i < words->num_fields; i++)
			pfmi_text_add(buf, size, &pos, "%s%s", i ? ":" : "'",
				      words->fields[i]);
		pfmi_text_add(buf, size, &pos,
			      "': not with such a value, or not together");
	}
	if (fields.num && *separator)
		pfmi_text_add(buf, size, &pos, "%s%s", separator,
			      fields.masks);
}

/* Say why the event has no samples without skid.  False if that is not what is wrong. */
static bool write_precise(const struct pfm_reg_map *map, const char *text,
			  const struct pfmi_words *words, char *buf,
			  size_t size)
{
	char plain[2 * PFM_EVENT_NAME_LEN], why[256];
	struct pfm_event event;
	size_t pos = 0;
	unsigned int i;

	if (!words->precise || words->terms)
		return false;
	pfmi_text_add(plain, sizeof(plain), &pos, "%s%s%s",
		      words->table ? words->table : "",
		      words->table ? "::" : "", words->name);
	for (i = 0; i < words->num_fields; i++)
		pfmi_text_add(plain, sizeof(plain), &pos, ":%s",
			      words->fields[i]);
	if (pfm_event_parse(map, plain, PFM_PLM_USER, &event) ||
	    !pfmi_name_precise(map, words, &event, why, sizeof(why)))
		return false;
	snprintf(buf, size, "event '%s': %s", text, why);
	return true;
}

/* Find out which reason it was, and describe it. */
static void write_invalid(const struct pfm_reg_map *map, const char *text,
			  char *buf, size_t size)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	struct pfm_event event = { 0 };
	struct pfmi_words words;
	char why[512] = "";

	if (pfmi_words_split(text, &words))
		snprintf(buf, size,
			 "'%s' is not an event: NAME[:UNITMASK...][:u|k|h] is needed",
			 text);
	else if (words.terms && ops &&
		 pfmi_terms_take(ops, &words, &event, why, sizeof(why)))
		snprintf(buf, size, "event '%s': %s", text, why);
	else if (!words.table && pfmi_text_equal(words.name, "raw"))
		snprintf(buf, size,
			 "event '%s': behind raw: comes the value of the whole register, such as raw:0x41010e",
			 text);
	else if (!words.table && pfmi_virtual_find(map, words.name))
		snprintf(buf, size,
			 "event '%s': %s has neither unit masks nor privilege levels, and no samples without skid",
			 text, words.name);
	else if (!write_precise(map, text, &words, buf, size))
		write_wrong_field(map, text, &words, buf, size);
}

/* pfm_event_parse() refused the event after it had found the code. */
static void write_no_extra(const struct pfm_reg_map *map, const char *text,
			   char *buf, size_t size)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	const struct pfm_arch_shared *shared = NULL;
	struct pfm_event event;

	pfm_event_parse(map, text, PFM_PLM_USER, &event);
	if (ops)
		shared = pfmi_arch_shared(ops, event.code);
	snprintf(buf, size,
		 "event '%s' needs a value for a second register: the field %s=VALUE",
		 text, shared ? shared->field : "");
}

static void write_range(const struct pfm_arch_ops *ops, const char *text,
			char *buf, size_t size)
{
	const uint64_t bits = ops ? ops->code_bits : 0;
	struct pfm_event event = { 0 };
	struct pfmi_words words;
	uint64_t code;

	/* The codes are the numbers up to a largest one. */
	if (!(bits & (bits + 1))) {
		snprintf(buf, size, "event '%s': the largest event code is 0x%llx",
			 text, (unsigned long long)bits);
		return;
	}
	pfmi_words_split(text, &words);
	if (pfmi_raw_register(&words, &code)) {
		ops->take_register(&event, code);
		snprintf(buf, size,
			 "event '%s': bits 0x%llx of the register are not part of an event",
			 text, (unsigned long long)(event.code & ~bits));
		return;
	}
	pfmi_raw(words.name, &code);
	snprintf(buf, size,
		 "event '%s': bits 0x%llx are not part of an event code; raw:0x%llx takes the value of the whole register",
		 text, (unsigned long long)(code & ~bits),
		 (unsigned long long)code);
}

/* Say what is wrong with an event of IBS.  False if it is none, or if that is not it. */
static bool write_ibs(const struct pfm_reg_map *map, const char *text, int err,
		      char *buf, size_t size)
{
	struct pfm_event event = { 0 };
	struct pfmi_words words;
	char why[256] = "";

	if (pfmi_words_split(text, &words) ||
	    pfmi_ibs_take(map, &words, &event, why, sizeof(why)) != err || !*why)
		return false;
	snprintf(buf, size, "event '%s': %s", text, why);
	return true;
}

const char *pfm_event_strerror(const struct pfm_reg_map *map, const char *text,
			       int err, char *buf, size_t size)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	const char *pmu = map ? pfm_reg_map_pmu(map) : "";
	char why[1200];

	if (write_ibs(map, text, err, buf, size))
		return buf;
	switch (-err) {
	case ENOENT:
		write_unknown(map, text, buf, size);
		break;
	case EINVAL:
		write_invalid(map, text, buf, size);
		break;
	case ENODEV:
		if (*pmu)
			snprintf(buf, size,
				 "event '%s': this version of the library cannot program the PMU %s",
				 text, pmu);
		else
			snprintf(buf, size,
				 "event '%s' needs a hardware PMU, and no module for one is loaded",
				 text);
		break;
	case ERANGE:
		write_range(ops, text, buf, size);
		break;
	case ENODATA:
		write_no_extra(map, text, buf, size);
		break;
	case EDOM:
		snprintf(buf, size,
			 "event '%s' counts at no privilege level, or at one that the PMU cannot select",
			 text);
		break;
	case EOPNOTSUPP:
		snprintf(buf, size,
			 "event '%s': this processor has no such event", text);
		break;
	case EBADMSG:
		pfmi_vendor_damage(why, sizeof(why));
		snprintf(buf, size, "event '%s': %s", text, why);
		break;
	case ENAMETOOLONG:
		snprintf(buf, size, "event '%.40s...': name too long", text);
		break;
	default:
		snprintf(buf, size, "event '%s': %s", text,
			 pfm_ctx_strerror(0, err));
	}
	return buf;
}
