/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The access to memory of a sample of an op: which fields say something of it, and which do not.
 *
 * The registers have a value in each field, also where the processor does not set the field for
 * such an access.  The rules here say which fields count: those of the Processor Programming
 * Reference (PPR) at MSRC001_1036 and MSRC001_1037, and errata, see struct ibs_quirks.
 */
#ifndef PFMON_IBS_IBS_ACCESS_H
#define PFMON_IBS_IBS_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ibs/ibs_header.h"
#include "ibs/ibs_sample.h"

/* No source of data is known. */
#define IBS_SOURCE_NONE 0

/**
 * enum ibs_answer - what a sample says to a question
 */
enum ibs_answer {
	IBS_NO,
	IBS_YES,
	IBS_NOT_KNOWN,
};

/**
 * enum ibs_level - where the data of a load that missed the L1 cache came from
 * @IBS_LEVEL_L2: L2 cache of the core
 * @IBS_LEVEL_L3: L3 cache, or another core's cache below the same one
 * @IBS_LEVEL_PEER: a cache elsewhere
 * @IBS_LEVEL_RAM: DRAM
 * @IBS_LEVEL_OTHER: persistent memory, memory behind CXL, devices
 * @IBS_LEVEL_NOT_KNOWN: the sample does not say
 */
enum ibs_level {
	IBS_LEVEL_L2,
	IBS_LEVEL_L3,
	IBS_LEVEL_PEER,
	IBS_LEVEL_RAM,
	IBS_LEVEL_OTHER,
	IBS_LEVEL_NOT_KNOWN,
	NUM_IBS_LEVELS,
};

/**
 * struct ibs_access - an access
 * @load: the op loads
 * @store: the op stores; it may do both
 * @miss: it missed the L1 data cache
 * @l1_tlb_miss: it missed the L1 data TLB
 * @l2_tlb_miss: it missed the L2 data TLB as well
 * @level: of a load that missed
 * @latency: of a load that missed: core cycles from the miss to the data; -1 if not known
 * @address: linear address; 0 if not known
 * @bytes: what it accesses, 1 to 64; 0 if not known
 *
 * Fields that do not concern an op that loads or stores are IBS_NO, and 0 or -1.
 */
struct ibs_access {
	bool load;
	bool store;
	enum ibs_answer miss;
	enum ibs_answer l1_tlb_miss;
	enum ibs_answer l2_tlb_miss;
	enum ibs_level level;
	int32_t latency;
	uint64_t address;
	unsigned int bytes;
};

/**
 * ibs_access_uncached() - say whether memory is uncacheable, so that nothing is known of misses
 * @format: of the file
 * @sample: an op
 */
bool ibs_access_uncached(const struct ibs_format *format,
			 const struct ibs_sample *sample);

/**
 * ibs_access_vague() - say whether a missing L2 miss means nothing (erratum 1293)
 * @format: of the file
 * @sample: an op
 */
bool ibs_access_vague(const struct ibs_format *format,
		      const struct ibs_sample *sample);

/**
 * ibs_access_source() - get the code of the source of data
 * @format: of the file
 * @sample: an op
 *
 * Return: the code in IBS_OP_DATA2; IBS_SOURCE_NONE if it is not valid: it is about loads that
 * no cache of the core has served.
 */
unsigned int ibs_access_source(const struct ibs_format *format,
			       const struct ibs_sample *sample);

/**
 * ibs_access_source_name() - name such a code
 * @format: of the file
 * @source: the code
 *
 * Return: a word, or NULL for a code without a meaning.
 */
const char *ibs_access_source_name(const struct ibs_format *format,
				   unsigned int source);

/**
 * ibs_access_is_cache() - say whether data came from a cache
 * @format: of the file
 * @source: code of the source of data
 */
bool ibs_access_is_cache(const struct ibs_format *format, unsigned int source);

/**
 * ibs_access_read() - read all of it from a sample
 * @access: result
 * @format: of the file
 * @sample: an op
 */
void ibs_access_read(struct ibs_access *access, const struct ibs_format *format,
		     const struct ibs_sample *sample);

/**
 * ibs_access_instruction() - get the address of the sampled instruction
 * @format: of the file
 * @sample: an op
 *
 * Return: the address; 0 if it is not valid, or hidden from who recorded the file.
 */
uint64_t ibs_access_instruction(const struct ibs_format *format,
				const struct ibs_sample *sample);

#endif
