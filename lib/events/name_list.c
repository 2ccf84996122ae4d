// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Visits to the event names that are the same on every machine, with what they stand for there.
 */
#include "base/array.h"
#include "base/text.h"
#include "events/names.h"
#include "pmu/tables.h"
#include "pmu/vendor.h"
#include "registers/reg_map.h"
#include "registers/virtual.h"

#include <string.h>

/**
 * struct place - what a generic name stands for
 * @name: its event; NULL: the processor has none
 * @is: the event as a table spells it; "": no table has it
 */
struct place {
	const struct pfm_arch_name *name;
	char is[PFM_EVENT_NAME_LEN];
};

/**
 * struct places - what all generic names stand for
 * @map: the map
 * @ops: the PMU
 * @list: by generic name
 */
struct places {
	const struct pfm_reg_map *map;
	const struct pfm_arch_ops *ops;
	struct place list[PFMI_GENERICS];
};

/* True if the string is that event; the code of a table has bits that its unit masks add. */
static bool is_event(const struct places *places, const char *text,
		     const struct pfm_arch_name *name)
{
	struct pfm_event event;

	return !pfm_event_parse(places->map, text, PFM_PLM_USER, &event) &&
	       event.kind == PFM_EVENT_HARDWARE && event.code == name->code &&
	       event.extra == name->extra;
}

/* Set the spelling of the event, if it is this one with one of its unit masks, or with none. */
static void try_event(const struct places *places, struct place *place,
		      const struct pfm_event_desc *desc)
{
	char text[PFM_EVENT_NAME_LEN];
	uint32_t i;

	for (i = 0; i <= desc->num_umasks && !*place->is; i++) {
		const struct pfm_event_umask *umask =
			i < desc->num_umasks ? &desc->umasks[i] : NULL;
		size_t pos = 0;

		if (umask && umask->is_modifier)
			continue;
		if (!pfmi_text_add(text, sizeof(text), &pos, "%s::%s%s%s",
				   desc->pmu, desc->name, umask ? ":" : "",
				   umask ? umask->name : ""))
			continue;
		if (is_event(places, text, place->name))
			memcpy(place->is, text, pos + 1);
	}
}

static int see_table_event(const struct pfm_event_desc *desc, void *arg)
{
	struct places *places = arg;
	unsigned int i;

	for (i = 0; i < PFMI_GENERICS; i++) {
		struct place *place = &places->list[i];

		/* An event that needs a second register has no name for each value of it. */
		if (place->name && !place->name->extra && !*place->is &&
		    (place->name->code == desc->code ||
		     places->ops->table_code(place->name->code) == desc->code))
			try_event(places, place, desc);
	}
	return 0;
}

/* Events that the architecture defines. */
static void see_arch_events(struct places *places)
{
	const struct pfm_arch_event *known;
	unsigned int i;

	for (i = 0; i < PFMI_GENERICS; i++) {
		struct place *place = &places->list[i];
		size_t pos = 0;

		for (known = places->ops->events; known->name; known++)
			if (place->name && !place->name->extra && !*place->is &&
			    known->code == place->name->code)
				pfmi_text_add(place->is, sizeof(place->is),
					      &pos, "%s::%s", places->ops->name,
					      known->name);
	}
}

static void write_code(const struct pfm_arch_ops *ops, struct place *place)
{
	const struct pfm_arch_shared *shared =
		pfmi_arch_shared(ops, place->name->code);
	size_t pos = 0;

	pfmi_text_add(place->is, sizeof(place->is), &pos, "r%llx",
		      (unsigned long long)place->name->code);
	if (shared && place->name->extra)
		pfmi_text_add(place->is, sizeof(place->is), &pos, ":%s=0x%llx",
			      shared->field,
			      (unsigned long long)place->name->extra);
}

