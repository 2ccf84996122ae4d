// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libIBS's functions without a kernel module: layout of the structures, samples made of the
 * kernel's entries, options, samples that wait, and errors.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <unistd.h>

#include <linux/perfmon_ibs.h>
#include <perfmon/ibs-compat.h>

#include "base/array.h"
#include "compat/ibs_backlog.h"
#include "compat/ibs_cpu.h"
#include "compat/ibs_entry.h"
#include "compat/ibs_options.h"
#include "tap.h"

#define SIZE(type, bytes) is_num(sizeof(type), bytes, "size of " #type)
#define AT(type, field, offset) \
	is_num(offsetof(type, field), offset, #type "." #field)

static void test_structures(void)
{
	SIZE(ibs_op_ctl_t, 8);
	SIZE(ibs_op_data1_t, 8);
	SIZE(ibs_op_data2_t, 8);
	SIZE(ibs_op_data3_t, 8);
	SIZE(ibs_op_data4_t, 8);
	SIZE(ibs_op_dc_phys_addr_t, 8);
	SIZE(ibs_fetch_ctl_t, 8);
	SIZE(ibs_fetch_phys_addr, 8);
	SIZE(ibs_fetch_extd_ctl, 8);
	SIZE(ibs_op_t, 104);
	AT(ibs_op_t, op_rip, 8);
	AT(ibs_op_t, op_data, 16);
	AT(ibs_op_t, op_data4, 40);
	AT(ibs_op_t, dc_lin_ad, 48);
	AT(ibs_op_t, br_target, 64);
	AT(ibs_op_t, tsc, 72);
	AT(ibs_op_t, cr3, 80);
	AT(ibs_op_t, tid, 88);
	AT(ibs_op_t, pid, 92);
	AT(ibs_op_t, cpu, 96);
	AT(ibs_op_t, kern_mode, 100);
	SIZE(ibs_fetch_t, 64);
	AT(ibs_fetch_t, fetch_ctl_extd, 8);
	AT(ibs_fetch_t, fetch_lin_ad, 16);
	AT(ibs_fetch_t, fetch_phys_ad, 24);
	AT(ibs_fetch_t, tsc, 32);
	AT(ibs_fetch_t, cr3, 40);
	AT(ibs_fetch_t, tid, 48);
	AT(ibs_fetch_t, kern_mode, 60);
	SIZE(ibs_sample_t, 104);
}

/*
 * FIELD - a field consists of the bits first to last of a register, and of no others
 *
 * The field has all bits set when the register has just these bits set, and it is 0 when the
 * register has all other bits set.
 */
#define FIELD(type, field, first, last)                                        \
	do {                                                                   \
		const uint64_t bits = (~0ULL >> (63 - (last) + (first)))       \
				      << (first);                              \
		const type with = { .val = bits }, without = { .val = ~bits }; \
		is_num(with.reg.field, (bits >> (first)), #type "." #field);   \
		is_num(without.reg.field, 0, #type "." #field ", others");     \
	} while (0)

static void test_op_fields(void)
{
	FIELD(ibs_op_ctl_t, ibs_op_max_cnt, 0, 15);
	FIELD(ibs_op_ctl_t, ibs_op_en, 17, 17);
	FIELD(ibs_op_ctl_t, ibs_op_val, 18, 18);
	FIELD(ibs_op_ctl_t, ibs_op_cnt_ctl, 19, 19);
	FIELD(ibs_op_ctl_t, ibs_op_max_cnt_upper, 20, 26);
	FIELD(ibs_op_ctl_t, ibs_op_cur_cnt, 32, 58);
	FIELD(ibs_op_data1_t, ibs_comp_to_ret_ctr, 0, 15);
	FIELD(ibs_op_data1_t, ibs_tag_to_ret_ctr, 16, 31);
	FIELD(ibs_op_data1_t, ibs_op_brn_resync, 32, 32);
	FIELD(ibs_op_data1_t, ibs_op_misp_return, 33, 33);
	FIELD(ibs_op_data1_t, ibs_op_return, 34, 34);
	FIELD(ibs_op_data1_t, ibs_op_brn_taken, 35, 35);
	FIELD(ibs_op_data1_t, ibs_op_brn_misp, 36, 36);
	FIELD(ibs_op_data1_t, ibs_op_brn_ret, 37, 37);
	FIELD(ibs_op_data1_t, ibs_rip_invalid, 38, 38);
	FIELD(ibs_op_data1_t, ibs_op_brn_fuse, 39, 39);
	FIELD(ibs_op_data1_t, ibs_op_microcode, 40, 40);
	FIELD(ibs_op_data2_t, ibs_nb_req_src, 0, 2);
	FIELD(ibs_op_data2_t, ibs_nb_req_dst_node, 4, 4);
	FIELD(ibs_op_data2_t, ibs_nb_req_cache_hit_st, 5, 5);
	FIELD(ibs_op_data4_t, ibs_op_ld_resync, 0, 0);
	FIELD(ibs_op_dc_phys_addr_t, ibs_dc_phys_addr, 0, 47);
}

static void test_access_fields(void)
{
	FIELD(ibs_op_data3_t, ibs_ld_op, 0, 0);
	FIELD(ibs_op_data3_t, ibs_st_op, 1, 1);
	FIELD(ibs_op_data3_t, ibs_dc_l1_tlb_miss, 2, 2);
	FIELD(ibs_op_data3_t, ibs_dc_l2_tlb_miss, 3, 3);
	FIELD(ibs_op_data3_t, ibs_dc_l1_tlb_hit_2m, 4, 4);
	FIELD(ibs_op_data3_t, ibs_dc_l1_tlb_hit_1g, 5, 5);
	FIELD(ibs_op_data3_t, ibs_dc_l2_tlb_hit_2m, 6, 6);
	FIELD(ibs_op_data3_t, ibs_dc_miss, 7, 7);
	FIELD(ibs_op_data3_t, ibs_dc_miss_acc, 8, 8);
	FIELD(ibs_op_data3_t, ibs_dc_ld_bank_con, 9, 9);
	FIELD(ibs_op_data3_t, ibs_dc_st_bank_con, 10, 10);
	FIELD(ibs_op_data3_t, ibs_dc_st_to_ld_fwd, 11, 11);
	FIELD(ibs_op_data3_t, ibs_dc_st_to_ld_can, 12, 12);
	FIELD(ibs_op_data3_t, ibs_dc_wc_mem_acc, 13, 13);
	FIELD(ibs_op_data3_t, ibs_dc_uc_mem_acc, 14, 14);
	FIELD(ibs_op_data3_t, ibs_dc_locked_op, 15, 15);
	FIELD(ibs_op_data3_t, ibs_dc_no_mab_alloc, 16, 16);
	FIELD(ibs_op_data3_t, ibs_lin_addr_valid, 17, 17);
	FIELD(ibs_op_data3_t, ibs_phy_addr_valid, 18, 18);
	FIELD(ibs_op_data3_t, ibs_dc_l2_tlb_hit_1g, 19, 19);
	FIELD(ibs_op_data3_t, ibs_l2_miss, 20, 20);
	FIELD(ibs_op_data3_t, ibs_sw_pf, 21, 21);
	FIELD(ibs_op_data3_t, ibs_op_mem_width, 22, 25);
	FIELD(ibs_op_data3_t, ibs_op_dc_miss_open_mem_reqs, 26, 31);
	FIELD(ibs_op_data3_t, ibs_dc_miss_lat, 32, 47);
	FIELD(ibs_op_data3_t, ibs_tlb_refill_lat, 48, 63);
}

static void test_fetch_fields(void)
{
	FIELD(ibs_fetch_ctl_t, ibs_fetch_max_cnt, 0, 15);
	FIELD(ibs_fetch_ctl_t, ibs_fetch_cnt, 16, 31);
	FIELD(ibs_fetch_ctl_t, ibs_fetch_lat, 32, 47);
	FIELD(ibs_fetch_ctl_t, ibs_fetch_en, 48, 48);
	FIELD(ibs_fetch_ctl_t, ibs_fetch_val, 49, 49);
	FIELD(ibs_fetch_ctl_t, ibs_fetch_comp, 50, 50);
	FIELD(ibs_fetch_ctl_t, ibs_ic_miss, 51, 51);
	FIELD(ibs_fetch_ctl_t, ibs_phy_addr_valid, 52, 52);
	FIELD(ibs_fetch_ctl_t, ibs_l1_tlb_pg_sz, 53, 54);
	FIELD(ibs_fetch_ctl_t, ibs_l1_tlb_miss, 55, 55);
	FIELD(ibs_fetch_ctl_t, ibs_l2_tlb_miss, 56, 56);
	FIELD(ibs_fetch_ctl_t, ibs_rand_en, 57, 57);
	FIELD(ibs_fetch_ctl_t, ibs_fetch_l2_miss, 58, 58);
	FIELD(ibs_fetch_phys_addr, ibs_fetch_phy_addr, 0, 47);
	FIELD(ibs_fetch_extd_ctl, ibs_itlb_refill_lat, 0, 15);
}

static void test_op(void)
{
	const struct pfm_ibs_op op = {
		.head = { .kind = PFM_IBS_KIND_OP,
			  .cpu = 7,
			  .pid = 40,
			  .tid = 41,
			  .tstamp = 1,
			  .tsc = 2 },
		.period = 3,
		.data2 = 0x33,
		.data4 = 1,
		.ctl = 4ULL << 32,
		.rip = 5,
		.data = 1ULL << 37,
		.data3 = 6,
		.dc_linad = 7,
		.dc_physad = 8,
		.br_target = 9,
	};
	ibs_sample_t sample;
	const ibs_op_t *to = &sample.ibs_sample.op;

	memset(&sample, 0xff, sizeof(sample));
	is_num(pfmi_ibs_convert(&op.head, &sample), IBS_OP_SAMPLE, "an op");
	is_num(to->op_ctl.val, 4ULL << 32, "op_ctl");
	is_num(to->op_rip, 5, "op_rip");
	is_num(to->op_data.val, 1ULL << 37, "op_data");
	is_num(to->op_data2.val, 0x33, "op_data2");
	is_num(to->op_data3.val, 6, "op_data3");
	is_num(to->op_data4.val, 1, "op_data4");
	is_num(to->dc_lin_ad, 7, "dc_lin_ad");
	is_num(to->dc_phys_ad.val, 8, "dc_phys_ad");
	is_num(to->br_target, 9, "br_target");
	is_num(to->tsc, 2, "tsc");
	is_num(to->cr3, 0, "cr3");
	is_num(to->tid, 41, "tid");
	is_num(to->pid, 40, "pid");
	is_num(to->cpu, 7, "cpu");
	is_num(to->kern_mode, 0, "kern_mode");
}

static void test_fetch(void)
{
	const struct pfm_ibs_fetch fetch = {
		.head = { .kind = PFM_IBS_KIND_FETCH,
			  .flags = PFM_IBS_ENTRY_KERNEL,
			  .cpu = 1,
			  .pid = PFM_TID_UNKNOWN,
			  .tid = PFM_TID_UNKNOWN,
			  .tsc = 2 },
		.period = 3,
		.extd = 0xffffffff,
		.ctl = 5,
		.linad = 6,
		.physad = 7,
	};
	ibs_sample_t sample;
	const ibs_fetch_t *to = &sample.ibs_sample.fetch;

	memset(&sample, 0xff, sizeof(sample));
	is_num(pfmi_ibs_convert(&fetch.head, &sample), IBS_FETCH_SAMPLE,
	       "a fetch");
	is_num(to->fetch_ctl.val, 5, "fetch_ctl");
	is_num(to->fetch_ctl_extd.val, 0xffffffff, "fetch_ctl_extd");
	is_num(to->fetch_lin_ad, 6, "fetch_lin_ad");
	is_num(to->fetch_phys_ad.val, 7, "fetch_phys_ad");
	is_num(to->tsc, 2, "tsc of a fetch");
	is_num(to->cr3, 0, "cr3 of a fetch");
	is_num(to->tid, -1, "tid that is not known");
	is_num(to->pid, -1, "pid that is not known");
	is_num(to->cpu, 1, "cpu of a fetch");
	is_num(to->kern_mode, 1, "kern_mode of a fetch");
}

#define LIMIT 3000

static ibs_sample_t numbered(uint64_t number)
{
	const ibs_sample_t sample = { .ibs_sample.op.op_rip = number };

	return sample;
}

/* Samples come out in their order, whatever the places that they have in memory. */
static void test_backlog(void)
{
	struct pfmi_ibs_backlog backlog = { 0 };
	uint64_t in = 0, out = 0, rounds;
	bool ordered = true;
	ibs_sample_t sample;

	ok(!pfmi_ibs_backlog_take(&backlog, &sample), "nothing waits");
	for (rounds = 1; rounds < 60; rounds++) {
		while (in - out < 50 * rounds) {
			sample = numbered(in++);
			ordered &=
				pfmi_ibs_backlog_add(&backlog, &sample, LIMIT);
		}
		while (in - out > 7 * rounds) {
			ordered &= pfmi_ibs_backlog_take(&backlog, &sample);
			ordered &= sample.ibs_sample.op.op_rip == out++;
		}
	}
	ok(ordered, "samples are taken in their order");
	is_num(backlog.count, in - out, "and the others wait");
	while (backlog.count < LIMIT &&
	       pfmi_ibs_backlog_add(&backlog, &sample, LIMIT))
		;
	is_num(backlog.count, LIMIT, "as many as may wait");
	ok(!pfmi_ibs_backlog_add(&backlog, &sample, LIMIT), "and no more");
	pfmi_ibs_backlog_free(&backlog);
	is_num(backlog.count, 0, "freed");
}

#define ENTRIES 4

/* A lane of the format ibs with a part that is being filled: an op, two fetches, an op. */
struct lane {
	struct pfm_nway_hdr hdr;
	struct pfm_nway_part part;
	struct pfm_ibs_op op1;
	struct pfm_ibs_fetch fetch1;
	struct pfm_ibs_fetch fetch2;
	struct pfm_ibs_op op2;
	struct pfm_nway_part next;
	uint64_t room[40];
};

static struct lane lane = {
	.hdr = {
		.version = PFM_IBS_VERSION,
		.parts = 2,
		.part_offs = offsetof(struct lane, part),
		.part_size = offsetof(struct lane, next) -
			     offsetof(struct lane, part),
		.part_room = offsetof(struct lane, next) -
			     offsetof(struct lane, part),
		.samples = ENTRIES,
		.lost = 5,
	},
	.part = {
		.count = ENTRIES,
		.cur_offs = offsetof(struct lane, next) -
			    offsetof(struct lane, part),
		.seq = 1,
	},
	.op1 = { .head.kind = PFM_IBS_KIND_OP, .rip = 1 },
	.fetch1 = { .head.kind = PFM_IBS_KIND_FETCH, .linad = 2 },
	.fetch2 = { .head.kind = PFM_IBS_KIND_FETCH, .linad = 3 },
	.op2 = { .head.kind = PFM_IBS_KIND_OP, .rip = 4 },
};

/* Samples of the other kind wait, as many as may, and the others are counted. */
static void test_cpu(void)
{
	ibs_sample_type_t types[ENTRIES];
	ibs_sample_t samples[ENTRIES];
	struct pfmi_ibs_request request = {
		.samples = samples,
		.types = types,
		.room = ENTRIES,
		.flags = IBS_OP_SAMPLE,
	};
	struct pfmi_ibs_cpu cpu = {
		.fd = open("/dev/null", O_RDONLY),
		.limit = 1,
	};
	uint64_t lost, paused;

	is_num(pfm_sample_ibs_begin(&cpu.parts, &lane, sizeof(lane)), 0,
	       "begin to read a lane");
	ok(pfmi_ibs_cpu_ready(&cpu, IBS_OP_SAMPLE, ENTRIES),
	   "there are as many samples");
	ok(!pfmi_ibs_cpu_ready(&cpu, IBS_OP_SAMPLE, ENTRIES + 1),
	   "and not more");
	ok(!pfmi_ibs_cpu_is_reported(&cpu), "no part is full");
	is_num(pfmi_ibs_cpu_take(&cpu, &request), 0, "take ops");
	is_num(request.count, 2, "as many as there are");
	ok(types[0] == IBS_OP_SAMPLE && types[1] == IBS_OP_SAMPLE &&
		   samples[0].ibs_sample.op.op_rip == 1 &&
		   samples[1].ibs_sample.op.op_rip == 4,
	   "which are the ops");
	pfmi_ibs_cpu_losses(&cpu, &lost, &paused);
	is_num(lost, 5 + 1, "one fetch is lost beside those of the kernel");
	ok(!pfmi_ibs_cpu_ready(&cpu, IBS_OP_SAMPLE, 1), "no op is left");
	ok(pfmi_ibs_cpu_ready(&cpu, IBS_FETCH_SAMPLE, 1), "but a fetch");
	request.flags = IBS_FETCH_SAMPLE;
	request.count = 0;
	is_num(pfmi_ibs_cpu_take(&cpu, &request), 0, "take fetches");
	is_num(request.count, 1, "as many as may wait");
	ok(types[0] == IBS_FETCH_SAMPLE &&
		   samples[0].ibs_sample.fetch.fetch_lin_ad == 2,
	   "and it is the first one");
	lane.hdr.parts = 0;
	is_num(pfmi_ibs_cpu_take(&cpu, &request), -EBADMSG, "a malformed lane");
	has_text(ibs_error(), "malformed", "is told");
	close(cpu.fd);
	pfmi_ibs_cpu_free(&cpu);
}

#define VAL(number) ((ibs_val_t)(intptr_t)(number))

static void gives(int ret, int err, const char *text, const char *what)
{
	const int seen = errno;

	if (!ok(ret == -1 && seen == err, "%s", what))
		printf("# got %d with errno %d, wanted errno %d\n", ret, seen,
		       err);
	has_text(ibs_error(), text, what);
}

static void test_options(void)
{
	struct pfmi_ibs_options options = pfmi_ibs_defaults;
	static char list[PFMI_IBS_LISTED];
	const int last = sysconf(_SC_NPROCESSORS_CONF) - 1;

	/* The library does not read beyond the last CPU. */
	list[0] = list[last] = list[last + 1] = 1;
	ok(!options.debug && !options.op && !options.fetch &&
		   !options.aggressive_read && options.read_on_timeout,
	   "defaults of switches");
	is_num(options.poll_timeout, 1000, "default of IBS_POLL_TIMEOUT");
	is_num(options.poll_num_samples, 4096,
	       "default of IBS_POLL_NUM_SAMPLES");
	is_num(options.max_cnt, 0x3fff, "default of IBS_MAX_CNT");
	ok(options.all_cpus, "default of IBS_CPU_LIST");
	is_num(pfmi_ibs_set(&options, IBS_OP, VAL(1), false), 0, "set IBS_OP");
	ok(options.op && !options.fetch, "which is set alone");
	is_num(pfmi_ibs_set(&options, IBS_FETCH, VAL(1), true), -EBUSY,
	       "IBS_FETCH while a CPU is enabled");
	ok(!options.fetch, "which is not set");
	is_num(pfmi_ibs_set(&options, IBS_POLL_TIMEOUT, VAL(-1), true), 0,
	       "IBS_POLL_TIMEOUT while a CPU is enabled");
	is_num(options.poll_timeout, -1, "is set");
	is_num(pfmi_ibs_set(&options, IBS_MAX_CNT, VAL(8), false), 0,
	       "IBS_MAX_CNT");
	is_num(pfmi_ibs_check_period(&options), -EINVAL,
	       "which is too short for ops");
	options.op = false;
	is_num(pfmi_ibs_check_period(&options), 0, "and not for fetches");
	ok(pfmi_ibs_is_listed(&options, 0) && pfmi_ibs_is_listed(&options, 64),
	   "all CPUs are in the default list");
	is_num(pfmi_ibs_set(&options, IBS_CPU_LIST, list, false), 0,
	       "IBS_CPU_LIST");
	list[0] = list[last] = 0;
	ok(pfmi_ibs_is_listed(&options, 0) &&
		   pfmi_ibs_is_listed(&options, last) &&
		   !pfmi_ibs_is_listed(&options, last + 1) &&
		   !pfmi_ibs_is_listed(&options, 100000),
	   "and a copy of it has these CPUs");
	ok(last < 2 || !pfmi_ibs_is_listed(&options, 1), "and no others");
	is_num(pfmi_ibs_set(&options, IBS_CPU_LIST, list, false), -EINVAL,
	       "IBS_CPU_LIST without a CPU");
	has_text(ibs_error(), "no CPU", "the text");
	ok(pfmi_ibs_is_listed(&options, 0), "which changes nothing");
	is_num(pfmi_ibs_set(&options, IBS_CPU_LIST, VAL(-1), false), 0,
	       "IBS_CPU_LIST of all");
	ok(pfmi_ibs_is_listed(&options, 0) && pfmi_ibs_is_listed(&options, 64),
	   "is one");
}

/**
 * struct bad - a value that an option cannot have
 * @option: the option
 * @value: the value
 * @err: error
 * @text: part of the text
 */
struct bad {
	int option;
	intptr_t value;
	int err;
	const char *text;
};

static const struct bad bads[] = {
	{ IBS_OP, 2, EINVAL, "IBS_OP is a number from 0 to 1, not 2" },
	{ IBS_FETCH, -1, EINVAL, "not a pointer" },
	{ IBS_DEBUG, 2, EINVAL, "IBS_DEBUG" },
	{ IBS_AGGRESSIVE_READ, 2, EINVAL, "IBS_AGGRESSIVE_READ" },
	{ IBS_READ_ON_TIMEOUT, 2, EINVAL, "IBS_READ_ON_TIMEOUT" },
	{ IBS_POLL_TIMEOUT, -2, EINVAL, "IBS_POLL_TIMEOUT" },
	{ IBS_POLL_NUM_SAMPLES, 0, EINVAL, "IBS_POLL_NUM_SAMPLES" },
	{ IBS_POLL_NUM_SAMPLES, (1 << 20) + 1, EINVAL, "1048576" },
	{ IBS_MAX_CNT, 0, EINVAL, "IBS_MAX_CNT" },
	{ IBS_MAX_CNT, 0x800000, EINVAL, "8388607" },
	{ IBS_CPU_LIST, 0, EINVAL, "not the number 0" },
	{ IBS_CPU_LIST, 0x10, EINVAL, "a byte for each CPU, not the number 16" },
	{ IBS_DAEMON_MAX_SAMPLES, 1, ENOSYS, "daemon" },
	{ IBS_DAEMON_FETCH_WRITE, 0, ENOSYS, "pfmon" },
	{ IBS_DAEMON_FETCH_WRITE + 1, 0, EINVAL, "no option 15" },
	{ -1, 0, EINVAL, "no option -1" },
};

static void test_refused(void)
{
	ibs_option_list_t list[2] = { { IBS_OP, VAL(1) }, { IBS_OP, VAL(2) } };
	ibs_sample_t samples[2];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bads); i++)
		gives(ibs_set_option(bads[i].option, VAL(bads[i].value)),
		      bads[i].err, bads[i].text, bads[i].text);
	gives(ibs_initialize(list, 2, 0), EINVAL, "IBS_OP", "a wrong option");
	gives(ibs_initialize(list, 1, 1), ENOSYS, "daemon", "the daemon");
	gives(ibs_initialize(list, -1, 0), EINVAL, "-1 options",
	      "a negative count");
	gives(ibs_initialize(NULL, 1, 0), EINVAL, "no list", "no list");
	gives(ibs_enable_cpu(0), EINVAL, "ibs_initialize", "enable a CPU");
	gives(ibs_enable_all(), EINVAL, "ibs_initialize", "enable all");
	gives(ibs_sample(2, IBS_OP_SAMPLE, samples, NULL), EINVAL,
	      "ibs_initialize", "take samples");
	gives(ibs_sample(0, IBS_OP_SAMPLE, samples, NULL), EINVAL, "0 samples",
	      "take no samples");
	gives(ibs_sample(2, IBS_OP_SAMPLE, NULL, NULL), EINVAL, "no memory",
	      "take samples to nowhere");
	gives(ibs_sample(2, 4, samples, NULL), EINVAL, "0x4",
	      "take samples of another kind");
	gives(ibs_sample(2, 0, samples, NULL), EINVAL, "0x0",
	      "take samples of no kind");
	gives(ibs_sample(2, IBS_OP_SAMPLE | IBS_FETCH_SAMPLE, samples, NULL),
	      EINVAL, "types", "take samples of two kinds without types");
	ibs_disable_cpu(0);
	ibs_disable_all();
	ibs_finalize();
	is_num(ibs_lost(), 0, "nothing is lost");
	is_num(ibs_paused(), 0, "and there was no pause");
}

static void test_without_module(void)
{
	ibs_option_list_t list[] = { { IBS_OP, VAL(1) } };

	if (!access("/dev/perfmon", F_OK))
		return;
	gives(ibs_initialize(list, 1, 0), ENOENT, "modprobe", "no module");
	gives(ibs_enable_cpu(0), EINVAL, "ibs_initialize",
	      "it is not initialized then");
	/* A list that was refused leaves no options behind: 1 is too short for ops. */
	is_num(ibs_set_option(IBS_MAX_CNT, VAL(1)), 0, "options before");
	gives(ibs_initialize(NULL, 0, 0), ENOENT, "modprobe",
	      "no module again");
	gives(ibs_initialize(list, 1, 0), EINVAL, "IBS_MAX_CNT is 1",
	      "options that were set before are in use");
	ibs_finalize();
	gives(ibs_initialize(list, 1, 0), ENOENT, "modprobe",
	      "and not after ibs_finalize()");
}

/* True if a call that fails prints the text of its error to the standard error output. */
static bool is_told(bool debug)
{
	char text[1024] = "";
	int ends[2], before = dup(2);

	if (pipe2(ends, O_NONBLOCK) || before < 0)
		return !debug;
	dup2(ends[1], 2);
	ibs_set_option(IBS_OP, VAL(5));
	dup2(before, 2);
	close(before);
	close(ends[1]);
	if (read(ends[0], text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(ends[0]);
	return strstr(text, ibs_error());
}

static void test_debug(void)
{
	ok(!is_told(false), "nothing is printed");
	is_num(ibs_set_option(IBS_DEBUG, VAL(1)), 0, "set IBS_DEBUG");
	ok(is_told(true), "errors are printed then");
	ibs_finalize();
	ok(!is_told(false), "and not after ibs_finalize()");
}

int main(void)
{
	is_text(ibs_error(), "", "no error yet");
	test_structures();
	test_op_fields();
	test_access_fields();
	test_fetch_fields();
	test_op();
	test_fetch();
	test_backlog();
	test_cpu();
	test_options();
	test_refused();
	test_without_module();
	test_debug();
	return tap_end();
}
