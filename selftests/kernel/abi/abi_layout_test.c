// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layouts of the structures of <linux/perfmon.h>, which programs of all versions share.
 */
#include <stddef.h>

#include <linux/perfmon.h>
#include <linux/perfmon_default.h>

#include "kselftest_harness.h"

#define AT(type, field, offset, size)                           \
	do {                                                    \
		EXPECT_EQ(offset, offsetof(type, field));       \
		EXPECT_EQ(size, sizeof(((type *)NULL)->field)); \
	} while (0)

TEST(layout_create)
{
	EXPECT_EQ(40, sizeof(struct pfm_create));
	AT(struct pfm_create, flags, 0, 4);
	AT(struct pfm_create, reserved, 4, 4);
	EXPECT_EQ(8, PFM_CREATE_SIZE_VER0);
	AT(struct pfm_create, fmt_uuid, 8, 16);
	AT(struct pfm_create, fmt_arg, 24, 8);
	AT(struct pfm_create, fmt_arg_size, 32, 4);
	AT(struct pfm_create, reserved2, 36, 4);
}

TEST(layout_reg)
{
	EXPECT_EQ(16, sizeof(struct pfm_reg));
	AT(struct pfm_reg, num, 0, 2);
	AT(struct pfm_reg, set, 2, 2);
	AT(struct pfm_reg, flags, 4, 4);
	AT(struct pfm_reg, value, 8, 8);
}

TEST(layout_pmd_attr)
{
	EXPECT_EQ(192, sizeof(struct pfm_pmd_attr));
	AT(struct pfm_pmd_attr, num, 0, 2);
	AT(struct pfm_pmd_attr, set, 2, 2);
	AT(struct pfm_pmd_attr, flags, 4, 4);
	AT(struct pfm_pmd_attr, long_reset, 8, 8);
	AT(struct pfm_pmd_attr, short_reset, 16, 8);
	AT(struct pfm_pmd_attr, random_mask, 24, 8);
	AT(struct pfm_pmd_attr, random_seed, 32, 8);
	AT(struct pfm_pmd_attr, last_reset, 40, 8);
	AT(struct pfm_pmd_attr, eventid, 48, 8);
	AT(struct pfm_pmd_attr, ovfl_switch_cnt, 56, 8);
	AT(struct pfm_pmd_attr, smpl_pmds, 64, 64);
	AT(struct pfm_pmd_attr, reset_pmds, 128, 64);
}

TEST(layout_set_desc)
{
	EXPECT_EQ(64, sizeof(struct pfm_set_desc));
	AT(struct pfm_set_desc, set, 0, 2);
	AT(struct pfm_set_desc, next, 2, 2);
	AT(struct pfm_set_desc, flags, 4, 4);
	AT(struct pfm_set_desc, timeout, 8, 8);
	AT(struct pfm_set_desc, jitter, 16, 8);
	AT(struct pfm_set_desc, first, 24, 8);
	AT(struct pfm_set_desc, reserved, 32, 32);
}

TEST(layout_set_info)
{
	EXPECT_EQ(168, sizeof(struct pfm_set_info));
	AT(struct pfm_set_info, set, 0, 2);
	AT(struct pfm_set_info, next, 2, 2);
	AT(struct pfm_set_info, flags, 4, 4);
	AT(struct pfm_set_info, timeout, 8, 8);
	AT(struct pfm_set_info, jitter, 16, 8);
	AT(struct pfm_set_info, remaining, 24, 8);
	AT(struct pfm_set_info, runs, 32, 8);
	AT(struct pfm_set_info, active_ns, 40, 8);
	AT(struct pfm_set_info, enabled_ns, 48, 8);
	AT(struct pfm_set_info, ovfl_pmds, 56, 64);
	AT(struct pfm_set_info, active, 120, 4);
	AT(struct pfm_set_info, npmcs, 124, 2);
	AT(struct pfm_set_info, npmds, 126, 2);
	AT(struct pfm_set_info, first, 128, 8);
	AT(struct pfm_set_info, reserved, 136, 32);
}

