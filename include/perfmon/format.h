/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sampling format module includes.
 *
 * A format decides what is recorded when a counter overflows and how it gets to
 * the user.  It registers callbacks under a UUID; a program names the UUID when
 * it creates a context.
 */
#ifndef _PERFMON_FORMAT_H
#define _PERFMON_FORMAT_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/perfmon.h>

struct pfm_target;
struct pt_regs;
struct task_struct;

/* What is to be done after an overflow: bits of the handler's answer. */
#define PFM_CTRL_NOTIFY	BIT(0)	/* tell the reader, if the PMD asks for it */
#define PFM_CTRL_RESET	BIT(1)	/* reset the PMDs concerned and go on */
#define PFM_CTRL_MASK	BIT(2)	/* stop counting until RESTART */

/*
 * The handler records what it is given and calls no pfm_mod_*(): other counters
 * need not be read for it, which makes a sample cheaper.
 */
#define PFM_FORMAT_SIMPLE	BIT(0)
/*
 * The handler also takes entries of the slice log (PFM_SETFL_LOG), which are no
 * samples: no registers, a time where the address is.
 */
#define PFM_FORMAT_LOG		BIT(1)

/**
 * struct pfm_lane - one buffer of a context, with one writer at a time
 * @buf: memory that the reader has mapped, zeroed, page aligned; NULL when the
 *	format asked for none
 * @size: its bytes
 * @priv: for the format, which sets it in init
 * @index: number of the lane; the CPU's in a context that follows, otherwise 0
 * @nlanes: lanes of the context
 * @max_regs: registers that a sample may carry at most; known from load on
 * @max_events: registers of all sets that may overflow; known from load on
 * @flags: PFM_CTX_* of the context
 * @kernel_ok: the owner may see kernel addresses
 *
 * Constant between init and exit, but for what @buf and @priv point to, which
 * belong to handler and restart: these never run at the same time for a lane.
 */
struct pfm_lane {
	void *buf;
	size_t size;
	void *priv;
	u32 index;
	u32 nlanes;
	u32 max_regs;
	u32 max_events;
	u32 flags;
	bool kernel_ok;
};

/**
 * struct pfm_ovfl - an overflow, as the handler sees it
 * @tid: thread id in the context's namespace
 * @pmd: register that overflowed
 * @reserved: zero
 * @last_reset: value that the register was last reset to: minus the period
 * @ip: interrupted instruction, 0 when it is not known or not to be seen
 * @tstamp: ns of CLOCK_MONOTONIC
 * @cpu: CPU
 * @set: event set
 * @pid: process id
 * @lane: where to record it
 * @task: thread that was monitored; current, but for an overflow found late
 * @regs: interrupted registers; NULL when the overflow was found late, at a
 *	switch, or when they are the user's and not to be seen
 * @eventid: from struct pfm_pmd_attr
 * @vals: values of the registers in smpl_pmds, in ascending order
 * @target: for the core
 * @nvals: elements of @vals
 * @user_ok: the owner may see user registers and memory of @task: ask before
 *	task_pt_regs() or a read of user memory
 *
 * Up to @pid it is laid out as struct pfm_default_entry: pfm_ovfl_fill().
 */
struct pfm_ovfl {
	u32 tid;
	u16 pmd;
	u16 reserved;
	u64 last_reset;
	u64 ip;
	u64 tstamp;
	u16 cpu;
	u16 set;
	u32 pid;
	struct pfm_lane *lane;
	struct task_struct *task;
	struct pt_regs *regs;
	u64 eventid;
	const u64 *vals;
	struct pfm_target *target;
	u16 nvals;
	bool user_ok;
};

/**
 * pfm_ovfl_fill - fill an entry of the default format, or one that begins so
 * @entry: the entry
 * @ovfl: the handler's argument
 */
static __always_inline void pfm_ovfl_fill(void *entry,
					  const struct pfm_ovfl *ovfl)
{
	memcpy(entry, ovfl, offsetofend(struct pfm_ovfl, pid));
}

