// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * AMD's instruction-based sampling: event strings, registers, and lanes of the format ibs.
 */
#include <errno.h>

#include <perfmon/perfmon.h>

#include "pmu/arch_x86.h"
#include "forced.h"
#include "machine.h"

#define U PFM_PLM_USER
#define K PFM_PLM_KERNEL

#define COUNT_OPS  (1ULL << 19)
#define OP_L3MISS  (1ULL << 16)
#define LATENCY(n) ((uint64_t)(n) << 59 | 1ULL << 63)
#define RAND	   (1ULL << 57)
#define L3MISS	   (1ULL << 59)

static char why[512];

/* The processor that the library takes this machine for. */
static struct pfmi_x86_cpu processor = { "AuthenticAMD", 0x19, 0x11 };

void __wrap_pfmi_x86_cpu(struct pfmi_x86_cpu *cpu);
void __wrap_pfmi_x86_cpu(struct pfmi_x86_cpu *cpu)
{
	*cpu = processor;
}

/**
 * struct string - an event string
 * @text: the string
 * @err: error, or 0
 * @name: canonical name, or for an error a part of the message
 * @code: bits of the control register
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
					 event.kind == PFM_EVENT_UNIT &&
					 event.code == s->code &&
					 event.plm == s->plm)),
			"'%s'", s->text))
			printf("# %d '%s' code 0x%llx plm 0x%x\n", ret,
			       event.name, (unsigned long long)event.code,
			       event.plm);
		if (!ret)
			continue;
		pfm_event_strerror(map, s->text, ret, why, sizeof(why));
		has_text(why, s->name, "its message");
	}
}

#define CHECK(map, strings) \
	check_strings(map, strings, sizeof(strings) / sizeof((strings)[0]))

/* On processors with erratum 1606 a latency needs the filter for L3 misses. */
static void test_erratum(void)
{
	static const struct string erratum[] = {
		{ "ibs_op:ldlat=128", EOPNOTSUPP, "its erratum 1606", 0, 0 },
		{ "ibs_op:ldlat=128:l3missonly=0", EOPNOTSUPP,
		  "ldlat needs l3missonly on this processor", 0, 0 },
		{ "ibs_op:ldlat=128:l3missonly", 0,
		  "ibs_op:ldlat=128:l3missonly:u",
		  COUNT_OPS | OP_L3MISS | LATENCY(0), U },
		{ "ibs_op", 0, "ibs_op:u", COUNT_OPS, U },
		{ "ibs_fetch:fetchlat=128", 0, "ibs_fetch:fetchlat=128:u",
		  1ULL << 35, U },
	};
	static const struct string none[] = {
		{ "ibs_op:ldlat=128", 0, "ibs_op:ldlat=128:u",
		  COUNT_OPS | LATENCY(0), U },
	};
	static const struct pfmi_x86_cpu with[] = {
		{ "AuthenticAMD", 0x1a, 0 },
		{ "AuthenticAMD", 0x1a, 0x0f },
	};
	static const struct pfmi_x86_cpu without[] = {
		{ "AuthenticAMD", 0x1a, 0x10 },
		{ "AuthenticAMD", 0x19, 0x01 },
		{ "AuthenticAMD", 0x1b, 0x01 },
		{ "HygonGenuine", 0x1a, 0x01 },
		{ "", 0, 0 },
	};
	const struct pfmi_x86_cpu here = processor;
	struct pfm_reg_map *map = ibs_machine(6, IBS_FETCH_BITS, IBS_OP_BITS);
	size_t i;

	for (i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		processor = with[i];
		CHECK(map, erratum);
	}
	for (i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		processor = without[i];
		CHECK(map, none);
	}
	processor = here;
	pfm_reg_map_free(map);
}

