/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * IBS of a processor: the features that say what it records, and the errata that matter to who
 * reads samples.
 */
#ifndef PFMON_IBS_IBS_PROCESSOR_H
#define PFMON_IBS_IBS_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct ibs_processor - the processor that took samples
 * @family: with the extended family, for instance 0x17
 * @model: with the extended model
 * @stepping: revision of the model
 * @caps: EAX of CPUID Fn8000_001B; 0 if not known
 * @name: name of the product; may be empty
 */
struct ibs_processor {
	uint32_t family;
	uint32_t model;
	uint32_t stepping;
	uint32_t caps;
	char name[64];
};

/**
 * struct ibs_features - fields that a processor records, as far as they differ
 * @brn_resync: resynchronising branches
 * @misp_return: mispredicted returns
 * @br_target: IBS_BR_TARGET
 * @op_cnt_ext: periods of ops have 27 bits instead of 20
 * @rip_invalid: whether IBS_OP_RIP is valid
 * @brn_fuse: fused branches
 * @data4: IBS_OP_DATA4
 * @microcode: ops of microcode
 * @node: node and state of the cache that supplied the data
 * @ld_bank_con: bank conflicts of loads
 * @st_bank_con: bank conflicts of stores
 * @st_to_ld_fwd: loads whose data a store forwarded
 * @st_to_ld_can: forwarding that was cancelled
 * @l2: L2 misses, software prefetches, widths, requests, TLB refill latency
 * @fetch_extd: IC_IBS_EXTD_CTL
 */
struct ibs_features {
	bool brn_resync;
	bool misp_return;
	bool br_target;
	bool op_cnt_ext;
	bool rip_invalid;
	bool brn_fuse;
	bool data4;
	bool microcode;
	bool node;
	bool ld_bank_con;
	bool st_bank_con;
	bool st_to_ld_fwd;
	bool st_to_ld_can;
	bool l2;
	bool fetch_extd;
};

/**
 * struct ibs_quirks - rules for samples of a processor
 * @mab_hit: bit 16 of IBS_OP_DATA3 is a MAB hit, not a miss that allocated no MAB
 * @mab_needs_miss: that bit says nothing unless the access missed (erratum 717)
 * @wc_no_source: no source of data for write-combining memory (erratum 484)
 * @l3_source: source 1 is the L3 cache
 * @wide_source: the source of data has five bits and the codes of Zen 4
 * @prefetch_no_source: no source of data, and no L2 hit, for software prefetches and
 *	misses that allocated no MAB (erratum 1293)
 * @hit_state: the state of the cache line is valid
 * @uc_no_miss: nothing about misses and their latency for uncacheable memory
 * @zero_fetch: a fetch address of 0 is not valid (erratum 1197)
 * @page_16k: page size 3 is 16 KB
 * @wide_access: accesses have up to 64 bytes
 * @fetch_l2: fetches record L2 misses
 * @fetch_l3: fetches record misses of op cache and L3
 * @physad_bits: bits of physical addresses
 */
struct ibs_quirks {
	bool mab_hit;
	bool mab_needs_miss;
	bool wc_no_source;
	bool l3_source;
	bool wide_source;
	bool prefetch_no_source;
	bool hit_state;
	bool uc_no_miss;
	bool zero_fetch;
	bool page_16k;
	bool wide_access;
	bool fetch_l2;
	bool fetch_l3;
	unsigned int physad_bits;
};

/**
 * struct ibs_key - name of a feature in the header of a file
 * @name: the key
 * @offset: of the feature in struct ibs_features
 */
struct ibs_key {
	const char *name;
	size_t offset;
};

/* All features, in the order of a header; ends with a name that is NULL. */
extern const struct ibs_key ibs_keys[];

/**
 * ibs_features_derive() - say which features a processor has
 * @processor: the processor, with its @caps
 * @features: result
 */
void ibs_features_derive(const struct ibs_processor *processor,
			 struct ibs_features *features);

/**
 * ibs_quirks_derive() - say which rules hold for the samples of a processor
 * @processor: the processor.  When @caps is not known, family and model tell.
 * @quirks: result
 */
void ibs_quirks_derive(const struct ibs_processor *processor,
		       struct ibs_quirks *quirks);

#endif
