// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Intel and AMD: event strings, the choice of registers and their values.
 */
#include <errno.h>

#include <perfmon/perfmon.h>

#include "pmu/arch_intel.h"
#include "forced.h"
#include "machine.h"

#define U PFM_PLM_USER
#define K PFM_PLM_KERNEL

#define USR	(1ULL << 16)
#define OS	(1ULL << 17)
#define EDGE	(1ULL << 18)
#define ANY	(1ULL << 21)
#define INV	(1ULL << 23)
#define CMASK(n) ((uint64_t)(n) << 24)
#define GUEST	(1ULL << 40)
#define HOST	(1ULL << 41)

#define MERGE	0xf000000ffULL
#define NO_PMC	UINT64_MAX

static struct pfm_event events[PFM_ASSIGN_MAX];
static struct pfm_assignment out;
static char why[512];

/* Parse events, separated by blanks, for the user level, and assign them. */
static int assign(const struct pfm_reg_map *map, const char *list)
{
	char text[1024], *word, *rest;
	unsigned int count = 0;
	int ret;

	why[0] = 0;
	snprintf(text, sizeof(text), "%s", list);
	for (word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		ret = pfm_event_parse(map, word, U, &events[count++]);
		if (ret) {
			pfm_event_strerror(map, word, ret, why, sizeof(why));
			return -1000 + ret;
		}
	}
	ret = pfm_assign_registers(map, events, count, &out);
	pfm_assign_strerror(&out, events, why, sizeof(why));
	return ret;
}

static uint64_t pmc_value(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < out.num_pmcs; i++)
		if (out.pmcs[i].num == num)
			return out.pmcs[i].value;
	return NO_PMC;
}

/* The events get these PMDs, which end with -1. */
static void gets(const struct pfm_reg_map *map, const char *list,
		 const int *pmds)
{
	bool right = !assign(map, list);
	unsigned int i;

	for (i = 0; right && pmds[i] >= 0; i++)
		right = out.pmd[i] == pmds[i];
	if (!ok(right, "registers of '%s'", list))
		printf("# %s; %u %u %u %u %u %u %u %u\n", why, out.pmd[0], out.pmd[1],
		       out.pmd[2], out.pmd[3], out.pmd[4], out.pmd[5], out.pmd[6],
		       out.pmd[7]);
}

#define GETS(map, list, ...) gets(map, list, (const int[]){ __VA_ARGS__, -1 })

/**
 * struct string - an event string
 * @text: the string
 * @err: error, or 0
 * @name: canonical name, or for an error a part of the message
 * @code: code
 * @plm: levels
 */
struct string {
	const char *text;
	int err;
	const char *name;
	uint64_t code;
	uint32_t plm;
};

static void check_strings(const struct pfm_reg_map *map,
			  const struct string *strings, size_t count)
{
	struct pfm_event event;
	size_t i;
	int ret;

	for (i = 0; i < count; i++) {
		const struct string *s = &strings[i];

		ret = pfm_event_parse(map, s->text, U, &event);
		if (!ok(ret == -s->err &&
			(ret || (!strcmp(event.name, s->name) &&
				 event.code == s->code && event.plm == s->plm)),
			"'%s'", s->text))
			printf("# %d '%s' code 0x%llx plm 0x%x\n", ret, event.name,
			       (unsigned long long)event.code, event.plm);
		if (!ret)
			continue;
		pfm_event_strerror(map, s->text, ret, why, sizeof(why));
		has_text(why, s->name, "its message");
	}
}

#define CHECK(map, strings) \
	check_strings(map, strings, sizeof(strings) / sizeof((strings)[0]))

