/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets of the made-up kernel.
 *
 * The command is said to have run for FAKE_TIME nanoseconds (20 ms), in phases
 * of FAKE_PHASE nanoseconds (5 ms): in every other one each event occurs once a
 * nanosecond, in the others once in a hundred.  That time is
 * divided into time slices of the sets, with jitter from FAKE_SEED, and each time slice
 * but the last goes into the log.
 * Registers 256 to 319 count nanoseconds, whatever the phase.
 */
#ifndef FAKE_SETS_H
#define FAKE_SETS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perfmon.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_nway.h>

#define FAKE_SETS	256
#define FAKE_REGS	64

static struct fake_set {
	struct pfm_set_desc desc;
	uint16_t nums[FAKE_REGS];
	unsigned int num_regs;
	uint64_t values[FAKE_REGS];
	uint64_t trigger;
	uint16_t trigger_pmd;
	uint64_t active;
	uint64_t runs;
} sets[FAKE_SETS];

static unsigned int num_sets;
static uint64_t sets_enabled;
static uint64_t sets_seed;

static uint64_t sets_number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static uint64_t sets_random(void)
{
	sets_seed = sets_seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return sets_seed >> 33;
}

/* The count of an event up to a time. */
static uint64_t sets_count_until(uint16_t num, uint64_t time)
{
	uint64_t phase = sets_number("FAKE_PHASE", 5000000);
	uint64_t whole = time / (2 * phase), rest = time % (2 * phase);
	uint64_t fast = rest < phase ? rest : phase;

	if (num >= PFM_REG_VIRT_BASE)
		return time;
	return whole * (phase + phase / 100) + fast + (rest - fast) / 100;
}

static struct pfm_nway_part *sets_part(char *lane, uint64_t seq)
{
	struct pfm_nway_hdr *hdr = (void *)lane;

	return (void *)(lane + hdr->part_offs +
			(seq - 1) % hdr->parts * hdr->part_size);
}

static void sets_make_lane(char *lane, const struct pfm_nway_arg *arg)
{
	struct pfm_nway_hdr *hdr = (void *)lane;
	struct pfm_nway_part *part;
	unsigned int i;

	hdr->version = PFM_NWAY_VERSION;
	hdr->parts = arg->parts;
	hdr->part_offs = sizeof(*hdr);
	hdr->part_size = arg->part_size;
	hdr->part_room = arg->part_size;
	for (i = 1; i <= arg->parts; i++) {
		part = sets_part(lane, i);
		part->cur_offs = sizeof(*part);
		part->size = arg->part_size;
		part->version = PFM_NWAY_VERSION;
		part->min_space = sizeof(struct pfm_default_entry) +
				  FAKE_REGS * sizeof(uint64_t);
	}
	sets_part(lane, 1)->seq = 1;
}

/* A trigger overflowed: an entry without values. */
static void sets_log_trigger(char *lane, unsigned int set, uint64_t time)
{
	struct pfm_nway_hdr *hdr = (void *)lane;
	struct pfm_nway_part *part = sets_part(lane, hdr->filled + 1);
	struct pfm_default_entry *entry;

	if (hdr->filled - hdr->released == hdr->parts)
		return;
	entry = (void *)((char *)part + part->cur_offs);
	memset(entry, 0, sizeof(*entry));
	entry->ovfl_pmd = sets[set].trigger_pmd;
	entry->tstamp = time;
	entry->set = set;
	part->cur_offs += sizeof(*entry);
	part->count++;
	hdr->samples++;
}

/* Values in ascending order of register number. */
static void sets_log(char *lane, unsigned int set, uint64_t start,
		     uint64_t end, const uint64_t *deltas, bool lost)
{
	struct pfm_nway_hdr *hdr = (void *)lane;
	struct pfm_nway_part *part = sets_part(lane, hdr->filled + 1);
	struct pfm_default_entry *entry;
	uint64_t *value;
	unsigned int num, i;

	if (lost || hdr->filled - hdr->released == hdr->parts) {
		hdr->lost++;
		return;
	}
	entry = (void *)((char *)part + part->cur_offs);
	value = (uint64_t *)(entry + 1);
	memset(entry, 0, sizeof(*entry));
	entry->ovfl_pmd = PFM_REG_SET_ACTIVE;
	entry->last_reset_val = end - start;
	entry->ip = start;
	entry->tstamp = end;
	entry->set = set;
	for (num = 0; num < PFM_REG_TASK_BASE; num++)
		for (i = 0; i < sets[set].num_regs; i++)
			if (sets[set].nums[i] == num)
				*value++ = deltas[i];
	part->cur_offs = (char *)value - (char *)part;
	part->count++;
	hdr->samples++;
	if (part->size - part->cur_offs >= part->min_space)
		return;
	part->overflows = 1;
	if (++hdr->filled - hdr->released < hdr->parts)
		sets_part(lane, hdr->filled + 1)->seq = hdr->filled + 1;
}

