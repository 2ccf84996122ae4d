// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "callstack": the calls that led to each sample, as one entry for
 * each sample, or counted for each distinct stack.
 *
 * Purpose: profiles by caller.  When the kernel counts the stacks, hours of profiling
 * fit in a few megabytes, and the consumer has nothing to do until the end.
 *
 * Context: the handler runs in the overflow interrupt, in an NMI, or at a context switch
 * under the runqueue lock.  It needs no locks, because a lane has one writer at a time, and
 * allocates nothing: all memory is allocated with the lane.  If it runs later than the NMI of
 * the overflow, the NMI has walked the kernel's stack.  It reads the user's stack by copies
 * that fail where they would fault, so a page that is not present ends a walk, and the
 * sample is marked as cut.
 *
 * Limits: see <linux/perfmon_callstack.h>.  Addresses are recorded as they are; the
 * consumer looks up the symbols.
 *
 * Memory: lanes * (256 + parts * part_size) bytes, rounded up to pages for each lane,
 * allocated and charged when the context is created; aggregated also one record of
 * 64 + 16 * depth bytes for each lane.
 *
 * Time: the stacks are walked once an interrupt, however many registers have overflowed.
 */
#include <linux/module.h>
#include <linux/perfmon_callstack.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <perfmon/release.h>

#include "frames.h"
#include "parts.h"
#include "stacks.h"

#define STACKS_MASK (PFM_CALLSTACK_KERNEL | PFM_CALLSTACK_USER)
#define FLAGS_MASK                                                      \
	(PFM_CALLSTACK_DROP | STACKS_MASK | PFM_CALLSTACK_AGGREGATE | \
	 PFM_CALLSTACK_LR)

static_assert(PFM_CALLSTACK_DROP == PFM_NWAY_DROP);
static_assert(sizeof(struct pfm_callstack_arg) == 64);
static_assert(sizeof(struct pfm_callstack_hdr) == 256);
static_assert(sizeof(struct pfm_callstack_entry) == 48);
static_assert(PFM_CALLSTACK_DEPTH_MAX <= PFM_FRAMES_MAX);

/**
 * struct lane_priv - state of a lane
 * @seed: of the hash of an aggregating lane
 * @cleared: number of the last part whose index was cleared for its release; a part
 *	that is not released stays readable.  Only callstack_prepare() changes it
 * @key: the sample that is being counted, as a record of its own; NULL unless the lane
 *	aggregates
 * @walked: frames that were found in this interrupt, the kernel's first, in @key or in the
 *	last entry; NULL when there are none yet
 * @nr_kernel: number of @walked that are the kernel's, and
 * @nr_user: number of those that are the user's
 * @flags: flags of a sample with them
 *
 * The fields from @walked on belong to the handler.
 */
struct lane_priv {
	u64 seed;
	u64 cleared;
	struct pfm_callstack_record *key;
	const u64 *walked;
	u16 nr_kernel;
	u16 nr_user;
	u16 flags;
};

/* Most bytes of the frames of both stacks. */
static u64 frames_size(u32 flags, u32 depth)
{
	u64 size = (flags & PFM_CALLSTACK_KERNEL ? depth : 0) +
		   (flags & PFM_CALLSTACK_USER ? depth : 0);

	return size * sizeof(u64);
}

static int check_size(const struct pfm_callstack_arg *arg)
{
	if (arg->part_size % sizeof(u64))
		return -EINVAL;
	if (arg->flags & PFM_CALLSTACK_AGGREGATE)
		return arg->part_size < PFM_CALLSTACK_AGGR_MIN ||
				       arg->part_size > PFM_CALLSTACK_AGGR_MAX
			       ? -EINVAL
			       : 0;
	return arg->part_size < sizeof(struct pfm_nway_part) +
					sizeof(struct pfm_callstack_entry) +
					frames_size(arg->flags, arg->depth)
		       ? -EINVAL
		       : 0;
}

static int callstack_validate(u32 flags, const void *data)
{
	const struct pfm_callstack_arg *arg = data;

	if ((arg->flags & ~FLAGS_MASK) || !(arg->flags & STACKS_MASK) ||
	    arg->reserved ||
	    memchr_inv(arg->reserved2, 0, sizeof(arg->reserved2)))
		return -EINVAL;
	if (!arg->parts || arg->parts > PFM_CALLSTACK_PARTS_MAX ||
	    !arg->depth || arg->depth > PFM_CALLSTACK_DEPTH_MAX)
		return -EINVAL;
	return check_size(arg);
}

