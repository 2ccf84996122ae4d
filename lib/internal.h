/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Declarations that the files of the library share.  Names begin with pfmi_, so that
 * the static library takes no names from the programs that it is linked into.
 */
#ifndef PERFMON_INTERNAL_H
#define PERFMON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define PFMI_PLM_ALL (PFM_PLM_USER | PFM_PLM_KERNEL | PFM_PLM_HYP)

/* Most fields behind the name in an event string. */
#define PFMI_FIELDS_MAX 16

/*
 * pfm_assignment.detail.  CODE: the bits that the register does not take, of the lower 32.
 * TOO_MANY, NO_COUNTER: what is special about the counters of the event.
 */
#define PFMI_DETAIL_PAIR	1	/* it takes two counters */
#define PFMI_DETAIL_FIXED	2	/* only a fixed counter counts it */
#define PFMI_DETAIL_UNIT	3	/* SHARED: two events of one unit or control register */
#define PFMI_DETAIL_PEBS	4	/* NO_REGISTER: the event is one of PEBS */

/* The kernel's PFM_REG_UNIT_BASE: registers of units begin here and end before the virtual ones. */
#define PFMI_REG_UNIT_BASE	192

/* True if the register is one of a unit, which is not of the PMU. */
static inline bool pfmi_is_unit(uint16_t num)
{
	return num >= PFMI_REG_UNIT_BASE && num < PFM_REG_VIRT_BASE;
}

/*
 * Whether events compete for the PMD.  A count that the kernel makes of another register, as of
 * the fields of Intel's PERF_METRICS, does not interrupt, and each is there for one event.
 */
static inline bool pfmi_is_counter(const struct pfm_reg_info *pmd)
{
	return pmd->flags & PFM_REGI_COUNTER && pmd->flags & PFM_REGI_OVERFLOW &&
	       !(pmd->flags & PFM_REGI_VIRTUAL) && !pfmi_is_unit(pmd->num);
}

/* ctx.c: as ioctl(2), but returns -errno and does not change errno. */
int pfmi_ioctl(int fd, unsigned long request, const void *arg);

/* ctx.c: an ioctl that takes a vector; @failed as in perfmon.h. */
int pfmi_vector_ioctl(int fd, unsigned long request, const void *elements,
		      unsigned int count, unsigned int *failed);

/* text.c */

/* Returns true if the strings are equal; the case of ASCII letters does not matter. */
bool pfmi_text_equal(const char *a, const char *b);

/* An ASCII letter in lower case, any other character as it is. */
char pfmi_text_lower(char c);

/*
 * Read a number that is the whole text; base 10 or 16, without 0x.  A number with too
 * many digits becomes the largest one.
 */
bool pfmi_text_digits(const char *text, int base, uint64_t *number);

/* The same for a decimal number, or a hexadecimal one with 0x. */
bool pfmi_text_number(const char *text, uint64_t *number);

/* PFM_PLM_* of "u", "uk", "hv" ...; 0 when the text does not name levels only. */
uint32_t pfmi_levels(const char *text);

/* As snprintf() at *@pos of @buf; moves *@pos.  False when the text does not fit. */
__attribute__((format(printf, 4, 5)))
bool pfmi_text_add(char *buf, size_t size, size_t *pos, const char *format, ...);

/**
 * struct pfmi_words - the components of an event string
 * @table: text before "::"; NULL when there is none
 * @name: the event's name
 * @fields: unit masks and modifiers, without the levels
 * @num_fields: number of elements of @fields
 * @levels_on: PFM_PLM_* that are switched on by name
 * @levels_off: PFM_PLM_* that are switched off
 * @terms: the string is cpu/TERM,.../, or such with the name of an event of IBS: the text
 *	between the slashes.  NULL: it is not
 * @letters: then the text behind the second slash; NULL: that slash is missing
 * @text: memory that the strings are in
 */