static void test_intel_strings(const struct pfm_reg_map *map)
{
	static const struct string strings[] = {
		{ "cycles", 0, "cycles:u", 0x3c, U },
		{ "instructions:k", 0, "instructions:k", 0xc0, K },
		{ "ref-cycles", 0, "ref-cycles:u", 0x0300, U },
		{ "branches", 0, "branches:u", 0xc4, U },
		{ "branch-misses", 0, "branch-misses:u", 0xc5, U },
		{ "cache-references", 0, "cache-references:u", 0x4f2e, U },
		{ "Cache-Misses:uk", 0, "cache-misses:u:k", 0x412e, U | K },
		{ "ia64_inst_retired", 0, "instructions:u", 0xc0, U },
		{ "cpu_cycles:k", 0, "cycles:k", 0x3c, K },
		{ "branch_event", 0, "branches:u", 0xc4, U },
		{ "l3_misses", 0, "cache-misses:u", 0x412e, U },
		{ "cycles:C=2:I", 0, "cycles:c=2:i:u", 0x3c | CMASK(2) | INV, U },
		{ "cycles:c=0x10:e=1:i=0", 0, "cycles:c=0x10:e=1:i=0:u",
		  0x3c | CMASK(16) | EDGE, U },
		{ "cycles:t", 0, "cycles:t:u", 0x3c | ANY, U },
		{ "cycles:intx", 0, "cycles:intx:u", 0x3c | 1ULL << 32, U },
		{ "cycles:c", EINVAL, "not with such a value", 0, 0 },
		{ "cycles:c=256", EINVAL, "not with such a value", 0, 0 },
		{ "cycles:c=-1", EINVAL, "not with such a value", 0, 0 },
		{ "cycles:e=2", EINVAL, "not with such a value", 0, 0 },
		{ "cycles:host", EINVAL, "has no unit mask or modifier", 0, 0 },
		{ "cycles:ANY", EINVAL, "has no unit mask or modifier", 0, 0 },
		{ "cycles:h", EDOM, "privilege level", 0, 0 },
		{ "UOPS_ISSUED:ANY", 0, "skl::UOPS_ISSUED:ANY:u", 0x010e, U },
		{ "uops_issued.stall_cycles:k", 0, "skl::UOPS_ISSUED:STALL_CYCLES:k",
		  0x0180010e, K },
		{ "UOPS_ISSUED:ANY:c=256", EINVAL,
		  "UOPS_ISSUED does not take 'ANY:c=256': not with such a value", 0, 0 },
		{ "UOPS_ISSUED:ANY:c=1:i", 0, "skl::UOPS_ISSUED:ANY:c=1:i:u",
		  0x0180010e, U },
		{ "LLC_MISSES", 0, "intel::LLC_MISSES:u", 0x412e, U },
		{ "intel::BRANCH_INSTRUCTIONS_RETIRED:c=1", 0,
		  "intel::BRANCH_INSTRUCTIONS_RETIRED:c=1:u", 0x010000c4, U },
		{ "amd64_fam17h_zen2::CYCLES_NOT_IN_HALT", ENOENT, "unknown event",
		  0, 0 },
		{ "r10e", 0, "r10e:u", 0x010e, U },
		{ "r180010e:k", 0, "r180010e:k", 0x0180010e, K },
		{ "0x10e:c=1:i", 0, "r10e:c=1:i:u", 0x0180010e, U },
		{ "r41010e", ERANGE,
		  "bits 0x410000 are not part of an event code; raw:0x41010e takes",
		  0, 0 },
		{ "r10000010e", 0, "r10000010e:u", 0x10000010e, U },
		{ "r40000010e", ERANGE, "bits 0x400000000", 0, 0 },
		{ "raw:0x41010E", 0, "r10e:u", 0x010e, U },
		{ "raw:0x42010e", 0, "r10e:k", 0x010e, K },
		{ "raw:0x53010e", 0, "r10e:u:k", 0x010e, U | K },
		{ "raw:0x1c1010e", 0, "r180010e:u", 0x0180010e, U },
		{ "raw:0x10e", 0, "r10e:u", 0x010e, U },
		{ "raw:270", 0, "r10e:u", 0x010e, U },
		{ "raw:0x42010e:u", 0, "r10e:u", 0x010e, U },
		{ "raw:0x10e:c=3", 0, "r10e:c=3:u", 0x0300010e, U },
		{ "raw:0x49010e", ERANGE,
		  "bits 0x80000 of the register are not part of an event", 0, 0 },
		{ "raw:0x40041010e", ERANGE, "bits 0x400000000 of the register", 0,
		  0 },
		{ "raw", ENOENT, "unknown event", 0, 0 },
		{ "raw:zz", EINVAL, "comes the value of the whole register", 0, 0 },
		{ "raw:0x", EINVAL, "comes the value of the whole register", 0, 0 },
		{ "r1b7", ENODATA, "second register: the field offcore_rsp=VALUE", 0, 0 },
		{ "r1c6", ENODATA, "the field frontend=VALUE", 0, 0 },
		{ "raw:0x4101cd", ENODATA, "the field ldlat=VALUE", 0, 0 },
		{ "r1b7:offcore_rsp=0x10001", 0, "r1b7:offcore_rsp=0x10001:u", 0x1b7,
		  U },
		{ "r1b7:ldlat=3", EINVAL, "has no unit mask or modifier", 0, 0 },
		{ "r1b7:offcore_rsp=", EINVAL, "has no unit mask or modifier", 0,
		  0 },
		{ "r10e:offcore_rsp=1", EINVAL, "has no unit mask or modifier", 0,
		  0 },
		{ "cpu/event=0x0e,umask=0x01,cmask=1,inv/", 0, "r180010e:u",
		  0x0180010e, U },
		{ "cpu/umask=1,event=14,edge,any=1/k", 0, "r24010e:k", 0x24010e, K },
		{ "cpu/event=0x3c/:uk", 0, "r3c:u:k", 0x3c, U | K },
		{ "cpu/event=0x3c,in_tx_cp/", 0, "r20000003c:u", 0x20000003c, U },
		{ "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/", 0,
		  "r1b7:offcore_rsp=0x10001:u", 0x1b7, U },
		{ "cpu/event=0xb7,umask=1/", ENODATA, "second register", 0, 0 },
		{ "cpu/offcore_rsp=2,event=0xb7,umask=1/", 0, "r1b7:offcore_rsp=0x2:u",
		  0x1b7, U },
		{ "cpu/event=0xcd,umask=1,ldlat=3/k", 0, "r1cd:ldlat=0x3:k", 0x1cd, K },
		{ "CPU/Event=0x3C,UMASK=0xFF,cmask=255/", 0, "rff00ff3c:u", 0xff00ff3c, U },
		{ "cpu/event=0/", 0, "r0:u", 0, U },
		{ "cpu/event=0xc0,edge=0,any=0,inv=0/", 0, "rc0:u", 0xc0, U },
		{ "cpu/event=0xc0,in_tx/uuk", 0, "r1000000c0:u:k", 0x1000000c0, U | K },
		{ "cpu/event=0x3c/u:k", 0, "r3c:u:k", 0x3c, U | K },
		{ "cpu/event=0x1c0/", EINVAL, "'event=0x1c0': the largest number is 255", 0, 0 },
		{ "cpu/event=0x3c,umask=256/", EINVAL, "the largest number is 255", 0, 0 },
		{ "cpu/event=0x3c,inv=2/", EINVAL, "'inv=2': the largest number is 1", 0, 0 },
		{ "cpu/event=0x10000000000000001/", EINVAL, "the largest number is 255", 0, 0 },
		{ "cpu/event=99999999999999999999/", EINVAL, "the largest number is 255", 0, 0 },
		{ "cpu/event=0x3c,umask=-1/", EINVAL, "'-1' is not a number", 0, 0 },
		{ "cpu/event=0x/", EINVAL, "'0x' is not a number", 0, 0 },
		{ "cpu/event=0x3c,umask= 1/", EINVAL, "' 1' is not a number", 0, 0 },
		{ "cpu/event=/", EINVAL, "'' is not a number", 0, 0 },
		{ "cpu/event=0x3c,foo/", EINVAL,
		  "the PMU intel has no term 'foo'; it has event, umask, cmask, inv, edge, any, in_tx, in_tx_cp, offcore_rsp, ldlat, frontend",
		  0, 0 },
		{ "cpu/event=0x3c,host/", EINVAL, "no term 'host'", 0, 0 },
		{ "cpu/event=0x3c,c=1/", EINVAL, "no term 'c'", 0, 0 },
		{ "cpu/event=0x3c,u/", EINVAL, "no term 'u'", 0, 0 },
		{ "cpu/event/", EINVAL, "'event' needs a value, event=N", 0, 0 },
		{ "cpu/event=0x3c,cmask/", EINVAL, "'cmask' needs a value", 0, 0 },
		{ "cpu/event=0xb7,umask=1,offcore_rsp/", EINVAL, "'offcore_rsp' needs a value",
		  0, 0 },
		/* A unit mask alone has the code of fixed counter 0, instructions. */
		{ "cpu/umask=1/", EINVAL, "the term 'event' is missing", 0, 0 },
		{ "cpu/umask=1,inv/k:c=1", EINVAL, "the term 'event' is missing", 0, 0 },
		{ "cpu/event=1,event=2/", EINVAL, "'event' is given twice", 0, 0 },
		{ "cpu/event=1,inv,inv=0/", EINVAL, "'inv' is given twice", 0, 0 },
		{ "cpu/event=0xcd,umask=1,ldlat=1,frontend=2/", EINVAL,
		  "'ldlat=1' and 'frontend=2' cannot be combined", 0, 0 },
		{ "cpu/event=0xc0,ldlat=3/", EINVAL, "'ldlat=3': the event 0xc0 has no such register",
		  0, 0 },
		{ "cpu/event=0x3c", EINVAL, "the '/' at the end is missing", 0, 0 },
		{ "cpu/event=0x3c,/", EINVAL, "there is an empty term", 0, 0 },
		{ "cpu//", EINVAL, "there is an empty term", 0, 0 },
		{ "cpu/event=0x3c/x", EINVAL,
		  "no modifier 'x' behind the '/'; the PMU intel has u, k", 0, 0 },
		{ "cpu/event=0x3c/uG", EINVAL, "no modifier 'G'", 0, 0 },
		{ "cpu/event=0x3c/h", EINVAL, "no modifier 'h'", 0, 0 },
		{ "cpu/event=0x3c/u/", EINVAL, "no modifier '/'", 0, 0 },
		{ "cpu/event=0x3c/:c=256", EINVAL, "the PMU intel has no modifier 'c=256'", 0, 0 },
		{ "cpu/event=0x3c/:c=1:i", 0, "r180003c:u", 0x0180003c, U },
		{ "cpu/event=0x3c/k:c=2:e", 0, "r204003c:k", 0x0204003c, K },
		{ "cpu/event=0x3c/c=1", EINVAL, "no modifier 'c'", 0, 0 },
		{ "cpu/event=0x3c/:", EINVAL, "is not an event", 0, 0 },
	};

	CHECK(map, strings);
}