static int callstack_getsize(u32 flags, const void *data, size_t *size)
{
	const struct pfm_callstack_arg *arg = data;

	if (arg->part_size > SIZE_MAX / 2 / arg->parts)
		return -ENOBUFS;
	*size = sizeof(struct pfm_callstack_hdr) + arg->parts * arg->part_size;
	return 0;
}

static int init_priv(struct pfm_lane *lane, bool aggregates, u32 depth)
{
	struct lane_priv *priv;

	priv = kzalloc(sizeof(*priv), GFP_KERNEL_ACCOUNT);
	if (!priv)
		return -ENOMEM;
	lane->priv = priv;
	if (!aggregates)
		return 0;
	priv->seed = get_random_u64();
	priv->key = kzalloc(struct_size(priv->key, frames, 2 * depth),
			    GFP_KERNEL_ACCOUNT);
	if (!priv->key) {
		lane->priv = NULL;
		kfree(priv);
		return -ENOMEM;
	}
	return 0;
}

static int callstack_init(struct pfm_lane *lane, const void *data)
{
	const struct pfm_callstack_arg *arg = data;
	struct pfm_callstack_hdr *hdr = lane->buf;
	struct pfm_nway_hdr *nway = &hdr->nway;
	int ret;

	nway->version = PFM_CALLSTACK_VERSION;
	nway->flags = arg->flags;
	nway->parts = arg->parts;
	nway->part_offs = sizeof(*hdr);
	nway->part_size = arg->part_size;
	nway->part_room = arg->part_size;
	hdr->depth = arg->depth;
	ret = init_priv(lane, arg->flags & PFM_CALLSTACK_AGGREGATE, arg->depth);
	if (ret)
		return ret;
	if (arg->flags & PFM_CALLSTACK_AGGREGATE) {
		nway->part_room = stacks_room(arg->part_size);
		hdr->slots = stacks_slots(arg->part_size);
	}
	parts_init(nway);
	/* The address space may be another one where interrupts are off. */
	lane->anywhere = !(arg->flags & PFM_CALLSTACK_USER);
	return 0;
}

static void callstack_exit(struct pfm_lane *lane)
{
	struct lane_priv *priv = lane->priv;

	if (!priv)
		return;
	kfree(priv->key);
	kfree(priv);
}

static u64 period(const struct pfm_ovfl *ovfl)
{
	return -ovfl->last_reset;
}

static bool in_kernel(const struct pfm_ovfl *ovfl)
{
	return ovfl->regs && !user_mode(ovfl->regs);
}

/* The flag that says why stacks are missing, 0 when none are. */
static u16 missing(const struct pfm_ovfl *ovfl)
{
	if (!ovfl->user_ok)
		return PFM_CALLSTACK_HIDDEN;
	return ovfl->regs ? 0 : PFM_CALLSTACK_LATE;
}

/*
 * In the NMI of an overflow: walk the kernel's stack.  The flags and the depth are
 * constant.
 */
static void callstack_capture(const struct pfm_lane *lane, struct pt_regs *regs,
			      struct pfm_frames *to)
{
	const struct pfm_callstack_hdr *hdr = lane->buf;
	struct frames frames = { .at = to->at, .max = hdr->depth };

	if (!(hdr->nway.flags & PFM_CALLSTACK_KERNEL))
		return;
	frames_kernel(&frames, regs);
	to->n = frames.n;
	to->cut = frames.cut;
}

/* The kernel's frames: those that were captured, or those that are walked now. */
static void collect_kernel(const struct pfm_ovfl *ovfl, struct frames *frames)
{
	const struct pfm_frames *captured = ovfl->frames;

	if (!captured) {
		frames_kernel(frames, ovfl->regs);
		return;
	}
	memcpy(frames->at, captured->at, captured->n * sizeof(u64));
	frames->n = captured->n;
	frames->cut = captured->cut;
}

/*
 * Walk the stacks that the argument asks for, as far as they are known and the creator
 * may see them.  Stores the frames at @at, the kernel's first.  Returns the flags of
 * the sample.
 */
