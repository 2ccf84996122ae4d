/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface between the test formats and their test.
 */
#ifndef _SELFTESTS_FMT_TEST_H
#define _SELFTESTS_FMT_TEST_H

#include <linux/types.h>
#include <linux/perfmon.h>

/* 7e57f0a7-0000-4000-8000-000000000001: there while the module is loaded */
#define FMT_TEST_UUID                                                       \
	{                                                                   \
		0x7e, 0x57, 0xf0, 0xa7, 0x00, 0x00, 0x40, 0x00, 0x80, 0x00, \
			0x00, 0x00, 0x00, 0x00, 0x00, 0x01                  \
	}

/* ...2: registered and unregistered by commands */
#define FMT_TEST_EXTRA_UUID                                                 \
	{                                                                   \
		0x7e, 0x57, 0xf0, 0xa7, 0x00, 0x00, 0x40, 0x00, 0x80, 0x00, \
			0x00, 0x00, 0x00, 0x00, 0x00, 0x02                  \
	}

/* ...3: no argument, no buffer, nothing but a handler */
#define FMT_TEST_BARE_UUID                                                  \
	{                                                                   \
		0x7e, 0x57, 0xf0, 0xa7, 0x00, 0x00, 0x40, 0x00, 0x80, 0x00, \
			0x00, 0x00, 0x00, 0x00, 0x00, 0x03                  \
	}

/* ...4: the core handles it as a format that looks at nothing but its overflow */
#define FMT_TEST_SIMPLE_UUID                                                \
	{                                                                   \
		0x7e, 0x57, 0xf0, 0xa7, 0x00, 0x00, 0x40, 0x00, 0x80, 0x00, \
			0x00, 0x00, 0x00, 0x00, 0x00, 0x04                  \
	}

#define FMT_TEST_VERSION 0x00020007

#define FMT_TEST_REGS 8

/* The action of the handler. */
#define FMT_TEST_OP_NONE       0
#define FMT_TEST_OP_READ_PMDS  1
#define FMT_TEST_OP_WRITE_PMDS 2
#define FMT_TEST_OP_WRITE_PMCS 3

/* Bits of handler_ret and restart_ctrl: PFM_CTRL_* of the kernel's header. */
#define FMT_TEST_NOTIFY 1
#define FMT_TEST_RESET	2
#define FMT_TEST_MASK	4

/**
 * struct fmt_test_arg - argument at creation
 * @size: bytes of a lane's buffer; 0 for none
 * @validate_ret: what validate returns
 * @getsize_ret: what getsize returns
 * @init_ret: what init returns for lane @init_lane
 * @init_lane: see @init_ret
 * @handler_ret: what the handler returns, at each call but those below
 * @every: not 0: at each call whose number it divides, ...
 * @every_ret: ... the handler returns this
 * @restart_ret: what restart returns
 * @restart_ctrl: what restart answers
 * @op: FMT_TEST_OP_*
 * @nregs: elements of @regs in use
 * @busy_us: microseconds that each call of the handler takes
 * @regs: for @op
 */
struct fmt_test_arg {
	__u64 size;
	__s32 validate_ret;
	__s32 getsize_ret;
	__s32 init_ret;
	__u32 init_lane;
	__s32 handler_ret;
	__u32 every;
	__s32 every_ret;
	__s32 restart_ret;
	__u32 restart_ctrl;
	__u32 op;
	__u32 nregs;
	__u32 busy_us;
	struct pfm_reg regs[FMT_TEST_REGS];
};

/**
 * struct fmt_test_buf - at the beginning of each lane
 * @calls: of the handler
 * @restarts: calls of restart
 * @restart_arg: argument of the last one
 * @op_ret: what the call for @op returned last
 * @size: of the lane, as init saw it
 * @index: of the lane
 * @nlanes: lanes
 * @max_regs: as the last handler saw it
 * @flags: of the context
 * @kernel_ok: see struct pfm_lane
 * @regs_null: handler calls without interrupted registers
 * @same_task: handler calls whose task was the current one
 * @ip: of the last overflow, and so on
 * @last_reset: minus its period
 * @eventid: from the attributes
 * @vals: values of the sample
 * @regs: registers read by FMT_TEST_OP_READ_PMDS
 */
struct fmt_test_buf {
	__u64 calls;
	__u64 restarts;
	__u64 restart_arg;
	__s64 op_ret;
	__u64 size;
	__u32 index;
	__u32 nlanes;
	__u32 max_regs;
	__u32 flags;
	__u32 kernel_ok;
	__u32 nvals;
	__u64 regs_null;
	__u64 same_task;
	__u64 ip;
	__u32 tid;
	__u32 pid;
	__u64 tstamp;
	__u16 cpu;
	__u16 set;
	__u16 pmd;
	__u16 reserved;
	__u64 last_reset;
	__u64 eventid;
	__u64 vals[FMT_TEST_REGS];
	struct pfm_reg regs[FMT_TEST_REGS];
};

#endif /* _SELFTESTS_FMT_TEST_H */