/* Terms as long as an event string can be, and more fields than there is room for. */
static void test_intel_long(const struct pfm_reg_map *map)
{
	static const char *const ends[] = { "", "/", "=1/", ",event=1/", "/u" };
	char text[PFM_EVENT_NAME_LEN], buf[512];
	struct pfm_event event;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		memset(text, 'x', sizeof(text));
		memcpy(text, "cpu/", 4);
		strcpy(text + sizeof(text) - 1 - strlen(ends[i]), ends[i]);
		ret = pfm_event_parse(map, text, U, &event);
		is_num(ret, -EINVAL, "longest term");
		pfm_event_strerror(map, text, ret, buf, sizeof(buf));
		has_text(buf, i ? "no term 'xxxx" : "the '/' at the end", "its message");
	}
	strcpy(text, "cpu/event=1/");
	for (i = 0; i < 17; i++)
		strcat(text, ":c=1");
	is_num(pfm_event_parse(map, text, U, &event), -EINVAL, "17 modifiers");
}

/* INST_RETIRED:ANY_P is instructions, 2 and 4 are umasks that no fixed counter has. */
static void test_intel_fixed(const struct pfm_reg_map *map)
{
	struct pfm_reg_map *plain = intel_machine(4, 0, 0);

	GETS(map, "instructions cycles ref-cycles", 32, 33, 34);
	is_num(pmc_value(32), 2, "fixed counter, user level");
	is_num(out.num_pmcs, 3, "one PMC each");
	is_num(assign(map, "cycles:k instructions:uk"), 0, "levels");
	is_num(pmc_value(33), 1, "kernel");
	is_num(pmc_value(32), 3, "both");
	is_num(assign(map, "cycles:t"), 0, "any thread");
	is_num(pmc_value(33), 2 | 4, "on a fixed counter");
	GETS(map, "r100 r200 r300 r400 r4c0", 32, 33, 34, 35, 0);
	GETS(map, "cycles cycles:k instructions instructions:k", 33, 0, 32, 1);
	is_num(pmc_value(0), 0x3c | OS, "second cycles on a general counter");
	GETS(map, "cycles:c=1 instructions:e:c=1 cycles:i:c=2 cycles", 0, 1, 2, 33);
	is_num(pmc_value(1), 0xc0 | USR | EDGE | CMASK(1), "its value");
	GETS(map, "r13c", 0);
	is_num(assign(map, "ref-cycles ref-cycles:k"), -ENOSPC,
	       "one counter counts reference cycles");
	has_text(why, "8 event counters and 4 for one event each, of which 1 can count it; 1 of the 2",
		 "its message");
	is_num(assign(map, "r300:c=1"), -EINVAL, "a fixed event has no cmask");
	has_text(why, "fixed counter would, if there is one, and without edge, inv and cmask",
		 "its message");
	is_num(out.counters, 12, "counters");
	is_num(out.fixed_counters, 4, "fixed counters");
	is_num(out.cycle_counters, 1, "for cycles");

	is_num(assign(plain, "ref-cycles"), -EINVAL, "no fixed counter");
	has_text(why, "no counter of the PMU counts event 'ref-cycles:u'",
		 "its message");
	GETS(plain, "cycles instructions", 0, 1);
	pfm_reg_map_free(plain);
}

