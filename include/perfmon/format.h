/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface of the core for sampling formats.
 *
 * A format decides what is recorded when a counter overflows, and how the record
 * reaches the consumer.  It registers callbacks under a UUID; a program names the
 * UUID when it creates a context.  The terms are those of <linux/perfmon.h>.
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
#include <perfmon/format_desc.h>

struct pfm_target;
struct pt_regs;
struct task_struct;

/* Bits of the handler's result, which tell the core what to do after an overflow. */
#define PFM_CTRL_NOTIFY	BIT(0)	/* notify the consumer, if the PMD has PFM_PMDF_NOTIFY */
#define PFM_CTRL_RESET	BIT(1)	/* reset the PMD and its reset_pmds, and go on */
#define PFM_CTRL_MASK	BIT(2)	/* mask: stop counting until RESTART */

/*
 * The handler calls none of the functions pfm_mod_*().  So the core need not read
 * the other counters for it, which makes a sample cheaper.
 */
#define PFM_FORMAT_SIMPLE	BIT(0)
/*
 * The handler also takes the entries of PFM_SETFL_LOG, which are not samples: @regs
 * is NULL, and @ip is a time.
 */
#define PFM_FORMAT_LOG		BIT(1)
/*
 * The handler may also run in an NMI, if that has interrupted code with interrupts on: it
 * takes no lock at all.  This makes a sample cheaper where the PMU interrupts by an NMI.
 * Other code: see struct pfm_lane.anywhere.
 */
#define PFM_FORMAT_NMI		BIT(2)

/**
 * struct pfm_lane - a per-CPU sampling buffer of a context
 * @buf: memory that the consumer maps, zeroed at first, page aligned; NULL when the
 *	format has no getsize
 * @size: bytes of @buf
 * @priv: for the format, which sets it in init
 * @index: number of the lane: the number of its CPU in a context that follows,
 *	otherwise 0
 * @nlanes: number of lanes of the context
 * @max_regs: most registers that a sample carries; set when the context is loaded
 * @max_events: number of registers, of all sets, that may overflow; set when the
 *	context is loaded
 * @max_branches: most branches that a sample carries; set when the context is loaded
 * @max_tails: bytes of the largest values and branches together; set when the context is loaded
 * @flags: PFM_CTX_* of the context
 * @kernel_ok: the creator of the context may see kernel addresses
 * @anywhere: for the format, which sets it in init if it has PFM_FORMAT_NMI, and if an NMI may
 *	call the handler wherever perfmon itself is not in the middle of something, also with
 *	interrupts off: the handler reads no user memory, and nothing of the format's relies on
 *	interrupts being off.  Otherwise samples of such code wait until interrupts are on, and are
 *	of one place, however long they are off
 *
 * All fields are constant between the format's init and exit, except @max_regs, @max_events,
 * @max_branches and @max_tails, which change when the context is loaded.  The memory that @buf and
 * @priv point to belongs to the format's handler and restart.  The two never run at
 * the same time for a lane, so a lane has one writer at a time.
 */
struct pfm_lane {
	void *buf;
	size_t size;
	void *priv;
	u32 index;
	u32 nlanes;
	u32 max_regs;
	u32 max_events;
	u32 max_branches;
	u32 max_tails;
	u32 flags;
	bool kernel_ok;
	bool anywhere;
};

/* Most addresses of a call stack that a format's capture stores. */
#define PFM_FRAMES_MAX 128

/**
 * struct pfm_frames - the kernel's call stack at an overflow
 * @n: number of elements of @at that are in use
 * @cut: the stack has more frames
 * @at: the addresses, the interrupted instruction first
 */
struct pfm_frames {
	u16 n;
	bool cut;
	u64 at[PFM_FRAMES_MAX];
};

