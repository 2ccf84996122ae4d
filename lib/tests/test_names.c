// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * perf's event names: on each processor they stand for the events that the kernel's driver
 * programs.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include <perfmon/perfmon.h>

#include "pmu/arch_intel.h"
#include "pmu/arch_x86.h"
#include "forced.h"
#include "kernel_names.h"
#include "machine.h"

#define U PFM_PLM_USER

#define PERF_NAMES PFMI_GENERIC_SLOTS

static char why[512];

/* The code that the driver programs for the name; NULL if it refuses the name. */
static const struct kernel_name *kernel_name(const char *model,
					     const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kernel_names) / sizeof(kernel_names[0]); i++)
		if (!strcmp(kernel_names[i].model, model) &&
		    !strcmp(kernel_names[i].name, name))
			return &kernel_names[i];
	return NULL;
}

/* The name stands for the event of the driver, or is refused where the driver refuses it. */
static void check_name(const struct pfm_reg_map *map, const char *what,
		       const char *name, const struct kernel_name *wanted)
{
	struct pfm_assignment out;
	struct pfm_event event;
	int ret;

	ret = pfm_event_parse(map, name, U, &event);
	if (!wanted) {
		ok(ret == -EOPNOTSUPP ||
			   (!ret && pfm_event_implemented(map, event.code) ==
					    PFM_IMPLEMENTED_NO),
		   "%s: no %s", what, name);
		return;
	}
	if (!ok(!ret && event.code == wanted->code &&
			event.extra == wanted->extra,
		"%s: %s", what, name))
		printf("# %d, code 0x%llx 0x%llx\n", ret,
		       (unsigned long long)event.code,
		       (unsigned long long)event.extra);
	ret = pfm_assign_registers(map, &event, 1, &out);
	if (ret)
		pfm_assign_strerror(&out, &event, why, sizeof(why));
	ok(!ret, "%s: a counter counts %s%s%s", what, name, ret ? ": " : "",
	   ret ? why : "");
}

static void check_names(const struct pfm_reg_map *map, const char *what,
			const char *model)
{
	unsigned int i;

	for (i = 0; i < PERF_NAMES; i++) {
		const char *name = pfmi_generics[i].name;

		check_name(map, what, name, kernel_name(model, name));
	}
}

/* Tables of libpfm4, and the processors of kernel_names.h. */
static const struct {
	const char *table;
	const char *model;
} tables[] = {
	{ "core", "core" },
	{ "atom", "atom" },
	{ "nhm", "nhm" },
	{ "wsm", "wsm" },
	{ "snb", "snb" },
	{ "snb_ep", "snb" },
	{ "ivb", "ivb" },
	{ "hsw", "hsw" },
	{ "bdw", "bdw" },
	{ "skl", "skl" },
	{ "clx", "skl" },
	{ "icl", "icl" },
	{ "icx", "icl" },
	{ "spr", "glc" },
	{ "slm", "slm" },
	{ "glm", "glm" },
	{ "tmt", "tnt" },
	{ "knl", "knl" },
	{ "amd64_fam10h_barcelona", "k7" },
	{ "amd64_fam16h", "k7" },
	{ "amd64_fam17h_zen1", "zen1" },
	{ "amd64_fam17h_zen2", "zen2" },
	{ "amd64_fam19h_zen3", "zen2" },
	{ "amd64_fam19h_zen4", "zen4" },
};

static void test_table(const char *table)
{
	struct pfm_reg_map *map;
	size_t i;

	for (i = 0; strcmp(tables[i].table, table); i++)
		;
	map = strncmp(table, "amd", 3) ? intel_machine(8, 4, INTEL_EXTRAS)
				       : amd_machine(6);
	is_text(pfm_event_table(map), table, "table");
	check_names(map, table, tables[i].model);
	pfm_reg_map_free(map);
}