/* Skylake: PREC_DIST on counter 1; memory events on 0 to 3; the rest anywhere. */
static void test_intel_rules(const struct pfm_reg_map *map)
{
	struct pfm_reg_map *small = intel_machine(4, 3, 2);

	GETS(map, "r1c0", 1);
	GETS(map, "ra8001c0 ra8001c0 ra8001c0", 0, 2, 3);
	GETS(map, "r10e r20e r40e r1d0 r1d1 r1c0 r2c2 r2d0", 4, 5, 7, 3, 2, 1, 6, 0);
	is_num(assign(map, "r1d0 r2d0 r4d0 r8d0 r1d1"), -ENOSPC,
	       "five events for four counters");
	has_text(why, "event 'r1d1:u' does not fit: the PMU has 8 event counters and 4 for one event each, of which 4 can count it; 4 of the 5 hardware events fit",
		 "its message");
	is_num(assign(map, "r1c0 r1c0"), -ENOSPC, "two for one counter");
	GETS(small, "r10e r20e r1c0 r1d0", 0, 2, 1, 3);
	is_num(assign(small, "r10e r20e r40e r1c0 r1d0"), -ENOSPC, "four counters");
	pfm_reg_map_free(small);
}

static void test_intel_reserved(void)
{
	struct pfm_reg_info pmc = { .dfl = 0x100000, .rsvd = ~0xffa7ffffULL | ANY };
	struct pfm_reg_info pmd = { .flags = PFM_REGI_COUNTER };
	struct pfm_reg_map *map;

	if (pfm_reg_map_from_info("intel", &pmc, 1, &pmd, 1, &map)) {
		ok(false, "machine without AnyThread");
		return;
	}
	is_num(assign(map, "cycles:k"), 0, "a machine without AnyThread");
	is_num(pmc_value(0), 0x10003c | OS, "default bits stay");
	is_num(assign(map, "cycles:t"), -EINVAL, "any thread is refused");
	is_num(out.error, PFM_ASSIGN_CODE, "reason");
	has_text(why,
		 "the code of event 'cycles:t:u': this processor does not have its bits 0x200000",
		 "its message");
	pfm_reg_map_free(map);
}

static void test_intel_shared(const struct pfm_reg_map *map)
{
	struct pfm_reg_map *none = intel_machine(4, 3, 0);
	uint16_t sets[3];

	GETS(map, "r1b7:offcore_rsp=0x10001", 0);
	is_num(pmc_value(0), 0x01b7 | USR, "event");
	is_num(pmc_value(40), 0x10001, "second register");
	is_num(out.num_pmcs, 2, "two PMCs");
	is_num(out.num_pmds, 1, "one PMD");
	GETS(map, "r1bb:offcore_rsp=1 r1b7:offcore_rsp=2", 0, 1);
	is_num(pmc_value(41), 1, "each its own register");
	is_num(pmc_value(40), 2, "the other one");
	is_num(assign(map, "r1b7:offcore_rsp=1 r1b7:offcore_rsp=2:k"), 0,
	       "two values of one event");
	is_num(pmc_value(1), 0x01bb | OS, "the second is counted by its twin");
	is_num(pmc_value(41), 2, "with the free register");
	is_num(assign(map, "r1b7:offcore_rsp=1 r1bb:offcore_rsp=1 r1b7:offcore_rsp=2 r1bb:offcore_rsp=1:k"),
	       0, "the same value is shared");
	is_num(pmc_value(40), 1, "first value");
	is_num(pmc_value(41), 2, "second value");
	is_num(out.num_pmcs, 6, "each register once");
	is_num(pmc_value(1), 0x01b7 | USR, "the event with the first value");
	is_num(assign(map, "r1b7:offcore_rsp=1 r1b7:offcore_rsp=2 cycles r1b7:offcore_rsp=3"),
	       -ENOSPC, "three values for two registers");
	is_num(out.error, PFM_ASSIGN_SHARED, "reason");
	is_num(out.failed, 3, "event");
	is_num(out.fit, 3, "the others fit");
	has_text(why, "'r1b7:offcore_rsp=3:u' does not fit: another event has the second register",
		 "its message");
	is_num(pfm_assign_sets(map,
			       (struct pfm_event[]){ events[0], events[1],
						     events[3] },
			       NULL, 3, sets, NULL),
	       2, "they fit into two sets");
	GETS(map, "OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE FRONTEND_RETIRED:DSB_MISS",
	     0, 1);
	is_num(pmc_value(40), 0x10001, "libpfm4's second value");
	is_num(pmc_value(42), 0x11, "and that of a front-end event");
	is_num(assign(none, "r1b7:offcore_rsp=1"), -ENODEV,
	       "no such register in the kernel");
	is_num(out.error, PFM_ASSIGN_NO_REGISTER, "reason");
	is_num(assign(none, "r1cd:ldlat=3"), -ENODEV, "nor one of PEBS");
	has_text(why, "'r1cd:ldlat=3:u': the processor times loads for PEBS only",
		 "its message");
	pfm_reg_map_free(none);
}

