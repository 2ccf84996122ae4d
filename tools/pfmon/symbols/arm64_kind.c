// SPDX-License-Identifier: GPL-2.0-only
/*
 * Class and memory access of arm64 instructions, by their encoding.
 *
 * The architecture assigns ranges of encodings to what instructions do, also for those that
 * capstone does not know: version 4 of it has neither the atomics of Armv8.1 nor SVE.
 */
#include "symbols/instruction_kind.h"

/**
 * struct range - encodings of a kind
 * @mask: bits that tell
 * @value: of these bits
 * @class: what the instructions do
 * @access: what they do with memory
 */
struct range {
	uint32_t mask;
	uint32_t value;
	enum instruction_class class;
	enum memory_access access;
};

/* The first one that matches is taken, so exceptions come before their group. */
static const struct range branches[] = {
	{ 0xff000000, 0x54000000, CLASS_BRANCH_CONDITIONAL, ACCESS_NONE },
	/* cbz, cbnz, tbz, tbnz */
	{ 0x7c000000, 0x34000000, CLASS_BRANCH_CONDITIONAL, ACCESS_NONE },
	{ 0xfc000000, 0x14000000, CLASS_BRANCH_DIRECT, ACCESS_NONE },
	{ 0xfc000000, 0x94000000, CLASS_CALL, ACCESS_NONE },
	/* eret, drps */
	{ 0xffc00000, 0xd6800000, CLASS_SYSTEM, ACCESS_NONE },
	/* br, blr, ret; those with bit 24 authenticate a pointer */
	{ 0xfee00000, 0xd6000000, CLASS_BRANCH_INDIRECT, ACCESS_NONE },
	{ 0xfee00000, 0xd6200000, CLASS_CALL, ACCESS_NONE },
	{ 0xfee00000, 0xd6400000, CLASS_RETURN, ACCESS_NONE },
	/* svc, brk and other exceptions */
	{ 0xff000000, 0xd4000000, CLASS_SYSTEM, ACCESS_NONE },
	/* nop, yield; wfe, wfi; sev, sevl */
	{ 0xffffffdf, 0xd503201f, CLASS_NOP, ACCESS_NONE },
	{ 0xffffffdf, 0xd503205f, CLASS_SYSTEM, ACCESS_NONE },
	{ 0xffffffdf, 0xd503209f, CLASS_SYSTEM, ACCESS_NONE },
	/* xpaclri, and hints of pointer authentication */
	{ 0xffffffff, 0xd50320ff, CLASS_INTEGER, ACCESS_NONE },
	{ 0xfffffd1f, 0xd503211f, CLASS_INTEGER, ACCESS_NONE },
	/* esb, psb, tsb, csdb; bti and hints that do nothing */
	{ 0xffffff1f, 0xd503221f, CLASS_BARRIER, ACCESS_NONE },
	{ 0xfffff01f, 0xd503201f, CLASS_NOP, ACCESS_NONE },
	/* clrex; dsb, dmb, isb, sb */
	{ 0xfffff0ff, 0xd503305f, CLASS_SYSTEM, ACCESS_NONE },
	{ 0xfffff01f, 0xd503301f, CLASS_BARRIER, ACCESS_NONE },
	/* cfinv, xaflag, axflag */
	{ 0xffffffdf, 0xd500401f, CLASS_INTEGER, ACCESS_NONE },
	{ 0xffffffff, 0xd500405f, CLASS_INTEGER, ACCESS_NONE },
	{ 0xff000000, 0xd5000000, CLASS_SYSTEM, ACCESS_NONE },
};

