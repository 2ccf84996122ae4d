// SPDX-License-Identifier: GPL-2.0-only
/*
 * READ_PMDS by a thread that reads its own counters.  This is the common case; a
 * program may issue thousands of such ioctls a second.
 *
 * All that the read needs is on this CPU, and does not change while interrupts are off.
 * So no lock is taken, not even pfm_context.lock.  If another thread uses the
 * descriptor meanwhile, the read comes before or after that.
 */
#include "abi/own.h"

#include <linux/fs.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/perfmon.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <perfmon/critical.h>

#include "abi/file.h"
#include "core/context.h"
#include "core/cpu_state.h"
#include "core/pmu.h"
#include "set/layout.h"
#include "target/target.h"

/**
 * struct room - scratch memory; on the stack it would have to be cleared each time
 * @regs: copy of the vector of registers
 * @vals: values of the set
 *
 * There is one for each CPU, used on that CPU with interrupts off.
 */
struct room {
	struct pfm_reg regs[PFM_OWN_MAX];
	u64 vals[PFM_OWN_MAX];
};

static DEFINE_PER_CPU(struct room, rooms);

static __always_inline void read_class(struct pfm_slot *slot,
				       const struct pfm_cset *cset,
				       enum pfm_reg_class class, u64 *vals)
{
	const struct pfm_prog *prog = &cset->progs[class];
	u16 off = cset->off[class];
	const u64 *from = slot->target->vals + cset->at + off;

	if (!prog->npmds)
		return;
	if (class == PFM_CLASS_HW)
		static_call(pfm_hw_read)(prog, from, vals + off, &slot->run);
	else
		prog->pmu->ops->read(prog, from, vals + off, &slot->run);
}

/*
 * True when all of a struct pfm_reg but the value is as expected: the number, set 0, as
 * there is no other, and no flags.
 */
static __always_inline bool asks_for(const struct pfm_reg *reg, u16 num)
{
	static_assert(offsetof(struct pfm_reg, value) == sizeof(u64));
	static_assert(!offsetof(struct pfm_reg, num));
#ifdef __LITTLE_ENDIAN
	return *(const u64 *)reg == num;
#else
	return *(const u64 *)reg == (u64)num << 48;
#endif
}

/*
 * Fill in the values, if consecutive registers are asked for; otherwise return false.
 */
static __always_inline bool fill_in(const struct pfm_cset *cset,
				    const u64 *vals, struct pfm_reg *regs,
				    u32 count)
{
	const u16 *nums = cset->nums, *last = nums + pfm_cset_nregs(cset);
	const struct pfm_reg *end = regs + count;

	while (nums < last && *nums != regs->num) {
		nums++;
		vals++;
	}
	if (count > last - nums)
		return false;
	do {
		if (!asks_for(regs, *nums++))
			return false;
		regs->value = *vals++;
	} while (++regs < end);
	return true;
}

/* True when this CPU counts for the current thread, and no further work is needed. C7 */
static __always_inline bool counts_here(const struct pfm_slot *slot,
					const struct pfm_context *ctx)
{
	const struct pfm_target *target = slot->target;

	return target && target->ctx == ctx && target->task == current &&
	       (slot->cset->paths & PFM_PATH_OWN) && !READ_ONCE(ctx->user_page);
}

static noinline struct pfm_slot *further_here(const struct pfm_context *ctx)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

	for (s = 1; s < PFM_SLOT_OWN; s++) {
		if (counts_here(&cpu->slots[s], ctx))
			return &cpu->slots[s];
	}
	return NULL;
}

/* The slot in which this CPU counts so, or NULL. */
static __always_inline struct pfm_slot *slot_here(const struct pfm_context *ctx)
{
	struct pfm_slot *slot = pfm_slot_first();

	if (likely(counts_here(slot, ctx)))
		return slot;
	return pfm_switch_watched() ? further_here(ctx) : NULL;
}

/*
 * Read and copy with interrupts off and page faults disabled.  The raw copy functions
 * suffice, because access_ok() is called here and the size fits the scratch memory.
 */
static __always_inline bool read_here(const struct pfm_context *ctx,
				      struct pfm_reg __user *uregs, u32 count)
{
	struct pfm_slot *slot = slot_here(ctx);
	struct room *room = this_cpu_ptr(&rooms);
	size_t size = count * sizeof(*uregs);
	const struct pfm_cset *cset;

	if (!slot || !access_ok(uregs, size))
		return false;
	/* No speculative read before the check, as in copy_from_user(). */
	barrier_nospec();
	if (raw_copy_from_user(room->regs, uregs, size))
		return false;
	cset = slot->cset;
	read_class(slot, cset, PFM_CLASS_HW, room->vals);
	if (unlikely(cset->paths & PFM_PATH_OTHERS)) {
		read_class(slot, cset, PFM_CLASS_SHARED, room->vals);
		read_class(slot, cset, PFM_CLASS_CPU, room->vals);
	}
	return fill_in(cset, room->vals, room->regs, count) &&
	       !raw_copy_to_user(uregs, room->regs, size);
}

/*
 * Do READ_PMDS if the caller reads its own counters.  If not, return false: then the
 * general way does everything again and finds the error, if there is one.
 */
static __always_inline bool read_own(const struct pfm_context *ctx,
				     unsigned long uarg)
{
	const struct pfm_regs __user *arg = (void __user *)uarg;
	u64 regs;
	u32 count;
	bool done;

	if (get_user(regs, &arg->regs) || get_user(count, &arg->count) ||
	    !count || count > PFM_OWN_MAX)
		return false;
	local_irq_disable();
	pagefault_disable();
	pfm_critical_enter();
	done = read_here(ctx, u64_to_user_ptr(regs), count);
	pfm_critical_exit();
	pagefault_enable();
	local_irq_enable();
	return done;
}

/**
 * pfm_own_ioctl - execute an ioctl on a context's descriptor, the quick way if possible
 * @file: file of the descriptor
 * @cmd: PFM_IOC_*
 * @arg: argument of the ioctl, usually a user pointer
 *
 * Context: process; may sleep.
 * Return: result of the ioctl.
 */
long pfm_own_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd == PFM_IOC_READ_PMDS && read_own(file->private_data, arg))
		return 0;
	return pfm_file_ioctl(file, cmd, arg);
}
