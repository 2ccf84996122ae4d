// SPDX-License-Identifier: GPL-2.0-only
/*
 * Class and memory access of x86 instructions, by their mnemonics and operands.
 */
#include <string.h>

#include "symbols/instruction_kind.h"

/**
 * enum use - what an instruction does with memory
 * @BY_OPERAND: what capstone says of its operand
 * @NEVER: nothing, although an operand looks so, as that of lea
 * @STORES: its operand is written if it is the destination, which capstone does not always say
 * @CHANGES: its operand is read and written
 * @PUSHES: it stores to the stack, too
 * @POPS: it loads from the stack, too
 * @LOADS: it loads, whatever its operands are
 * @PUTS: it stores, whatever its operands are
 */
enum use {
	BY_OPERAND,
	NEVER,
	STORES,
	CHANGES,
	PUSHES,
	POPS,
	LOADS,
	PUTS,
};

/**
 * struct rule - instructions
 * @name: mnemonic of Intel's manuals; '*' at its end stands for any letters
 * @class: what they do; CLASS_OTHER in @vectors, where operands tell it
 * @use: what they do with memory
 *
 * The first row that matches is taken, so exceptions come before their group.
 */
struct rule {
	const char *name;
	enum instruction_class class;
	enum use use;
};

/* Instructions whose name alone tells the class. */
static const struct rule named[] = {
	{ "nop", CLASS_NOP, NEVER },
	{ "fnop", CLASS_NOP, NEVER },
	{ "pause", CLASS_NOP, NEVER },
	{ "endbr*", CLASS_NOP, NEVER },

	{ "jmp", CLASS_BRANCH_DIRECT, BY_OPERAND },
	{ "ljmp", CLASS_BRANCH_DIRECT, BY_OPERAND },
	{ "j*", CLASS_BRANCH_CONDITIONAL, NEVER },
	{ "loop*", CLASS_BRANCH_CONDITIONAL, NEVER },
	{ "call", CLASS_CALL, PUSHES },
	{ "lcall", CLASS_CALL, PUSHES },
	{ "ret*", CLASS_RETURN, POPS },

	{ "mfence", CLASS_BARRIER, NEVER },
	{ "lfence", CLASS_BARRIER, NEVER },
	{ "sfence", CLASS_BARRIER, NEVER },
	{ "serialize", CLASS_BARRIER, NEVER },

	{ "iret*", CLASS_SYSTEM, POPS },
	{ "int", CLASS_SYSTEM, NEVER },
	{ "int1", CLASS_SYSTEM, NEVER },
	{ "int3", CLASS_SYSTEM, NEVER },
	{ "into", CLASS_SYSTEM, NEVER },
	{ "sys*", CLASS_SYSTEM, NEVER },
	{ "ud*", CLASS_SYSTEM, NEVER },
	{ "hlt", CLASS_SYSTEM, NEVER },
	{ "cpuid", CLASS_SYSTEM, NEVER },
	{ "rdtsc*", CLASS_SYSTEM, NEVER },
	{ "rdpmc", CLASS_SYSTEM, NEVER },
	{ "rdmsr", CLASS_SYSTEM, NEVER },
	{ "wrmsr", CLASS_SYSTEM, NEVER },
	{ "rdpid", CLASS_SYSTEM, NEVER },
	{ "rdfsbase", CLASS_SYSTEM, NEVER },
	{ "rdgsbase", CLASS_SYSTEM, NEVER },
	{ "wrfsbase", CLASS_SYSTEM, NEVER },
	{ "wrgsbase", CLASS_SYSTEM, NEVER },
	{ "rdpkru", CLASS_SYSTEM, NEVER },
	{ "wrpkru", CLASS_SYSTEM, NEVER },
	{ "xgetbv", CLASS_SYSTEM, NEVER },
	{ "xsetbv", CLASS_SYSTEM, NEVER },
	{ "xsave*", CLASS_SYSTEM, STORES },
	{ "xrstor*", CLASS_SYSTEM, BY_OPERAND },
	{ "fxsave*", CLASS_SYSTEM, STORES },
	{ "fxrstor*", CLASS_SYSTEM, BY_OPERAND },
	{ "ldmxcsr", CLASS_SYSTEM, BY_OPERAND },
	{ "vldmxcsr", CLASS_SYSTEM, BY_OPERAND },
	{ "stmxcsr", CLASS_SYSTEM, STORES },
	{ "vstmxcsr", CLASS_SYSTEM, STORES },
	{ "in", CLASS_SYSTEM, NEVER },
	{ "out", CLASS_SYSTEM, NEVER },
	{ "insb", CLASS_SYSTEM, PUTS },
	{ "insw", CLASS_SYSTEM, PUTS },
	{ "insd", CLASS_SYSTEM, PUTS },
	{ "outs*", CLASS_SYSTEM, LOADS },
	{ "cli", CLASS_SYSTEM, NEVER },
	{ "sti", CLASS_SYSTEM, NEVER },
	{ "clac", CLASS_SYSTEM, NEVER },
	{ "stac", CLASS_SYSTEM, NEVER },
	{ "clts", CLASS_SYSTEM, NEVER },
	{ "clgi", CLASS_SYSTEM, NEVER },
	{ "stgi", CLASS_SYSTEM, NEVER },
	{ "swapgs", CLASS_SYSTEM, NEVER },
	{ "invlpg*", CLASS_SYSTEM, NEVER },
	{ "inv*", CLASS_SYSTEM, BY_OPERAND },
	{ "wbinvd", CLASS_SYSTEM, NEVER },
	{ "monitor*", CLASS_SYSTEM, NEVER },
	{ "mwait*", CLASS_SYSTEM, NEVER },
	{ "vmcall", CLASS_SYSTEM, NEVER },
	{ "vmmcall", CLASS_SYSTEM, NEVER },
	{ "vmfunc", CLASS_SYSTEM, NEVER },
	{ "vmlaunch", CLASS_SYSTEM, NEVER },
	{ "vmresume", CLASS_SYSTEM, NEVER },
	{ "vmrun", CLASS_SYSTEM, NEVER },
	{ "vmload", CLASS_SYSTEM, NEVER },
	{ "vmsave", CLASS_SYSTEM, NEVER },
	{ "vmread", CLASS_SYSTEM, STORES },
	{ "vmwrite", CLASS_SYSTEM, BY_OPERAND },
	{ "vmptr*", CLASS_SYSTEM, BY_OPERAND },
	{ "vmclear", CLASS_SYSTEM, BY_OPERAND },
	{ "vmxo*", CLASS_SYSTEM, BY_OPERAND },
	{ "lgdt", CLASS_SYSTEM, BY_OPERAND },
	{ "lidt", CLASS_SYSTEM, BY_OPERAND },
	{ "lldt", CLASS_SYSTEM, BY_OPERAND },
	{ "ltr", CLASS_SYSTEM, BY_OPERAND },
	{ "lmsw", CLASS_SYSTEM, BY_OPERAND },
	{ "sgdt", CLASS_SYSTEM, STORES },
	{ "sidt", CLASS_SYSTEM, STORES },
	{ "sldt", CLASS_SYSTEM, STORES },
	{ "str", CLASS_SYSTEM, STORES },
	{ "smsw", CLASS_SYSTEM, STORES },

	{ "prefetch*", CLASS_OTHER, NEVER },
	{ "vgatherpf*", CLASS_OTHER, NEVER },
	{ "vscatterpf*", CLASS_OTHER, NEVER },
	{ "clflush*", CLASS_OTHER, NEVER },
	{ "clwb", CLASS_OTHER, NEVER },
	{ "rdrand", CLASS_OTHER, NEVER },
	{ "rdseed", CLASS_OTHER, NEVER },
	{ "xbegin", CLASS_OTHER, NEVER },
	{ "xend", CLASS_OTHER, NEVER },
	{ "xabort", CLASS_OTHER, NEVER },
	{ "xtest", CLASS_OTHER, NEVER },

	{ "emms", CLASS_VECTOR_64, NEVER },
	{ "femms", CLASS_VECTOR_64, NEVER },
	{ "vzero*", CLASS_VECTOR_256, NEVER },
};