static u16 walk(const struct pfm_ovfl *ovfl, u64 *at, u16 *nr_kernel,
		u16 *nr_user)
{
	const struct pfm_callstack_hdr *hdr = ovfl->lane->buf;
	u32 wanted = hdr->nway.flags;
	const bool want_lr = wanted & PFM_CALLSTACK_LR;
	struct frames kernel = {
		.at = at,
		.max = hdr->depth,
		.want_lr = want_lr,
	};
	struct frames user = { .max = hdr->depth, .want_lr = want_lr };
	struct pt_regs *regs = NULL;
	u16 flags = missing(ovfl);

	if ((wanted & PFM_CALLSTACK_KERNEL) && in_kernel(ovfl) &&
	    ovfl->lane->kernel_ok)
		collect_kernel(ovfl, &kernel);
	if (wanted & PFM_CALLSTACK_USER)
		regs = frames_user_regs(ovfl);
	if (regs) {
		user.at = at + kernel.n;
		frames_user(&user, regs);
	}
	*nr_kernel = kernel.n;
	*nr_user = user.n;
	if (kernel.cut)
		flags |= PFM_CALLSTACK_CUT_KERNEL;
	if (user.cut)
		flags |= PFM_CALLSTACK_CUT_USER;
	if (kernel.lr)
		flags |= PFM_CALLSTACK_LR_KERNEL;
	if (user.lr)
		flags |= PFM_CALLSTACK_LR_USER;
	return flags;
}

/*
 * Store the frames of the sample at @at, as walk() does.  The stacks do not change during an
 * interrupt, and to walk deep ones takes longer than all else.
 */
static __always_inline u16 collect(const struct pfm_ovfl *ovfl, u64 *at,
				   u16 *nr_kernel, u16 *nr_user)
{
	struct lane_priv *priv = ovfl->lane->priv;

	if (unlikely(ovfl->again && priv->walked)) {
		*nr_kernel = priv->nr_kernel;
		*nr_user = priv->nr_user;
		if (at != priv->walked)
			memcpy(at, priv->walked,
			       (*nr_kernel + *nr_user) * sizeof(u64));
	} else {
		priv->flags = walk(ovfl, at, nr_kernel, nr_user);
		priv->nr_kernel = *nr_kernel;
		priv->nr_user = *nr_user;
	}
	priv->walked = at;
	return priv->flags;
}

static void count_lost(struct pfm_callstack_hdr *hdr,
		       const struct pfm_ovfl *ovfl)
{
	hdr->nway.lost++;
	hdr->lost_weight += period(ovfl);
}

/* Write an entry.  Returns its size in bytes. */
static u64 fill_entry(struct pfm_callstack_entry *entry,
		      const struct pfm_ovfl *ovfl)
{
	u64 *vals = (u64 *)(entry + 1);

	pfm_ovfl_fill(entry, ovfl);
	entry->nr_vals = ovfl->nvals;
	memcpy(vals, ovfl->vals, ovfl->nvals * sizeof(u64));
	entry->flags = collect(ovfl, vals + ovfl->nvals, &entry->nr_kernel,
			       &entry->nr_user);
	return sizeof(*entry) +
	       (ovfl->nvals + entry->nr_kernel + entry->nr_user) * sizeof(u64);
}

static int record_entry(const struct pfm_ovfl *ovfl,
			struct pfm_callstack_hdr *hdr)
{
	u64 max_size = sizeof(struct pfm_callstack_entry) +
		       ovfl->lane->max_regs * sizeof(u64) +
		       frames_size(hdr->nway.flags, hdr->depth);
	struct pfm_nway_part *part;

	part = parts_reserve(&hdr->nway, max_size);
	if (!part) {
		hdr->lost_weight += period(ovfl);
		return parts_lost_ctrl(ovfl->lane);
	}
	parts_commit(&hdr->nway, part,
		     fill_entry((void *)part + part->cur_offs, ovfl));
	hdr->weight += period(ovfl);
	if (parts_space(part) >= max_size)
		return PFM_CTRL_RESET;
	return parts_full_ctrl(ovfl->lane);
}

