// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers of hardware programs: the same for all that are equal.
 *
 * A thread that comes after one with the same program, of whatever context,
 * finds it in the registers, and the counters need not even stop.  Programs are
 * compared here, when a context is loaded, so that the switch hook compares
 * numbers.
 */
#include "set/program.h"

#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "set/layout.h"

/* Compiled sets by the registers of their programs. */
static DEFINE_HASHTABLE(csets, 8);

/* Programs that are compared with a new one, with interrupts off. */
#define COMPARE_MAX 64

/* Protects compiled sets; interrupts off, innermost. */
static DEFINE_RAW_SPINLOCK(csets_lock);

static atomic64_t last;

/**
 * pfm_program_unique - a number that was never given before
 *
 * Return: the number, not 0.
 */
u64 pfm_program_unique(void)
{
	return atomic64_inc_return(&last);
}

static u32 hash_of(const struct pfm_prog *prog)
{
	u32 hash = jhash(prog->pmds, prog->npmds * sizeof(*prog->pmds), 0);
	u16 i;

	for (i = 0; i < prog->npmcs; i++)
		hash = jhash_3words(prog->pmcs[i].num,
				    lower_32_bits(prog->pmcs[i].value),
				    upper_32_bits(prog->pmcs[i].value), hash);
	return hash;
}

static bool equal(const struct pfm_prog *a, const struct pfm_prog *b)
{
	u16 i;

	if (a->pmu != b->pmu || a->npmcs != b->npmcs || a->npmds != b->npmds ||
	    memcmp(a->pmds, b->pmds, a->npmds * sizeof(*a->pmds)))
		return false;
	for (i = 0; i < a->npmcs; i++) {
		if (a->pmcs[i].num != b->pmcs[i].num ||
		    a->pmcs[i].value != b->pmcs[i].value)
			return false;
	}
	return true;
}

/**
 * pfm_program_number - give a compiled set the number of its program
 * @cset: the compiled set, whose program is not changed before pfm_program_forget()
 */
void pfm_program_number(struct pfm_cset *cset)
{
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	const u32 hash = hash_of(prog);
	const struct pfm_cset *other;
	unsigned int compared = 0;
	unsigned long flags;

	raw_spin_lock_irqsave(&csets_lock, flags);
	cset->prog_id = 0;
	hash_for_each_possible(csets, other, same, hash)
	{
		if (equal(prog, &other->progs[PFM_CLASS_HW])) {
			cset->prog_id = other->prog_id;
			break;
		}
		/* Then it is as if there were no equal one. */
		if (++compared == COMPARE_MAX)
			break;
	}
	if (!cset->prog_id)
		cset->prog_id = pfm_program_unique();
	hash_add(csets, &cset->same, hash);
	raw_spin_unlock_irqrestore(&csets_lock, flags);
}

/**
 * pfm_program_forget - a compiled set goes away
 * @cset: the compiled set, numbered or not
 */
void pfm_program_forget(struct pfm_cset *cset)
{
	unsigned long flags;

	if (!hash_hashed(&cset->same))
		return;
	raw_spin_lock_irqsave(&csets_lock, flags);
	hash_del(&cset->same);
	raw_spin_unlock_irqrestore(&csets_lock, flags);
}
