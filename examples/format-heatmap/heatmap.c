// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "heatmap": how many samples hit each page, or each cache line.
 * Documentation/extend/formats.rst explains it.
 */
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <perfmon/format.h>

#include "heatmap.h"

/* Most buckets that are looked at, which limits the time of a sample. */
#define PROBES 16

/*
 * Behind the entries is a hash table, with numbers of entries from 1.  With two buckets for each
 * entry, few addresses find 16 others in their way.
 */
static u32 bucket_bits(u32 slots)
{
	return order_base_2(slots) + 1;
}

static int heatmap_validate(u32 flags, const void *data)
{
	const struct heatmap_arg *arg = data;

	if (!arg->slots || arg->slots > HEATMAP_SLOTS_MAX || arg->reserved)
		return -EINVAL;
	if (!is_power_of_2(arg->granularity) ||
	    arg->granularity < HEATMAP_GRANULARITY_MIN ||
	    arg->granularity > HEATMAP_GRANULARITY_MAX)
		return -EINVAL;
	return 0;
}

static int heatmap_getsize(u32 flags, const void *data, size_t *size)
{
	const struct heatmap_arg *arg = data;

	*size = sizeof(struct heatmap_hdr) +
		arg->slots * sizeof(struct heatmap_entry) +
		(sizeof(u32) << bucket_bits(arg->slots));
	return 0;
}

static int heatmap_init(struct pfm_lane *lane, const void *data)
{
	const struct heatmap_arg *arg = data;
	struct heatmap_hdr *hdr = lane->buf;

	hdr->slots = arg->slots;
	hdr->granularity = arg->granularity;
	hdr->value = arg->value;
	lane->anywhere = true;
	return 0;
}

/* The address that a sample counts for; 0 if it has none. */
static u64 address_of(const struct pfm_ovfl *ovfl, u32 value)
{
	if (!value && !ovfl->nvals)
		return ovfl->ip;
	value = value ?: 1;
	return value <= ovfl->nvals ? ovfl->vals[value - 1] : 0;
}

static bool is_same(const struct heatmap_entry *a,
		    const struct heatmap_entry *b)
{
	return a->address == b->address && a->pid == b->pid &&
	       a->pmd == b->pmd && a->set == b->set;
}

/* The entry of a page or line, which is a new one if there is none yet; NULL without room. */
static struct heatmap_entry *find_entry(struct heatmap_hdr *hdr,
					const struct heatmap_entry *key)
{
	struct heatmap_entry *entries = (void *)(hdr + 1);
	u32 *buckets = (void *)(entries + hdr->slots);
	const u32 bits = bucket_bits(hdr->slots);
	const u32 hash = hash_64(key->address, bits) ^ hash_32(key->pid, bits);
	u32 i;

	for (i = 0; i < PROBES; i++) {
		u32 *bucket = &buckets[(hash + i) & ((1U << bits) - 1)];

		if (!*bucket) {
			if (hdr->entries == hdr->slots)
				return NULL;
			entries[hdr->entries] = *key;
			*bucket = ++hdr->entries;
		}
		if (is_same(&entries[*bucket - 1], key))
			return &entries[*bucket - 1];
	}
	return NULL;
}

static int heatmap_handler(const struct pfm_ovfl *ovfl)
{
	struct heatmap_hdr *hdr = ovfl->lane->buf;
	const struct heatmap_entry key = {
		.address = address_of(ovfl, hdr->value) &
			   -(u64)hdr->granularity,
		.pid = ovfl->pid,
		.pmd = ovfl->pmd,
		.set = ovfl->set,
	};
	struct heatmap_entry *entry = find_entry(hdr, &key);

	hdr->seen++;
	if (entry)
		entry->count++;
	else
		hdr->lost++;
	return PFM_CTRL_RESET;
}

static const struct pfm_arg_field args[] = {
	{ PFM_ARG(struct heatmap_arg, slots), .dfl = 4096, .min = 1,
	  .max = HEATMAP_SLOTS_MAX, .unit = "entries", .help = "of a lane" },
	{ PFM_ARG(struct heatmap_arg, granularity), .dfl = 4096,
	  .min = HEATMAP_GRANULARITY_MIN, .max = HEATMAP_GRANULARITY_MAX,
	  .unit = "bytes", .help = "of an entry, a power of two" },
	{ PFM_ARG(struct heatmap_arg, value),
	  .help = "register with the address, 0 for the first or the instruction" },
};

static const struct pfm_field hdr_fields[] = {
	PFM_FIELD(SEEN, struct heatmap_hdr, seen),
	PFM_FIELD(LOST, struct heatmap_hdr, lost),
	PFM_FIELD(ENTRIES, struct heatmap_hdr, entries),
	PFM_FIELD(NUMBER, struct heatmap_hdr, slots),
	PFM_FIELD(NUMBER, struct heatmap_hdr, granularity),
	PFM_FIELD(NUMBER, struct heatmap_hdr, value),
};

static const struct pfm_field fields[] = {
	PFM_FIELD(COUNT, struct heatmap_entry, count),
	PFM_FIELD(PID, struct heatmap_entry, pid),
	PFM_FIELD(SET, struct heatmap_entry, set),
	PFM_FIELD(PMD, struct heatmap_entry, pmd),
	PFM_FIELD(DATA, struct heatmap_entry, address),
};

static const struct pfm_entry_desc entries[] = {
	{
		.name = "range",
		.use = PFM_USE_HISTOGRAM,
		.size = sizeof(struct heatmap_entry),
		.fields = fields,
		.nfields = ARRAY_SIZE(fields),
	},
};

static const struct pfm_format_desc desc = {
	.help = "samples by page or cache line",
	.layout = PFM_LAYOUT_ARRAY,
	.args = args,
	.nargs = ARRAY_SIZE(args),
	.hdr = hdr_fields,
	.nhdr = ARRAY_SIZE(hdr_fields),
	.hdr_size = sizeof(struct heatmap_hdr),
	.entries = entries,
	.nentries = ARRAY_SIZE(entries),
};

static struct pfm_format heatmap = {
	.name = "heatmap",
	.uuid = HEATMAP_UUID,
	.version = 0x10000,
	.flags = PFM_FORMAT_SIMPLE | PFM_FORMAT_NMI,
	.arg_size = sizeof(struct heatmap_arg),
	.validate = heatmap_validate,
	.getsize = heatmap_getsize,
	.init = heatmap_init,
	.handler = heatmap_handler,
	.desc = &desc,
	.owner = THIS_MODULE,
};

static int __init heatmap_module_init(void)
{
	return pfm_register_format(&heatmap);
}

static void __exit heatmap_module_exit(void)
{
	pfm_unregister_format(&heatmap);
}

module_init(heatmap_module_init);
module_exit(heatmap_module_exit);

MODULE_DESCRIPTION("perfmon sampling format: samples by page or cache line");
MODULE_LICENSE("GPL");
MODULE_ALIAS("perfmon-format-de15170b-0466-4044-9c02-0b7887b8f907");