static void fill_key(struct pfm_callstack_record *key,
		     const struct pfm_ovfl *ovfl)
{
	key->count = 1;
	key->weight = period(ovfl);
	key->first = ovfl->tstamp;
	key->eventid = ovfl->eventid;
	key->pmd = ovfl->pmd;
	key->set = ovfl->set;
	key->pid = ovfl->pid;
	/*
	 * Process ids are reused, and addresses mean something else after an
	 * exec; start and exec tell the programs apart.  The group leader exists
	 * as long as the thread has its id.
	 */
	key->start = pid_alive(ovfl->task) ?
			     READ_ONCE(ovfl->task->group_leader)->start_time :
			     ovfl->task->start_time;
	key->exec = ovfl->task->self_exec_id;
	key->flags = collect(ovfl, key->frames, &key->nr_kernel, &key->nr_user);
}

/* The stack of a sample found no room: keep only its event. */
static void forget_stack(struct pfm_callstack_record *key)
{
	key->pid = 0;
	key->start = 0;
	key->exec = 0;
	key->nr_kernel = 0;
	key->nr_user = 0;
	key->flags = PFM_CALLSTACK_OTHER;
}

/*
 * Count a sample whose stack found no room in the record of its event, or, if there is
 * no room for that record, in the record that is for all events.
 */
static void count_other(struct pfm_callstack_hdr *hdr,
			struct pfm_nway_part *part, const struct lane_priv *priv)
{
	struct pfm_callstack_record *key = priv->key;
	bool added;

	forget_stack(key);
	if (stacks_count(hdr, part, key, priv->seed,
			 stacks_may_other(hdr, part), &added))
		return;
	key->eventid = 0;
	key->pmd = PFM_REG_NONE;
	key->set = 0;
	stacks_count(hdr, part, key, priv->seed, true, &added);
}

/* The part in use has become full.  Returns the result for the handler. */
static int stacks_full_ctrl(const struct pfm_ovfl *ovfl,
			    struct pfm_callstack_hdr *hdr,
			    struct pfm_nway_part *part)
{
	if (parts_has_free(&hdr->nway) || !parts_drop(ovfl->lane))
		return parts_full_ctrl(ovfl->lane);
	/* The part stays in use: stacks that it has can still be counted. */
	part->overflows = 1;
	hdr->nway.overflows++;
	return PFM_CTRL_NOTIFY | PFM_CTRL_RESET;
}

static int aggregate(const struct pfm_ovfl *ovfl, struct pfm_callstack_hdr *hdr)
{
	u64 max_size = sizeof(struct pfm_callstack_record) +
		       frames_size(hdr->nway.flags, hdr->depth);
	const struct lane_priv *priv = ovfl->lane->priv;
	struct pfm_nway_part *part = parts_current(&hdr->nway);
	bool added;

	if (!part) {
		count_lost(hdr, ovfl);
		return parts_lost_ctrl(ovfl->lane);
	}
	part->min_space = max_size;
	fill_key(priv->key, ovfl);
	if (!stacks_count(hdr, part, priv->key, priv->seed, !part->overflows,
			  &added)) {
		count_lost(hdr, ovfl);
		count_other(hdr, part, priv);
		return PFM_CTRL_RESET;
	}
	hdr->nway.samples++;
	hdr->weight += period(ovfl);
	if (!added ||
	    !stacks_is_full(hdr, part, max_size, ovfl->lane->max_events))
		return PFM_CTRL_RESET;
	return stacks_full_ctrl(ovfl, hdr, part);
}

static int callstack_handler(const struct pfm_ovfl *ovfl)
{
	struct pfm_callstack_hdr *hdr = ovfl->lane->buf;
	struct lane_priv *priv = ovfl->lane->priv;

	if (!ovfl->again)
		priv->walked = NULL;
	if (hdr->nway.flags & PFM_CALLSTACK_AGGREGATE)
		return aggregate(ovfl, hdr);
	return record_entry(ovfl, hdr);
}

/*
 * Parts that are full and not released belong to the consumer, which does not use the
 * index.  So their index can be cleared here, while the handler counts in another
 * part.
 */
static void callstack_prepare(struct pfm_lane *lane, u64 arg)
{
	struct pfm_callstack_hdr *hdr = lane->buf;
	struct lane_priv *priv = lane->priv;
	/* Pairs with the store in parts_advance(). */
	const u64 filled = smp_load_acquire(&hdr->nway.filled);
	const u64 last = arg ?: hdr->nway.released + 1;

	if (!priv->key || last > filled)
		return;
	while (priv->cleared < last)
		stacks_clear(hdr, ++priv->cleared);
}