/**
 * struct pfm_ovfl - an overflow, as the core hands it to the handler
 * @tid: thread id in the pid namespace of the context's creator
 * @pmd: register that overflowed
 * @reserved: zero
 * @last_reset: value that the last reset of the register wrote: minus the period
 * @ip: address of the interrupted instruction; 0 when it is not known, or when the
 *	creator of the context may not see it
 * @tstamp: time of the overflow, ns of CLOCK_MONOTONIC
 * @cpu: CPU
 * @set: event set
 * @pid: process id, as @tid
 * @lane: lane to record the sample in
 * @task: thread that was monitored.  It is the current task, except for an overflow
 *	that was found late, at a context switch
 * @regs: interrupted registers; NULL when the overflow was found late, at a context
 *	switch, or when they are user registers that the creator may not see
 * @eventid: from struct pfm_pmd_attr
 * @vals: values of the registers in smpl_pmds, in ascending order of the registers
 * @target: for the core
 * @frames: the kernel's call stack, from the format's capture; empty when user mode was
 *	interrupted.  NULL: the interrupt is that of the overflow, so the kernel's stack
 *	can be walked from @regs now.  If it is not NULL, the interrupted code of the
 *	kernel may have gone on since then, and must not be walked from @regs
 * @branches: branches that the task had taken before the overflow, the last one first; valid
 *	until the handler returns.  Addresses that the creator may not see are 0
 * @nvals: number of elements of @vals
 * @nbranches: number of elements of @branches, at most pfm_lane.max_branches
 * @user_ok: the creator may see user registers and user memory of @task.  Check it
 *	before a call of task_pt_regs() and before a read of user memory
 * @again: the handler has been called before in this interrupt, for the same @lane, @task
 *	and @regs: several registers overflowed, or one did so several times.  What the handler
 *	found out about the interrupted code still holds
 *
 * The members up to @pid have the layout of struct pfm_default_entry, for
 * pfm_ovfl_fill().
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
	const struct pfm_frames *frames;
	const struct pfm_branch *branches;
	u16 nvals;
	u16 nbranches;
	bool user_ok;
	bool again;
};

/**
 * pfm_ovfl_fill - fill an entry of the default format, or one that begins alike
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
 * @uuid: identifies the format; the bytes in the order in which a UUID is written
 * @version: major << 16 | minor
 * @flags: PFM_FORMAT_*
 * @arg_size: bytes of the argument at creation of a context, at most a page
 * @validate: checks the argument, before anything is allocated; optional
 * @getsize: returns the bytes of a lane; optional: without it lanes have no memory
 * @init: called when a lane was created; optional
 * @handler: called for each overflow; required.  Returns PFM_CTRL_*, or -errno,
 *	which counts as a sample that the format lost.  Interrupts are off, and the
 *	runqueue lock may be held: no locks but raw ones that are never held when a
 *	task is woken, no sleeping functions, nothing that may fault.  With
 *	PFM_FORMAT_NMI no locks
 * @capture: walks the kernel's call stack; optional.  Called before @handler where the
 *	PMU interrupts by an NMI, in the NMI, if it interrupted the kernel and the
 *	creator may see that.  It may interrupt @handler and @restart.  It reads the
 *	stack and what @init has stored in the lane, and writes to its argument only
 * @restart: called when the consumer restarts the lane, interrupts off; optional,
 *	default: reset and go on.  Stores PFM_CTRL_* in ctrl.  NOTIFY means that the
 *	consumer has more to deal with: poll(2) still reports the notification, and
 *	no message is queued.  Returns 0, -EBUSY when the lane does not wait for a
 *	restart, or another error; after an error a lane that the format has masked
 *	stays masked
 * @prepare: called before @restart, with the same argument, for work that would
 *	keep interrupts off for too long; optional.  Runs in process context, possibly
 *	at the same time as the handler, but not at the same time as @restart or
 *	another @prepare of the lane.  @restart may find more to do than @prepare
 *	did, and must then refuse it
 * @available: number of entries that the consumer can read and has not released; for
 *	ioctl FIONREAD; optional.  Process context, possibly at the same time as the handler,
 *	but not as @restart
 * @exit: called when the lane is destroyed; optional
 * @desc: what the format says of its argument and its entries; optional.  Not used after
 *	the registration
 * @owner: module that stays loaded while contexts use the format
 * @node: for the core: entry in the list of formats
 * @users: for the core: number of contexts that use the format
 *
 * Constant while registered, except @node and @users.
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
	void (*capture)(const struct pfm_lane *lane, struct pt_regs *regs,
			struct pfm_frames *frames);
	int (*restart)(struct pfm_lane *lane, u64 arg, u32 *ctrl);
	void (*prepare)(struct pfm_lane *lane, u64 arg);
	u64 (*available)(const struct pfm_lane *lane);
	void (*exit)(struct pfm_lane *lane);
	const struct pfm_format_desc *desc;
	struct module *owner;
	struct list_head node;
	unsigned int users;
};

/*
 * Changes with the structures of formats, so that a module which was compiled with others is
 * refused.
 */
