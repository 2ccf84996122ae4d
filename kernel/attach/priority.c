// SPDX-License-Identifier: GPL-2.0-only
/*
 * Priority: a LOAD that takes registers from sessions of others.
 *
 * A caller with CAP_PERFMON, or the right that the policy gives for it, need not wait for those
 * who have neither: their sessions end, and they are told by whom.  Nobody takes from a session
 * that was loaded with this right.  The argument: Documentation/change/locking/attach.rst.
 */
#include "attach/priority.h"

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "attach/load.h"
#include "core/context.h"
#include "core/cpu_state.h"
#include "set/layout.h"
#include "target/session.h"
#include "target/table.h"
#include "target/target.h"

/**
 * struct search - sessions that are in the way of a LOAD
 * @want: what the LOAD wants
 * @slots: look for sessions that use slots of the CPU; otherwise, for those that hold a register
 * @slot: with @slots and @refer: only those that use this one
 * @refer: end them; otherwise only look whether all may be ended
 * @found: out: one of them, with a reference
 * @number: out: number of its session
 * @n: out: how many there are, without @refer
 * @last: number of the latest one, found without @refer; later ones are left alone, or an owner who
 *	loads again and again could keep the caller busy
 * @veto: out: one of them must not be ended
 * @used: out, with @slots: bitmap of the slots that they use
 * @kept: out, likewise: slots of those that must not be ended
 */
struct search {
	const struct pfm_priority *want;
	bool slots;
	unsigned int slot;
	bool refer;
	struct pfm_context *found;
	u64 number;
	unsigned int n;
	u64 last;
	bool veto;
	u8 used;
	u8 kept;
};

/* True if the session of a context may be ended; a snapshot, pfm_load_take() asks again. */
static bool may_end(const struct pfm_context *ctx, bool started)
{
	const enum pfm_ctx_state state = READ_ONCE(ctx->state);

	if (ctx->session.ranks)
		return false;
	return started ||
	       (state != PFM_CTX_ARMED && state != PFM_CTX_STARTING &&
		state != PFM_CTX_STARTED);
}

static bool meets(const struct pfm_session *session,
		  const struct pfm_priority *want)
{
	return pfm_session_meets(session, want->cpu, want->ctx->cgroup);
}

/* For a session that meets the one that the LOAD wants */
static bool is_in_the_way(const struct pfm_session *session,
			  const struct search *search)
{
	if (search->slots)
		return session->cpu >= 0 &&
		       (!search->refer || session->slot == search->slot);
	return pfm_holds_meet(session->holds, search->want->ctx->wants);
}

/* Called with session_lock held; a session in the list belongs to a context with a reference. */
static bool look_at(struct pfm_session *session, void *arg)
{
	struct search *search = arg;
	const struct pfm_priority *want = search->want;
	struct pfm_context *ctx =
		container_of(session, struct pfm_context, session);

	if (ctx == want->ctx ||
	    (search->refer && session->number > search->last))
		return false;
	if (!meets(session, want) || !is_in_the_way(session, search))
		return false;
	if (!search->refer) {
		search->n++;
		search->last = max(search->last, session->number);
		search->used |= BIT(session->slot);
	}
	if (!may_end(ctx, want->started)) {
		/* One slot is enough, so those of another one may do. */
		search->veto = !search->slots;
		search->kept |= BIT(session->slot);
		return search->veto;
	}
	if (!search->refer)
		return false;
	refcount_inc(&ctx->ref);
	search->found = ctx;
	search->number = session->number;
	return true;
}

static bool end(struct pfm_context *ctx, u64 number, bool started)
{
	const bool ended = pfm_load_take(ctx, number, started);

	pfm_context_put(ctx);
	return ended;
}

/* Walk over all sessions, and end those that are found.  Returns how many. */
static unsigned int walk(struct search *search)
{
	struct pfm_session mark = { .cpu = -1 };
	unsigned int n = 0;

	pfm_session_walk_begin(&mark);
	/* Ask for a signal first: a context that a walk has found has a reference, for end(). */
	while (!fatal_signal_pending(current) &&
	       pfm_session_walk(&mark, look_at, search) && !search->veto) {
		if (search->found)
			n += end(search->found, search->number,
				 search->want->started);
		search->found = NULL;
		cond_resched();
	}
	pfm_session_walk_end(&mark);
	return n;
}

