// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libIBS: layout of its structures, its options, and its functions without a kernel module.
 */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include <perfmon/ibs-compat.h>

#include "tap.h"

#define SIZE(type, bytes) is_num(sizeof(type), bytes, "size of " #type)
#define AT(type, field, offset) \
	is_num(offsetof(type, field), offset, #type "." #field)

/* Files that old programs wrote have these. */
static void test_layout(void)
{
	SIZE(ibs_op_t, 104);
	AT(ibs_op_t, op_rip, 8);
	AT(ibs_op_t, op_data, 16);
	AT(ibs_op_t, op_data2, 24);
	AT(ibs_op_t, op_data3, 32);
	AT(ibs_op_t, op_data4, 40);
	AT(ibs_op_t, dc_lin_ad, 48);
	AT(ibs_op_t, dc_phys_ad, 56);
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
	AT(ibs_fetch_t, pid, 52);
	AT(ibs_fetch_t, cpu, 56);
	AT(ibs_fetch_t, kern_mode, 60);
	SIZE(ibs_sample_t, 104);
	SIZE(ibs_option_list_t, 16);
	is_num(IBS_DAEMON_FETCH_WRITE, 14, "number of the last option");
}

/* Bits of the registers, by the numbers of AMD's manuals */
static void test_bits(void)
{
	const ibs_op_ctl_t ctl = { .val = 0x1234ULL << 32 | 0x5ULL << 20 |
					  1ULL << 19 | 0x678 };
	const ibs_op_data1_t data = { .val = 1ULL << 37 | 1ULL << 40 |
					     7ULL << 16 | 9 };
	const ibs_op_data3_t data3 = { .val = 1ULL << 7 | 1ULL << 17 |
					      4ULL << 22 | 3ULL << 26 |
					      50ULL << 32 | 60ULL << 48 };
	const ibs_fetch_ctl_t fetch = { .val = 1ULL << 57 | 1ULL << 50 |
					       2ULL << 53 | 70ULL << 32 |
					       0x1000 };

	is_num(ctl.reg.ibs_op_max_cnt, 0x678, "op: MaxCnt");
	is_num(ctl.reg.ibs_op_max_cnt_upper, 5, "op: MaxCnt, upper bits");
	is_num(ctl.reg.ibs_op_cnt_ctl, 1, "op: CntCtl");
	is_num(ctl.reg.ibs_op_cur_cnt, 0x1234, "op: CurCnt");
	is_num(data.reg.ibs_comp_to_ret_ctr, 9, "op: completion to retirement");
	is_num(data.reg.ibs_tag_to_ret_ctr, 7, "op: tag to retirement");
	is_num(data.reg.ibs_op_brn_ret, 1, "op: branch");
	is_num(data.reg.ibs_op_brn_misp, 0, "op: not mispredicted");
	is_num(data.reg.ibs_op_microcode, 1, "op: microcode");
	is_num(data3.reg.ibs_dc_miss, 1, "op: miss");
	is_num(data3.reg.ibs_lin_addr_valid, 1, "op: address is valid");
	is_num(data3.reg.ibs_phy_addr_valid, 0, "op: physical one is not");
	is_num(data3.reg.ibs_op_mem_width, 4, "op: width");
	is_num(data3.reg.ibs_op_dc_miss_open_mem_reqs, 3, "op: open requests");
	is_num(data3.reg.ibs_dc_miss_lat, 50, "op: latency of the miss");
	is_num(data3.reg.ibs_tlb_refill_lat, 60, "op: latency of the TLB");
	is_num(fetch.reg.ibs_fetch_max_cnt, 0x1000, "fetch: MaxCnt");
	is_num(fetch.reg.ibs_fetch_lat, 70, "fetch: latency");
	is_num(fetch.reg.ibs_fetch_comp, 1, "fetch: complete");
	is_num(fetch.reg.ibs_l1_tlb_pg_sz, 2, "fetch: page size");
	is_num(fetch.reg.ibs_rand_en, 1, "fetch: random");
}

/* Whether ret says that the call failed with this error. */
static int failed(int ret, int err)
{
	return ret == -1 && errno == err;
}

static int with(ibs_option_t option, unsigned long value)
{
	ibs_option_list_t list[] = {
		{ IBS_OP, (ibs_val_t)1 },
		{ option, (ibs_val_t)value },
	};

	return ibs_initialize(list, 2, 0);
}

static void test_options(void)
{
	ok(failed(ibs_set_option(99, NULL), EINVAL), "an option unknown");
	ok(failed(ibs_set_option(IBS_DAEMON_OP_FILE, NULL), ENOSYS),
	   "an option of the daemon");
	ok(failed(ibs_initialize(NULL, 0, 1), ENOSYS), "the daemon");
	ok(failed(ibs_initialize(NULL, 0, 0), EINVAL), "neither kind");
	ok(failed(ibs_initialize(NULL, 1, 0), EINVAL), "no list");
	ok(failed(with(IBS_MAX_CNT, 8), EINVAL), "ops: period too short");
	ok(failed(with(IBS_MAX_CNT, 1 << 23), EINVAL), "ops: too long");
	ibs_set_option(IBS_MAX_CNT, (ibs_val_t)0x10000);
	ok(failed(with(IBS_FETCH, 1), EINVAL), "fetches: too long");
	ibs_set_option(IBS_FETCH, NULL);
	ibs_set_option(IBS_MAX_CNT, (ibs_val_t)DEFAULT_IBS_MAX_CNT);
	ok(failed(with(IBS_POLL_NUM_SAMPLES, 0), EINVAL), "no samples");
	ok(failed(with(IBS_POLL_NUM_SAMPLES, (1 << 20) / 104), EINVAL),
	   "as many samples as the buffer holds");
	ibs_set_option(IBS_POLL_NUM_SAMPLES, (ibs_val_t)16);
}

static void test_without_module(void)
{
	ibs_sample_type_t type;
	ibs_sample_t sample;

	ok(failed(ibs_enable_cpu(0), EINVAL), "enable, not initialized");
	ok(failed(ibs_enable_all(), EINVAL), "enable all, not initialized");
	ok(failed(ibs_sample(1, IBS_OP_SAMPLE, &sample, &type), EINVAL),
	   "sample, not initialized");
	is_num(ibs_lost(), 0, "nothing is lost");
	ibs_disable_all();
	ibs_finalize();
	if (access("/dev/perfmon", F_OK))
		ok(failed(with(IBS_DEBUG, 0), ENODEV), "no module");
	else
		ok(1, "no module # SKIP there is one");
	ok(!ibs_set_option(IBS_MAX_CNT, (ibs_val_t)100),
	   "options can change after an error");
}

int main(void)
{
	/* What the functions write on stderr is not part of the result. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	test_layout();
	test_bits();
	test_options();
	test_without_module();
	return tap_end();
}
