// SPDX-License-Identifier: GPL-2.0-only
/*
 * A context: its states.
 */
#include "context.h"

#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/kconfig.h>
#include <linux/lockdep.h>

/* Bit n of an element: state n may follow. */
static const u32 next_states[] = {
	[PFM_CTX_UNLOADED] = BIT(PFM_CTX_LOADING) | BIT(PFM_CTX_STOPPED),
	[PFM_CTX_ENDED] = BIT(PFM_CTX_LOADING) | BIT(PFM_CTX_STOPPED),
	[PFM_CTX_LOADING] = BIT(PFM_CTX_ATTACHING) | BIT(PFM_CTX_UNLOADED) |
			    BIT(PFM_CTX_ENDED),
	[PFM_CTX_ATTACHING] = BIT(PFM_CTX_STOPPED) | BIT(PFM_CTX_LOADING) |
			      BIT(PFM_CTX_UNDOING),
	[PFM_CTX_UNDOING] = BIT(PFM_CTX_LOADING),
	[PFM_CTX_STOPPED] = BIT(PFM_CTX_ARMED) | BIT(PFM_CTX_STARTING) |
			    BIT(PFM_CTX_STARTED) | BIT(PFM_CTX_UNLOADING) |
			    BIT(PFM_CTX_ENDED),
	[PFM_CTX_ARMED] = BIT(PFM_CTX_STOPPED) | BIT(PFM_CTX_STARTING) |
			  BIT(PFM_CTX_STARTED) | BIT(PFM_CTX_UNLOADING) |
			  BIT(PFM_CTX_ENDED),
	[PFM_CTX_STARTING] = BIT(PFM_CTX_STARTED) | BIT(PFM_CTX_UNLOADING) |
			     BIT(PFM_CTX_ENDED),
	[PFM_CTX_UNLOADING] = BIT(PFM_CTX_UNLOADED) | BIT(PFM_CTX_ENDED),
	[PFM_CTX_STARTED] = BIT(PFM_CTX_STOPPED) | BIT(PFM_CTX_UNLOADING) |
			    BIT(PFM_CTX_ENDED),
};

/**
 * pfm_context_move - change the state of a context
 * @ctx: the context; pfm_context.targets_lock is held
 * @state: the new state; may be the present one
 *
 * All that was written before is seen by whoever sees the new state with
 * pfm_context_started() or pfm_context_ended().  Kernels with lockdep check that the
 * transition is one of those in next_states.
 *
 * Context: any.
 */
void pfm_context_move(struct pfm_context *ctx, enum pfm_ctx_state state)
{
	lockdep_assert_held(&ctx->targets_lock);
	if (state == ctx->state)
		return;
	if (IS_ENABLED(CONFIG_LOCKDEP))
		WARN_ONCE(!(next_states[ctx->state] & BIT(state)),
			  "perfmon: context goes from state %d to %d\n",
			  ctx->state, state);
	/* Pairs with pfm_context_started() and pfm_context_ended(). */
	smp_store_release(&ctx->state, state);
}