static int count_generic(const struct pfm_event_desc *desc, void *arg)
{
	if (desc->kind == PFM_EVENT_HARDWARE && desc->flags & PFM_EVENTF_GENERIC)
		++*(unsigned int *)arg;
	return 0;
}

static int take_name(const struct pfm_event_desc *desc, void *arg)
{
	snprintf(arg, PFM_EVENT_NAME_LEN, "%s::%s", desc->pmu, desc->name);
	return 1;
}

static void test_intel_list(const struct pfm_reg_map *map)
{
	char name[PFM_EVENT_NAME_LEN] = "";
	unsigned int generic = 0;

	is_num(pfm_event_for_each(map, count_generic, &generic), 0, "walk");
	/* 8 names, two others of them, 20 of caches. */
	is_num(generic, 30, "generic events");
	pfm_event_describe(map, "r10e", take_name, name);
	is_text(name, "skl::UOPS_ISSUED", "a raw code names the event");
	pfm_event_describe(map, "raw:0x41010e", take_name, name);
	is_text(name, "skl::UOPS_ISSUED", "so does a whole register");
	name[0] = 0;
	pfm_event_describe(map, "cpu/event=0x0e,umask=1/", take_name, name);
	is_text(name, "skl::UOPS_ISSUED", "and a code in parts");
}

static void test_skylake(const char *table)
{
	struct pfm_reg_map *map = intel_machine(8, 4, INTEL_EXTRAS);

	is_text(pfm_event_table(map), table, "table");
	test_intel_strings(map);
	test_intel_long(map);
	test_intel_fixed(map);
	test_intel_rules(map);
	test_intel_reserved();
	test_intel_shared(map);
	test_intel_list(map);
	pfm_reg_map_free(map);
}

/* One rule of each other model. */
static void test_sandy_bridge(const char *table)
{
	struct pfm_reg_map *map = intel_machine(4, 3, 2);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "L1D_PEND_MISS:PENDING MEM_TRANS_RETIRED:PRECISE_STORE INST_RETIRED:PREC_DIST UOPS_ISSUED:ANY",
	     2, 3, 1, 0);
	GETS(map, "r2a3", 2);
	is_num(assign(map, "L1D_PEND_MISS:PENDING r2a3"), -ENOSPC, "counter 2 only");
	pfm_reg_map_free(map);
}

static void test_nehalem(const char *table)
{
	struct pfm_reg_map *map = intel_machine(4, 3, 1);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "rc2 r140 r1b7:offcore_rsp=1 r241", 3, 1, 2, 0);
	is_num(assign(map, "r140 r141 r151"), -ENOSPC, "counters 0 and 1");
	is_num(assign(map, "r1b7:offcore_rsp=1 r1b7:offcore_rsp=2"), -ENOSPC,
	       "one register only");
	is_num(out.error, PFM_ASSIGN_SHARED, "reason");
	pfm_reg_map_free(map);
}

static void test_sapphire_rapids(const char *table)
{
	struct pfm_reg_map *map = intel_machine(8, 4, INTEL_EXTRAS);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "TOPDOWN:BAD_SPEC_SLOTS L1D_PEND_MISS:PENDING ra4 r1a4", 0, 1, 2, 3);
	is_num(pmc_value(0), 0x04a4 | USR, "a code that libpfm4 has wrong");
	GETS(map, "TOPDOWN:SLOTS TOPDOWN:SLOTS_P", 35, 0);
	is_num(assign(map, "r12a:offcore_rsp=1 r12a:offcore_rsp=2"), 0, "offcore");
	is_num(pmc_value(1), 0x012b | USR, "the twin");
	GETS(map, "ref-cycles ref-cycles:k r13c", 34, 0, 1);
	is_num(pmc_value(0), 0x013c | OS, "reference cycles on a general counter");
	GETS(map, "r13c ref-cycles", 34, 0);
	is_num(assign(map, "r300:c=1"), -EINVAL, "a fixed event has no cmask");
	GETS(map, "r13c:c=1", 0);
	GETS(map, "UOPS_RETIRED:MS", 0);
	is_num(pmc_value(42), 8, "a second register that libpfm4 does not know");
	pfm_reg_map_free(map);
}

/* Whether counters 0 to 3 only can count the event, on a machine with eight. */
static void first_four(const struct pfm_reg_map *map, const char *event,
		       bool wanted)
{
	char list[128];

	snprintf(list, sizeof(list), "%s %s %s %s %s", event, event, event, event, event);
	is_num(assign(map, list), wanted ? -ENOSPC : 0, event);
	if (wanted)
		is_num(out.usable, 4, "counters that can count it");
}

static void check_four(const struct pfm_reg_map *map, const char *const *list,
		       bool wanted)
{
	for (; *list; list++)
		first_four(map, *list, wanted);
}

