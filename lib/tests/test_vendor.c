// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Event tables made from files of vendors: names, modifiers, which table is that of a processor, the rules
 * of the library beside the counters that a table has, and damaged files.
 */
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "base/words.h"
#include "pmu/arch_intel.h"
#include "pmu/arch_x86.h"
#include "pmu/tables.h"
#include "pmu/vendor.h"
#include "forced.h"
#include "machine.h"

#define U	 PFM_PLM_USER
#define EDGE	 (1ULL << 18)
#define INV	 (1ULL << 23)
#define CMASK(n) ((uint64_t)(n) << 24)

/* The tables of this tree. */
static const char *tree;

static struct pfmi_x86_cpu fake;

/* The processor that a test wants. */
void __wrap_pfmi_x86_cpu(struct pfmi_x86_cpu *cpu);
void __wrap_pfmi_x86_cpu(struct pfmi_x86_cpu *cpu)
{
	*cpu = fake;
}

/**
 * struct variables - tests with variables of the environment
 * @folder: PERFMON_EVENTS
 * @table: PERFMON_EVENT_TABLE; NULL: unset
 * @tests: the tests
 */
struct variables {
	const char *folder;
	const char *table;
	void (*tests)(void);
};

/* Tables of libpfm4 for the processor that this machine has; none of the fake ones has them. */
static char present[256];

/* libpfm4 is initialized once, so another process asks it. */
static void find_present(void)
{
	int ends[2];
	pid_t pid;
	int i;

	fflush(stdout);
	if (pipe(ends))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		pfm_initialize();
		pfm_for_all_pmus(i)
		{
			pfm_pmu_info_t info = { .size = sizeof(info) };

			if (!pfm_get_pmu_info(i, &info) && info.is_present &&
			    info.type == PFM_PMU_TYPE_CORE &&
			    strcmp(info.name, "ix86arch"))
				dprintf(ends[1], "%s,", info.name);
		}
		_exit(0);
	}
	close(ends[1]);
	waitpid(pid, NULL, 0);
	if (read(ends[0], present, sizeof(present) - 1) < 0)
		abort();
	close(ends[0]);
}

static void run_with(const void *arg)
{
	const struct variables *with = arg;

	unsetenv("LIBPFM_FORCE_PMU");
	setenv("LIBPFM_DISABLED_PMUS", present, 1);
	setenv("PERFMON_EVENTS", with->folder, 1);
	if (with->table)
		setenv("PERFMON_EVENT_TABLE", with->table, 1);
	else
		unsetenv("PERFMON_EVENT_TABLE");
	with->tests();
}

/* Runs the tests with the variables, of which NULL is unset, in a process of their own. */
static void with_tables(const char *folder, const char *table,
			void (*tests)(void))
{
	const struct variables with = { folder, table, tests };

	in_process(table ? table : "tables of the processor", run_with, &with);
}

static void is_event(const struct pfm_reg_map *map, const char *text, int err,
		     const char *name, uint64_t code, uint64_t extra)
{
	struct pfm_event event;
	char why[512];
	int ret = pfm_event_parse(map, text, U, &event);

	if (!ok(ret == -err &&
			(ret || (!strcmp(event.name, name) &&
				 event.code == code && event.extra == extra)),
		"'%s'", text))
		printf("# %d '%s' code 0x%llx extra 0x%llx\n", ret, event.name,
		       (unsigned long long)event.code,
		       (unsigned long long)event.extra);
	if (!ret || !err)
		return;
	pfm_event_strerror(map, text, ret, why, sizeof(why));
	has_text(why, name, "its message");
}

static int count_event(const struct pfm_event_desc *desc, void *arg)
{
	if (!strcmp(desc->pmu, "graniterapids"))
		++*(unsigned int *)arg;
	return 0;
}

static int see_name(const struct pfm_event_desc *desc, void *arg)
{
	snprintf(arg, PFM_EVENT_NAME_LEN, "%s", desc->name);
	return 0;
}

