// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Layout of the old interface's structures, and its functions without a kernel module.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include <perfmon/perfmon2.h>

#include "../compat/include/perfmon2-compat/perfmon/perfmon_dfl_smpl.h"

#include "tap.h"

#define SIZE(type, bytes) is_num(sizeof(type), bytes, "size of " #type)
#define AT(type, field, offset) \
	is_num(offsetof(type, field), offset, #type "." #field)

static void test_v2(void)
{
	SIZE(pfarg_ctx_t, 64);
	AT(pfarg_ctx_t, ctx_flags, 0);
	AT(pfarg_ctx_t, ctx_fd, 4);
	SIZE(pfarg_pmc_t, 48);
	AT(pfarg_pmc_t, reg_num, 0);
	AT(pfarg_pmc_t, reg_set, 2);
	AT(pfarg_pmc_t, reg_flags, 4);
	AT(pfarg_pmc_t, reg_value, 8);
	SIZE(pfarg_pmd_t, 176);
	AT(pfarg_pmd_t, reg_num, 0);
	AT(pfarg_pmd_t, reg_set, 2);
	AT(pfarg_pmd_t, reg_flags, 4);
	AT(pfarg_pmd_t, reg_value, 8);
	AT(pfarg_pmd_t, reg_long_reset, 16);
	AT(pfarg_pmd_t, reg_short_reset, 24);
	AT(pfarg_pmd_t, reg_last_reset_val, 32);
	AT(pfarg_pmd_t, reg_ovfl_switch_cnt, 40);
	AT(pfarg_pmd_t, reg_reset_pmds, 48);
	AT(pfarg_pmd_t, reg_smpl_pmds, 88);
	AT(pfarg_pmd_t, reg_smpl_eventid, 128);
	AT(pfarg_pmd_t, reg_random_mask, 136);
	AT(pfarg_pmd_t, reg_random_seed, 144);
	SIZE(pfarg_start_t, 32);
	AT(pfarg_start_t, start_set, 0);
	SIZE(pfarg_load_t, 32);
	AT(pfarg_load_t, load_pid, 0);
	AT(pfarg_load_t, load_set, 4);
	SIZE(pfarg_setdesc_t, 64);
	AT(pfarg_setdesc_t, set_flags, 4);
	AT(pfarg_setdesc_t, set_timeout, 8);
	SIZE(pfarg_setinfo_t, 200);
	AT(pfarg_setinfo_t, set_flags, 4);
	AT(pfarg_setinfo_t, set_ovfl_pmds, 8);
	AT(pfarg_setinfo_t, set_runs, 48);
	AT(pfarg_setinfo_t, set_timeout, 56);
	AT(pfarg_setinfo_t, set_act_duration, 64);
	AT(pfarg_setinfo_t, set_avail_pmcs, 72);
	AT(pfarg_setinfo_t, set_avail_pmds, 112);
	SIZE(pfarg_msg_t, 64);
	SIZE(pfarg_ovfl_msg_t, 64);
	AT(pfarg_ovfl_msg_t, msg_ovfl_pid, 4);
	AT(pfarg_ovfl_msg_t, msg_active_set, 8);
	AT(pfarg_ovfl_msg_t, msg_ovfl_cpu, 10);
	AT(pfarg_ovfl_msg_t, msg_ovfl_tid, 12);
	AT(pfarg_ovfl_msg_t, msg_ovfl_ip, 16);
	AT(pfarg_ovfl_msg_t, msg_ovfl_pmds, 24);
}

static void test_v20(void)
{
	if (sizeof(long) != 8)
		return;
	SIZE(pfarg_context_t, 128);
	AT(pfarg_context_t, ctx_smpl_buf_id, 0);
	AT(pfarg_context_t, ctx_flags, 16);
	AT(pfarg_context_t, ctx_nextra_sets, 24);
	AT(pfarg_context_t, ctx_fd, 28);
	AT(pfarg_context_t, ctx_smpl_vaddr, 32);
	SIZE(pfarg_reg_t, 160);
	AT(pfarg_reg_t, reg_num, 0);
	AT(pfarg_reg_t, reg_set, 4);
	AT(pfarg_reg_t, reg_value, 8);
	AT(pfarg_reg_t, reg_flags, 16);
	AT(pfarg_reg_t, reg_long_reset, 24);
	AT(pfarg_reg_t, reg_short_reset, 32);
	AT(pfarg_reg_t, reg_reset_pmds, 40);
	AT(pfarg_reg_t, reg_random_seed, 72);
	AT(pfarg_reg_t, reg_random_mask, 80);
	AT(pfarg_reg_t, reg_last_reset_val, 88);
	AT(pfarg_reg_t, reg_smpl_pmds, 96);
	AT(pfarg_reg_t, reg_smpl_eventid, 128);
	AT(pfarg_reg_t, reg_ovfl_switch_cnt, 136);
}

static void gives(int ret, int err, const char *what)
{
	int seen = errno;

	if (ok(ret == -1 && seen == err, "%s", what))
		return;
	printf("# got %d with errno %d, wanted errno %d\n", ret, seen, err);
}

static void test_calls(int null)
{
	pfarg_context_t context = { 0 };
	pfarg_features_t features;
	pfarg_load_t load = { 0 };
	pfarg_ctx_t ctx = { 0 };
	pfarg_pmd_t pd[2] = { 0 };
	pfarg_pmc_t pc[2] = { 0 };
	pfarg_reg_t reg[2] = { 0 };
	pfarg_setdesc_t set[2] = { 0 };
	pfarg_setinfo_t info[1] = { 0 };
	char name[] = "default", pebs[] = "pebs";
	pfm_dfl_smpl_arg_t arg = { 0 };

	is_num(perfmonctl(0, PFM_GET_FEATURES, &features, 1), 0, "features");
	is_num(features.ft_version, 0x20000, "version 2.0");
	gives(perfmonctl(null, 0x06, pc, 1), EINVAL, "obsolete command");
	gives(perfmonctl(null, 0x99, pc, 1), EINVAL, "unknown command");
	gives(perfmonctl(null, PFM_START, NULL, 1), EINVAL, "count of START");
	gives(perfmonctl(null, PFM_WRITE_PMCS, pc, 0), EINVAL, "empty vector");
	gives(perfmonctl(null, PFM_WRITE_PMCS, NULL, 1), EINVAL, "no vector");
	gives(perfmonctl(null, PFM_RESTART, NULL, 0), EBADF, "restart");
	gives(perfmonctl(null, PFM_WRITE_IBRS, pc, 1), ENOSYS, "debug registers");
	gives(perfmonctl(null, PFM_START, NULL, 0), EBADF, "not a context: START");
	gives(perfmonctl(null, PFM_READ_PMDS, pd, 2), EBADF, "not a context: READ");
	gives(perfmonctl(-1, PFM_STOP, NULL, 0), EBADF, "not a descriptor");
	gives(pfm_load_context(null, &load), EBADF, "not a context: LOAD");
	gives(pfm_load_context(null, NULL), EINVAL, "LOAD without argument");

	ctx.ctx_flags = PFM_FL_SYSTEM_WIDE | PFM_FL_NOTIFY_BLOCK;
	gives(pfm_create_context(&ctx, NULL, NULL, 0), EINVAL,
	      "a CPU that is to be blocked");
	ctx.ctx_flags = PFM_FL_MAP_SETS;
	gives(pfm_create_context(&ctx, NULL, NULL, 0), ENOSYS, "mapped sets");
	ctx.ctx_flags = 0x40;
	gives(perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1), EINVAL, "unknown flag");
	ctx.ctx_flags = 0;
	gives(pfm_create_context(&ctx, pebs, &arg, sizeof(arg)), EINVAL,
	      "a format that there is not");
	gives(pfm_create_context(&ctx, name, NULL, 0), EINVAL,
	      "a format without argument");
	gives(pfm_create_context(&ctx, name, &arg, sizeof(arg) - 1), EINVAL,
	      "a format with a wrong argument");
	gives(pfm_create_context(&ctx, NULL, &arg, sizeof(arg)), EINVAL,
	      "an argument without a format");
	context.ctx_smpl_buf_id[15] = 1;
	gives(perfmonctl(0, PFM_CREATE_CONTEXT, &context, 1), EINVAL,
	      "v2.0 structure is known by its type");

	pd[1].reg_flags = PFM_REGFL_OVFL_NOTIFY;
	gives(pfm_write_pmds(null, pd, 2), EBADF, "notification");
	pd[1].reg_flags = 0x80;
	gives(pfm_write_pmds(null, pd, 2), EINVAL, "unknown register flag");
	pd[1].reg_flags = 0;
	pd[1].reg_smpl_pmds[4] = 1;
	gives(pfm_write_pmds(null, pd, 2), EBADF, "sampled registers");
	gives(pfm_write_pmds(null, pd, -1), EINVAL, "negative count");
	gives(pfm_write_pmds(null, pd, 1000), E2BIG, "count too large");
	pc[0].reg_flags = PFM_REGFL_NO_EMUL64;
	gives(pfm_write_pmcs(null, pc, 1), EINVAL, "32-bit counters");
	set[1].set_flags = PFM_SETFL_TIME_SWITCH;
	gives(pfm_create_evtsets(null, set, 2), EBADF, "not a context: sets");
	gives(pfm_create_evtsets(null, set, -1), EINVAL, "sets: negative count");
	set[1].set_flags = PFM_ITA_SETFL_EXCL_INTR;
	gives(pfm_create_evtsets(null, set, 2), EBADF, "sets: outside of interrupts");
	set[1].set_flags = PFM_ITA_SETFL_INTR_ONLY | PFM_SETFL_TIME_SWITCH;
	gives(pfm_create_evtsets(null, set, 2), EBADF, "sets: inside of interrupts");
	set[1].set_flags = 0x40000;
	gives(pfm_create_evtsets(null, set, 2), EINVAL, "sets: another flag of Itanium");
	set[1].set_flags = 0x10;
	gives(pfm_create_evtsets(null, set, 2), EINVAL, "unknown set flag");
	gives(pfm_delete_evtsets(null, set, 1), EBADF, "not a context: delete");
	gives(pfm_getinfo_evtsets(null, info, 1), EBADF,
	      "not a context: getinfo");
	gives(pfm_getinfo_evtsets(null, info, 1000), E2BIG,
	      "getinfo: count too large");
	pd[1].reg_smpl_pmds[4] = 0;
	pd[1].reg_long_reset = -5;
	gives(pfm_write_pmds(null, pd, 2), EBADF, "reset value alone");
	pd[1].reg_ovfl_switch_cnt = 1;
	gives(pfm_write_pmds(null, pd, 2), EBADF, "trigger of a set's end");

	reg[1].reg_num = 70000;
	gives(perfmonctl(null, PFM_WRITE_PMCS, reg, 2), EINVAL,
	      "v2.0: register number that today's structure cannot hold");
	ok(!PFM_REG_HAS_ERROR(reg[0].reg_flags) &&
	   (reg[1].reg_flags & PFM_REG_RETFL_EINVAL), "its element is marked");
	reg[1].reg_num = 0;
	gives(perfmonctl(null, PFM_WRITE_PMCS, reg, 2), EBADF, "v2.0: not a context");
	ok(!PFM_REG_HAS_ERROR(reg[1].reg_flags), "no element is marked");
}