static void test_strings(void)
{
	static const struct string strings[] = {
		{ "ibs_op", 0, "ibs_op:u", COUNT_OPS, U },
		{ "IBS_OP:K", 0, "ibs_op:k", COUNT_OPS, K },
		{ "ibs_op:u:k", 0, "ibs_op:u:k", COUNT_OPS, U | K },
		{ "ibs_op:cnt_ctl=0", 0, "ibs_op:cnt_ctl=0:u", 0, U },
		{ "ibs_op:cnt_ctl=1:uk", 0, "ibs_op:cnt_ctl=1:u:k", COUNT_OPS,
		  U | K },
		{ "ibs_op:L3MissOnly", 0, "ibs_op:l3missonly:u",
		  COUNT_OPS | OP_L3MISS, U },
		{ "ibs_op:l3missonly=0", 0, "ibs_op:l3missonly=0:u", COUNT_OPS,
		  U },
		{ "ibs_op:ldlat=128", 0, "ibs_op:ldlat=128:u",
		  COUNT_OPS | LATENCY(0), U },
		{ "ibs_op:ldlat=0x800:cnt_ctl=0", 0,
		  "ibs_op:ldlat=0x800:cnt_ctl=0:u", LATENCY(15), U },
		{ "ibs_op/cnt_ctl=0,l3missonly=1/", 0,
		  "ibs_op:cnt_ctl=0:l3missonly=1:u", OP_L3MISS, U },
		{ "ibs_op/ldlat=256/k", 0, "ibs_op:ldlat=256:k",
		  COUNT_OPS | LATENCY(1), K },
		{ "ibs_op:strmst", 0, "ibs_op:strmst:u",
		  COUNT_OPS | PFM_IBS_OP_STREAMING, U },
		{ "ibs_op:strmst=2", EINVAL, "strmst is 0 or 1", 0, 0 },
		{ "ibs_fetch:fetchlat=128", 0, "ibs_fetch:fetchlat=128:u",
		  1ULL << 35, U },
		{ "ibs_fetch/fetchlat=1920,rand/", 0,
		  "ibs_fetch:fetchlat=1920:rand:u", 0xfULL << 35 | RAND, U },
		{ "ibs_fetch:fetchlat=2048", EINVAL,
		  "fetchlat is a number of cycles from 128 to 1920", 0, 0 },
		{ "ibs_fetch:fetchlat=0", EINVAL, "multiple of 128", 0, 0 },
		{ "ibs_op:fetchlat=128", EINVAL, "no option 'fetchlat'", 0, 0 },
		{ "ibs_op//", 0, "ibs_op:u", COUNT_OPS, U },
		{ "ibs_op//uk", 0, "ibs_op:u:k", COUNT_OPS, U | K },
		{ "ibs_fetch", 0, "ibs_fetch:u", 0, U },
		{ "ibs_fetch:rand", 0, "ibs_fetch:rand:u", RAND, U },
		{ "ibs_fetch:rand=0", 0, "ibs_fetch:rand=0:u", 0, U },
		{ "ibs_fetch/rand_en=1,l3missonly/k", 0,
		  "ibs_fetch:rand_en=1:l3missonly:k", RAND | L3MISS, K },
		{ "ibs_op:ldlat", EINVAL,
		  "ldlat is a number of cycles from 128 to 2048", 0, 0 },
		{ "ibs_op:ldlat=0", EINVAL, "multiple of 128", 0, 0 },
		{ "ibs_op:ldlat=200", EINVAL, "multiple of 128", 0, 0 },
		{ "ibs_op:ldlat=2176", EINVAL, "from 128 to 2048", 0, 0 },
		{ "ibs_op:cnt_ctl=2", EINVAL, "cnt_ctl is 0 or 1", 0, 0 },
		{ "ibs_op:cnt_ctl=", EINVAL, "'' is not a number", 0, 0 },
		{ "ibs_op:cnt_ctl=-1", EINVAL, "'-1' is not a number", 0, 0 },
		{ "ibs_op:cnt_ctl:cnt_ctl", EINVAL, "given twice", 0, 0 },
		{ "ibs_op:rand", EINVAL,
		  "ibs_op has no option 'rand'; it has cnt_ctl, l3missonly, ldlat, strmst, and the levels u and k",
		  0, 0 },
		{ "ibs_fetch:cnt_ctl=1", EINVAL,
		  "it has rand, l3missonly, fetchlat, and", 0, 0 },
		{ "ibs_fetch/rand_en=1", EINVAL, "'/' at the end is missing", 0,
		  0 },
		{ "ibs_fetch/rand_en=1/p", EINVAL, "no modifier 'p'", 0, 0 },
		{ "ibs_op/,/", EINVAL, "no option ''", 0, 0 },
		{ "ibs_op:h", EDOM, "no privilege level, or at one", 0, 0 },
		{ "ibs_op:u=0", EDOM, "no privilege level", 0, 0 },
		{ "ibs::ibs_op", ENOENT, "unknown event", 0, 0 },
		{ "ibs_opp", ENOENT, "ibs_op", 0, 0 },
	};
	struct pfm_reg_map *map = ibs_machine(6, IBS_FETCH_BITS, IBS_OP_BITS);

	CHECK(map, strings);
	pfm_reg_map_free(map);
}