/* Instructions with vectors and of the x87 that write their destination in memory. */
static const struct rule vectors[] = {
	{ "maskmov*", CLASS_OTHER, PUTS },
	{ "vmaskmovdqu", CLASS_OTHER, PUTS },
	{ "mov*", CLASS_OTHER, STORES },
	{ "vmov*", CLASS_OTHER, STORES },
	{ "kmov*", CLASS_OTHER, STORES },
	{ "pextr*", CLASS_OTHER, STORES },
	{ "vpextr*", CLASS_OTHER, STORES },
	{ "extract*", CLASS_OTHER, STORES },
	{ "vextract*", CLASS_OTHER, STORES },
	{ "vcvtps2ph", CLASS_OTHER, STORES },
	{ "vpmov*", CLASS_OTHER, STORES },
	{ "vmaskmov*", CLASS_OTHER, STORES },
	{ "vpmaskmov*", CLASS_OTHER, STORES },
	{ "vcompress*", CLASS_OTHER, STORES },
	{ "vpcompress*", CLASS_OTHER, STORES },
	{ "vscatter*", CLASS_OTHER, PUTS },
	{ "vpscatter*", CLASS_OTHER, PUTS },
	{ "fst*", CLASS_OTHER, STORES },
	{ "fnst*", CLASS_OTHER, STORES },
	{ "fnsave", CLASS_OTHER, STORES },
	{ "fist*", CLASS_OTHER, STORES },
	{ "fbstp", CLASS_OTHER, STORES },
};

