// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Visits to all events that exist on a machine, and to those that an event string names.
 */
#include "base/text.h"
#include "events/event.h"
#include "events/ibs.h"
#include "events/names.h"
#include "pmu/tables.h"
#include "pmu/vendor.h"
#include "registers/reg_map.h"
#include "registers/virtual.h"

#include <errno.h>
#include <string.h>

/* Visits the name, and perf's other name of the event. */
static int visit_generic(const struct pfm_event_desc *desc,
			 const struct pfmi_generic *generic,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg)
{
	struct pfm_event_desc alias = *desc;
	int ret = visit(desc, arg);

	if (ret || !generic->alias)
		return ret;
	alias.name = generic->alias;
	alias.equiv = generic->name;
	return visit(&alias, arg);
}

static int visit_generics(const struct pfm_reg_map *map,
			  const struct pfm_arch_ops *ops,
			  int (*visit)(const struct pfm_event_desc *desc,
				       void *arg),
			  void *arg)
{
	const struct pfm_arch_event *known;
	const struct pfm_arch_name *name;
	unsigned int i;
	int ret = 0;

	for (i = 0; ops && i < PFMI_GENERICS && !ret; i++) {
		struct pfm_event_desc desc = {
			.pmu = "",
			.name = pfmi_generics[i].name,
			.desc = pfmi_generics[i].desc,
			.kind = PFM_EVENT_HARDWARE,
			.flags = PFM_EVENTF_GENERIC,
			.plm = ops->levels,
		};

		name = pfmi_name_find(map, ops, i);
		if (!name)
			continue;
		desc.code = name->code;
		if (i == PFMI_GENERIC_CYCLES)
			desc.flags |= PFM_EVENTF_CYCLES;
		for (known = ops->events; known->name; known++)
			if (known->code == desc.code)
				desc.equiv = known->name;
		ret = visit_generic(&desc, &pfmi_generics[i], visit, arg);
	}
	return ret;
}

static int visit_virtual(const struct pfm_reg_map *map,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg)
{
	const struct pfm_reg_info *info = NULL;
	unsigned int i;
	int ret;

	while (map && (info = pfm_reg_map_next_pmd(map, info))) {
		struct pfm_event_desc desc = {
			.pmu = "",
			.name = info->name,
			.desc = pfmi_virtual_desc(info->name),
			.kind = PFM_EVENT_VIRTUAL,
			.code = info->num,
			.flags = pfmi_virtual_flags(info),
		};

		if (!(info->flags & PFM_REGI_VIRTUAL))
			continue;
		ret = visit(&desc, arg);
		if (ret)
			return ret;
	}
	for (i = 0; i < pfmi_num_aliases; i++) {
		struct pfm_event_desc desc = {
			.pmu = "",
			.name = pfmi_aliases[i].name,
			.equiv = pfmi_aliases[i].reg,
			.desc = pfmi_virtual_desc(pfmi_aliases[i].reg),
			.kind = PFM_EVENT_VIRTUAL,
		};

		if (!map || !pfmi_alias_find(map, desc.name))
			continue;
		info = pfmi_virtual_find(map, desc.equiv);
		if (!info)
			continue;
		desc.code = info->num;
		desc.flags = pfmi_virtual_flags(info) | PFM_EVENTF_GENERIC;
		ret = visit(&desc, arg);
		if (ret)
			return ret;
	}
	return 0;
}

/* pfm_event_parse() searches the tables before the architecture's events. */
static bool table_has(const struct pfm_arch_ops *ops, const char *name)
{
	const struct pfmi_words words = { .name = name };
	struct pfm_event event = { 0 };

	return pfmi_vendor_encode(ops, &words, &event) != -ENOENT ||
	       pfmi_tables_encode(ops, &words, &event) != -ENOENT;
}

