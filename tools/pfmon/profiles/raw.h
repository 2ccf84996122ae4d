/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of --smpl-module=raw: struct raw_header, @sampling + @values times
 * struct raw_register, then to the end of the file struct pfm_default_entry,
 * each with @values values of 8 bytes in the order of the registers, then its branches, as many
 * struct pfm_branch as its nr_branches says.
 */
#ifndef PFMON_RAW_H
#define PFMON_RAW_H

#include <stdint.h>

#define RAW_MAGIC	"PFMONRAW"
#define RAW_VERSION	2

/**
 * struct raw_header - begins the file
 * @magic: RAW_MAGIC, without a zero byte
 * @version: RAW_VERSION
 * @size: bytes of this structure
 * @sampling: registers that sample
 * @values: registers whose values each sample carries
 * @lost: samples that found the buffer full
 * @skipped: overflows that came faster than interrupts can be handled
 * @refused: overflows for which the format returned an error
 * @throttled: times that the kernel paused counting, as samples came too fast
 * @throttled_ns: time not counted because of that
 * @masked_ns: time not counted because the buffer was full
 * @running_ns: time that the monitored tasks ran, including @throttled_ns and @masked_ns; 0
 *	if not known
 * @due: samples that would have been due without the pauses: an estimate, when
 *	@throttled or @masked_ns is not 0; 0 if not known.  The sum of the samples in the
 *	file, @lost, @skipped and @refused is a lower bound of it.
 *
 * In version 1, @values was the last member.
 */
struct raw_header {
	char magic[8];
	uint32_t version;
	uint32_t size;
	uint32_t sampling;
	uint32_t values;
	uint64_t lost;
	uint64_t skipped;
	uint64_t refused;
	uint64_t throttled;
	uint64_t throttled_ns;
	uint64_t masked_ns;
	uint64_t running_ns;
	uint64_t due;
};

#define RAW_SAMPLES	1

/**
 * struct raw_register - a register
 * @pmd: its number
 * @flags: RAW_SAMPLES or 0
 * @reserved: zero
 * @name: its event, cut; ends with a zero byte
 */
struct raw_register {
	uint16_t pmd;
	uint16_t flags;
	uint32_t reserved;
	char name[56];
};

#endif
