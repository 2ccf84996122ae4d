/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of pfmon.data: a head, then blocks.
 *
 * All numbers are little-endian and have no alignment.  The head has 16 bytes::
 *
 *	0	magic, "PFMONDAT"
 *	8	version of the format, 2 bytes; a reader refuses a newer one
 *	10	zero, 2 bytes
 *	12	CRC-32 of the bytes before it
 *
 * A block has a head of 32 bytes and what is stored::
 *
 *	0	magic, "PFMB"
 *	4	type, 2 bytes: DATA_INFO and so on; a reader skips types that it does not know
 *	6	packing, 2 bytes: DATA_PLAIN or DATA_DEFLATED
 *	8	number of the block, from 0
 *	12	bytes before packing, at most DATA_BLOCK_MAX
 *	16	bytes that are stored
 *	20	number of samples in it
 *	24	CRC-32 of the bytes that are stored
 *	28	CRC-32 of the bytes of the head before it
 *
 * The first block is DATA_INFO, the last one of a complete file DATA_END.  The blocks DATA_INFO,
 * DATA_TOTALS and DATA_END are JSON documents (data_info.h), DATA_KERNEL is lines as in /proc/kallsyms,
 * DATA_RECORDS a series of records in the order in which they came.  A record has a head of 8 bytes: its size with the head (4 bytes), its
 * kind (2 bytes), and zero (2 bytes).  data_record.c has what follows; a reader skips kinds that it
 * does not know, and bytes at the end of a record.
 */
#ifndef PFMON_DATA_DATA_FORMAT_H
#define PFMON_DATA_DATA_FORMAT_H

#include <stdint.h>

#define DATA_MAGIC     "PFMONDAT"
#define DATA_VERSION   1
#define DATA_HEAD_SIZE 16

#define DATA_BLOCK_MAGIC     "PFMB"
#define DATA_BLOCK_HEAD_SIZE 32

/* The writer ends a block when another record might not fit. */
#define DATA_BLOCK_MAX	      (1U << 20)
#define DATA_RECORD_MAX	      (1U << 15)
#define DATA_RECORD_HEAD_SIZE 8

/**
 * enum data_type - what a block is
 */
enum data_type {
	DATA_INFO = 1,
	DATA_RECORDS = 2,
	DATA_TOTALS = 3, /* what is known so far */
	DATA_END = 4, /* the totals at the end */
	DATA_KERNEL = 5, /* functions of the kernel */
};

/**
 * enum data_packing - how a block is stored
 */
enum data_packing {
	DATA_PLAIN = 0,
	DATA_DEFLATED = 1, /* by zlib */
};

/**
 * enum data_kind - what a record is
 */
enum data_kind {
	DATA_SAMPLE = 1,
	DATA_MAP = 2, /* a process has mapped a file */
	DATA_EXEC = 3, /* its mappings are gone */
	DATA_FORK = 4, /* it has those of its parent */
	DATA_TASK = 5, /* a thread has left a program, or ended */
};

static inline void data_put16(uint8_t *at, uint16_t value)
{
	at[0] = value;
	at[1] = value >> 8;
}

static inline void data_put32(uint8_t *at, uint32_t value)
{
	data_put16(at, value);
	data_put16(at + 2, value >> 16);
}

static inline void data_put64(uint8_t *at, uint64_t value)
{
	data_put32(at, value);
	data_put32(at + 4, value >> 32);
}

static inline uint16_t data_get16(const uint8_t *at)
{
	return at[0] | at[1] << 8;
}

static inline uint32_t data_get32(const uint8_t *at)
{
	return data_get16(at) | (uint32_t)data_get16(at + 2) << 16;
}

static inline uint64_t data_get64(const uint8_t *at)
{
	return data_get32(at) | (uint64_t)data_get32(at + 4) << 32;
}

#endif