static int find_places(struct places *places)
{
	unsigned int i;
	int ret;

	for (i = 0; i < PFMI_GENERICS; i++) {
		const struct pfm_arch_name *name =
			pfmi_name_find(places->map, places->ops, i);

		if (name && pfm_event_implemented(places->map, name->code) !=
				    PFM_IMPLEMENTED_NO)
			places->list[i].name = name;
	}
	ret = pfmi_vendor_for_each(places->ops, see_table_event, places);
	if (!ret)
		ret = pfmi_tables_for_each(places->ops, see_table_event, places);
	if (ret)
		return ret;
	see_arch_events(places);
	for (i = 0; i < PFMI_GENERICS; i++)
		if (places->list[i].name && !*places->list[i].is)
			write_code(places->ops, &places->list[i]);
	return 0;
}

static int visit_hardware(const struct pfm_reg_map *map,
			  int (*visit)(const struct pfm_event_name *name,
				       void *arg),
			  void *arg)
{
	struct places places = { .map = map, .ops = pfmi_reg_map_arch(map) };
	unsigned int i;
	int ret = 0;

	if (places.ops)
		ret = find_places(&places);
	for (i = 0; i < PFMI_GENERICS && !ret; i++) {
		const struct place *place = &places.list[i];
		struct pfm_event_name name = {
			.name = pfmi_generics[i].name,
			.alias = pfmi_generics[i].alias,
			.desc = pfmi_generics[i].desc,
			.is = place->is,
			.group = i < PFMI_GENERIC_L1D_LOADS ? PFM_NAME_HARDWARE
				 : i < PFMI_GENERIC_SLOTS   ? PFM_NAME_CACHE
							    : PFM_NAME_TOPDOWN,
		};

		if (place->name) {
			name.flags = PFM_NAMEF_HERE;
			name.code = place->name->code;
			name.extra = place->name->extra;
		}
		ret = visit(&name, arg);
	}
	return ret;
}

static const struct {
	const char *name;
	const char *alias;
	const char *desc;
	bool perf_only;
} software[] = {
	{ "task-clock", NULL, "Time on a processor, in nanoseconds", false },
	{ "cpu-clock", NULL, "Time on a processor, in nanoseconds", false },
	{ "wall-clock", NULL, "Time that passed, in nanoseconds", false },
	{ "context-switches", "cs", "Times a thread left a processor", false },
	{ "cpu-migrations", "migrations",
	  "Times a thread came to another processor", false },
	{ "page-faults", "faults", "Page faults", false },
	{ "minor-faults", NULL,
	  "Page faults served without reading from a disk", false },
	{ "major-faults", NULL, "Page faults that had to wait for a disk",
	  false },
	{ "free-memory", NULL,
	  "Free memory of the machine at this moment, in bytes", false },
	{ "alignment-faults", NULL,
	  "Unaligned accesses that the kernel completed", true },
	{ "emulation-faults", NULL, "Instructions that the kernel emulated",
	  true },
	{ "cgroup-switches", NULL,
	  "Times a processor went on with a thread of another control group",
	  true },
};

static int visit_software(const struct pfm_reg_map *map,
			  int (*visit)(const struct pfm_event_name *name,
				       void *arg),
			  void *arg)
{
	struct pfm_event event;
	size_t i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(software) && !ret; i++) {
		const struct pfm_reg_info *info =
			pfmi_virtual_find(map, software[i].name);
		struct pfm_event_name name = {
			.name = software[i].name,
			.alias = software[i].alias,
			.desc = software[i].desc,
			.is = "",
			.group = PFM_NAME_SOFTWARE,
			.flags = software[i].perf_only ? PFM_NAMEF_PERF_ONLY
						       : 0,
		};

		if (!pfm_event_parse(map, name.name, PFM_PLM_USER, &event)) {
			name.flags |= PFM_NAMEF_HERE;
			name.code = info ? info->num : event.code;
			name.is = info ? info->name : event.name;
		}
		ret = visit(&name, arg);
	}
	return ret;
}

int pfm_event_for_each_name(const struct pfm_reg_map *map,
			    int (*visit)(const struct pfm_event_name *name,
					 void *arg),
			    void *arg)
{
	int ret = visit_hardware(map, visit, arg);

	return ret ? ret : visit_software(map, visit, arg);
}