static int visit_arch(const struct pfm_arch_ops *ops,
		      int (*visit)(const struct pfm_event_desc *desc, void *arg),
		      void *arg)
{
	const struct pfm_arch_event *known;
	int ret = 0;

	for (known = ops->events; known->name && !ret; known++) {
		struct pfm_event_desc desc = {
			.pmu = ops->name,
			.name = known->name,
			.desc = known->desc,
			.code = known->code,
			.kind = PFM_EVENT_HARDWARE,
			.plm = ops->levels,
		};

		if (table_has(ops, known->name))
			continue;
		if (known->code == pfmi_arch_cycles(ops))
			desc.flags = PFM_EVENTF_CYCLES;
		ret = visit(&desc, arg);
	}
	return ret;
}

int pfm_event_for_each(const struct pfm_reg_map *map,
		       int (*visit)(const struct pfm_event_desc *desc,
				    void *arg),
		       void *arg)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	int ret;

	ret = visit_generics(map, ops, visit, arg);
	if (!ret)
		ret = visit_virtual(map, visit, arg);
	if (!ret)
		ret = pfmi_ibs_for_each(map, visit, arg);
	/* Without a PMU no event of the tables can be counted. */
	if (ret || (map && !ops))
		return ret;
	ret = pfmi_vendor_for_each(ops, visit, arg);
	if (!ret)
		ret = pfmi_tables_for_each(ops, visit, arg);
	if (!ret && ops)
		ret = visit_arch(ops, visit, arg);
	return ret;
}

/**
 * struct match - search for the events that a string names
 * @words: the string
 * @raw: the string is a raw code
 * @code: that code
 * @table_code: the number that libpfm4's tables have for it
 * @visit: called for each event found
 * @arg: passed to @visit
 * @found: an event was found
 */
struct match {
	struct pfmi_words words;
	bool raw;
	uint64_t code;
	uint64_t table_code;
	int (*visit)(const struct pfm_event_desc *desc, void *arg);
	void *arg;
	bool found;
};

static int visit_match(const struct pfm_event_desc *desc, void *arg)
{
	struct match *match = arg;

	if (match->raw) {
		if (desc->kind != PFM_EVENT_HARDWARE ||
		    (desc->code != match->code &&
		     (!*desc->pmu || desc->code != match->table_code)))
			return 0;
	} else {
		if (pfmi_words_match(&match->words, desc->name) < 0)
			return 0;
		if (match->words.table &&
		    !pfmi_text_equal(desc->pmu, match->words.table))
			return 0;
	}
	match->found = true;
	return match->visit(desc, match->arg);
}

/* Visit a code that has no known name. */
static int visit_raw(const struct match *match, const struct pfm_arch_ops *ops)
{
	struct pfm_event_desc desc = {
		.pmu = "",
		.desc = "",
		.code = match->code,
		.kind = PFM_EVENT_HARDWARE,
		.plm = ops->levels,
	};
	char name[PFM_EVENT_NAME_LEN];
	size_t pos = 0;

	pfmi_text_add(name, sizeof(name), &pos, "r%llx",
		      (unsigned long long)match->code);
	desc.name = name;
	return match->visit(&desc, match->arg);
}

int pfm_event_describe(const struct pfm_reg_map *map, const char *text,
		       int (*visit)(const struct pfm_event_desc *desc,
				    void *arg),
		       void *arg)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	struct match match = { .visit = visit, .arg = arg };
	struct pfm_event event;
	int ret;

	ret = pfmi_words_split(text, &match.words);
	if (ret)
		return ret;
	ret = pfm_event_parse(map, text, ops ? ops->levels : PFM_PLM_USER,
			      &event);
	match.raw = !match.words.table &&
		    ((match.words.terms && event.kind != PFM_EVENT_UNIT) ||
		     pfmi_raw(match.words.name, &match.code) ||
		     pfmi_raw_register(&match.words, &match.code));
	if (match.raw && !ret) {
		match.code = event.code;
		match.table_code = ops->table_code(event.code);
	}
	/*
	 * A missing or wrong unit mask does not matter here, but without a PMU a
	 * raw code has no meaning.
	 */
	if (ret == -ENOENT || ret == -ENAMETOOLONG || ret == -ENOMEM ||
	    (ret && match.raw))
		return ret;
	ret = pfm_event_for_each(map, visit_match, &match);
	if (ret || match.found)
		return ret;
	return match.raw ? visit_raw(&match, ops) : -ENOENT;
}