static int callstack_restart(struct pfm_lane *lane, u64 arg, u32 *ctrl)
{
	struct pfm_callstack_hdr *hdr = lane->buf;
	struct pfm_nway_hdr *nway = &hdr->nway;
	const struct lane_priv *priv = lane->priv;
	const struct pfm_nway_part *part;
	u64 last;
	int ret;

	*ctrl = PFM_CTRL_RESET;
	if (!arg && parts_too_small(nway))
		return 0;
	ret = parts_released(nway, arg, &last);
	if (ret)
		return ret;
	/* The part became full after callstack_prepare() had looked. */
	if (priv->key && last > priv->cleared)
		return arg ? -EINVAL : -EBUSY;
	parts_release(nway, last);
	/* The part in use may be full already, see stacks_full_ctrl(). */
	part = parts_current(nway);
	if (part->overflows)
		parts_advance(nway);
	*ctrl |= parts_more_ctrl(nway);
	return 0;
}

/* Aggregated: stacks, not samples */
static u64 callstack_available(const struct pfm_lane *lane)
{
	struct pfm_callstack_hdr *hdr = lane->buf;

	return parts_available(&hdr->nway);
}

static const struct pfm_arg_field args[] = {
	{ PFM_ARG(struct pfm_callstack_arg, part_size), .dfl = 1 << 20,
	  .min = sizeof(struct pfm_nway_part) +
		 sizeof(struct pfm_callstack_entry) + sizeof(u64),
	  .max = U64_MAX, .unit = "bytes",
	  .help = "of a part, header included, a multiple of 8" },
	{ PFM_ARG(struct pfm_callstack_arg, parts), .dfl = 2, .min = 1,
	  .max = PFM_CALLSTACK_PARTS_MAX },
	{ PFM_ARG(struct pfm_callstack_arg, depth), .dfl = 64, .min = 1,
	  .max = PFM_CALLSTACK_DEPTH_MAX, .unit = "frames",
	  .help = "most that are kept of either stack" },
	{ PFM_ARG_FLAG("drop", PFM_CALLSTACK_DROP, struct pfm_callstack_arg,
		       flags),
	  .help = "lose samples when all parts are full" },
	{ PFM_ARG_FLAG("kernel", PFM_CALLSTACK_KERNEL, struct pfm_callstack_arg,
		       flags),
	  .dfl = 1, .help = "stacks of the kernel" },
	{ PFM_ARG_FLAG("user", PFM_CALLSTACK_USER, struct pfm_callstack_arg,
		       flags),
	  .dfl = 1, .help = "stacks of the user" },
	{ PFM_ARG_FLAG("aggregate", PFM_CALLSTACK_AGGREGATE,
		       struct pfm_callstack_arg, flags),
	  .help = "count equal stacks" },
	{ PFM_ARG_FLAG("lr", PFM_CALLSTACK_LR, struct pfm_callstack_arg, flags),
	  .help = "the link register as second frame (arm64)" },
};

static const struct pfm_field hdr_fields[] = {
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, filled),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, released),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, samples),
	PFM_FIELD(LOST, struct pfm_nway_hdr, lost),
	PFM_FIELD(NUMBER, struct pfm_nway_hdr, overflows),
	PFM_FIELD(NUMBER, struct pfm_callstack_hdr, weight),
	PFM_FIELD(NUMBER, struct pfm_callstack_hdr, lost_weight),
	PFM_FIELD(NUMBER, struct pfm_callstack_hdr, collisions),
};

static const struct pfm_field sample_fields[] = {
	PFM_FIELD(TID, struct pfm_callstack_entry, tid),
	PFM_FIELD(PMD, struct pfm_callstack_entry, ovfl_pmd),
	PFM_FIELD(RESET, struct pfm_callstack_entry, last_reset_val),
	PFM_FIELD(CODE, struct pfm_callstack_entry, ip),
	PFM_FIELD(TIME, struct pfm_callstack_entry, tstamp),
	PFM_FIELD(CPU, struct pfm_callstack_entry, cpu),
	PFM_FIELD(SET, struct pfm_callstack_entry, set),
	PFM_FIELD(PID, struct pfm_callstack_entry, pid),
	PFM_FIELD(NUMBER, struct pfm_callstack_entry, nr_vals),
	PFM_FIELD(NUMBER, struct pfm_callstack_entry, nr_kernel),
	PFM_FIELD(NUMBER, struct pfm_callstack_entry, nr_user),
	PFM_FIELD(BITS, struct pfm_callstack_entry, flags),
};