/* Codes that are in no file of Intel, at both ends of the ranges and beside them. */
static void test_golden_cove_ranges(const char *table)
{
	static const char *const four[] = {
		"r1", "rff01", "r101", "r155", "r2d", "r2f", "r3b", "r3d", "r8f", "rd0",
		"r5d5", "rdf", "r100008f", NULL,
	};
	static const char *const all[] = {
		"r412e", "r13c", "r23c", "r90", "rcf", "re0", "rfe", "r0", NULL,
	};
	struct pfm_reg_map *map = intel_machine(8, 4, INTEL_EXTRAS);

	is_text(pfm_event_table(map), table, "table");
	check_four(map, four, true);
	check_four(map, all, false);
	GETS(map, "r1ce", 0);
	is_num(assign(map, "r1ce r2ce"), -ENOSPC, "counter 0 only");
	pfm_reg_map_free(map);
}

static void test_ice_lake(const char *table)
{
	static const char *const four[] = {
		"r3", "r104", "ra", "r1f", "r128", "r32", "r48", "r456", "r60", "r18b",
		"ra3", "r3a3", "rca3", "ra8", "r1af", "rb0", "rb8",
		"rbd", "rd0", "rd5", "re6", "ref", "rf0", "rf3", "rf4", NULL,
	};
	static const char *const all[] = {
		"r2", "r10b", "r1e", "r29", "r47", "r157", "r5f", "r8c", "r4a3", "r10a3",
		"r14a3", "ra7", "rb1", "rb6", "rbe", "rcf", "re7", "rf5", "r412e", NULL,
	};
	struct pfm_reg_map *map = intel_machine(8, 4, INTEL_EXTRAS);

	is_text(pfm_event_table(map), table, "table");
	check_four(map, four, true);
	check_four(map, all, false);
	pfm_reg_map_free(map);
}

/* The fields of PERF_METRICS, which fixed counter 3 counts for. */
static void test_metrics(const char *table)
{
	struct pfm_reg_map *map = intel_metrics_machine(8, 4, INTEL_EXTRAS, 4);
	unsigned int cycles;

	is_text(pfm_event_table(map), table, "table");
	is_num(pfm_reg_map_counters(map, &cycles), 12,
	       "events do not compete for the fields");
	GETS(map, "slots", 35);
	GETS(map, "topdown-retiring topdown-be-bound topdown-fe-bound topdown-bad-spec slots",
	     40, 43, 42, 41, 48);
	is_num(out.num_pmcs, 1, "one PMC for all");
	is_num(pmc_value(35), 2, "user level");
	GETS(map, "slots cycles topdown-retiring r1a4", 48, 33, 40, 0);
	GETS(map, "cpu/event=0,umask=0x83/ cpu/event=0,umask=4/", 43, 48);
	is_num(assign(map, "topdown-retiring topdown-retiring"), -ENOSPC, "each once");
	is_num(assign(map, "topdown-retiring slots slots"), -ENOSPC,
	       "the fixed counter counts for the fields");
	is_num(assign(map, "slots slots"), -ENOSPC, "slots have one counter");
	is_num(assign(map, "topdown-retiring topdown-fe-bound:k"), -ENOSPC, "levels");
	is_num(out.error, PFM_ASSIGN_SHARED, "reason");
	ok(strstr(why, "privilege levels; in different event sets both fit"), "message");
	is_num(assign(map, "topdown-retiring:c=1"), -EINVAL, "a field has no cmask");
	is_num(assign(map, "topdown-mem-bound"), -1000 - EOPNOTSUPP,
	       "no fields of level 2");
	pfm_reg_map_free(map);

	map = intel_machine(8, 4, INTEL_EXTRAS);
	is_num(assign(map, "topdown-retiring"), -EINVAL, "hidden by a hypervisor");
	is_num(out.error, PFM_ASSIGN_NO_COUNTER, "reason");
	GETS(map, "slots", 35);
	pfm_reg_map_free(map);
}

static void test_metrics_level_2(const char *table)
{
	struct pfm_reg_map *map = intel_metrics_machine(8, 4, INTEL_EXTRAS, 8);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "topdown-heavy-ops topdown-br-mispredict topdown-fetch-lat topdown-mem-bound",
	     44, 45, 46, 47);
	pfm_reg_map_free(map);
}

/* A model that libpfm4 does not know has architectural events, and no rules. */
static void test_architectural(const char *table)
{
	struct pfm_reg_map *map = intel_machine(4, 3, 2);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "UNHALTED_CORE_CYCLES LLC_MISSES ix86arch::INSTRUCTION_RETIRED",
	     33, 0, 32);
	is_num(pmc_value(0), 0x412e | USR, "value");
	pfm_reg_map_free(map);
}

/* libpfm4 knows these models under no name that a test could force. */
static void test_intel_cpus(void)
{
	static const struct {
		unsigned int model;
		uint64_t code;
		uint32_t counters;
	} rules[] = {
		{ 0x96, 0x00d0, UINT32_MAX },
		{ 0xaa, 0x0055, 0xf },
		{ 0xac, 0x0055, 0xf },
		{ 0xaf, 0x05d0, 0x3 },
		{ 0xb6, 0x0055, UINT32_MAX },
		{ 0xbd, 0x0055, UINT32_MAX },
		{ 0xbd, 0x0148, 0x4 },
		{ 0xbd, 0x010001b1, 0x8 },
		{ 0xc5, 0x01cd, 0x3fc },
		{ 0xc6, 0x02d5, 0xf },
	};
	const struct pfmi_intel_model *model;
	char name[32];
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		model = pfmi_intel_model_cpu(rules[i].model);
		snprintf(name, sizeof(name), "model 0x%x, code 0x%llx", rules[i].model,
			 (unsigned long long)rules[i].code);
		ok(model && pfmi_intel_counters(model, rules[i].code) == rules[i].counters,
		   "%s", name);
	}
	ok(!pfmi_intel_model_cpu(0x01), "unknown model");
}