/* CLASS_VECTOR_64 stands for a class that by_register() tells. */
static const struct range memory[] = {
	/* ld1 to ld4, st1 to st4 */
	{ 0xbe400000, 0x0c000000, CLASS_VECTOR_64, ACCESS_STORE },
	{ 0xbe400000, 0x0c400000, CLASS_VECTOR_64, ACCESS_LOAD },
	/* Tags of memory: stg, ldg and others */
	{ 0xff200000, 0xd9200000, CLASS_OTHER, ACCESS_NONE },
	/* cas, and casp, which has the place of the exclusives with bit 31 */
	{ 0x3fa07c00, 0x08a07c00, CLASS_ATOMIC, ACCESS_BOTH },
	{ 0xbfa07c00, 0x08207c00, CLASS_ATOMIC, ACCESS_BOTH },
	/* ldxr, ldxp and stxr, stxp, then ldar and stlr */
	{ 0x3fc00000, 0x08000000, CLASS_ATOMIC, ACCESS_STORE },
	{ 0x3fc00000, 0x08400000, CLASS_ATOMIC, ACCESS_LOAD },
	{ 0x3fe00000, 0x08800000, CLASS_STORE, ACCESS_STORE },
	{ 0x3fe00000, 0x08c00000, CLASS_LOAD, ACCESS_LOAD },
	/* setp and cpyp, and what follows them: memset() and memcpy() */
	{ 0x3be00c00, 0x19c00400, CLASS_STORE, ACCESS_STORE },
	{ 0x3b200c00, 0x19000400, CLASS_LOAD_STORE, ACCESS_BOTH },
	/* ldapr and stlr with an offset */
	{ 0x3fe00c00, 0x19000000, CLASS_STORE, ACCESS_STORE },
	{ 0x3f200c00, 0x19000000, CLASS_LOAD, ACCESS_LOAD },
	/* ldapr; st64b and ld64b; then ldadd, swp and others */
	{ 0x3fe0fc00, 0x38a0c000, CLASS_LOAD, ACCESS_LOAD },
	{ 0xffe0fc00, 0xf8209000, CLASS_STORE, ACCESS_STORE },
	{ 0xffe0fc00, 0xf820b000, CLASS_STORE, ACCESS_STORE },
	{ 0xffe0fc00, 0xf820a000, CLASS_STORE, ACCESS_STORE },
	{ 0xffe0fc00, 0xf820d000, CLASS_LOAD, ACCESS_LOAD },
	{ 0x3f200c00, 0x38200000, CLASS_ATOMIC, ACCESS_BOTH },
	/* ldraa, ldrab */
	{ 0xff200400, 0xf8200400, CLASS_LOAD, ACCESS_LOAD },
	/* prfm of an address here, prfm and prfum */
	{ 0xff000000, 0xd8000000, CLASS_OTHER, ACCESS_NONE },
	{ 0xffc00000, 0xf9800000, CLASS_OTHER, ACCESS_NONE },
	{ 0xffc00000, 0xf8800000, CLASS_OTHER, ACCESS_NONE },
	/* ldr of an address here */
	{ 0x3f000000, 0x18000000, CLASS_LOAD, ACCESS_LOAD },
	{ 0x3f000000, 0x1c000000, CLASS_VECTOR_64, ACCESS_LOAD },
	/* stp, ldp */
	{ 0x3e400000, 0x28000000, CLASS_STORE, ACCESS_STORE },
	{ 0x3e400000, 0x28400000, CLASS_LOAD, ACCESS_LOAD },
	{ 0x3e400000, 0x2c000000, CLASS_VECTOR_64, ACCESS_STORE },
	{ 0x3e400000, 0x2c400000, CLASS_VECTOR_64, ACCESS_LOAD },
	/* str, ldr; bits 23 and 22 of those with vectors: bit 23 is of the width */
	{ 0x3e400000, 0x3c000000, CLASS_VECTOR_64, ACCESS_STORE },
	{ 0x3e400000, 0x3c400000, CLASS_VECTOR_64, ACCESS_LOAD },
	{ 0x3ec00000, 0x38000000, CLASS_STORE, ACCESS_STORE },
	{ 0x3e000000, 0x38000000, CLASS_LOAD, ACCESS_LOAD },
};