TEST(layout_regs)
{
	EXPECT_EQ(16, sizeof(struct pfm_regs));
	AT(struct pfm_regs, regs, 0, 8);
	AT(struct pfm_regs, count, 8, 4);
	AT(struct pfm_regs, failed, 12, 4);
}

TEST(layout_event_info)
{
	EXPECT_EQ(32, sizeof(struct pfm_event_info));
	AT(struct pfm_event_info, first, 0, 8);
	AT(struct pfm_event_info, known, 8, 8);
	AT(struct pfm_event_info, implemented, 16, 8);
	AT(struct pfm_event_info, reserved, 24, 8);
}

TEST(layout_reg_info)
{
	EXPECT_EQ(72, sizeof(struct pfm_reg_info));
	AT(struct pfm_reg_info, num, 0, 2);
	AT(struct pfm_reg_info, width, 2, 2);
	AT(struct pfm_reg_info, flags, 4, 4);
	AT(struct pfm_reg_info, ctl, 8, 2);
	AT(struct pfm_reg_info, reserved, 10, 2);
	AT(struct pfm_reg_info, min_period, 12, 4);
	AT(struct pfm_reg_info, addr, 16, 8);
	AT(struct pfm_reg_info, dfl, 24, 8);
	AT(struct pfm_reg_info, rsvd, 32, 8);
	AT(struct pfm_reg_info, name, 40, 32);
}

TEST(layout_load)
{
	EXPECT_EQ(8, sizeof(struct pfm_load));
	AT(struct pfm_load, tid, 0, 4);
	AT(struct pfm_load, set, 4, 2);
	AT(struct pfm_load, flags, 6, 2);
}

TEST(layout_start)
{
	EXPECT_EQ(8, sizeof(struct pfm_start));
	AT(struct pfm_start, set, 0, 2);
	AT(struct pfm_start, reserved, 2, 2);
	AT(struct pfm_start, flags, 4, 4);
}

TEST(layout_config)
{
	EXPECT_EQ(368, sizeof(struct pfm_config));
	AT(struct pfm_config, abi_version, 0, 4);
	AT(struct pfm_config, flags, 4, 4);
	AT(struct pfm_config, state, 8, 4);
	AT(struct pfm_config, running, 12, 4);
	AT(struct pfm_config, records_max, 16, 4);
	AT(struct pfm_config, records, 20, 4);
	AT(struct pfm_config, merged, 24, 8);
	AT(struct pfm_config, follow_failed, 32, 8);
	AT(struct pfm_config, unsplit, 40, 8);
	AT(struct pfm_config, tasks, 48, 4);
	AT(struct pfm_config, reserved, 52, 4);
	AT(struct pfm_config, impl_pmcs, 56, 64);
	AT(struct pfm_config, impl_pmds, 120, 64);
	AT(struct pfm_config, pmu, 184, 32);
	EXPECT_EQ(216, PFM_CONFIG_SIZE_VER0);
	AT(struct pfm_config, buffer_size, 216, 8);
	AT(struct pfm_config, lane_size, 224, 8);
	AT(struct pfm_config, lanes, 232, 4);
	AT(struct pfm_config, reserved2, 236, 4);
	AT(struct pfm_config, overflows, 240, 8);
	AT(struct pfm_config, skipped, 248, 8);
	AT(struct pfm_config, fmt_errors, 256, 8);
	AT(struct pfm_config, throttled, 264, 8);
	AT(struct pfm_config, throttled_ns, 272, 8);
	AT(struct pfm_config, maps, 280, 8);
	AT(struct pfm_config, maps_lost, 288, 8);
	AT(struct pfm_config, sets, 296, 4);
	AT(struct pfm_config, set, 300, 2);
	AT(struct pfm_config, reserved3, 302, 2);
	AT(struct pfm_config, cpu, 304, 4);
	AT(struct pfm_config, offlines, 308, 4);
	AT(struct pfm_config, offline_ns, 312, 8);
	AT(struct pfm_config, unfollowed_threads, 320, 8);
	AT(struct pfm_config, unfollowed_processes, 328, 8);
	AT(struct pfm_config, msgs_merged, 336, 8);
	AT(struct pfm_config, escapes, 344, 8);
	AT(struct pfm_config, escaped_ns, 352, 8);
	AT(struct pfm_config, barred, 360, 8);
}

