// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "reservoir": a fixed number of samples, chosen at random from all that there
 * were, so that each had the same chance.  Documentation/extend/formats.rst explains it.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <perfmon/format.h>

#include "reservoir.h"

struct reservoir {
	u64 state;
};

static int reservoir_validate(u32 flags, const void *data)
{
	const struct reservoir_arg *arg = data;

	if (!arg->slots || arg->slots > RESERVOIR_MAX || arg->reserved)
		return -EINVAL;
	return 0;
}

static int reservoir_getsize(u32 flags, const void *data, size_t *size)
{
	const struct reservoir_arg *arg = data;

	*size = sizeof(struct reservoir_hdr) +
		arg->slots * sizeof(struct reservoir_entry);
	return 0;
}

static int reservoir_init(struct pfm_lane *lane, const void *data)
{
	const struct reservoir_arg *arg = data;
	struct reservoir_hdr *hdr = lane->buf;
	struct reservoir *own;

	own = kzalloc(sizeof(*own), GFP_KERNEL_ACCOUNT);
	if (!own)
		return -ENOMEM;
	/* Lanes of one seed differ. */
	own->state = (arg->seed ?: get_random_u64()) + lane->index;
	hdr->slots = arg->slots;
	lane->priv = own;
	lane->anywhere = true;
	return 0;
}

/* splitmix64: a few instructions, no lock, and neighbouring seeds have nothing in common. */
static u64 next_random(struct reservoir *own)
{
	u64 z;

	own->state += 0x9e3779b97f4a7c15ULL;
	z = own->state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Sample number n replaces one of those that are kept with the probability slots / n. */
static int reservoir_handler(const struct pfm_ovfl *ovfl)
{
	struct reservoir_hdr *hdr = ovfl->lane->buf;
	struct reservoir_entry *entries = (void *)(hdr + 1);
	u64 slot = hdr->entries;

	hdr->seen++;
	if (hdr->entries < hdr->slots)
		hdr->entries++;
	else
		slot = mul_u64_u64_shr(next_random(ovfl->lane->priv), hdr->seen,
				       64);
	if (slot >= hdr->slots)
		return PFM_CTRL_RESET;
	entries[slot] = (struct reservoir_entry){
		.number = hdr->seen,
		.ip = ovfl->ip,
		.tstamp = ovfl->tstamp,
		.last_reset = ovfl->last_reset,
		.pid = ovfl->pid,
		.tid = ovfl->tid,
		.pmd = ovfl->pmd,
		.set = ovfl->set,
		.cpu = ovfl->cpu,
	};
	return PFM_CTRL_RESET;
}

static void reservoir_exit(struct pfm_lane *lane)
{
	kfree(lane->priv);
}

static const struct pfm_arg_field args[] = {
	{ PFM_ARG(struct reservoir_arg, slots), .dfl = 1024, .min = 1,
	  .max = RESERVOIR_MAX, .unit = "samples", .help = "that are kept" },
	{ PFM_ARG(struct reservoir_arg, seed),
	  .help = "of the random numbers, 0 for any" },
};

static const struct pfm_field hdr_fields[] = {
	PFM_FIELD(SEEN, struct reservoir_hdr, seen),
	PFM_FIELD(ENTRIES, struct reservoir_hdr, entries),
	PFM_FIELD(NUMBER, struct reservoir_hdr, slots),
};

static const struct pfm_field fields[] = {
	PFM_FIELD(NUMBER, struct reservoir_entry, number),
	PFM_FIELD(TIME, struct reservoir_entry, tstamp),
	PFM_FIELD(PID, struct reservoir_entry, pid),
	PFM_FIELD(TID, struct reservoir_entry, tid),
	PFM_FIELD(CPU, struct reservoir_entry, cpu),
	PFM_FIELD(SET, struct reservoir_entry, set),
	PFM_FIELD(PMD, struct reservoir_entry, pmd),
	PFM_FIELD(RESET, struct reservoir_entry, last_reset),
	PFM_FIELD(CODE, struct reservoir_entry, ip),
};

static const struct pfm_entry_desc entries[] = {
	{
		.name = "sample",
		.use = PFM_USE_TABLE,
		.size = sizeof(struct reservoir_entry),
		.fields = fields,
		.nfields = ARRAY_SIZE(fields),
	},
};

static const struct pfm_format_desc desc = {
	.help = "some samples, chosen at random from all",
	.layout = PFM_LAYOUT_ARRAY,
	.args = args,
	.nargs = ARRAY_SIZE(args),
	.hdr = hdr_fields,
	.nhdr = ARRAY_SIZE(hdr_fields),
	.hdr_size = sizeof(struct reservoir_hdr),
	.entries = entries,
	.nentries = ARRAY_SIZE(entries),
};

static struct pfm_format reservoir = {
	.name = "reservoir",
	.uuid = RESERVOIR_UUID,
	.version = 0x10000,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_NMI,
	.arg_size = sizeof(struct reservoir_arg),
	.validate = reservoir_validate,
	.getsize = reservoir_getsize,
	.init = reservoir_init,
	.handler = reservoir_handler,
	.exit = reservoir_exit,
	.desc = &desc,
	.owner = THIS_MODULE,
};

static int __init reservoir_module_init(void)
{
	return pfm_register_format(&reservoir);
}

static void __exit reservoir_module_exit(void)
{
	pfm_unregister_format(&reservoir);
}

module_init(reservoir_module_init);
module_exit(reservoir_module_exit);

MODULE_DESCRIPTION("perfmon sampling format: some samples of all");
MODULE_LICENSE("GPL");
MODULE_ALIAS("perfmon-format-8e9234f4-7e6f-4eaf-9260-b14d1829ed3c");
