// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Events for which the tables of libpfm4 have another event's code: those of version 4.13,
 * and of its source of October 2024 for the tables emr and gnr.
 *
 * Found by comparing every name that libpfm4 and Intel's event files (see
 * arch_intel_rules.h) both have.  Only those are here that count something else.  Other
 * codes differ in bits that make no difference, or are those of older event files.
 */
#include "base/array.h"
#include "pmu/arch_intel.h"
#include "pmu/arch_x86.h"

#include <string.h>

#define CODE	(EVTSEL_EVENT | EVTSEL_UMASK)

/* Tables, separated by blanks. */
#define ICE_LAKE	"icl icx"
#define IVY_BRIDGE	"ivb ivb_ep"
#define GOLDEN_COVE	"spr emr gnr"

static const struct {
	const char *tables;
	const char *event;
	uint32_t wrong;
	uint32_t right;
	uint32_t extra;
} corrections[] = {
	{ "glm", "CPU_CLK_UNHALTED:CORE_P:", 0x0000, 0x003c, 0 },
	{ "glm", "CPU_CLK_UNHALTED:REF:", 0x0100, 0x013c, 0 },
	{ "gnr", "EXE:AMX_BUSY:", 0x01b7, 0x02b7, 0 },
	{ "gnr", "FRONTEND_RETIRED:MISP_ANT:", 0x03c6, 0x02c6, 0 },
	{ ICE_LAKE, "MEM_LOAD_MISC_RETIRED:UC:", 0x04c4, 0x04d4, 0 },
	{ ICE_LAKE, "TOPDOWN:BACKEND_BOUND_SLOTS:", 0x0200, 0x02a4, 0 },
	{ ICE_LAKE, "TOPDOWN:BR_MISPREDICT_SLOTS:", 0x0800, 0x08a4, 0 },
	{ "ivb_ep", "MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM:", 0x01d3, 0x03d3, 0 },
	{ IVY_BRIDGE, "MOVE_ELIMINATION:INT_ELIMINATED:", 0x0458, 0x0158, 0 },
	{ IVY_BRIDGE, "MOVE_ELIMINATION:INT_NOT_ELIMINATED:", 0x0158, 0x0458, 0 },
	{ GOLDEN_COVE, "ARITH:IDIV_ACTIVE:", 0x08b0, 0x010008b0, 0 },
	{ GOLDEN_COVE, "ARITH:INT_DIVIDER_ACTIVE:", 0x08b0, 0x010008b0, 0 },
	{ GOLDEN_COVE, "INST_RETIRED:ANY:", 0x01c0, 0x00c0, 0 },
	{ GOLDEN_COVE, "INT_MISC:UNKNOWN_BRANCH_CYCLES:", 0x07ad, 0x40ad, 7 },
	{ GOLDEN_COVE, "MEM_TRANS_RETIRED:STORE_SAMPLE:", 0x03cd, 0x02cd, 0 },
	{ GOLDEN_COVE, "TOPDOWN:BACKEND_BOUND_SLOTS:", 0x0200, 0x02a4, 0 },
	{ GOLDEN_COVE, "TOPDOWN:BAD_SPEC_SLOTS:", 0x0400, 0x04a4, 0 },
	{ GOLDEN_COVE, "TOPDOWN:BR_MISPREDICT_SLOTS:", 0x0800, 0x08a4, 0 },
	{ GOLDEN_COVE, "TOPDOWN:MEMORY_BOUND_SLOTS:", 0x1000, 0x10a4, 0 },
	{ GOLDEN_COVE, "UOPS_RETIRED:MS:", 0x08c2, 0x04c2, 8 },
};

/* Whether the list has the first @length characters of @table. */
static bool has_table(const char *list, const char *table, size_t length)
{
	while (*list) {
		size_t next = strcspn(list, " ");

		if (next == length && !strncmp(list, table, length))
			return true;
		list += next + (list[next] == ' ');
	}
	return false;
}

void pfmi_intel_correct(struct pfm_event *event, const char *full)
{
	const char *name = strstr(full, "::");
	size_t i;

	if (!name)
		return;
	for (i = 0; i < ARRAY_SIZE(corrections); i++) {
		if (!has_table(corrections[i].tables, full, name - full) ||
		    strncmp(name + 2, corrections[i].event,
			    strlen(corrections[i].event)) ||
		    (event->code & CODE) != corrections[i].wrong)
			continue;
		event->code &= ~CODE;
		/* A threshold in the event string is one that the user wants. */
		if (event->code & EVTSEL_CMASK)
			event->code |= corrections[i].right & CODE;
		else
			event->code |= corrections[i].right;
		if (corrections[i].extra) {
			event->flags |= PFM_EVENTF_EXTRA;
			event->extra = corrections[i].extra;
		}
		return;
	}
}
