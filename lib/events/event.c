// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Parser of event strings.
 */
#include "events/event.h"

#include "base/array.h"
#include "base/text.h"
#include "events/ibs.h"
#include "events/names.h"
#include "events/terms.h"
#include "pmu/tables.h"
#include "pmu/vendor.h"
#include "registers/reg_map.h"
#include "registers/virtual.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int set_name(struct pfm_event *event, const char *name)
{
	size_t length = strlen(name);

	if (length >= sizeof(event->name))
		return -ENAMETOOLONG;
	memcpy(event->name, name, length + 1);
	return 0;
}

/* Append the levels to the name, in a fixed order. */
static int add_levels(struct pfm_event *event)
{
	static const struct {
		uint32_t level;
		const char *text;
	} levels[] = {
		{ PFM_PLM_USER, ":u" },
		{ PFM_PLM_KERNEL, ":k" },
		{ PFM_PLM_HYP, ":h" },
	};
	size_t pos = strlen(event->name);
	bool fits = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(levels); i++)
		if (event->plm & levels[i].level)
			fits = pfmi_text_add(event->name, sizeof(event->name),
					     &pos, "%s", levels[i].text);
	return fits ? 0 : -ENAMETOOLONG;
}

/* Choose the levels; @can are those that can be selected. */
static int finish_levels(const struct pfmi_words *words, uint32_t dfl_plm,
			 uint32_t can, struct pfm_event *event)
{
	/* The value of a whole register, raw:0x..., can select levels, too. */
	if (words->levels_on)
		event->plm = words->levels_on | (words->terms ? event->plm : 0);
	if (event->plm)
		event->flags |= PFM_EVENTF_LEVELS;
	else
		event->plm = dfl_plm;
	event->plm &= ~words->levels_off;
	return !event->plm || (event->plm & ~can) ? -EDOM : add_levels(event);
}

static int finish_hardware(const struct pfm_arch_ops *ops,
			   const struct pfmi_words *words, uint32_t dfl_plm,
			   struct pfm_event *event)
{
	event->kind = PFM_EVENT_HARDWARE;
	event->pmd = PFM_REG_NONE;
	if (event->code == pfmi_arch_cycles(ops))
		event->flags |= PFM_EVENTF_CYCLES;
	return finish_levels(words, dfl_plm, ops->levels, event);
}

/* Append a field to the name, in lower case, as the names of modifiers are. */
static int add_field(const char *field, struct pfm_event *event)
{
	size_t pos = strlen(event->name);
	bool fits;

	fits = pfmi_text_add(event->name, sizeof(event->name), &pos, ":");
	for (; *field && fits; field++)
		fits = pfmi_text_add(event->name, sizeof(event->name), &pos, "%c",
				     pfmi_text_lower(*field));
	return fits ? 0 : -ENAMETOOLONG;
}