struct pfmi_words {
	const char *table;
	const char *name;
	const char *fields[PFMI_FIELDS_MAX];
	unsigned int num_fields;
	uint32_t levels_on;
	uint32_t levels_off;
	const char *terms;
	const char *letters;
	char text[PFM_EVENT_NAME_LEN];
};

/* Returns 0; -EINVAL when @text is not an event string; -ENAMETOOLONG. */
int pfmi_words_split(const char *text, struct pfmi_words *words);

/* event.c: whether the text is a raw code, r1b or 0x1b. */
bool pfmi_raw(const char *text, uint64_t *code);

/* event.c: whether the words are the value of a whole register, raw:0x41010e. */
bool pfmi_raw_register(const struct pfmi_words *words, uint64_t *value);

/* generic.c: event names that are the same on every machine. */

enum pfmi_generic_event {
	PFMI_GENERIC_CYCLES,
	PFMI_GENERIC_INSTRUCTIONS,
	PFMI_GENERIC_REF_CYCLES,
	PFMI_GENERIC_BRANCHES,
	PFMI_GENERIC_BRANCH_MISSES,
	PFMI_GENERIC_CACHE_REFERENCES,
	PFMI_GENERIC_CACHE_MISSES,
	/* From here on in the order of the fields of Intel's PERF_METRICS. */
	PFMI_GENERIC_SLOTS,
	PFMI_GENERIC_TOPDOWN_RETIRING,
	PFMI_GENERIC_TOPDOWN_BAD_SPEC,
	PFMI_GENERIC_TOPDOWN_FE_BOUND,
	PFMI_GENERIC_TOPDOWN_BE_BOUND,
	PFMI_GENERIC_TOPDOWN_HEAVY_OPS,
	PFMI_GENERIC_TOPDOWN_BR_MISPREDICT,
	PFMI_GENERIC_TOPDOWN_FETCH_LAT,
	PFMI_GENERIC_TOPDOWN_MEM_BOUND,
	PFMI_GENERICS
};

/**
 * struct pfmi_generic - a generic name of a hardware event
 * @name: its name
 * @desc: what it counts
 */
struct pfmi_generic {
	const char *name;
	const char *desc;
};

extern const struct pfmi_generic pfmi_generics[PFMI_GENERICS];

/**
 * struct pfmi_alias - another name of a virtual register
 * @name: the alias
 * @reg: the kernel's name of the register
 */
struct pfmi_alias {
	const char *name;
	const char *reg;
};

extern const struct pfmi_alias pfmi_aliases[];
extern const unsigned int pfmi_num_aliases;

/* Virtual register by the kernel's name or by alias; NULL when there is none. */
const struct pfm_reg_info *pfmi_virtual_find(const struct pfm_reg_map *map,
					     const char *name);

/* Text: what a virtual register counts; "" when the library does not know it. */
const char *pfmi_virtual_desc(const char *reg);

uint32_t pfmi_virtual_flags(const struct pfm_reg_info *info);

/* tables.c: libpfm4. */

struct pfm_arch_ops;

/**
 * pfmi_tables_encode - look an event up in libpfm4's tables
 * @ops: architecture whose tables are searched; NULL: the tables of any core
 * @words: the event; if it names a table, only that one is searched
 * @event: out: name (without levels) and code
 *
 * Returns 0, -ENOENT, -EINVAL (unit mask), -ENAMETOOLONG or -ENOMEM.
 */
int pfmi_tables_encode(const struct pfm_arch_ops *ops,
		       const struct pfmi_words *words, struct pfm_event *event);

/* As pfm_event_for_each(), for the events of libpfm4's tables. */
int pfmi_tables_for_each(const struct pfm_arch_ops *ops,
			 int (*visit)(const struct pfm_event_desc *desc,
				      void *arg),
			 void *arg);

/* Name of the first table for this machine; NULL when there is none. */
const char *pfmi_tables_name(const struct pfm_arch_ops *ops);

#endif