TEST(layout_record)
{
	EXPECT_EQ(72, sizeof(struct pfm_record));
	AT(struct pfm_record, size, 0, 4);
	AT(struct pfm_record, reason, 4, 2);
	AT(struct pfm_record, nregs, 6, 2);
	AT(struct pfm_record, pid, 8, 4);
	AT(struct pfm_record, tid, 12, 4);
	AT(struct pfm_record, ppid, 16, 4);
	AT(struct pfm_record, status, 20, 4);
	AT(struct pfm_record, start, 24, 8);
	AT(struct pfm_record, end, 32, 8);
	AT(struct pfm_record, tasks, 40, 8);
	AT(struct pfm_record, path_len, 48, 4);
	AT(struct pfm_record, reserved, 52, 4);
	AT(struct pfm_record, comm, 56, 16);
	EXPECT_EQ(72, offsetof(struct pfm_record, regs));
}

TEST(layout_read_records)
{
	EXPECT_EQ(24, sizeof(struct pfm_read_records));
	AT(struct pfm_read_records, buf, 0, 8);
	AT(struct pfm_read_records, size, 8, 4);
	AT(struct pfm_read_records, count, 12, 4);
	AT(struct pfm_read_records, used, 16, 4);
	AT(struct pfm_read_records, flags, 20, 4);
}

TEST(layout_map)
{
	EXPECT_EQ(56, sizeof(struct pfm_map));
	AT(struct pfm_map, size, 0, 4);
	AT(struct pfm_map, pid, 4, 4);
	AT(struct pfm_map, tstamp, 8, 8);
	AT(struct pfm_map, start, 16, 8);
	AT(struct pfm_map, end, 24, 8);
	AT(struct pfm_map, offset, 32, 8);
	AT(struct pfm_map, ino, 40, 8);
	AT(struct pfm_map, dev, 48, 4);
	AT(struct pfm_map, path_len, 52, 4);
	EXPECT_EQ(56, offsetof(struct pfm_map, path));
}

TEST(layout_restart)
{
	EXPECT_EQ(16, sizeof(struct pfm_restart));
	AT(struct pfm_restart, lane, 0, 4);
	AT(struct pfm_restart, flags, 4, 4);
	AT(struct pfm_restart, arg, 8, 8);
}

TEST(layout_msg)
{
	EXPECT_EQ(64, sizeof(union pfm_msg));
	AT(union pfm_msg, type, 0, 4);
	AT(union pfm_msg, end.type, 0, 4);
	AT(union pfm_msg, end.tid, 4, 4);
	AT(union pfm_msg, end.status, 8, 4);
	AT(union pfm_msg, end.reason, 12, 4);
	AT(union pfm_msg, end.taker_pid, 16, 4);
	AT(union pfm_msg, end.taker_uid, 20, 4);
	AT(union pfm_msg, end.taker_comm, 24, 16);
	AT(union pfm_msg, ovfl.type, 0, 4);
	AT(union pfm_msg, ovfl.tid, 4, 4);
	AT(union pfm_msg, ovfl.set, 8, 2);
	AT(union pfm_msg, ovfl.cpu, 10, 2);
	AT(union pfm_msg, ovfl.pid, 12, 4);
	AT(union pfm_msg, ovfl.ip, 16, 8);
	AT(union pfm_msg, ovfl.ovfl_pmds, 24, 40);
}

TEST(layout_default_format)
{
	EXPECT_EQ(128, sizeof(struct pfm_default_hdr));
	EXPECT_EQ(40, sizeof(struct pfm_default_entry));
	EXPECT_EQ(64, sizeof(struct pfm_default_arg));
}

TEST_HARNESS_MAIN