/* The events of a list of the library are those of the driver. */
static void check_list(const char *what, const struct pfm_arch_name *common,
		       const struct pfm_arch_name *list, const char *model)
{
	const struct pfm_arch_name *lists[] = { common, list };
	unsigned int i, k, same = 0, wanted = 0;

	for (i = 0; i < 2; i++) {
		const struct pfm_arch_name *name = lists[i];

		for (; name && name->generic != PFMI_GENERICS; name++) {
			const struct kernel_name *kernel = kernel_name(
				model, pfmi_generics[name->generic].name);

			same += kernel && kernel->code == name->code &&
				kernel->extra == name->extra;
		}
	}
	for (k = 0; k < sizeof(kernel_names) / sizeof(kernel_names[0]); k++)
		wanted += !strcmp(kernel_names[k].model, model);
	ok(wanted, "%s: the driver has names", what);
	is_num(same, wanted, what);
}

/* Processors that libpfm4 does not know. */
static void test_models(void)
{
	static const struct {
		unsigned int model;
		const char *names;
		const char *what;
	} intel[] = {
		{ 0x7a, "glp", "Goldmont Plus" },
		{ 0x86, "tnt", "Tremont" },
		{ 0x97, "glc", "Alder Lake, P-cores" },
		{ 0x9a, "glc", "Alder Lake, P-cores" },
		{ 0x8f, "glc", "Sapphire Rapids" },
		{ 0xaf, "grt", "Sierra Forest" },
		{ 0xbd, "lnc", "Lunar Lake, P-cores" },
		{ 0xa5, "skl", "Comet Lake" },
		{ 0x8c, "icl", "Tiger Lake" },
	};
	static const struct {
		unsigned int family;
		unsigned int model;
		const char *names;
		const char *what;
	} amd[] = {
		{ 0x10, 0x04, "k7", "family 10h" },
		{ 0x17, 0x01, "zen1", "Zen" },
		{ 0x17, 0x18, "zen1", "Zen+" },
		{ 0x17, 0x31, "zen2", "Zen 2" },
		{ 0x17, 0x71, "zen2", "Zen 2" },
		{ 0x18, 0x01, "zen1", "Hygon" },
		{ 0x19, 0x01, "zen2", "Zen 3" },
		{ 0x19, 0x21, "zen2", "Zen 3" },
		{ 0x19, 0x11, "zen4", "Zen 4" },
		{ 0x19, 0x61, "zen4", "Zen 4" },
		{ 0x1a, 0x02, "zen4", "Zen 5" },
		{ 0x1a, 0x44, "zen4", "Zen 5" },
	};
	size_t i;

	for (i = 0; i < sizeof(intel) / sizeof(intel[0]); i++)
		check_list(intel[i].what, pfmi_intel_names,
			   pfmi_intel_model_cpu(intel[i].model)->names,
			   intel[i].names);
	for (i = 0; i < sizeof(amd) / sizeof(amd[0]); i++)
		check_list(amd[i].what, NULL,
			   pfmi_amd_names(amd[i].family, amd[i].model),
			   amd[i].names);
}

/* On family 15h the northbridge has counters of its own, which the driver for cores refuses. */
static void test_bulldozer(const char *table)
{
	struct pfm_reg_map *map = amd_machine(6);
	unsigned int i;

	(void)table;
	for (i = 0; i < PERF_NAMES; i++) {
		const char *name = pfmi_generics[i].name;

		check_name(map, "family 15h", name,
			   i >= PFMI_GENERIC_NODE_LOADS
				   ? NULL
				   : kernel_name("k7", name));
	}
	pfm_reg_map_free(map);
}

/* Armv8 whose processor implements the events of these bits, from code 0 on. */
static struct pfm_reg_map *armv8_with(uint64_t implemented)
{
	const struct pfm_event_info info = {
		.first = 0,
		.known = UINT64_MAX,
		.implemented = implemented,
	};
	struct pfm_reg_map *map = armv8_machine(6);

	if (pfm_reg_map_set_events(map, &info, 1))
		abort();
	return map;
}

#define BIT(n) (1ULL << (n))