static void test_amd_strings(const struct pfm_reg_map *map)
{
	static const struct string strings[] = {
		{ "cycles", 0, "cycles:u", 0x76, U },
		{ "instructions", 0, "instructions:u", 0xc0, U },
		{ "ref-cycles", EOPNOTSUPP, "this processor has no such event", 0, 0 },
		{ "l3_misses", EOPNOTSUPP, "this processor has no such event", 0, 0 },
		{ "l2_misses:k", 0, "cache-misses:k", 0x0964, K },
		{ "cpu_cycles", 0, "cycles:u", 0x76, U },
		{ "branches", 0, "branches:u", 0xc2, U },
		{ "branch-misses", 0, "branch-misses:u", 0xc3, U },
		{ "cache-references", 0, "cache-references:u", 0xff60, U },
		{ "cache-misses", 0, "cache-misses:u", 0x0964, U },
		{ "cycles:guest", 0, "cycles:guest:u", 0x76 | GUEST, U },
		{ "cycles:host:c=1:uk", 0, "cycles:host:c=1:u:k",
		  0x01000076 | HOST, U | K },
		{ "cycles:t", EINVAL, "has no unit mask or modifier", 0, 0 },
		{ "cycles:h", EDOM, "privilege level", 0, 0 },
		{ "RETIRED_INSTRUCTIONS:host", 0,
		  "amd64_fam17h_zen2::RETIRED_INSTRUCTIONS:host:u", 0xc0 | HOST, U },
		{ "RETIRED_INSTRUCTIONS:g:c=2", 0,
		  "amd64_fam17h_zen2::RETIRED_INSTRUCTIONS:g:c=2:u",
		  0x020000c0 | GUEST, U },
		{ "RETIRED_FUSED_INSTRUCTIONS", 0,
		  "amd64_fam17h_zen2::RETIRED_FUSED_INSTRUCTIONS:u", 0x1000000d0,
		  U },
		{ "r1000000d0", 0, "r1000000d0:u", 0x1000000d0, U },
		{ "raw:0x1005300d0", 0, "r1000000d0:u:k", 0x1000000d0, U | K },
		{ "raw:0x2000000d0", 0, "r2000000d0:u", 0x2000000d0, U },
		{ "raw:0x10000530076", 0, "r10000000076:u:k", 0x76 | GUEST, U | K },
		{ "raw:0x730076", ERANGE, "bits 0x200000 of the register", 0, 0 },
		{ "r1b7", 0, "r1b7:u", 0x1b7, U },
		{ "skl::UOPS_ISSUED:ANY", ENOENT, "unknown event", 0, 0 },
		{ "cpu/event=0x1d0,umask=2,guest/", 0, "r101000002d0:u",
		  0x101000002d0, U },
		{ "cpu/event=0xfff,umask=0/", 0, "rf000000ff:u", 0xf000000ff, U },
		{ "cpu/event=0x76/G", 0, "r10000000076:u", 0x76 | GUEST, U },
		{ "cpu/event=0x76/kGH", 0, "r30000000076:k", 0x76 | GUEST | HOST, K },
		{ "cpu/umask=2,guest/", EINVAL, "the term 'event' is missing", 0, 0 },
		{ "cpu/event=0x1000/", EINVAL, "'event=0x1000': the largest number is 4095", 0, 0 },
		{ "cpu/event=0x76,any/", EINVAL,
		  "the PMU amd has no term 'any'; it has event, umask, cmask, inv, edge, guest, host",
		  0, 0 },
		{ "cpu/event=0x76,offcore_rsp=1/", EINVAL, "no term 'offcore_rsp'", 0, 0 },
		{ "cpu/event=0x76/h", EINVAL, "the PMU amd has u, k, G, H", 0, 0 },
	};

	CHECK(map, strings);
}

/* RETIRED_SSE_AVX_FLOPS, event 3, takes two counters. */
static void test_amd_pairs(const struct pfm_reg_map *map)
{
	struct pfm_reg_map *odd = amd_machine(1);

	GETS(map, "rff03", 0);
	is_num(pmc_value(0), 0xff03 | USR, "the even counter has the event");
	is_num(pmc_value(1), MERGE, "the odd one holds the upper bits");
	is_num(out.num_pmds, 1, "one PMD");
	is_num(out.num_pmcs, 2, "two PMCs");
	GETS(map, "cycles r103 instructions r203", 0, 2, 1, 4);
	GETS(map, "cycles instructions branches r103", 0, 1, 2, 4);
	GETS(map, "cycles instructions branches branch-misses r103", 0, 1, 2, 3, 4);
	GETS(map, "r103 r203 r403", 0, 2, 4);
	is_num(assign(map, "cycles r103 r203 r403"), -ENOSPC, "no third pair");
	has_text(why, "event 'r403:u' does not fit: the PMU has 6 event counters, of which it takes two; 3 of the 4",
		 "its message");
	is_num(assign(map, "r103 r203 r403 cycles"), -ENOSPC, "pairs take all");
	is_num(out.failed, 3, "event");
	GETS(map, "cycles instructions branches branch-misses cycles:k r1000000d0",
	     0, 1, 2, 3, 4, 5);
	is_num(assign(map, "cycles instructions branches branch-misses cycles:k r103"),
	       -ENOSPC, "five events and a pair");
	GETS(map, "r100000103 r100000203", 0, 1);
	is_num(out.num_pmcs, 2, "event 0x103 takes one counter");
	is_num(assign(odd, "r103"), -EINVAL, "one counter");
	has_text(why, "takes a counter with an even number and the next one",
		 "its message");
	pfm_reg_map_free(odd);
}