/* Processors that lack options, a flavour, or IBS */
static void test_missing(void)
{
	static const struct string old[] = {
		{ "ibs_op", 0, "ibs_op:u", 0, U },
		{ "ibs_op:cnt_ctl=0", 0, "ibs_op:cnt_ctl=0:u", 0, U },
		{ "ibs_op:l3missonly=0", 0, "ibs_op:l3missonly=0:u", 0, U },
		{ "ibs_op:cnt_ctl=1", EOPNOTSUPP,
		  "does not have the option cnt_ctl: bits 0x80000 of", 0, 0 },
		{ "ibs_op:l3missonly", EOPNOTSUPP, "bits 0x10000 of", 0, 0 },
		{ "ibs_op/ldlat=128/", EOPNOTSUPP,
		  "option ldlat: bits 0xf800000000000000", 0, 0 },
		{ "ibs_fetch", ENODEV,
		  "event 'ibs_fetch': needs an AMD processor with IBS and the module perfmon_ibs",
		  0, 0 },
	};
	static const struct string none[] = {
		{ "ibs_op", ENODEV, "the module perfmon_ibs", 0, 0 },
		{ "ibs_op/cnt_ctl=1/", ENODEV, "the module perfmon_ibs", 0, 0 },
	};
	struct pfm_reg_map *map = ibs_machine(4, 0, 1ULL << 40);

	CHECK(map, old);
	pfm_reg_map_free(map);
	map = amd_machine(6);
	CHECK(map, none);
	pfm_reg_map_free(map);
	CHECK(NULL, none);
}

static struct pfm_event events[PFM_ASSIGN_MAX];
static struct pfm_assignment out;