/* Neoverse N1, N2, V1 and V2 have the driver's general map; PMCEID says what is there. */
static void test_armv8(void)
{
	static const struct kernel_name br_retired = { "", "", 0x21, 0 };
	static const struct kernel_name pc_write = { "", "", 0x0c, 0 };
	const struct {
		const char *what;
		uint64_t implemented;
		const struct kernel_name *branches;
	} cores[] = {
		{ "all events", UINT64_MAX, &br_retired },
		{ "no PC_WRITE_RETIRED", UINT64_MAX & ~BIT(0x0c), &br_retired },
		{ "no last level cache", UINT64_MAX & ~(BIT(0x36) | BIT(0x37)),
		  &br_retired },
		{ "no BR_RETIRED", UINT64_MAX & ~BIT(0x21), &pc_write },
		{ "no branches", UINT64_MAX & ~(BIT(0x21) | BIT(0x0c)), NULL },
		{ "cycles and instructions", BIT(0x11) | BIT(0x08), NULL },
	};
	size_t i;
	unsigned int k;

	for (i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		struct pfm_reg_map *map = armv8_with(cores[i].implemented);

		for (k = 0; k < PERF_NAMES; k++) {
			const char *name = pfmi_generics[k].name;
			const struct kernel_name *wanted =
				kernel_name("pmuv3", name);

			if (k == PFMI_GENERIC_BRANCHES)
				wanted = cores[i].branches;
			else if (wanted &&
				 !(cores[i].implemented & BIT(wanted->code)))
				wanted = NULL;
			check_name(map, cores[i].what, name, wanted);
		}
		pfm_reg_map_free(map);
	}
}

/* The names of caches are those of perf's table: cache, access, result. */
static void test_perf_caches(const struct pfm_reg_map *map)
{
	static const struct {
		const char *name;
		unsigned int cache;
		const char *accesses;
	} caches[] = {
		{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D, "rwp" },
		{ "L1-icache", PERF_COUNT_HW_CACHE_L1I, "rp" },
		{ "LLC", PERF_COUNT_HW_CACHE_LL, "rwp" },
		{ "dTLB", PERF_COUNT_HW_CACHE_DTLB, "rwp" },
		{ "iTLB", PERF_COUNT_HW_CACHE_ITLB, "r" },
		{ "branch", PERF_COUNT_HW_CACHE_BPU, "r" },
		{ "node", PERF_COUNT_HW_CACHE_NODE, "rwp" },
	};
	static const char letters[] = "rwp";
	static const char *const words[][2] = {
		{ "loads", "load-misses" },
		{ "stores", "store-misses" },
		{ "prefetches", "prefetch-misses" },
	};
	unsigned int i, access, miss;
	struct pfm_event event;
	char name[64];
	int ret;

	for (i = 0; i < 7 * 3 * 2; i++) {
		access = i / 2 % 3;
		miss = i % 2;
		snprintf(name, sizeof(name), "%s-%s", caches[i / 6].name,
			 words[access][miss]);
		ret = pfm_event_parse(map, name, U, &event);
		if (strchr(caches[i / 6].accesses, letters[access]))
			ok(!ret && event.code ==
					   (((uint64_t)PERF_TYPE_HW_CACHE ^
					     PERF_TYPE_RAW)
						    << 56 |
					    caches[i / 6].cache | access << 8 |
					    miss << 16),
			   "perf: %s", name);
		else
			ok(ret == -ENOENT, "perf: no %s", name);
	}
}