/* Of vector and floating-point registers, without memory. */
static const struct range vectors[] = {
	/* sha1h and others of Armv8.0, which are among those of one element */
	{ 0xffe08c00, 0x5e000000, CLASS_VECTOR_128, ACCESS_NONE },
	{ 0xff3e0c00, 0x5e280800, CLASS_VECTOR_128, ACCESS_NONE },
	/* sha512, sha3, sm3, sm4 */
	{ 0xff000000, 0xce000000, CLASS_VECTOR_128, ACCESS_NONE },
	/* Advanced SIMD: bit 30 is the width; then on one element */
	{ 0xdf000000, 0x4e000000, CLASS_VECTOR_128, ACCESS_NONE },
	{ 0xdf000000, 0x4f000000, CLASS_VECTOR_128, ACCESS_NONE },
	{ 0xdf000000, 0x0e000000, CLASS_VECTOR_64, ACCESS_NONE },
	{ 0xdf000000, 0x0f000000, CLASS_VECTOR_64, ACCESS_NONE },
	{ 0xde000000, 0x5e000000, CLASS_FLOAT, ACCESS_NONE },
	{ 0x7e000000, 0x1e000000, CLASS_FLOAT, ACCESS_NONE },
};

/* SVE and SME: bit 31 of SVE is that of memory, and stores are the last part of that. */
static const struct range scalable[] = {
	{ 0x9e000000, 0x04000000, CLASS_VECTOR_SCALABLE, ACCESS_NONE },
	{ 0xfe000000, 0xe4000000, CLASS_VECTOR_SCALABLE, ACCESS_STORE },
	{ 0x9e000000, 0x84000000, CLASS_VECTOR_SCALABLE, ACCESS_LOAD },
	{ 0xfe200000, 0xe0000000, CLASS_VECTOR_SCALABLE, ACCESS_LOAD },
	{ 0xfe200000, 0xe0200000, CLASS_VECTOR_SCALABLE, ACCESS_STORE },
	{ 0x9e000000, 0x80000000, CLASS_VECTOR_SCALABLE, ACCESS_NONE },
};

static bool find(struct instruction_kind *kind, uint32_t word,
		 const struct range *ranges, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if ((word & ranges[i].mask) != ranges[i].value)
			continue;
		kind->class = ranges[i].class;
		kind->access = ranges[i].access;
		return true;
	}
	return false;
}

#define FIND(kind, word, ranges) \
	find(kind, word, ranges, sizeof(ranges) / sizeof((ranges)[0]))

/* Whole registers are vectors of 128 bits, and their parts hold a number. */
static enum instruction_class by_register(uint32_t word)
{
	/* ld1 to ld4, st1 to st4: bit 30 is the width. */
	if ((word & 0xbe000000) == 0x0c000000)
		return word >> 30 & 1 ? CLASS_VECTOR_128 : CLASS_VECTOR_64;
	/* Pairs, and those of an address here: the upper bits are the size. */
	if ((word & 0x3e000000) == 0x2c000000 ||
	    (word & 0x3f000000) == 0x1c000000)
		return word >> 30 == 2 ? CLASS_VECTOR_128 : CLASS_FLOAT;
	return word >> 30 == 0 && word >> 23 & 1 ? CLASS_VECTOR_128
						 : CLASS_FLOAT;
}

static bool of_memory(struct instruction_kind *kind, uint32_t word)
{
	if (!FIND(kind, word, memory))
		return false;
	if (kind->class == CLASS_VECTOR_64)
		kind->class = by_register(word);
	return true;
}

bool arm64_kind(struct instruction_kind *kind, uint32_t word)
{
	/* Bits 28 to 25 tell the group. */
	switch (word >> 25 & 15) {
	case 5:
	case 8:
	case 9:
	case 13:
		kind->class = CLASS_INTEGER;
		kind->access = ACCESS_NONE;
		return true;
	case 10:
	case 11:
		return FIND(kind, word, branches);
	case 4:
	case 6:
	case 12:
	case 14:
		return of_memory(kind, word);
	case 7:
	case 15:
		return FIND(kind, word, vectors);
	default:
		return FIND(kind, word, scalable);
	}
}