static int parse(const struct pfm_reg_map *map, const char *list)
{
	char text[256], *word, *rest;
	int count = 0;

	snprintf(text, sizeof(text), "%s", list);
	for (word = strtok_r(text, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		if (pfm_event_parse(map, word, U, &events[count++]))
			return -1;
	return count;
}

static int assign(const struct pfm_reg_map *map, const char *list)
{
	const int count = parse(map, list);

	if (count < 0)
		return -1;
	return pfm_assign_registers(map, events, count, &out);
}

static uint64_t pmc_value(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < out.num_pmcs; i++)
		if (out.pmcs[i].num == num)
			return out.pmcs[i].value;
	return UINT64_MAX;
}

static void test_registers(void)
{
	struct pfm_reg_map *map = ibs_machine(6, IBS_FETCH_BITS, IBS_OP_BITS);
	uint16_t sets[2];

	is_num(pfm_reg_map_counters(map, NULL), 6, "counters of the PMU");
	is_num(assign(map, "rc0 ibs_op CPU_TIME_NS ibs_fetch:rand:k r76"), 0,
	       "all together");
	ok(out.pmd[0] == 0 && out.pmd[1] == PFM_IBS_PMD_OP &&
		   out.pmd[3] == PFM_IBS_PMD_FETCH && out.pmd[4] == 1,
	   "their registers");
	is_num(out.hardware, 2, "events that need a counter");
	is_num(out.num_writable, 5, "registers that can be written");
	is_num(pmc_value(PFM_IBS_PMC_OP_CTL),
	       COUNT_OPS | PFM_IBS_EXCLUDE_KERNEL, "without the kernel");
	is_num(pmc_value(PFM_IBS_PMC_FETCH_CTL), RAND | PFM_IBS_EXCLUDE_USER,
	       "without user code");
	is_num(assign(map, "ibs_op:uk"), 0, "both levels");
	is_num(pmc_value(PFM_IBS_PMC_OP_CTL), COUNT_OPS, "nothing left out");
	is_num(assign(map, "ibs_op ibs_op:cnt_ctl=1"), 0,
	       "two events that are the same");
	ok(out.num_pmcs == 1 && out.num_pmds == 1 && out.index[1] == 0,
	   "share the register");
	is_num(assign(map, "ibs_op ibs_op:cnt_ctl=0"), -ENOSPC,
	       "two that differ");
	is_num(out.error, PFM_ASSIGN_SHARED, "reason");
	is_num(out.failed, 1, "the second does not fit");
	pfm_assign_strerror(&out, events, why, sizeof(why));
	has_text(
		why,
		"'ibs_op:cnt_ctl=0:u' does not fit: another event has the only register",
		"message");
	is_num(pfm_assign_sets(map, events, NULL, 2, sets, NULL), 2,
	       "they fit into two sets");
	pfm_reg_map_free(map);
	map = ibs_machine(0, 0, IBS_OP_BITS);
	is_num(assign(map, "ibs_op"), 0, "without a PMU");
	is_num(pfm_reg_map_counters(map, NULL), 0, "counters");
	parse(map, "ibs_op");
	pfm_reg_map_free(map);
	map = amd_machine(6);
	is_num(pfm_assign_registers(map, events, 1, &out), -ENODEV,
	       "an event of another machine");
	is_num(out.error, PFM_ASSIGN_NO_REGISTER, "reason");
	pfm_reg_map_free(map);
}

/* The content of a list. */
struct seen {
	unsigned int units;
	unsigned int options;
	char names[64];
};

static int see(const struct pfm_event_desc *desc, void *arg)
{
	struct seen *seen = arg;
	size_t length = strlen(seen->names);

	if (desc->kind != PFM_EVENT_UNIT)
		return 0;
	seen->units++;
	seen->options += desc->num_umasks;
	snprintf(seen->names + length, sizeof(seen->names) - length, "%s %u ",
		 desc->name, (unsigned int)desc->code);
	return 0;
}

static void test_list(void)
{
	struct pfm_reg_map *map = ibs_machine(6, IBS_FETCH_BITS, IBS_OP_BITS);
	struct seen seen = { 0 };

	is_num(pfm_event_for_each(map, see, &seen), 0, "walk");
	is_text(seen.names, "ibs_op 193 ibs_fetch 192 ", "events and PMDs");
	is_num(seen.options, 7, "options, without perf's names");
	memset(&seen, 0, sizeof(seen));
	pfm_event_describe(map, "ibs_op/cnt_ctl=0/k", see, &seen);
	is_text(seen.names, "ibs_op 193 ", "one event by its string");
	memset(&seen, 0, sizeof(seen));
	is_num(pfm_event_describe(map, "r0", see, &seen), 0, "a raw code");
	is_num(seen.units, 0, "is none of IBS");
	pfm_reg_map_free(map);
	map = ibs_machine(4, 0, COUNT_OPS);
	memset(&seen, 0, sizeof(seen));
	pfm_event_for_each(map, see, &seen);
	is_text(seen.names, "ibs_op 193 ", "ops only");
	is_num(seen.options, 1, "options that the processor has");
	pfm_reg_map_free(map);
	map = amd_machine(6);
	memset(&seen, 0, sizeof(seen));
	pfm_event_for_each(map, see, &seen);
	is_num(seen.units, 0, "without IBS");
	pfm_reg_map_free(map);
}

/* A lane of two parts, the first of which is full */
struct lane {
	struct pfm_nway_hdr hdr;
	struct {
		struct pfm_nway_part head;
		struct pfm_ibs_op op;
		struct pfm_ibs_fetch fetch;
	} parts[2];
};

static void fill_lane(struct lane *lane)
{
	unsigned int i;

	memset(lane, 0, sizeof(*lane));
	lane->hdr.version = PFM_IBS_VERSION;
	lane->hdr.parts = 2;
	lane->hdr.part_offs = sizeof(lane->hdr);
	lane->hdr.part_size = sizeof(lane->parts[0]);
	lane->hdr.part_room = sizeof(lane->parts[0]);
	lane->hdr.filled = 1;
	for (i = 0; i < 2; i++) {
		lane->parts[i].head.seq = i + 1;
		lane->parts[i].head.count = 2 - i;
		lane->parts[i].head.cur_offs =
			i ? sizeof(lane->parts[i].head) +
					sizeof(struct pfm_ibs_op)
			  : sizeof(lane->parts[i]);
		lane->parts[i].op.head.kind = PFM_IBS_KIND_OP;
		lane->parts[i].op.rip = 0x1000 + i;
		lane->parts[i].fetch.head.kind = PFM_IBS_KIND_FETCH;
	}
}

static void test_lane(void)
{
	static struct lane lane;
	const struct pfm_ibs_entry *entry = NULL;
	struct pfm_sample_parts parts;

	fill_lane(&lane);
	is_num(pfm_sample_ibs_begin(&parts, &lane, sizeof(lane)), 0, "a lane");
	is_num(pfm_sample_ibs_next(&parts, 1, &entry),
	       sizeof(struct pfm_ibs_op), "an op");
	is_num(((const struct pfm_ibs_op *)entry)->rip, 0x1000, "its address");
	is_num(pfm_sample_ibs_next(&parts, 1, &entry),
	       sizeof(struct pfm_ibs_fetch), "a fetch");
	is_num(entry->kind, PFM_IBS_KIND_FETCH, "its kind");
	is_num(pfm_sample_ibs_next(&parts, 1, &entry), 0, "end of the part");
	is_num(pfm_sample_parts_done(&parts), 1, "it can be released");
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry),
	       sizeof(struct pfm_ibs_op), "the part that is being filled");
	is_num(((const struct pfm_ibs_op *)entry)->rip, 0x1001, "its address");
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry), 0, "no more");

	fill_lane(&lane);
	lane.parts[0].op.head.kind = 3;
	pfm_sample_ibs_begin(&parts, &lane, sizeof(lane));
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry), -EBADMSG,
	       "a kind that there is not");
	fill_lane(&lane);
	lane.parts[0].head.cur_offs -= 8;
	pfm_sample_ibs_begin(&parts, &lane, sizeof(lane));
	pfm_sample_ibs_next(&parts, UINT64_MAX, &entry);
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry), -EBADMSG,
	       "an entry that is cut");
	fill_lane(&lane);
	lane.parts[0].head.cur_offs = sizeof(lane.parts[0].head) + 8;
	pfm_sample_ibs_begin(&parts, &lane, sizeof(lane));
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry), -EBADMSG,
	       "less than the beginning of an entry");
	lane.hdr.version += 0x10000;
	is_num(pfm_sample_ibs_begin(&parts, &lane, sizeof(lane)), -EPROTO,
	       "another version");
}