/* Instructions of general registers: those that only move, CLASS_LOAD, and those that compute. */
static const struct rule general[] = {
	{ "mov*", CLASS_LOAD, STORES },
	{ "lods*", CLASS_LOAD, LOADS },
	{ "stos*", CLASS_LOAD, PUTS },
	{ "xlat*", CLASS_LOAD, LOADS },
	{ "push*", CLASS_LOAD, PUSHES },
	{ "pop", CLASS_LOAD, POPS },
	{ "popf*", CLASS_LOAD, POPS },
	{ "popa*", CLASS_LOAD, POPS },
	{ "leave", CLASS_LOAD, LOADS },
	{ "enter", CLASS_LOAD, PUTS },

	{ "lea", CLASS_INTEGER, NEVER },
	{ "cmpxchg*", CLASS_INTEGER, CHANGES },
	{ "set*", CLASS_INTEGER, STORES },
	{ "adc*", CLASS_INTEGER, BY_OPERAND },
	{ "add", CLASS_INTEGER, BY_OPERAND },
	{ "ado*", CLASS_INTEGER, BY_OPERAND },
	{ "and*", CLASS_INTEGER, BY_OPERAND },
	{ "bextr", CLASS_INTEGER, BY_OPERAND },
	{ "bl*", CLASS_INTEGER, BY_OPERAND },
	{ "bs*", CLASS_INTEGER, BY_OPERAND },
	{ "bt*", CLASS_INTEGER, BY_OPERAND },
	{ "bzhi", CLASS_INTEGER, BY_OPERAND },
	{ "cbw", CLASS_INTEGER, NEVER },
	{ "cdq*", CLASS_INTEGER, NEVER },
	{ "cqo", CLASS_INTEGER, NEVER },
	{ "cw*", CLASS_INTEGER, NEVER },
	{ "clc", CLASS_INTEGER, NEVER },
	{ "cld", CLASS_INTEGER, NEVER },
	{ "cm*", CLASS_INTEGER, BY_OPERAND },
	{ "crc32", CLASS_INTEGER, BY_OPERAND },
	{ "dec", CLASS_INTEGER, BY_OPERAND },
	{ "div", CLASS_INTEGER, BY_OPERAND },
	{ "idiv", CLASS_INTEGER, BY_OPERAND },
	{ "imul", CLASS_INTEGER, BY_OPERAND },
	{ "inc", CLASS_INTEGER, BY_OPERAND },
	{ "lahf", CLASS_INTEGER, NEVER },
	{ "lzcnt", CLASS_INTEGER, BY_OPERAND },
	{ "mul*", CLASS_INTEGER, BY_OPERAND },
	{ "neg", CLASS_INTEGER, BY_OPERAND },
	{ "not", CLASS_INTEGER, BY_OPERAND },
	{ "or", CLASS_INTEGER, BY_OPERAND },
	{ "pdep", CLASS_INTEGER, BY_OPERAND },
	{ "pext", CLASS_INTEGER, BY_OPERAND },
	{ "popcnt", CLASS_INTEGER, BY_OPERAND },
	{ "rcl", CLASS_INTEGER, CHANGES },
	{ "rcr", CLASS_INTEGER, CHANGES },
	{ "rol", CLASS_INTEGER, CHANGES },
	{ "ror", CLASS_INTEGER, CHANGES },
	{ "rorx", CLASS_INTEGER, BY_OPERAND },
	{ "sahf", CLASS_INTEGER, NEVER },
	{ "sal", CLASS_INTEGER, CHANGES },
	{ "sar", CLASS_INTEGER, CHANGES },
	{ "sarx", CLASS_INTEGER, BY_OPERAND },
	{ "sbb", CLASS_INTEGER, BY_OPERAND },
	{ "scas*", CLASS_INTEGER, LOADS },
	{ "shl", CLASS_INTEGER, CHANGES },
	{ "shr", CLASS_INTEGER, CHANGES },
	{ "sh*", CLASS_INTEGER, BY_OPERAND },
	{ "std", CLASS_INTEGER, NEVER },
	{ "stc", CLASS_INTEGER, NEVER },
	{ "sub", CLASS_INTEGER, BY_OPERAND },
	{ "test", CLASS_INTEGER, BY_OPERAND },
	{ "t1mskc", CLASS_INTEGER, BY_OPERAND },
	{ "tz*", CLASS_INTEGER, BY_OPERAND },
	{ "xadd", CLASS_INTEGER, BY_OPERAND },
	{ "xchg", CLASS_INTEGER, BY_OPERAND },
	{ "xor", CLASS_INTEGER, BY_OPERAND },
};