/* The kernel's answer when a context is created; the linker has the library call this function. */
static int answer;

int __wrap_pfm_ctx_create(const void *opts);

int __wrap_pfm_ctx_create(const void *opts)
{
	(void)opts;
	return answer;
}

static void creates(int answered, int err)
{
	pfarg_context_t old = { .ctx_fd = -7 };
	pfarg_ctx_t ctx = { 0 };
	char what[64];

	answer = answered;
	snprintf(what, sizeof(what), "create where the kernel says %d", -answered);
	gives(pfm_create_context(&ctx, NULL, NULL, 0), err, what);
	ctx.ctx_flags = PFM_FL_OVFL_NO_MSG;
	gives(pfm_create_context(&ctx, NULL, NULL, 0), err,
	      "and without messages");
	gives(perfmonctl(0, PFM_CREATE_CONTEXT, &old, 1), err,
	      "and in version 2.0");
	is_num(old.ctx_fd, -7, "which leaves the structure alone");
}

/* A kernel without perfmon is one that does not have the system call. */
static void test_create(void)
{
	pfarg_context_t old = { .ctx_fd = -7 };
	pfarg_ctx_t ctx = { 0 };

	creates(-ENOENT, ENOSYS);
	creates(-ENXIO, ENOSYS);
	creates(-ENODEV, ENOSYS);
	creates(-EACCES, EPERM);
	creates(-EMFILE, EMFILE);
	answer = 1234;
	is_num(pfm_create_context(&ctx, NULL, NULL, 0), 1234, "a context");
	is_num(perfmonctl(0, PFM_CREATE_CONTEXT, &old, 1), 0,
	       "a context of version 2.0");
	is_num(old.ctx_fd, 1234, "its descriptor is in the structure");
}

int main(void)
{
	int null = open("/dev/null", O_RDWR);

	test_v2();
	test_v20();
	test_calls(null);
	test_create();
	close(null);
	return tap_end();
}
