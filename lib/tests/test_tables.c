// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Every event of libpfm4's tables for Intel and AMD, with each of its unit masks: the
 * registers have the values that libpfm4 encodes, but for the bits of the kernel module.
 */
#include <errno.h>
#include <stdlib.h>

#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>

#include "forced.h"
#include "machine.h"

#define EVTSEL_USR	(1ULL << 16)
#define EVTSEL_OS	(1ULL << 17)
#define EVTSEL_INT	(1ULL << 20)
#define EVTSEL_EN	(1ULL << 22)

#define FIXED_OS	1
#define FIXED_USR	2
#define FIXED_ANY	4

/* Mismatches that are printed. */
#define PRINTED_MAX	20

/* Events that libpfm4 4.13 encodes as others: what Intel's event files have. */
static const struct {
	const char *name;
	uint64_t wrong;
	uint64_t code;
	uint64_t extra;
} corrected[] = {
	{ "glm::CPU_CLK_UNHALTED:CORE_P", 0x0000, 0x003c, 0 },
	{ "glm::CPU_CLK_UNHALTED:REF", 0x0100, 0x013c, 0 },
	{ "icl::MEM_LOAD_MISC_RETIRED:UC", 0x04c4, 0x04d4, 0 },
	{ "icl::TOPDOWN:BACKEND_BOUND_SLOTS", 0x0200, 0x02a4, 0 },
	{ "icl::TOPDOWN:BR_MISPREDICT_SLOTS", 0x0800, 0x08a4, 0 },
	{ "icx::MEM_LOAD_MISC_RETIRED:UC", 0x04c4, 0x04d4, 0 },
	{ "icx::TOPDOWN:BACKEND_BOUND_SLOTS", 0x0200, 0x02a4, 0 },
	{ "icx::TOPDOWN:BR_MISPREDICT_SLOTS", 0x0800, 0x08a4, 0 },
	{ "ivb::MOVE_ELIMINATION:INT_ELIMINATED", 0x0458, 0x0158, 0 },
	{ "ivb::MOVE_ELIMINATION:INT_NOT_ELIMINATED", 0x0158, 0x0458, 0 },
	{ "ivb_ep::MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM", 0x01d3, 0x03d3, 0 },
	{ "ivb_ep::MOVE_ELIMINATION:INT_ELIMINATED", 0x0458, 0x0158, 0 },
	{ "ivb_ep::MOVE_ELIMINATION:INT_NOT_ELIMINATED", 0x0158, 0x0458, 0 },
	{ "spr::ARITH:IDIV_ACTIVE", 0x08b0, 0x010008b0, 0 },
	{ "spr::ARITH:INT_DIVIDER_ACTIVE", 0x08b0, 0x010008b0, 0 },
	{ "spr::INST_RETIRED:ANY", 0x01c0, 0x00c0, 0 },
	{ "spr::INT_MISC:UNKNOWN_BRANCH_CYCLES", 0x07ad, 0x40ad, 7 },
	{ "spr::MEM_TRANS_RETIRED:STORE_SAMPLE", 0x03cd, 0x02cd, 0 },
	{ "spr::TOPDOWN:BACKEND_BOUND_SLOTS", 0x0200, 0x02a4, 0 },
	{ "spr::TOPDOWN:BAD_SPEC_SLOTS", 0x0400, 0x04a4, 0 },
	{ "spr::TOPDOWN:BR_MISPREDICT_SLOTS", 0x0800, 0x08a4, 0 },
	{ "spr::TOPDOWN:MEMORY_BOUND_SLOTS", 0x1000, 0x10a4, 0 },
	{ "spr::UOPS_RETIRED:MS", 0x08c2, 0x04c2, 8 },
};

/**
 * struct tally - what was compared
 * @map: the made-up machine
 * @table: libpfm4's table
 * @encodings: encodings that libpfm4 and the library both have
 * @events: events with at least one of them
 * @seconds: encodings with a second register
 * @fixed: encodings that got a fixed counter
 * @bad: encodings that differ
 */
struct tally {
	const struct pfm_reg_map *map;
	const char *table;
	unsigned int encodings;
	unsigned int events;
	unsigned int seconds;
	unsigned int fixed;
	unsigned int bad;
};

static struct pfm_assignment out;

static const struct pfm_reg *find_pmc(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < out.num_pmcs; i++)
		if (out.pmcs[i].num == num)
			return &out.pmcs[i];
	return NULL;
}

/*
 * Fixed counter 2 counts this event on Golden Cove only.  ix86arch is the table of unknown
 * processors, for which the library goes by this machine's model.
 */
static bool ref_tsc_p(const char *table, uint64_t code)
{
	return code == 0x013c &&
	       (!strcmp(table, "spr") || !strcmp(table, "ix86arch"));
}

