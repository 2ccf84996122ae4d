/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of --smpl-module=raw: struct raw_header, @sampling + @values times
 * struct raw_register, then to the end of the file struct pfm_default_entry,
 * each with @values values of 8 bytes in the order of the registers.
 */
#ifndef PFMON_RAW_H
#define PFMON_RAW_H

#include <stdint.h>

#define RAW_MAGIC	"PFMONRAW"
#define RAW_VERSION	1

/**
 * struct raw_header - begins the file
 * @magic: RAW_MAGIC, without a zero byte
 * @version: RAW_VERSION
 * @size: bytes of this structure
 * @sampling: registers that sample
 * @values: registers whose values each sample carries
 */
struct raw_header {
	char magic[8];
	uint32_t version;
	uint32_t size;
	uint32_t sampling;
	uint32_t values;
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
