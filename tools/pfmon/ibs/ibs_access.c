// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads accesses, see ibs_access.h.
 */
#include "ibs/ibs_access.h"
#include "ibs/ibs_bits.h"

/* The first family whose caches are those of a core complex. */
#define FAMILY_17H 0x17

/* Codes of the source of data in three bits. */
#define SOURCE_L3    1
#define SOURCE_CACHE 2
#define SOURCE_PEER  4

#define SOURCE_DRAM  3
#define SOURCE_OTHER 7

/* Codes of Zen 4. */
#define SOURCE_WIDE_LOCAL     1
#define SOURCE_WIDE_NEAR      2
#define SOURCE_WIDE_FAR	      5
#define SOURCE_WIDE_PMEM      6
#define SOURCE_WIDE_EXTENSION 8
#define SOURCE_WIDE_AGENT     12

/* The largest code of a width: that of 16 and of 64 bytes. */
#define WIDTH_MAX      5
#define WIDTH_MAX_WIDE 7

/* A bit of IBS_OP_DATA3. */
static bool data3(const struct ibs_sample *sample, struct ibs_field field)
{
	return ibs_field(sample->data3, field);
}

bool ibs_access_uncached(const struct ibs_format *format,
			 const struct ibs_sample *sample)
{
	return format->quirks.uc_no_miss && data3(sample, IBS_OP_UC);
}

bool ibs_access_vague(const struct ibs_format *format,
		      const struct ibs_sample *sample)
{
	return format->quirks.prefetch_no_source &&
	       (data3(sample, IBS_OP_SW_PREFETCH) || data3(sample, IBS_OP_MAB));
}

static bool has_source(const struct ibs_format *format,
		       const struct ibs_sample *sample)
{
	if (!data3(sample, IBS_OP_LOAD) || !data3(sample, IBS_OP_DC_MISS))
		return false;
	if (format->features.l2 && !data3(sample, IBS_OP_L2_MISS))
		return false;
	if (format->quirks.wc_no_source && data3(sample, IBS_OP_WC))
		return false;
	return !ibs_access_uncached(format, sample) &&
	       !ibs_access_vague(format, sample);
}

unsigned int ibs_access_source(const struct ibs_format *format,
			       const struct ibs_sample *sample)
{
	unsigned int low = ibs_field(sample->data2, IBS_OP_SOURCE);

	if (!has_source(format, sample))
		return IBS_SOURCE_NONE;
	if (!format->quirks.wide_source)
		return low;
	return low | ibs_field(sample->data2, IBS_OP_SOURCE_HIGH) << 3;
}

const char *ibs_access_source_name(const struct ibs_format *format,
				   unsigned int source)
{
	static const char *const narrow[32] = {
		[SOURCE_CACHE] = "other_core_cache",
		[SOURCE_DRAM] = "DRAM",
		[SOURCE_OTHER] = "Other",
	};
	static const char *const wide[32] = {
		[SOURCE_WIDE_LOCAL] = "local_cache",
		[SOURCE_WIDE_NEAR] = "near_CCX_cache",
		[SOURCE_DRAM] = "DRAM",
		[SOURCE_WIDE_FAR] = "far_CCX_cache",
		[SOURCE_WIDE_PMEM] = "PMEM",
		[SOURCE_OTHER] = "Other",
		[SOURCE_WIDE_EXTENSION] = "extension_memory",
		[SOURCE_WIDE_AGENT] = "peer_agent",
	};

	if (format->quirks.wide_source)
		return wide[source];
	if (source == SOURCE_L3 && format->quirks.l3_source)
		return "local_L3";
	return narrow[source];
}

bool ibs_access_is_cache(const struct ibs_format *format, unsigned int source)
{
	if (!format->quirks.wide_source)
		return source == SOURCE_CACHE;
	return source == SOURCE_WIDE_LOCAL || source == SOURCE_WIDE_NEAR ||
	       source == SOURCE_WIDE_FAR;
}