static bool matches(const char *pattern, const char *name)
{
	size_t length = strcspn(pattern, "*");

	return !strncmp(pattern, name, length) &&
	       (pattern[length] || !name[length]);
}

static const struct rule *find(const struct rule *rules, size_t count,
			       const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (matches(rules[i].name, name))
			return &rules[i];
	return NULL;
}

#define FIND(rules, name) find(rules, sizeof(rules) / sizeof((rules)[0]), name)

static enum memory_access by_operand(const struct operation *operation)
{
	return (operation->reads ? ACCESS_LOAD : 0) |
	       (operation->writes ? ACCESS_STORE : 0);
}

static enum memory_access access_of(const struct operation *operation,
				    enum use use)
{
	switch (use) {
	case NEVER:
		return ACCESS_NONE;
	case STORES:
		/* A string instruction has a source in memory, too. */
		if (operation->into_memory)
			return operation->memory > 1 ? ACCESS_BOTH
						     : ACCESS_STORE;
		return by_operand(operation);
	case CHANGES:
		return operation->memory ? ACCESS_BOTH : ACCESS_NONE;
	case PUSHES:
		return ACCESS_STORE | (operation->memory ? ACCESS_LOAD : 0);
	case POPS:
		return ACCESS_LOAD | (operation->memory ? ACCESS_STORE : 0);
	case LOADS:
		return ACCESS_LOAD;
	case PUTS:
		return ACCESS_STORE;
	default:
		return by_operand(operation);
	}
}