/* Apply the fields to an event that is in no table of libpfm4. */
static int take_fields(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event)
{
	unsigned int i;
	int ret;

	for (i = 0; i < words->num_fields; i++) {
		if (!ops->modifier || !ops->modifier(event, words->fields[i]))
			return -EINVAL;
		ret = add_field(words->fields[i], event);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * The parsers below return -ENOENT when they do not know the name, so that the next one
 * is tried.
 */

static int parse_generic(const struct pfm_reg_map *map,
			 const struct pfm_arch_ops *ops,
			 const struct pfmi_words *words, struct pfm_event *event)
{
	const struct pfm_arch_name *name;
	enum pfmi_generic_event generic;
	const char *spelling;
	int ret;

	generic = pfmi_generic_find(words->name, &spelling);
	if (generic == PFMI_GENERICS)
		return -ENOENT;
	if (!ops)
		return words->num_fields ? -EINVAL : -ENODEV;
	name = pfmi_name_find(map, ops, generic);
	if (!name)
		return -ENOENT;
	event->code = name->code;
	if (name->extra) {
		event->extra = name->extra;
		event->flags |= PFM_EVENTF_EXTRA;
	}
	ret = set_name(event, spelling);
	return ret ? ret : take_fields(ops, words, event);
}

static int parse_virtual(const struct pfm_reg_map *map,
			 const struct pfmi_words *words,
			 struct pfm_event *event)
{
	const struct pfm_reg_info *info = pfmi_virtual_find(map, words->name);

	if (!info)
		return -ENOENT;
	if (words->num_fields || words->levels_on || words->levels_off ||
	    words->precise || words->most_precise)
		return -EINVAL;
	event->kind = PFM_EVENT_VIRTUAL;
	event->pmd = info->num;
	event->flags = pfmi_virtual_flags(info);
	return set_name(event, info->name);
}

bool pfmi_raw(const char *text, uint64_t *code)
{
	const char *digits;

	if (text[0] == 'r' || text[0] == 'R')
		digits = text + 1;
	else if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		digits = text + 2;
	else
		return false;
	return pfmi_text_digits(digits, 16, code);
}

/* Write the name of an event that has only a code. */
static int finish_raw(const struct pfm_arch_ops *ops,
		      const struct pfmi_words *words, struct pfm_event *event)
{
	size_t pos = 0;

	pfmi_text_add(event->name, sizeof(event->name), &pos, "r%llx",
		      (unsigned long long)event->code);
	return take_fields(ops, words, event);
}

/* cpu/event=0x0e,umask=0x01/ is a raw code that is written in parts. */
static int parse_terms(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event)
{
	const struct pfm_arch_shared *shared;
	size_t pos = 0;
	int ret;

	if (!ops)
		return -ENODEV;
	ret = pfmi_terms_take(ops, words, event, NULL, 0);
	if (ret)
		return ret;
	pfmi_text_add(event->name, sizeof(event->name), &pos, "r%llx",
		      (unsigned long long)event->code);
	shared = pfmi_arch_shared(ops, event->code);
	if (shared && event->flags & PFM_EVENTF_EXTRA)
		pfmi_text_add(event->name, sizeof(event->name), &pos,
			      ":%s=0x%llx", shared->field,
			      (unsigned long long)event->extra);
	return 0;
}

static int parse_raw(const struct pfm_arch_ops *ops,
		     const struct pfmi_words *words, struct pfm_event *event)
{
	uint64_t code;

	if (!pfmi_raw(words->name, &code))
		return -ENOENT;
	if (!ops)
		return words->num_fields ? -EINVAL : -ENODEV;
	if (code & ~ops->code_bits)
		return -ERANGE;
	event->code = code;
	return finish_raw(ops, words, event);
}

static bool is_register(const struct pfmi_words *words)
{
	return !words->table && pfmi_text_equal(words->name, "raw") &&
	       words->num_fields;
}

bool pfmi_raw_register(const struct pfmi_words *words, uint64_t *value)
{
	return is_register(words) && pfmi_text_number(words->fields[0], value);
}

/* raw:0x41010e is a raw code that is written as the value of the whole register. */
static int parse_register(const struct pfm_arch_ops *ops,
			  const struct pfmi_words *words,
			  struct pfm_event *event)
{
	struct pfmi_words rest = *words;
	uint64_t value;

	if (!ops || !ops->take_register || !is_register(words))
		return -ENOENT;
	if (!pfmi_raw_register(words, &value))
		return -EINVAL;
	if (!ops->take_register(event, value))
		return -ERANGE;
	rest.num_fields--;
	memmove(rest.fields, rest.fields + 1,
		rest.num_fields * sizeof(*rest.fields));
	return finish_raw(ops, &rest, event);
}

static int parse_table(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event)
{
	int ret;

	/* The vendor's own table is newer than that of libpfm4, where the two differ. */
	ret = pfmi_vendor_encode(ops, words, event);
	if (ret == -ENOENT)
		ret = pfmi_tables_encode(ops, words, event);
	/* The name is right, but there is no PMU that the library knows. */
	if (!ops && !ret)
		return -ENODEV;
	return ret;
}

static int parse_arch(const struct pfm_arch_ops *ops,
		      const struct pfmi_words *words, struct pfm_event *event)
{
	const struct pfm_arch_event *known;
	size_t pos = 0;

	if (!ops || (words->table && !pfmi_text_equal(words->table, ops->name)))
		return -ENOENT;
	for (known = ops->events; known->name; known++) {
		if (!pfmi_text_equal(known->name, words->name))
			continue;
		event->code = known->code;
		pfmi_text_add(event->name, sizeof(event->name), &pos, "%s::%s",
			      ops->name, known->name);
		return take_fields(ops, words, event);
	}
	return -ENOENT;
}

static int parse_hardware(const struct pfm_reg_map *map,
			  const struct pfm_arch_ops *ops,
			  const struct pfmi_words *words,
			  struct pfm_event *event)
{
	int ret = -ENOENT;

	if (words->terms) {
		ret = parse_terms(ops, words, event);
	} else if (!words->table) {
		ret = parse_generic(map, ops, words, event);
		if (ret == -ENOENT)
			ret = parse_raw(ops, words, event);
		if (ret == -ENOENT)
			ret = parse_register(ops, words, event);
	}
	if (ret == -ENOENT)
		ret = parse_table(ops, words, event);
	if (ret == -ENOENT)
		ret = parse_arch(ops, words, event);
	if (!ret && !(event->flags & PFM_EVENTF_EXTRA) &&
	    pfmi_arch_shared(ops, event->code))
		return -ENODATA;
	return ret;
}

/*
 * Names that the original pfmon had for events of Itanium, and that command lines of its time have, by
 * the event that is closest to it on this processor; NULL if there is none.
 */
static const struct {
	const char *name;
	const char *armv8;
	const char *intel;
	const char *amd;
} old_names[] = {
	{ "cpu_cycles", "cycles", "cycles", "cycles" },
	{ "ia64_inst_retired", "instructions", "instructions", "instructions" },
	{ "branch_event", "BR_RETIRED", "branches", "branches" },
	{ "l2_misses", "L2D_CACHE_REFILL", "L2_RQSTS:MISS", "cache-misses" },
	{ "l3_misses", "L3D_CACHE_REFILL", "cache-misses", NULL },
};

/* Replace such a name in an event string.  Returns false if it is none. */
static bool translate_old(const struct pfm_arch_ops *ops,
			  const struct pfmi_words *words, const char *text,
			  char *to, size_t size)
{
	const char *name = NULL;
	unsigned int i;
	size_t pos = 0;

	if (words->table || words->terms)
		return false;
	for (i = 0; i < ARRAY_SIZE(old_names); i++)
		if (pfmi_text_equal(words->name, old_names[i].name))
			name = !strcmp(ops->name, "intel") ? old_names[i].intel
			       : !strcmp(ops->name, "amd") ? old_names[i].amd
							   : old_names[i].armv8;
	return name && pfmi_text_add(to, size, &pos, "%s%s", name,
				     text + strlen(words->name));
}

static bool is_generic(const struct pfmi_words *words)
{
	const char *spelling;
	unsigned int i;

	if (words->table || words->terms || words->num_fields)
		return false;
	if (pfmi_generic_find(words->name, &spelling) != PFMI_GENERICS)
		return true;
	for (i = 0; i < ARRAY_SIZE(old_names); i++)
		if (pfmi_text_equal(words->name, old_names[i].name))
			return true;
	return false;
}

/* Tell a generic name of which the processor has no event from one that is unknown. */
static int refuse_generic(const struct pfm_arch_ops *ops,
			  const struct pfmi_words *words, uint32_t dfl_plm,
			  struct pfm_event *event)
{
	int ret;

	ret = set_name(event, words->name);
	if (!ret)
		ret = finish_hardware(ops, words, dfl_plm, event);
	event->flags &= ~PFM_EVENTF_CYCLES;
	event->code = 0;
	return ret ? ret : -EOPNOTSUPP;
}

/*
 * Replace the event by the one that samples without skid.  The modifier P takes it where there is one,
 * the modifiers p and pp need it.
 */
static int finish_precise(const struct pfm_reg_map *map,
			  const struct pfmi_words *words, uint32_t dfl_plm,
			  struct pfm_event *event)
{
	struct pfm_event precise = *event;
	int ret;

	precise.kind = PFM_EVENT_HARDWARE;
	ret = pfmi_name_precise(map, words, &precise, NULL, 0);
	if (!ret) {
		*event = precise;
		return finish_levels(words, dfl_plm,
				     PFM_PLM_USER | PFM_PLM_KERNEL, event);
	}
	if (words->precise)
		return ret;
	return finish_hardware(pfmi_reg_map_arch(map), words, dfl_plm, event);
}

int pfm_event_parse(const struct pfm_reg_map *map, const char *text,
		    uint32_t dfl_plm, struct pfm_event *event)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	struct pfmi_words words, words_of_old;
	char translated[PFM_EVENT_NAME_LEN];
	int ret;

	memset(event, 0, sizeof(*event));
	ret = pfmi_words_split(text, &words);
	if (ret)
		return ret;
	if (!words.table && !words.terms) {
		ret = parse_virtual(map, &words, event);
		if (ret != -ENOENT)
			return ret;
	}
	ret = pfmi_ibs_take(map, &words, event, NULL, 0);
	/* A sample of IBS has no skid, so :p and :pp ask for what it does. */
	if (!ret && words.precise > 2)
		return -EINVAL;
	if (!ret)
		return finish_levels(&words, dfl_plm,
				     PFM_PLM_USER | PFM_PLM_KERNEL, event);
	if (ret != -ENOENT)
		return ret;
	ret = parse_hardware(map, ops, &words, event);
	if (ret == -ENOENT && ops &&
	    translate_old(ops, &words, text, translated, sizeof(translated))) {
		memset(event, 0, sizeof(*event));
		ret = pfmi_words_split(translated, &words_of_old);
		if (!ret)
			ret = parse_hardware(map, ops, &words_of_old,
					     event);
		if (!ret)
			return finish_hardware(ops, &words_of_old, dfl_plm,
					       event);
		if (ret == -ENOENT)
			memset(event, 0, sizeof(*event));
	}
	if (ret == -ENOENT && ops && is_generic(&words))
		return refuse_generic(ops, &words, dfl_plm, event);
	if (ret)
		return ret;
	if (words.precise || words.most_precise)
		return finish_precise(map, &words, dfl_plm, event);
	return finish_hardware(ops, &words, dfl_plm, event);
}

const char *pfm_event_source(const struct pfm_reg_map *map, const char *table)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	const char *source;

	if (!*table)
		return "";
	source = pfmi_vendor_source(table);
	if (source)
		return source;
	return ops && !strcmp(ops->name, table) ? "the architecture" : "libpfm4";
}

const char *pfm_event_table(const struct pfm_reg_map *map)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	const char *name, *vendor;

	if (!ops)
		return "";
	name = pfmi_tables_name(ops);
	/* ix86arch has the few events that all processors of Intel have. */
	if (!name || !strcmp(name, "ix86arch")) {
		vendor = pfmi_vendor_name(ops);
		if (vendor)
			return vendor;
	}
	return name ? name : ops->name;
}