/* A lane's earlier samples are left out, and each loss is told once. */
static void test_skip(void)
{
	static struct lane lane;
	const struct pfm_ibs_entry *entry = NULL;
	struct pfm_sample_parts parts;
	uint64_t told = 0;

	fill_lane(&lane);
	lane.hdr.lost = 7;
	pfm_sample_ibs_begin(&parts, &lane, sizeof(lane));
	is_num(pfm_sample_ibs_skip(&parts), 0, "all is left out");
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry), 0,
	       "nothing is left");
	is_num(pfm_sample_parts_done(&parts), 1,
	       "the full part can be released");
	lane.parts[1].head.count++;
	lane.parts[1].head.cur_offs += sizeof(struct pfm_ibs_fetch);
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry),
	       sizeof(struct pfm_ibs_fetch), "what comes later is read");
	is_num(pfm_sample_ibs_skip(&parts), 0, "again");
	is_num(pfm_sample_ibs_next(&parts, UINT64_MAX, &entry), 0,
	       "nothing is left");
	is_num(pfm_sample_parts_lost(&parts, &told), 7, "lost so far");
	is_num(pfm_sample_parts_lost(&parts, &told), 0, "none since");
	lane.hdr.lost = 9;
	is_num(pfm_sample_parts_lost(&parts, &told), 2, "two since");

	fill_lane(&lane);
	lane.parts[1].op.head.kind = 3;
	pfm_sample_ibs_begin(&parts, &lane, sizeof(lane));
	is_num(pfm_sample_ibs_skip(&parts), -EBADMSG,
	       "a kind that there is not");
	lane.hdr.parts = 0;
	is_num(pfm_sample_ibs_skip(&parts), -EBADMSG, "no parts");
}

static void tests(const char *table)
{
	(void)table;
	test_strings();
	test_erratum();
	test_missing();
	test_registers();
	test_list();
	test_lane();
	test_skip();
}

int main(void)
{
	/* Without tables of libpfm4 for AMD the events of IBS are the same. */
	if (has_x86_tables())
		with_table("amd64_fam19h_zen4", tests);
	else
		tests("");
	return tap_end();
}