static bool ends(const char *name, const char *end)
{
	const size_t length = strlen(name), last = strlen(end);

	return length >= last && !strcmp(name + length - last, end);
}

/*
 * Names of scalars of SSE and AVX end with -ss or -sd, unless they are converted to something else.
 * Some vectors of integers, and broadcasts, end so, too.
 */
static bool is_scalar(const char *name)
{
	if (*name == 'v')
		name++;
	if (*name == 'p' || !strncmp(name, "broadcast", 9))
		return false;
	return ends(name, "ss") || ends(name, "sd") || strstr(name, "ss2") ||
	       strstr(name, "sd2");
}

static enum instruction_class vector_of(unsigned int bits)
{
	switch (bits) {
	case 64:
		return CLASS_VECTOR_64;
	case 128:
		return CLASS_VECTOR_128;
	case 256:
		return CLASS_VECTOR_256;
	default:
		return CLASS_VECTOR_512;
	}
}

static bool is_atomic(const struct operation *operation)
{
	/* The exchange with memory locks the bus without the prefix. */
	return operation->lock ||
	       (operation->memory && !strcmp(operation->base, "xchg"));
}

/* Moves of general registers: those without memory compute nothing else either. */
static enum instruction_class move_of(enum memory_access access)
{
	switch (access) {
	case ACCESS_LOAD:
		return CLASS_LOAD;
	case ACCESS_STORE:
		return CLASS_STORE;
	case ACCESS_BOTH:
		return CLASS_LOAD_STORE;
	default:
		return CLASS_INTEGER;
	}
}

static void take_vector(struct instruction_kind *kind,
			const struct operation *operation)
{
	const struct rule *rule = FIND(vectors, operation->base);

	kind->access = access_of(operation, rule ? rule->use : BY_OPERAND);
	if (operation->vector == 128 && is_scalar(operation->base))
		kind->class = CLASS_FLOAT;
	else if (operation->vector)
		kind->class = vector_of(operation->vector);
	else
		kind->class = operation->mask ? CLASS_VECTOR_512 : CLASS_FLOAT;
}

void x86_kind(struct instruction_kind *kind, const struct operation *operation)
{
	const char *base = operation->base;
	const struct rule *rule = FIND(named, base);

	if (rule) {
		kind->class = rule->class;
		kind->access = access_of(operation, rule->use);
		if (kind->class == CLASS_BRANCH_DIRECT && !operation->immediate)
			kind->class = CLASS_BRANCH_INDIRECT;
		return;
	}
	/* All other names with an f are of the x87. */
	if (operation->vector || operation->mask || *base == 'f' ||
	    !strcmp(base, "wait")) {
		take_vector(kind, operation);
		return;
	}
	rule = FIND(general, base);
	kind->access = access_of(operation, rule ? rule->use : BY_OPERAND);
	kind->class = rule ? rule->class : CLASS_OTHER;
	if (kind->class == CLASS_LOAD)
		kind->class = move_of(kind->access);
	if (operation->control)
		kind->class = CLASS_SYSTEM;
	else if (is_atomic(operation))
		kind->class = CLASS_ATOMIC;
}

/* The prefix of AVX-512 has the width of the vectors in its last byte. */
bool x86_kind_of_prefix(struct instruction_kind *kind, const uint8_t *code,
			size_t size)
{
	unsigned int length;

	if (size < 6 || code[0] != 0x62 || !(code[2] & 4))
		return false;
	length = code[3] >> 5 & 3;
	if (length == 3)
		return false;
	kind->class = vector_of(128U << length);
	kind->access = ACCESS_UNKNOWN;
	return true;
}