static enum ibs_level wide_level(unsigned int source)
{
	switch (source) {
	case SOURCE_WIDE_LOCAL:
		return IBS_LEVEL_L3;
	case SOURCE_WIDE_NEAR:
	case SOURCE_WIDE_FAR:
		return IBS_LEVEL_PEER;
	case SOURCE_DRAM:
		return IBS_LEVEL_RAM;
	case SOURCE_WIDE_PMEM:
	case SOURCE_OTHER:
	case SOURCE_WIDE_EXTENSION:
	case SOURCE_WIDE_AGENT:
		return IBS_LEVEL_OTHER;
	default:
		return IBS_LEVEL_NOT_KNOWN;
	}
}

/* On family 17h on a cache of the own node is one of the same core complex. */
static enum ibs_level narrow_level(const struct ibs_format *format,
				   const struct ibs_sample *sample,
				   unsigned int source)
{
	bool complex = format->processor.family >= FAMILY_17H;

	if (source == SOURCE_L3 && format->quirks.l3_source)
		return IBS_LEVEL_L3;
	switch (source) {
	case SOURCE_CACHE:
		if (complex && !ibs_field(sample->data2, IBS_OP_REMOTE_NODE))
			return IBS_LEVEL_L3;
		return IBS_LEVEL_PEER;
	case SOURCE_PEER:
		return complex ? IBS_LEVEL_PEER : IBS_LEVEL_NOT_KNOWN;
	case SOURCE_DRAM:
		return IBS_LEVEL_RAM;
	case SOURCE_OTHER:
		return IBS_LEVEL_OTHER;
	default:
		return IBS_LEVEL_NOT_KNOWN;
	}
}

static enum ibs_level level_of(const struct ibs_format *format,
			       const struct ibs_sample *sample)
{
	unsigned int source = ibs_access_source(format, sample);

	if (format->features.l2 && !data3(sample, IBS_OP_L2_MISS) &&
	    !ibs_access_vague(format, sample))
		return IBS_LEVEL_L2;
	if (source == IBS_SOURCE_NONE)
		return IBS_LEVEL_NOT_KNOWN;
	if (format->quirks.wide_source)
		return wide_level(source);
	return narrow_level(format, sample, source);
}

static unsigned int bytes_of(const struct ibs_format *format,
			     const struct ibs_sample *sample)
{
	uint64_t code = ibs_field(sample->data3, IBS_OP_MEM_WIDTH);
	uint64_t max = format->quirks.wide_access ? WIDTH_MAX_WIDE : WIDTH_MAX;

	if (!format->features.l2 || code > max)
		return 0;
	return 1U << code >> 1;
}

static void read_misses(struct ibs_access *access,
			const struct ibs_format *format,
			const struct ibs_sample *sample)
{
	access->miss = data3(sample, IBS_OP_DC_MISS);
	if (ibs_access_uncached(format, sample))
		access->miss = IBS_NOT_KNOWN;
	if (!access->load || access->miss != IBS_YES)
		return;
	access->level = level_of(format, sample);
	/* The latency is not valid for stores and prefetches. */
	if (!format->features.l2 || !data3(sample, IBS_OP_SW_PREFETCH))
		access->latency = ibs_field(sample->data3, IBS_OP_DC_MISS_LAT);
}

void ibs_access_read(struct ibs_access *access, const struct ibs_format *format,
		     const struct ibs_sample *sample)
{
	*access = (struct ibs_access){
		.load = data3(sample, IBS_OP_LOAD),
		.store = data3(sample, IBS_OP_STORE),
		.level = IBS_LEVEL_NOT_KNOWN,
		.latency = -1,
	};
	if (!access->load && !access->store)
		return;
	read_misses(access, format, sample);
	access->bytes = bytes_of(format, sample);
	/* Without a translation that was looked up nothing is said of the TLBs. */
	access->l1_tlb_miss = IBS_NOT_KNOWN;
	access->l2_tlb_miss = IBS_NOT_KNOWN;
	if (!data3(sample, IBS_OP_LINAD_VALID))
		return;
	access->l1_tlb_miss = data3(sample, IBS_OP_L1_TLB_MISS);
	access->l2_tlb_miss = data3(sample, IBS_OP_L2_TLB_MISS);
	access->address = sample->dc_linad;
}

uint64_t ibs_access_instruction(const struct ibs_format *format,
				const struct ibs_sample *sample)
{
	if (format->features.rip_invalid &&
	    ibs_field(sample->data, IBS_OP_RIP_INVALID))
		return 0;
	return sample->address;
}