static void test_graniterapids(void)
{
	struct pfm_reg_map *map = intel_metrics_machine(8, 4, 4, 8);
	char name[PFM_EVENT_NAME_LEN] = "";
	unsigned int count = 0;

	is_event(map, "INST_RETIRED.ANY", 0,
		 "graniterapids::INST_RETIRED.ANY:u", 0xc0, 0);
	is_event(map, "inst_retired:any", 0,
		 "graniterapids::INST_RETIRED.ANY:u", 0xc0, 0);
	is_event(map, "graniterapids::inst_retired.any:k", 0,
		 "graniterapids::INST_RETIRED.ANY:k", 0xc0, 0);
	is_event(map, "MEM_LOAD_RETIRED.L1_HIT:C=2:I:e:u", 0,
		 "graniterapids::MEM_LOAD_RETIRED.L1_HIT:c=2:i:e:u",
		 0x01d1 | CMASK(2) | INV | EDGE, 0);
	is_event(map, "FRONTEND_RETIRED.ITLB_MISS", 0,
		 "graniterapids::FRONTEND_RETIRED.ITLB_MISS:u", 0x03c6, 0x14);
	is_event(map, "OCR.DEMAND_DATA_RD.L3_MISS", 0,
		 "graniterapids::OCR.DEMAND_DATA_RD.L3_MISS:u", 0x012a,
		 0x3fbfc00001);
	is_event(map, "mem_trans_retired.load_latency_gt_64:u", 0,
		 "graniterapids::MEM_TRANS_RETIRED.LOAD_LATENCY_GT_64:u",
		 0x01cd, 0x40);
	is_event(map, "instructions", 0, "instructions:u", 0xc0, 0);
	is_event(map, "INST_RETIRED.ANY:c=256", EINVAL, "not with such a value",
		 0, 0);
	is_event(map, "INST_RETIRED.ANY:bad", EINVAL,
		 "no unit mask or modifier 'bad'", 0, 0);
	is_event(map, "INST_RETIRED.ANI", ENOENT, "closest: INST_RETIRED", 0,
		 0);
	is_event(map, "INST_RETIRED", ENOENT, "closest: INST_RETIRED", 0, 0);
	is_event(map, "sierraforest::INST_RETIRED.ANY", ENOENT, "unknown event",
		 0, 0);
	ok(!strcmp(pfm_event_table(map), "graniterapids"),
	   "the table is that of the vendor");
	has_text(pfm_event_source(map, "graniterapids"),
		 "graniterapids_core.json", "the source of its events");
	ok(!strcmp(pfm_event_source(map, "ix86arch"), "libpfm4") &&
		   !*pfm_event_source(map, ""),
	   "the source of other events");
	ok(!pfm_event_for_each(map, count_event, &count) && count > 300,
	   "its events are visited: %u", count);
	ok(!pfm_event_describe(map, "inst_retired:any:c=1", see_name, name) &&
		   !strcmp(name, "INST_RETIRED.ANY"),
	   "an event is described");
	pfm_reg_map_free(map);
}

static const struct {
	const char *name;
	uint64_t code;
	uint64_t extra;
} differences[] = {
	/* Codes of fixed counters, which other counters do not have.  libpfm4 4.13 has one of them. */
	{ "INST_RETIRED.ANY", 0x0100, 0 },
	{ "CPU_CLK_UNHALTED.THREAD", 0x0200, 0 },
	{ NULL, 0, 0 },
};

/* Each event of the table is found by its name, and has its code. */
struct round {
	const struct pfm_reg_map *map;
	const struct pfmi_intel_model *model;
	unsigned int counters;
	unsigned int count;
	unsigned int wrong;
	unsigned int rules;
};

static int check_event(const struct pfmi_vendor_event *known, void *arg)
{
	struct round *round = arg;
	struct pfm_event event;
	int ret = pfm_event_parse(round->map, known->name, U, &event);
	uint32_t all = (1U << round->counters) - 1, counters;

	round->count++;
	if (ret || event.code != known->code ||
	    (known->has_extra && event.extra != known->extra)) {
		printf("# %s: %d, code 0x%llx\n", known->name, ret,
		       (unsigned long long)event.code);
		round->wrong++;
	}
	if (!round->model || !(known->code & 0xff))
		return 0;
	counters = pfmi_intel_counters(round->model, known->code) & all;
	/* Lion Cove's TOPDOWN.MEMORY_BOUND_SLOTS: Linux, whose rule the library has, says counter 0. */
	if (known->code == 0x10a4 && known->counters == 0x8 && counters == 0x1)
		return 0;
	/* The library may know less, but must never use a counter that cannot count. */
	if (known->counters && counters & ~known->counters) {
		printf("# %s: counters 0x%x, the table has 0x%x\n", known->name,
		       counters, known->counters);
		round->rules++;
	}
	return 0;
}