#define PFM_FORMAT_API 2

/* For pfm_register_format() */
int pfm_register_format_api(struct pfm_format *fmt, unsigned int api);

/**
 * pfm_register_format - make a format available
 * @fmt: the format; must exist until pfm_unregister_format()
 *
 * Return: 0; -EINVAL: there is no name, handler or UUID, the argument exceeds a page, or
 * the description is wrong, which the kernel's log explains; -EEXIST: the UUID or the
 * name is taken; -ENOMEM; -EPROTO: the module was compiled with headers of another version.
 */
static inline int pfm_register_format(struct pfm_format *fmt)
{
	return pfm_register_format_api(fmt, PFM_FORMAT_API);
}

/**
 * pfm_unregister_format - make a format unavailable
 * @fmt: the format
 *
 * Return: 0; -EBUSY: contexts use the format; -ENOENT: it is not registered.  -EBUSY
 * cannot happen in the exit function of the format's module, because contexts hold a
 * reference on the module.
 */
int pfm_unregister_format(struct pfm_format *fmt);

/**
 * pfm_mod_read_pmds - read registers of the context that overflowed
 * @ovfl: the handler's argument
 * @regs: num and set in, value out
 * @count: number of elements
 *
 * Only for handlers of formats without PFM_FORMAT_SIMPLE, for which the core has
 * stopped the counters.
 *
 * Return: 0; -ENOENT: no such set; -ENODATA: a register is not in use.
 */
int pfm_mod_read_pmds(const struct pfm_ovfl *ovfl, struct pfm_reg *regs,
		      unsigned int count);

/**
 * pfm_mod_write_pmds - write registers of the context that overflowed
 * @ovfl: the handler's argument
 * @regs: num, set and value of each register
 * @count: number of elements; all are written or none
 *
 * For handlers, as pfm_mod_read_pmds().  A reset that the handler asks for
 * (PFM_CTRL_RESET) comes later and overwrites the registers that it resets.
 *
 * Return: 0; -ENOENT: no such set; -ENODATA: a register is not in use.
 */
int pfm_mod_write_pmds(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count);

/**
 * pfm_mod_write_pmcs - change what the context that overflowed counts
 * @ovfl: the handler's argument
 * @regs: num, set and value of each register
 * @count: number of elements; all are written or none
 *
 * For handlers, as pfm_mod_read_pmds().
 *
 * Return: 0; -ENOENT: no such set; -ENODATA: a register is not in use; -ERANGE:
 * reserved bits differ from the default; -EPERM: the value would count more than
 * user-level code, the creator of the context lacked CAP_PERFMON, and
 * /sys/kernel/perfmon/policy/kernel_level does not allow it, or the kernel is locked
 * down so that the creator may not see it in samples; -EBUSY: the context
 * follows, so that other CPUs use the same registers; another -errno: the PMU refuses the
 * values together, as it would at LOAD (pfm_pmu_ops.prepare).
 */
int pfm_mod_write_pmcs(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count);

#endif /* _PERFMON_FORMAT_H */