/* An event on counters 0 and 1 moves when only they are left for a pair. */
static void test_amd_moves(void)
{
	struct pfm_reg_map *map = amd_machine(3);

	GETS(map, "cycles r103", 2, 0);
	is_num(pmc_value(1), MERGE, "the odd counter");
	is_num(pmc_value(2), 0x76 | USR, "the event that moved");
	is_num(assign(map, "cycles instructions r103"), -ENOSPC, "no room");
	is_num(out.failed, 2, "for the pair");
	pfm_reg_map_free(map);
}

static void test_zen2(const char *table)
{
	struct pfm_reg_map *map = amd_machine(6);

	is_text(pfm_event_table(map), table, "table");
	test_amd_strings(map);
	test_amd_pairs(map);
	test_amd_moves();
	pfm_reg_map_free(map);
}

static void test_zen4(const char *table)
{
	struct pfm_reg_map *map = amd_machine(6);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "ref-cycles r103", 0, 2);
	is_num(pmc_value(0), 0x100000120 | USR, "reference cycles");
	pfm_reg_map_free(map);
}

static void test_bulldozer(const char *table)
{
	struct pfm_reg_map *map = amd_machine(6);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "r03", 3);
	is_num(out.num_pmcs, 1, "no pair before Zen");
	GETS(map, "rc1 rc2 rc3 r80 r81 r82", 3, 4, 5, 2, 1, 0);
	GETS(map, "r2e r80 r01 r0b", 0, 1, 4, 3);
	is_num(assign(map, "r80 r81 r82 r83"), -ENOSPC, "counters 0 to 2");
	has_text(why, "6 event counters, of which 3 can count it", "its message");
	GETS(map, "r000 r1100 r104", 4, 3, 5);
	GETS(map, "r100000087 rc0 r1000000c0 r1000000d6", 0, 1, 3, 2);
	is_num(assign(map, "r331"), -EINVAL, "one unit mask only");
	is_num(assign(map, "r1e0"), -EINVAL, "northbridge");
	is_num(assign(map, "cache-misses"), 0, "generic event");
	is_num(pmc_value(0), 0x077e | USR, "of the families before Zen");
	pfm_reg_map_free(map);
}

static void test_barcelona(const char *table)
{
	struct pfm_reg_map *map = amd_machine(4);

	is_text(pfm_event_table(map), table, "table");
	GETS(map, "r03 r1e0 r80 rff04", 0, 1, 2, 3);
	is_num(assign(map, "r03 r1e0 r80 rff04 cycles"), -ENOSPC, "four counters");
	pfm_reg_map_free(map);
}

/* Models by their number in CPUID; each has the rules of a table of libpfm4. */
static void test_intel_models(void)
{
	static const struct {
		unsigned int model;
		const char *table;
	} models[] = {
		{ 0x86, "tmt" }, { 0x8c, "icl" },
		{ 0x8d, "icl" }, { 0x8f, "spr" }, { 0x96, "tmt" },
		{ 0x97, "spr" }, { 0x9a, "spr" }, { 0x9c, "tmt" },
		{ 0xa5, "skl" }, { 0xa6, "skl" }, { 0xa7, "icl" },
		{ 0xaa, "spr" }, { 0xac, "spr" }, { 0xad, "gnr" },
		{ 0xae, "gnr" }, { 0xb7, "spr" }, { 0xba, "spr" },
		{ 0xbf, "spr" }, { 0xcf, "emr" },
	};
	const struct pfmi_intel_model *p_cores, *e_cores;
	size_t i;

	for (i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		ok(pfmi_intel_model_cpu(models[i].model) &&
			   pfmi_intel_model_cpu(models[i].model) ==
				   pfmi_intel_model_table(models[i].table),
		   "model 0x%x has the rules of %s", models[i].model,
		   models[i].table);
	/* libpfm4 has no tables of these. */
	p_cores = pfmi_intel_model_cpu(0xbd);
	ok(p_cores && p_cores == pfmi_intel_model_cpu(0xc5) &&
		   p_cores == pfmi_intel_model_cpu(0xc6),
	   "Lunar Lake and Arrow Lake");
	is_num(pfmi_intel_counters(p_cores, 0x08a3), 0x4, "counter 2 alone");
	e_cores = pfmi_intel_model_cpu(0xaf);
	ok(e_cores && e_cores == pfmi_intel_model_cpu(0xb6) &&
		   e_cores == pfmi_intel_model_cpu(0xbe),
	   "E-cores");
	is_num(pfmi_intel_counters(e_cores, 0x05d0), 0x3, "counters 0 and 1");
	ok(!pfmi_intel_model_cpu(0x87) && !pfmi_intel_model_table("skl2"),
	   "others are not known");
	is_num(pfmi_intel_counters(NULL, 0x05d0), UINT32_MAX,
	       "all counters count what is not known");
}

int main(void)
{
	if (!has_x86_tables()) {
		ok(true, "Intel and AMD # SKIP libpfm4 has no table for x86");
		return tap_end();
	}
	test_intel_cpus();
	test_intel_models();
	with_table("skl", test_skylake);
	with_table("snb", test_sandy_bridge);
	with_table("nhm", test_nehalem);
	with_table("spr", test_sapphire_rapids);
	with_table("spr", test_golden_cove_ranges);
	with_table("spr", test_metrics_level_2);
	with_table("icl", test_ice_lake);
	with_table("icl", test_metrics);
	with_table("ix86arch", test_architectural);
	with_table("amd64_fam17h_zen2", test_zen2);
	with_table("amd64_fam19h_zen4", test_zen4);
	with_table("amd64_fam15h_interlagos", test_bulldozer);
	with_table("amd64_fam10h_barcelona", test_barcelona);
	return tap_end();
}