/* The event of a fixed counter is one that it counts, without other bits. */
static bool fixed_right(const char *table, unsigned int fixed, uint64_t value,
			uint64_t encoding)
{
	uint64_t code = encoding & ~(EVTSEL_USR | EVTSEL_OS | EVTSEL_INT |
				     EVTSEL_EN | 1ULL << 21);
	uint64_t wanted = 0;

	if (encoding & EVTSEL_USR)
		wanted |= FIXED_USR;
	if (encoding & EVTSEL_OS)
		wanted |= FIXED_OS;
	if (encoding & 1ULL << 21)
		wanted |= FIXED_ANY;
	if (value != wanted)
		return false;
	switch (fixed) {
	case 0:
		return code == 0x0100 || code == 0x00c0;
	case 1:
		return code == 0x0200 || code == 0x003c;
	case 2:
		return code == 0x0300 || ref_tsc_p(table, code);
	default:
		return code == (fixed + 1) << 8;
	}
}

/* The second value is in the one register that no counter has. */
static bool second_right(uint64_t value)
{
	unsigned int num;

	for (num = INTEL_EXTRA; num < INTEL_EXTRA + INTEL_EXTRAS; num++)
		if (find_pmc(num))
			return find_pmc(num)->value == value &&
			       out.num_pmcs == 2;
	return false;
}

static bool same(struct tally *tally, const uint64_t *codes, int count)
{
	const unsigned int pmd = out.pmd[0];
	const struct pfm_reg *pmc = find_pmc(pmd);

	if (!pmc)
		return false;
	if (count > 1) {
		tally->seconds++;
		if (!second_right(codes[1]))
			return false;
	}
	if (pmd >= INTEL_FIXED) {
		tally->fixed++;
		return fixed_right(tally->table, pmd - INTEL_FIXED, pmc->value,
				   codes[0]);
	}
	return pmc->value == (codes[0] & ~(EVTSEL_INT | EVTSEL_EN));
}

/* The canonical name of an event is an event string for the same event. */
static bool name_right(const struct tally *tally, const struct pfm_event *event)
{
	struct pfm_event again;

	if (pfm_event_parse(tally->map, event->name, PFM_PLM_USER, &again))
		return false;
	/* The full name has the levels, the event's own string need not. */
	again.flags &= event->flags | ~PFM_EVENTF_LEVELS;
	return !memcmp(event, &again, sizeof(again));
}

/*
 * Puts right what libpfm4 encodes for an event, whose full name it gives, and returns the
 * number of registers that the event needs.
 */
static int correct(const char *full, uint64_t codes[2], int count)
{
	size_t i, length;

	/* libpfm4 takes 0xb7 for an offcore event on every model. */
	if (!strncmp(full, "spr::EXE:", 9))
		return 1;
	for (i = 0; i < sizeof(corrected) / sizeof(corrected[0]); i++) {
		length = strlen(corrected[i].name);
		if (strncmp(full, corrected[i].name, length) ||
		    full[length] != ':' ||
		    (codes[0] & 0xffff) != corrected[i].wrong)
			continue;
		codes[0] = (codes[0] & ~0xffffULL) | (corrected[i].code & 0xffff);
		if (!(codes[0] >> 24 & 0xff))
			codes[0] |= corrected[i].code;
		codes[1] = corrected[i].extra;
		return corrected[i].extra ? 2 : count;
	}
	return count;
}

/*
 * Events of PERF_METRICS, and those of fixed counters with bits that these do not have, have
 * no counter; libpfm4 encodes them all the same.
 */
static bool no_counter(uint64_t code)
{
	code &= ~(EVTSEL_USR | EVTSEL_OS | EVTSEL_INT | EVTSEL_EN | 1ULL << 21);
	return code > 0xff && !(code & 0xff) && code > 0x0400;
}

static bool compare(struct tally *tally, const char *text, uint32_t plm)
{
	uint64_t codes[2] = { 0 };
	int count = 0;
	pfm_pmu_encode_arg_t arg;
	struct pfm_event event;
	const char *why = NULL;
	char *full = NULL;
	int ret, err;

	memset(&arg, 0, sizeof(arg));
	arg.size = sizeof(arg);
	arg.fstr = &full;
	ret = pfm_get_os_event_encoding(text, plm, PFM_OS_NONE, &arg);
	if (ret == PFM_SUCCESS) {
		codes[0] = arg.codes[0];
		codes[1] = arg.count > 1 ? arg.codes[1] : 0;
		count = correct(full, codes, arg.count);
		free(full);
		free(arg.codes);
	}
	err = pfm_event_parse(tally->map, text, plm, &event);
	if (ret != PFM_SUCCESS) {
		/* The library handles levels itself, alike for every event. */
		if (!err && !strstr(text, ":k") && !strstr(text, ":u"))
			why = "libpfm4 refuses it";
	} else if (err == -ENODATA && count < 2) {
		/* libpfm4 gives the default threshold of loads to a unit mask only. */
		if (!strstr(text, "::MEM_TRANS_RETIRED"))
			why = "no second register";
	} else if (err) {
		why = "refused";
	} else if (pfm_assign_registers(tally->map, &event, 1, &out)) {
		if (out.error != PFM_ASSIGN_NO_COUNTER || !no_counter(codes[0]))
			why = "no registers";
	} else if (!same(tally, codes, count)) {
		why = "other values";
	} else if (!name_right(tally, &event)) {
		why = "its name is another event";
	}
	if (ret == PFM_SUCCESS)
		tally->encodings++;
	if (why && tally->bad++ < PRINTED_MAX)
		printf("# %s: %s (libpfm4 %d, errors %d and %d)\n", text, why,
		       ret, err, out.error);
	return ret == PFM_SUCCESS;
}

