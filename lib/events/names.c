// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Perf's event names and its modifier p: the events that they stand for on a machine.
 */
#include "events/names.h"

#include "base/array.h"
#include "base/text.h"
#include "events/ibs.h"
#include "registers/reg_map.h"
#include "registers/virtual.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct pfm_arch_name *pfmi_name_find(const struct pfm_reg_map *map,
					   const struct pfm_arch_ops *ops,
					   enum pfmi_generic_event generic)
{
	const struct pfm_arch_name *name, *first;
	unsigned int i;

	first = pfmi_arch_name(ops, generic, 0);
	for (i = 0; (name = pfmi_arch_name(ops, generic, i)); i++)
		if (pfm_event_implemented(map, name->code) !=
		    PFM_IMPLEMENTED_NO)
			return name;
	return first;
}

bool pfmi_name_perf_only(const char *name)
{
	static const char *const names[] = {
		"alignment-faults", "emulation-faults", "page-faults", "faults",
		"cgroup-switches",  "bpf-output",	"dummy",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (pfmi_text_equal(names[i], name))
			return true;
	return false;
}

/* perf's events of IBS, by the code of the event with the modifier p.  Source: Linux, arch/x86/events/amd/ibs.c. */
static const struct {
	uint64_t code;
	const char *text;
} precise[] = {
	{ 0x76, "ibs_op/cnt_ctl=0/" },
	{ 0xc1, "ibs_op/cnt_ctl=1/" },
};

static int refuse(char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return -EINVAL;
}

int pfmi_name_precise(const struct pfm_reg_map *map,
		      const struct pfmi_words *words, struct pfm_event *event,
		      char *why, size_t size)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	struct pfmi_words of_ibs;
	struct pfm_event sampled;
	size_t i;

	if (event->kind != PFM_EVENT_HARDWARE || !ops ||
	    strcmp(ops->name, "amd"))
		return refuse(
			why, size,
			"samples without skid (:p) are there with IBS of AMD only; leave :p out, and samples have skid");
	if (words->precise > 2)
		return refuse(
			why, size,
			"IBS has the precision :p and :pp, which are the same, and no :ppp");
	for (i = 0; i < ARRAY_SIZE(precise); i++) {
		if (event->code != precise[i].code)
			continue;
		memset(&sampled, 0, sizeof(sampled));
		if (pfmi_words_split(precise[i].text, &of_ibs) ||
		    pfmi_ibs_take(map, &of_ibs, &sampled, NULL, 0))
			return refuse(
				why, size,
				"samples without skid (:p) need IBS, which this machine does not have, or whose module perfmon_ibs is not loaded");
		*event = sampled;
		return 0;
	}
	return refuse(
		why, size,
		"samples without skid (:p) are of cycles and of r0c1 (ops), which IBS counts, not of this event; ibs_op and ibs_fetch have more");
}