/*
 * End the sessions of one slot of the CPU if all slots are used.  Several that monitor a cgroup may
 * have the same one: then all of them have to go, or none.
 */
static bool end_slot(const struct pfm_priority *want)
{
	struct search search = { .want = want, .slots = true };

	walk(&search);
	if (hweight8(search.used) < PFM_SLOTS_OWN || search.used == search.kept)
		return false;
	search.slot = __ffs(search.used & ~search.kept);
	search.refer = true;
	return walk(&search);
}

/**
 * struct hindrance - a context of a thread that is in the way
 * @ctx: the context, with a reference; NULL if its session is ending by itself
 * @number: number of its session
 * @veto: the session must not be ended
 */
struct hindrance {
	struct pfm_context *ctx;
	u64 number;
	bool veto;
};

/* A target that is dead may be of an earlier session, and its context may be gone. */
static void refer(struct hindrance *found, const struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;

	raw_spin_lock_irq(&ctx->targets_lock);
	if (!target->dead && refcount_inc_not_zero(&ctx->ref)) {
		found->ctx = ctx;
		found->number = ctx->session.number;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/* Find one that holds a register that is wanted; or any if the thread has no room. */
static bool on_thread(const struct pfm_priority *want,
		      const struct task_struct *task, struct hindrance *found)
{
	const struct pfm_target *target, *holder = NULL, *any = NULL;
	const bool privileged = want->ctx->privileged;
	unsigned int n = 0, unprivileged = 0;
	unsigned long entry;

	for (target = pfm_target_first(task, &entry); target;
	     target = pfm_target_next(task, target, entry)) {
		const struct pfm_context *ctx = target->ctx;

		if (ctx == want->ctx)
			continue;
		n++;
		unprivileged += !ctx->privileged;
		/* To end one of another kind may make no room. */
		if (may_end(ctx, want->started) &&
		    (privileged || !ctx->privileged))
			any = target;
		if (pfm_holds_meet(target->layout->holds, want->ctx->wants))
			holder = target;
	}
	if (!holder && pfm_table_room(n, unprivileged, privileged))
		return false;
	if (!holder)
		holder = any;
	found->veto = !holder || !may_end(holder->ctx, want->started);
	if (!found->veto)
		refer(found, holder);
	return true;
}

/* The same for the thread, or all threads of its process. */
static bool on_threads(const struct pfm_priority *want, struct hindrance *found)
{
	struct task_struct *thread;
	bool any;

	rcu_read_lock();
	any = on_thread(want, want->task, found);
	if (!any && want->process) {
		for_each_thread(want->task, thread) {
			any = on_thread(want, thread, found);
			if (any)
				break;
		}
	}
	rcu_read_unlock();
	return any;
}

static bool end_on_threads(const struct pfm_priority *want)
{
	/* More than there can be, unless they load again and again. */
	unsigned int left = PFM_SLOT_OWN * (get_nr_threads(want->task) + 1);
	bool any = false;

	while (left-- && !fatal_signal_pending(current)) {
		struct hindrance found = {};

		if (!on_threads(want, &found) || found.veto)
			break;
		any = true;
		/* The session will be over in a moment. */
		if (!found.ctx)
			break;
		any = end(found.ctx, found.number, want->started);
		if (!any)
			break;
		cond_resched();
	}
	return any;
}

/**
 * pfm_priority_take - end sessions of others that are in the way of a LOAD
 * @want: what the LOAD wants; the caller has the right to take it, see pfm_policy_take()
 *
 * If the session of a CPU that holds a wanted register must not be ended, nothing is done.  The
 * contexts of threads are looked at one after the other.  So the LOAD may be refused although some
 * have been ended, also because others begin meanwhile.
 *
 * Context: process; may sleep.
 * Return: true if a session has been ended, so that a further LOAD may succeed.
 */
bool pfm_priority_take(const struct pfm_priority *want)
{
	struct search search = { .want = want };
	bool any = false;

	lockdep_assert_held(&want->ctx->lock);
	walk(&search);
	if (search.veto)
		return false;
	if (search.n) {
		search.refer = true;
		any = walk(&search);
	}
	if (want->task)
		return end_on_threads(want) || any;
	return any || end_slot(want);
}