/**
 * struct pfm_format - a sampling format
 * @name: unique name, a folder in sysfs
 * @uuid: what programs ask for; bytes in the order in which it is written
 * @version: major << 16 | minor
 * @flags: PFM_FORMAT_*
 * @arg_size: bytes of the argument at creation, at most a page
 * @validate: check the argument, before anything is allocated; optional
 * @getsize: bytes of a lane's buffer; no getsize, no buffer
 * @init: a lane was made; optional
 * @handler: an overflow; required.  PFM_CTRL_* or -errno, which counts as a
 *	sample that the format lost.  Runs with interrupts off, on x86 in NMI:
 *	no locks, no sleeping calls, nothing that may fault
 * @restart: the reader is done; puts PFM_CTRL_* into ctrl, NOTIFY when there is
 *	more for it to deal with, so that poll(2) goes on saying so without
 *	messages.  Interrupts off.
 *	-EBUSY when the lane waits for nobody, or another error; what the
 *	format masked then stays so.  Optional: resets and goes on
 * @prepare: @restart is about to be called with the same argument: what would
 *	keep interrupts off for too long.  In process context, beside the
 *	handler, but not beside @restart, nor another @prepare of the lane.  It
 *	may see less than @restart does, which then refuses the rest.  Optional
 * @exit: the lane goes away; optional
 * @owner: module that stays while contexts use it
 * @node: for the registry
 * @users: for the registry: contexts that use it
 *
 * Constant while registered, but for @node and @users.
 */
struct pfm_format {
	const char *name;
	u8 uuid[PFM_UUID_LEN];
	u32 version;
	u32 flags;
	size_t arg_size;
	int (*validate)(u32 flags, const void *arg);
	int (*getsize)(u32 flags, const void *arg, size_t *size);
	int (*init)(struct pfm_lane *lane, const void *arg);
	int (*handler)(const struct pfm_ovfl *ovfl);
	int (*restart)(struct pfm_lane *lane, u64 arg, u32 *ctrl);
	void (*prepare)(struct pfm_lane *lane, u64 arg);
	void (*exit)(struct pfm_lane *lane);
	struct module *owner;
	struct list_head node;
	unsigned int users;
};

/**
 * pfm_register_format - make a format available
 * @fmt: the format; stays until pfm_unregister_format()
 *
 * Return: 0; -EINVAL no name, handler or UUID, or an argument beyond a page;
 * -EEXIST the UUID or the name is taken; -ENOMEM.
 */
int pfm_register_format(struct pfm_format *fmt);

/**
 * pfm_unregister_format - take a format back
 * @fmt: what was registered
 *
 * Return: 0; -EBUSY contexts use it (cannot happen in a module's exit, as they
 * hold the module); -ENOENT it is not registered.
 */
int pfm_unregister_format(struct pfm_format *fmt);

/**
 * pfm_mod_read_pmds - read registers of the context that overflowed
 * @ovfl: the handler's argument
 * @regs: num and set in, value out
 * @count: elements
 *
 * For handlers only, which find the counters stopped.
 *
 * Return: 0; -ENOENT no such set, -ENODATA a register that is not in use.
 */
int pfm_mod_read_pmds(const struct pfm_ovfl *ovfl, struct pfm_reg *regs,
		      unsigned int count);

/**
 * pfm_mod_write_pmds - write registers of the context that overflowed
 * @ovfl: the handler's argument
 * @regs: what to write
 * @count: elements; taken whole or not at all
 *
 * A reset that follows overwrites the registers concerned.
 *
 * Return: 0; -ENOENT no such set, -ENODATA a register that is not in use.
 */
int pfm_mod_write_pmds(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count);

/**
 * pfm_mod_write_pmcs - change what the context that overflowed counts
 * @ovfl: the handler's argument
 * @regs: what to write
 * @count: elements; taken whole or not at all
 *
 * Return: 0; -ENOENT no such set, -ENODATA a register that is not in use,
 * -ERANGE reserved bits, -EPERM more than user level, while the creator of the
 * context lacked CAP_PERFMON and the policy does not let everybody, -EBUSY the
 * context follows, so that other CPUs use its program.
 */
int pfm_mod_write_pmcs(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count);

#endif /* _PERFMON_FORMAT_H */