/* Modifiers change bits outside of the unit mask, so one unit mask is tested with them. */
static void compare_modifiers(struct tally *tally, const char *event)
{
	static const char *const modifiers[] = { ":c=2", ":i:c=1", ":e:c=1", ":t",
						 ":intx", ":g", ":k", ":u:k" };
	char text[256];
	size_t i;

	for (i = 0; i < sizeof(modifiers) / sizeof(modifiers[0]); i++) {
		snprintf(text, sizeof(text), "%s%s", event, modifiers[i]);
		compare(tally, text, PFM_PLM_USER);
	}
}

/* The event alone and with each unit mask. */
static void compare_event(struct tally *tally, int index)
{
	pfm_event_attr_info_t attr;
	pfm_event_info_t info;
	bool any = false;
	char text[256];
	int i;

	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	if (pfm_get_event_info(index, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return;
	snprintf(text, sizeof(text), "%s::%s", tally->table, info.name);
	if (compare(tally, text, PFM_PLM_USER)) {
		compare_modifiers(tally, text);
		any = true;
	}
	for (i = 0; i < info.nattrs; i++) {
		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) !=
			    PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(text, sizeof(text), "%s::%s:%s", tally->table, info.name,
			 attr.name);
		if (compare(tally, text, PFM_PLM_USER | PFM_PLM_KERNEL)) {
			if (!any)
				compare_modifiers(tally, text);
			any = true;
		}
	}
	tally->events += any;
}

static void compare_table(struct tally *tally)
{
	pfm_pmu_info_t info;
	int id, index;

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	for (id = 0; id < PFM_PMU_MAX; id++) {
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		if (pfm_get_pmu_info(id, &info) != PFM_SUCCESS ||
		    strcmp(info.name, tally->table))
			continue;
		for (index = info.first_event; index >= 0;
		     index = pfm_get_event_next(index))
			compare_event(tally, index);
	}
}

/* Every table has more events than this, but for the architectural ones. */
#define EVENTS_MIN 15

static void test_table(struct tally *tally, unsigned int events_min)
{
	compare_table(tally);
	is_text(pfm_event_table(tally->map), tally->table, "the table is used");
	ok(tally->events >= events_min && !tally->bad,
	   "%s: %u encodings of %u events, %u with a second register, %u on a fixed counter",
	   tally->table, tally->encodings, tally->events, tally->seconds,
	   tally->fixed);
	if (tally->bad)
		printf("# %u differ\n", tally->bad);
}

static void test_intel(const char *table)
{
	struct pfm_reg_map *map = intel_machine(8, 4, INTEL_EXTRAS);
	struct tally tally = { .map = map, .table = table };

	test_table(&tally, strcmp(table, "ix86arch") ? EVENTS_MIN : 5);
	pfm_reg_map_free(map);
}

static void test_amd(const char *table)
{
	struct pfm_reg_map *map = amd_machine(6);
	struct tally tally = { .map = map, .table = table };

	test_table(&tally, EVENTS_MIN);
	pfm_reg_map_free(map);
}

int main(void)
{
	static const char *const intel[] = {
		"core", "atom",	  "nhm", "nhm_ex", "wsm", "wsm_dp", "snb",
		"snb_ep", "ivb",  "ivb_ep", "hsw", "hsw_ep", "bdw", "bdw_ep",
		"skl",	"skx",	  "clx", "icl",	   "icx", "spr",    "slm",
		"glm",	"tmt",	  "knl", "knm",	   "ix86arch",
	};
	static const char *const amd[] = {
		"amd64_k7", "amd64_k8_revb", "amd64_k8_revc", "amd64_k8_revd",
		"amd64_k8_reve", "amd64_k8_revf", "amd64_k8_revg",
		"amd64_fam10h_barcelona", "amd64_fam10h_shanghai",
		"amd64_fam10h_istanbul", "amd64_fam11h_turion",
		"amd64_fam12h_llano", "amd64_fam14h_bobcat",
		"amd64_fam15h_interlagos", "amd64_fam16h", "amd64_fam17h_zen1",
		"amd64_fam17h_zen2", "amd64_fam19h_zen3", "amd64_fam19h_zen4",
	};
	size_t i;

	if (!has_x86_tables()) {
		ok(true, "tables of libpfm4 # SKIP libpfm4 has none for x86");
		return tap_end();
	}
	for (i = 0; i < sizeof(intel) / sizeof(intel[0]); i++)
		with_table(intel[i], test_intel);
	for (i = 0; i < sizeof(amd) / sizeof(amd[0]); i++)
		with_table(amd[i], test_amd);
	return tap_end();
}
