// SPDX-License-Identifier: GPL-2.0-only
/*
 * Program ids: equal hardware programs have the same number.
 *
 * When a CPU switches to a thread whose program equals the previous thread's, of
 * whatever context, the program is in the registers already, and the counters need not
 * even stop.  Programs are compared here, when a context is loaded, so that the switch
 * probe compares numbers only.
 */
#include "set/program.h"

#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "set/layout.h"

/* Compiled sets whose program ids other compiled sets may share, by their programs. */
static DEFINE_HASHTABLE(csets, 8);

/* Largest number of programs to compare a new one with, as interrupts are off. */
#define COMPARE_MAX 64

/* Protects csets; raw, interrupts off, innermost. */
static DEFINE_RAW_SPINLOCK(csets_lock);

static atomic64_t last;

/**
 * pfm_program_unique - allocate a program id that was never given before
 *
 * Context: any.
 * Return: the program id, not 0.
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

/* V3 */
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
 * pfm_program_number - give a compiled set the id of its hardware program
 * @cset: the compiled set; its program does not change before pfm_program_forget()
 *
 * Context: any but NMI.
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
	hash_for_each_possible(csets, other, same, hash) {
		if (equal(prog, &other->progs[PFM_CLASS_HW])) {
			cset->prog_id = other->prog_id;
			break;
		}
		/*
		 * Give up.  A program id that no other compiled set has is right, too; it
		 * only makes context switches take longer.
		 */
		if (++compared == COMPARE_MAX)
			break;
	}
	if (!cset->prog_id)
		cset->prog_id = pfm_program_unique();
	hash_add(csets, &cset->same, hash);
	raw_spin_unlock_irqrestore(&csets_lock, flags);
}

/**
 * pfm_program_forget - remove a compiled set that is freed from the table of programs
 * @cset: the compiled set, numbered by pfm_program_number() or not
 *
 * Context: any but NMI.
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