static const struct pfm_field sample_tails[] = {
	PFM_TAIL("values", VALUE, "nr_vals"),
	PFM_TAIL("kernel", STACK, "nr_kernel"),
	PFM_TAIL("user", STACK, "nr_user"),
};

/* The time of the first sample is that of the addresses, but no part of what is equal. */
static const struct pfm_field stack_fields[] = {
	PFM_FIELD(COUNT, struct pfm_callstack_record, count),
	PFM_FIELD(PERIOD, struct pfm_callstack_record, weight),
	PFM_FIELD(TIME, struct pfm_callstack_record, first),
	PFM_FIELD(NUMBER, struct pfm_callstack_record, start),
	PFM_FIELD(EVENT, struct pfm_callstack_record, eventid),
	PFM_FIELD(PID, struct pfm_callstack_record, pid),
	PFM_FIELD(NUMBER, struct pfm_callstack_record, exec),
	PFM_FIELD(PMD, struct pfm_callstack_record, pmd),
	PFM_FIELD(SET, struct pfm_callstack_record, set),
	PFM_FIELD(NUMBER, struct pfm_callstack_record, nr_kernel),
	PFM_FIELD(NUMBER, struct pfm_callstack_record, nr_user),
	PFM_FIELD(BITS, struct pfm_callstack_record, flags),
};

static const struct pfm_field stack_tails[] = {
	PFM_TAIL("kernel", STACK, "nr_kernel"),
	PFM_TAIL("user", STACK, "nr_user"),
};

static const struct pfm_entry_desc entries[] = {
	{
		.name = "sample",
		.with = "aggregate",
		.is = 0,
		.fields = sample_fields,
		.nfields = ARRAY_SIZE(sample_fields),
		.tails = sample_tails,
		.ntails = ARRAY_SIZE(sample_tails),
		.size = sizeof(struct pfm_callstack_entry),
		.use = PFM_USE_STREAM,
	},
	{
		.name = "stack",
		.with = "aggregate",
		.is = 1,
		.fields = stack_fields,
		.nfields = ARRAY_SIZE(stack_fields),
		.tails = stack_tails,
		.ntails = ARRAY_SIZE(stack_tails),
		.size = sizeof(struct pfm_callstack_record),
		.use = PFM_USE_HISTOGRAM,
	},
};

static const struct pfm_format_desc desc = {
	.help = "the calls that led to each sample",
	.layout = PFM_LAYOUT_PARTS,
	.args = args,
	.nargs = ARRAY_SIZE(args),
	.hdr = hdr_fields,
	.nhdr = ARRAY_SIZE(hdr_fields),
	.hdr_size = sizeof(struct pfm_callstack_hdr),
	.entries = entries,
	.nentries = ARRAY_SIZE(entries),
};

static struct pfm_format callstack = {
	.name = "callstack",
	.uuid = PFM_CALLSTACK_UUID,
	.version = PFM_CALLSTACK_VERSION,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_NMI,
	.arg_size = sizeof(struct pfm_callstack_arg),
	.validate = callstack_validate,
	.getsize = callstack_getsize,
	.init = callstack_init,
	.handler = callstack_handler,
	.capture = callstack_capture,
	.restart = callstack_restart,
	.available = callstack_available,
	.desc = &desc,
	.prepare = callstack_prepare,
	.exit = callstack_exit,
	.owner = THIS_MODULE,
};

static int __init callstack_module_init(void)
{
	return pfm_register_format(&callstack);
}

static void __exit callstack_module_exit(void)
{
	pfm_unregister_format(&callstack);
}

module_init(callstack_module_init);
module_exit(callstack_module_exit);

MODULE_DESCRIPTION("perfmon sampling format: call stacks");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);
MODULE_ALIAS("perfmon-format-6aa5f35a-d6ca-46ec-befb-32ef8fea9330");