static void test_every_event(void)
{
	const char *table = getenv("PERFMON_EVENT_TABLE");
	struct round round = { .counters = 8 };
	struct pfm_reg_map *map;
	int ret;

	round.model = pfmi_intel_model_vendor(table);
	if (strstr(table, "lioncove") || strstr(table, "cougarcove"))
		round.counters = 10;
	map = round.model		  ? intel_metrics_machine(8, 4, 4, 8)
	      : !strncmp(table, "amd", 3) ? amd_machine(6)
					  : armv8_machine(6);
	round.map = map;
	ret = pfmi_vendor_visit(table, check_event, &round);
	ok(!ret && round.count && !round.wrong,
	   "%s: each of %u events has its code", table, round.count);
	if (round.model)
		ok(!round.rules,
		   "%s: the rules use no counter that the table does not have",
		   table);
	pfm_reg_map_free(map);
}

/*
 * Events of libpfm4's table with another code.  Those of Sapphire Rapids are the same as Emerald Rapids',
 * which libpfm4 4.13 does not have.
 */
static int compare_event(const struct pfmi_vendor_event *known, void *arg)
{
	struct round *round = arg;
	struct pfm_event event = { 0 };
	struct pfmi_words words;
	unsigned int i;

	if (pfmi_words_split(known->name, &words) ||
	    pfmi_tables_encode(&pfmi_arch_intel, &words, &event))
		return 0;
	round->count++;
	if (event.code == known->code &&
	    (!known->has_extra || event.extra == known->extra))
		return 0;
	for (i = 0; differences[i].name; i++)
		if (!strcmp(differences[i].name, known->name) &&
		    differences[i].code == event.code &&
		    differences[i].extra == event.extra)
			return 0;
	printf("# { \"%s\", 0x%llx, 0x%llx }, the vendor's 0x%llx 0x%llx\n",
	       known->name, (unsigned long long)event.code,
	       (unsigned long long)event.extra, (unsigned long long)known->code,
	       (unsigned long long)known->extra);
	round->wrong++;
	return 0;
}

static void test_libpfm4(void)
{
	struct round round = { 0 };
	int ret;

	/* Also on a Sapphire Rapids. */
	unsetenv("LIBPFM_DISABLED_PMUS");
	setenv("LIBPFM_FORCE_PMU", "spr", 1);
	ret = pfmi_vendor_visit("emeraldrapids", compare_event, &round);
	ok(!ret && round.count > 100 && !round.wrong,
	   "libpfm4 has the same codes for %u events of Emerald Rapids",
	   round.count);
}

static char expected[64];

static void test_found(void)
{
	struct pfm_reg_map *map = !strcmp(fake.vendor, "GenuineIntel")
					  ? intel_machine(8, 4, 4)
					  : amd_machine(6);
	const char *name =
		pfmi_vendor_name(pfmi_arch_find(pfm_reg_map_pmu(map)));

	if (!ok(!strcmp(name ? name : "", expected),
		"%s family 0x%x model 0x%x has table '%s'", fake.vendor,
		fake.family, fake.model, expected))
		printf("# %s\n", name ? name : "none");
	pfm_reg_map_free(map);
}

static void finds(const char *vendor, unsigned int family, unsigned int model,
		  const char *table)
{
	fake = (struct pfmi_x86_cpu){ .family = family, .model = model };
	strcpy(fake.vendor, vendor);
	strcpy(expected, table);
	with_tables(tree, NULL, test_found);
}

/* Both kinds of cores of a processor: the first one by names, the other by its table. */
static void test_hybrid(void)
{
	struct pfm_reg_map *map = intel_machine(8, 4, 4);

	is_event(map, "MEM_LOAD_RETIRED.L1_HIT", 0,
		 "alderlake_goldencove::MEM_LOAD_RETIRED.L1_HIT:u", 0x01d1, 0);
	is_event(map, "TOPDOWN_BE_BOUND.ALL", ENOENT, "unknown event", 0, 0);
	is_event(map, "alderlake_gracemont::TOPDOWN_BE_BOUND.ALL", 0,
		 "alderlake_gracemont::TOPDOWN_BE_BOUND.ALL:u", 0x0074, 0);
	is_event(map, "alderlake_gracemont::OCR.DEMAND_DATA_RD.ANY_RESPONSE",
		 EOPNOTSUPP, "no such event", 0, 0);
	pfm_reg_map_free(map);
}

/* A table that must be refused, with the number of the line. */
static const char *damaged, *damage;
static char folder[64];