static uint64_t sets_turn(const struct fake_set *set)
{
	const struct pfm_set_desc *desc = &set->desc;

	if (desc->flags & PFM_SETFL_OVFL_SWITCH)
		return set->trigger;
	return desc->timeout - desc->jitter / 2 +
	       (desc->jitter ? sets_random() % desc->jitter : 0);
}

/* All of the command's life.  @lane NULL: nothing is logged. */
static void sets_run(char *lane, bool lose)
{
	uint64_t whole = sets_number("FAKE_TIME", 20000000), time = 0, end;
	uint64_t deltas[FAKE_REGS], turns = 0;
	unsigned int at = 0, i;

	sets_seed = sets_number("FAKE_SEED", 1);
	while (time < whole) {
		struct fake_set *set = &sets[at];

		end = time + sets_turn(set);
		if (end > whole)
			end = whole;
		for (i = 0; i < set->num_regs; i++) {
			deltas[i] = sets_count_until(set->nums[i], end) -
				    sets_count_until(set->nums[i], time);
			set->values[i] += deltas[i];
		}
		set->active += end - time;
		set->runs++;
		if (lane && (set->desc.flags & PFM_SETFL_OVFL_SWITCH))
			sets_log_trigger(lane, at, end);
		if (lane && end < whole &&
		    (set->desc.flags & PFM_SETFL_LOG))
			sets_log(lane, at, time, end, deltas,
				 lose && turns++ % 8 == 7);
		time = end;
		at = (at + 1) % num_sets;
	}
	sets_enabled = whole;
}

static void sets_use(uint16_t set, uint16_t num)
{
	unsigned int i;

	for (i = 0; i < sets[set].num_regs; i++)
		if (sets[set].nums[i] == num)
			return;
	sets[set].nums[sets[set].num_regs++] = num;
}

/* Flags that FAKE_LOG tells of. */
#define NOTED (PFM_SETFL_EXCL_IDLE | PFM_SETFL_EXCL_INTR | PFM_SETFL_INTR_ONLY)

static void sets_note(const struct pfm_set_desc *desc)
{
	const char *name = getenv("FAKE_LOG");
	FILE *file = name ? fopen(name, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "set %u%s%s%s\n", desc->set,
		desc->flags & PFM_SETFL_EXCL_IDLE ? " without idle" : "",
		desc->flags & PFM_SETFL_EXCL_INTR ? " without interrupts" : "",
		desc->flags & PFM_SETFL_INTR_ONLY ? " interrupts only" : "");
	fclose(file);
}

static int sets_create(struct pfm_regs *arg)
{
	const unsigned int turns =
		PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH;
	const struct pfm_set_desc *desc = (void *)(uintptr_t)arg->regs;
	unsigned int i;

	for (i = 0; i < arg->count; i++) {
		if (desc[i].set >= FAKE_SETS || desc[i].jitter > desc[i].timeout)
			return -1;
		if (desc[i].flags & NOTED)
			sets_note(&desc[i]);
		if (!(desc[i].flags & turns))
			continue;
		memset(&sets[desc[i].set], 0, sizeof(sets[0]));
		sets[desc[i].set].desc = desc[i];
		if (desc[i].set >= num_sets)
			num_sets = desc[i].set + 1;
	}
	return 0;
}

static uint64_t sets_value(const struct pfm_reg *reg)
{
	const struct fake_set *set = &sets[reg->set];
	unsigned int i;

	switch (reg->num) {
	case PFM_REG_SET_ACTIVE:
		return set->active;
	case PFM_REG_SET_RUNS:
		return set->runs;
	case PFM_REG_SET_ENABLED:
		return sets_enabled;
	}
	for (i = 0; i < set->num_regs; i++)
		if (set->nums[i] == reg->num)
			return set->values[i];
	return 0;
}

#endif