/* perf's counters take the names as they are: the kernel maps them. */
static void test_perf(void)
{
	static const struct {
		const char *name;
		uint64_t type;
		uint64_t config;
	} names[] = {
		{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
		{ "ref-cycles", PERF_TYPE_HARDWARE,
		  PERF_COUNT_HW_REF_CPU_CYCLES },
		{ "branch-instructions", PERF_TYPE_HARDWARE,
		  PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
		{ "idle-cycles-frontend", PERF_TYPE_HARDWARE,
		  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
		{ "stalled-cycles-backend", PERF_TYPE_HARDWARE,
		  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
		{ "page-faults", PERF_TYPE_SOFTWARE,
		  PERF_COUNT_SW_PAGE_FAULTS },
		{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
		{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ "cpu-migrations", PERF_TYPE_SOFTWARE,
		  PERF_COUNT_SW_CPU_MIGRATIONS },
		{ "alignment-faults", PERF_TYPE_SOFTWARE,
		  PERF_COUNT_SW_ALIGNMENT_FAULTS },
		{ "emulation-faults", PERF_TYPE_SOFTWARE,
		  PERF_COUNT_SW_EMULATION_FAULTS },
		{ "cgroup-switches", PERF_TYPE_SOFTWARE,
		  PERF_COUNT_SW_CGROUP_SWITCHES },
	};
	struct pfm_reg_info pmds[1 + VIRTUALS] = { {
		.num = 128,
		.ctl = 128,
		.flags = PFM_REGI_COUNTER,
		.name = "PERF_COUNT0",
	} };
	struct pfm_reg_info pmc = { .num = 128, .name = "PMC0" };
	struct pfm_reg_map *map;
	struct pfm_event event;
	size_t i;

	add_virtuals(pmds + 1);
	if (pfm_reg_map_from_info("perf", &pmc, 1, pmds, 1 + VIRTUALS, &map))
		abort();
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int ret = pfm_event_parse(map, names[i].name, U, &event);

		ok(!ret && (event.code >> 56 ^ PERF_TYPE_RAW) == names[i].type &&
			   (event.code & ~(0xffULL << 56)) == names[i].config,
		   "perf: %s", names[i].name);
	}
	test_perf_caches(map);
	is_num(pfm_event_parse(map, "context-switches", U, &event), 0,
	       "context-switches");
	is_num(event.kind, PFM_EVENT_VIRTUAL, "of a thread");
	pfm_reg_map_free(map);
}

/* Registers of the kernel have perf's names as well. */
static void test_software(const struct pfm_reg_map *map)
{
	static const struct {
		const char *name;
		unsigned int pmd;
	} names[] = {
		{ "cpu-clock", 256 },	     { "task-clock", 256 },
		{ "page-faults", 325 },	     { "faults", 325 },
		{ "minor-faults", 323 },     { "major-faults", 324 },
		{ "context-switches", 321 }, { "cs", 321 },
		{ "cpu-migrations", 322 },   { "migrations", 322 },
	};
	struct pfm_event event;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ret = pfm_event_parse(map, names[i].name, U, &event);
		ok(!ret && event.pmd == names[i].pmd, "%s", names[i].name);
	}
	ret = pfm_event_parse(map, "emulation-faults", U, &event);
	is_num(ret, -ENOENT, "emulation-faults");
	pfm_event_strerror(map, "emulation-faults", ret, why, sizeof(why));
	has_text(why, "only the kernel's perf counts it", "its message");
}

static void test_spellings(const struct pfm_reg_map *map)
{
	static const struct {
		const char *text;
		const char *name;
	} same[] = {
		{ "cpu-cycles", "cpu-cycles:u" },
		{ "CPU-CYCLES:k", "cpu-cycles:k" },
		{ "branch-instructions", "branch-instructions:u" },
		{ "l1-dcache-loads", "L1-dcache-loads:u" },
		{ "L1-dcache-load", "L1-dcache-loads:u" },
		{ "l1d-read-miss", "L1-dcache-load-misses:u" },
		{ "l1-d-misses", "L1-dcache-load-misses:u" },
		{ "L1-data-load-refs", "L1-dcache-loads:u" },
		{ "l1i-load-misses", "L1-icache-load-misses:u" },
		{ "llc-load-misses:uk", "LLC-load-misses:u:k" },
		{ "llc-store", "LLC-stores:u" },
		{ "d-tlb-write-miss", "dTLB-store-misses:u" },
		{ "itlb-misses", "iTLB-load-misses:u" },
		{ "bpu-loads", "branch-loads:u" },
	};
	static const char *const none[] = {
		"L1-dcache",  "L1-dcache-",	      "L1-dcache-loads-",
		"LLC--loads", "iTLB-stores",	      "branch-store-misses",
		"L2-loads",   "L1-dcache-load-loads", "L1-dcache-misses-loads",
		"llcload",
	};
	struct pfm_event event;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		ret = pfm_event_parse(map, same[i].text, U, &event);
		ok(!ret && !strcmp(event.name, same[i].name), "%s is %s",
		   same[i].text, same[i].name);
	}
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		ok(pfm_event_parse(map, none[i], U, &event) == -ENOENT,
		   "%s is no name", none[i]);
}

/* The string is refused, with this in the message. */
static void refused(const struct pfm_reg_map *map, const char *text,
		    const char *message)
{
	struct pfm_event event;
	int ret = pfm_event_parse(map, text, U, &event);

	ok(ret == -EINVAL, "%s is refused", text);
	pfm_event_strerror(map, text, ret, why, sizeof(why));
	has_text(why, message, "its message");
}

/* The string gives the event of this name. */
static void taken(const struct pfm_reg_map *map, const char *text,
		  const char *name)
{
	struct pfm_event event;
	int ret = pfm_event_parse(map, text, U, &event);

	if (!ok(!ret && !strcmp(event.name, name), "%s is %s", text, name))
		printf("# %d '%s'\n", ret, event.name);
}

static void test_precise(const char *table)
{
	struct pfm_reg_map *ibs = ibs_machine(6, IBS_FETCH_BITS, IBS_OP_BITS);
	struct pfm_reg_map *amd = amd_machine(6);
	struct pfm_reg_map *intel = intel_machine(8, 4, INTEL_EXTRAS);
	struct pfm_event event;

	(void)table;
	is_num(pfm_event_parse(ibs, "cycles:p", U, &event), 0, "cycles:p");
	is_num(event.kind, PFM_EVENT_UNIT, "is an event of IBS");
	is_num(event.pmd, PFM_IBS_PMD_OP, "which counts ops");
	is_num(event.code & (1 << 19), 0, "that are chosen by cycles");
	is_num(event.plm, U, "at the level of the others");
	is_num(pfm_event_parse(ibs, "r0c1:pp", U, &event), 0, "r0c1:pp");
	is_num(event.code & (1 << 19), 1 << 19, "is chosen by ops");
	is_num(pfm_event_parse(ibs, "cpu-cycles:kpp", U, &event), 0,
	       "cpu-cycles:kpp");
	is_num(event.plm, PFM_PLM_KERNEL, "has the level that is named");
	is_num(pfm_event_parse(ibs, "cycles:P", U, &event), 0, "cycles:P");
	is_num(event.kind, PFM_EVENT_UNIT, "is one of IBS, too");
	is_num(pfm_event_parse(ibs, "ibs_op:p", U, &event), 0, "ibs_op:p");
	refused(ibs, "cycles:ppp", "no :ppp");
	refused(ibs, "instructions:p", "not of this event");
	refused(ibs, "task-clock:p", "no samples without skid");
	refused(amd, "cycles:p", "perfmon_ibs is not loaded");
	taken(amd, "cycles:P", "cycles:u");
	taken(ibs, "instructions:uP", "instructions:u");
	refused(intel, "instructions:up", "IBS of AMD only");
	refused(intel, "rc0:p", "IBS of AMD only");
	taken(intel, "instructions:ukP", "instructions:u:k");
	refused(intel, "instructions:px", "has no unit mask or modifier 'px'");
	pfm_reg_map_free(ibs);
	pfm_reg_map_free(amd);
	pfm_reg_map_free(intel);
}

static void test_skylake(const char *table)
{
	struct pfm_reg_map *map = intel_machine(8, 4, INTEL_EXTRAS);

	(void)table;
	test_software(map);
	test_spellings(map);
	pfm_reg_map_free(map);
}

int main(void)
{
	size_t i;

	for (i = 0; has_x86_tables() && i < sizeof(tables) / sizeof(tables[0]);
	     i++)
		with_table(tables[i].table, test_table);
	if (has_x86_tables()) {
		with_table("amd64_fam15h_interlagos", test_bulldozer);
		with_table("skl", test_skylake);
		with_table("amd64_fam17h_zen2", test_precise);
	}
	test_models();
	test_armv8();
	test_perf();
	return tap_end();
}