static void write_table(const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/some.events", folder);
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

#define HEAD "@perfmon-events 1\n@table some\n@arch intel\n@source test\n"

static void test_damage(void)
{
	struct pfm_reg_map *map = intel_machine(8, 4, 4);

	is_event(map, "A.B", EBADMSG, damage, 0, 0);
	is_event(map, "cycles", 0, "cycles:u", 0x3c, 0);
	pfm_reg_map_free(map);
}

static void refused(const char *text, const char *message)
{
	damaged = text;
	damage = message;
	write_table(text);
	with_tables(folder, "some", test_damage);
}

static void test_small(void)
{
	struct pfm_reg_map *map = intel_machine(8, 4, 4);

	is_event(map, "A.B", 0, "some::A.B:u", 0x0e, 0);
	/* The longest name is the event's. */
	is_event(map, "A.B.C:i", 0, "some::A.B.C:i:u", 0x1e | INV, 0);
	pfm_reg_map_free(map);
}

static void test_none(void)
{
	struct pfm_reg_map *map = intel_machine(8, 4, 4);

	is_event(map, "A.B", ENOENT, "unknown event 'A.B'", 0, 0);
	pfm_reg_map_free(map);
}

static void test_files(void)
{
	char path[128];

	strcpy(folder, "/tmp/test_vendor.XXXXXX");
	if (!mkdtemp(folder))
		abort();
	write_table(HEAD "A.B 0e\nA.B.C 1e d=A.B ; words; more\n@end 2\n");
	with_tables(folder, "some", test_small);
	refused("", "line 1");
	refused("{}\n", "line 1");
	refused("@perfmon-events 2\n", "line 1");
	refused(HEAD "A.B 0e\n", "damaged");
	refused(HEAD "A.B 0e\n@end 2\n", "line 6");
	refused(HEAD "A.B 0g\n@end 1\n", "line 5");
	refused(HEAD "A.B\n@end 1\n", "line 5");
	refused(HEAD "A.B 0e y=1\n@end 1\n", "line 5");
	refused(HEAD "A B C\n@end 1\n", "line 5");
	refused(HEAD "\n@end 0\n", "line 5");
	refused(HEAD "A.B 0e\n@end 1\nA.C 1\n", "line 7");
	refused("@perfmon-events 1\n@table other\n", "line 2");
	refused("@perfmon-events 1\n@table some\nA.B 0e\n@end 1\n", "line 4");
	with_tables(folder, "other", test_none);
	with_tables(folder, "../some", test_none);
	with_tables("/nowhere", NULL, test_none);
	snprintf(path, sizeof(path), "%s/some.events", folder);
	unlink(path);
	rmdir(folder);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {
		"alderlake_goldencove",
		"alderlake_gracemont",
		"amdzen5",
		"arrowlake_crestmont",
		"arrowlake_lioncove",
		"arrowlake_skymont",
		"clearwaterforest",
		"emeraldrapids",
		"grandridge",
		"graniterapids",
		"lunarlake_lioncove",
		"lunarlake_skymont",
		"meteorlake_crestmont",
		"meteorlake_redwoodcove",
		"neoverse_e1",
		"neoverse_n1",
		"neoverse_n2",
		"neoverse_n3",
		"neoverse_v1",
		"neoverse_v2",
		"neoverse_v3",
		"pantherlake_cougarcove",
		"pantherlake_darkmont",
		"sierraforest",
	};
	unsigned int i;

	find_present();
	tree = argc > 1 ? argv[1] : TREE_EVENTS;
	with_tables(tree, "graniterapids", test_graniterapids);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		with_tables(tree, names[i], test_every_event);
	if (has_x86_tables())
		with_tables(tree, "emeraldrapids", test_libpfm4);
	finds("GenuineIntel", 6, 0xad, "graniterapids");
	finds("GenuineIntel", 6, 0xae, "graniterapids");
	finds("GenuineIntel", 6, 0xaf, "sierraforest");
	finds("GenuineIntel", 6, 0x97, "alderlake_goldencove");
	finds("GenuineIntel", 6, 0xbe, "alderlake_gracemont");
	finds("GenuineIntel", 6, 0xc6, "arrowlake_lioncove");
	finds("GenuineIntel", 6, 0xcc, "pantherlake_cougarcove");
	finds("GenuineIntel", 6, 0xdd, "clearwaterforest");
	finds("GenuineIntel", 6, 0x5e, "");
	finds("GenuineIntel", 15, 0xad, "");
	finds("AuthenticAMD", 0x19, 0x11, "");
	finds("AuthenticAMD", 0x1a, 0x02, "amdzen5");
	finds("AuthenticAMD", 0x1a, 0x70, "amdzen5");
	finds("AuthenticAMD", 0x1a, 0x50, "");
	fake = (struct pfmi_x86_cpu){ "GenuineIntel", 6, 0x97 };
	with_tables(tree, NULL, test_hybrid);
	test_files();
	return tap_end();
}
