/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the kernel that sampling formats need, for handlers that are compiled for the host.
 *
 * The test includes this file and then the source of a format, of which sample.sh has made a copy
 * that includes nothing of the kernel.
 */
#ifndef FORMAT_HOST_H
#define FORMAT_HOST_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define is_signed_type(type)	   ((type)-1 < (type)1)
#define ARRAY_SIZE(array)	   (sizeof(array) / sizeof((array)[0]))
#define kzalloc(size, flags)	   calloc(1, size)
#define kfree			   free
#define get_random_u64()	   4
#define mul_u64_u64_shr(a, b, shift) \
	((u64)((unsigned __int128)(a) * (b) >> (shift)))
#define is_power_of_2(n)     ((n) && !((n) & ((n)-1)))
#define order_base_2(n)	     ((n) > 1 ? 32 - __builtin_clz((n)-1) : 0)
#define hash_64(value, bits) ((u32)((value)*HASH_64 >> (64 - (bits))))
#define hash_32(value, bits) ((u32)((value)*HASH_32 >> (32 - (bits))))
#define HASH_64		     0x61c8864680b583ebULL
#define HASH_32		     0x61c88647U
#define PFM_UUID_LEN	     16
#define PFM_CTRL_RESET	     2
#define PFM_FORMAT_SIMPLE    0
#define PFM_FORMAT_NMI	     0
#define THIS_MODULE	     NULL
#define __init
#define __exit
#define module_init(function)  void *const module_begin = function
#define module_exit(function)  void *const module_end = function
#define MODULE_DESCRIPTION(of) extern int unused
#define MODULE_LICENSE(of)     extern int unused
#define MODULE_ALIAS(of)       extern int unused

#include "format_desc.h"

struct pfm_lane {
	void *buf;
	void *priv;
	u32 index;
	bool anywhere;
};

struct pfm_ovfl {
	u32 tid;
	u16 pmd;
	u64 last_reset;
	u64 ip;
	u64 tstamp;
	u16 cpu;
	u16 set;
	u32 pid;
	struct pfm_lane *lane;
	const u64 *vals;
	u16 nvals;
};

struct pfm_format {
	const char *name;
	u8 uuid[PFM_UUID_LEN];
	u32 version;
	u32 flags;
	size_t arg_size;
	int (*validate)(u32 flags, const void *arg);
	int (*getsize)(u32 flags, const void *arg, size_t *size);
	int (*init)(struct pfm_lane *lane, const void *arg);
	int (*handler)(const struct pfm_ovfl *ovfl);
	void (*exit)(struct pfm_lane *lane);
	const struct pfm_format_desc *desc;
	void *owner;
};

static int pfm_register_format(struct pfm_format *format)
{
	return !format;
}

static void pfm_unregister_format(struct pfm_format *format)
{
	(void)format;
}

#endif
