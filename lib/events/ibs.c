// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Events of AMD's instruction-based sampling (IBS).  Each has a counting register of its own,
 * and options that are bits of its control register.  perf writes the options between
 * slashes, ibs_op/cnt_ctl=1/, and here they may stand behind colons as well.
 *
 * Source: AMD's Processor Programming References, MSR C001_1030 and C001_1033.
 */
#include "events/ibs.h"

#include "base/array.h"
#include "base/text.h"
#include "pmu/arch_x86.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <linux/perfmon_ibs.h>

#define OP_COUNT_OPS  (1ULL << 19)
#define OP_L3MISS     (1ULL << 16)
#define OP_LATENCY    (0xfULL << 59)
#define OP_LATENCY_EN (1ULL << 63)
#define FETCH_RAND    (1ULL << 57)
#define FETCH_L3MISS  (1ULL << 59)

/* Thresholds of latencies, in cycles */
#define LATENCY_UNIT 128
#define LDLAT_MAX    2048
#define FETCHLAT_MAX 1920

/**
 * struct ibs_option - an option of an event
 * @name: its name
 * @bits: bits of the control register
 * @max: largest threshold of latencies, in cycles; 0: the option is 0 or 1
 * @desc: what it selects
 * @is_alias: perf's name of the option before it
 */
struct ibs_option {
	const char *name;
	uint64_t bits;
	unsigned int max;
	const char *desc;
	bool is_alias;
};

/**
 * struct ibs_event - an event
 * @name: its name
 * @desc: what it counts
 * @pmd: PMD that counts
 * @pmc: its control register
 * @dfl: bits that are set unless options say otherwise, where the processor has them
 * @options: its options; a NULL name ends them
 */
struct ibs_event {
	const char *name;
	const char *desc;
	uint16_t pmd;
	uint16_t pmc;
	uint64_t dfl;
	const struct ibs_option *options;
};

static const struct ibs_option op_options[] = {
	{ "cnt_ctl", OP_COUNT_OPS, 0,
	  "count ops (1, the default where the processor can) or cycles (0)",
	  false },
	{ "l3missonly", OP_L3MISS, 0, "sample only ops that miss the L3 cache",
	  false },
	{ "ldlat", OP_LATENCY | OP_LATENCY_EN, LDLAT_MAX,
	  "sample only loads that take longer than so many cycles: 128 to 2048, a multiple of 128",
	  false },
	{ "strmst", PFM_IBS_OP_STREAMING, 0,
	  "sample only stores that go past the caches", false },
	{ 0 }
};

static const struct ibs_option fetch_options[] = {
	{ "rand", FETCH_RAND, 0,
	  "let the processor add random bits to each period", false },
	{ "rand_en", FETCH_RAND, 0, "", true },
	{ "l3missonly", FETCH_L3MISS, 0,
	  "sample only fetches that miss the L3 cache", false },
	{ "fetchlat", PFM_IBS_FETCH_LATENCY, FETCHLAT_MAX,
	  "sample only fetches that take longer than so many cycles: 128 to 1920, a multiple of 128",
	  false },
	{ 0 }
};

static const struct ibs_event events[] = {
	{ "ibs_op",
	  "Ops, or cycles, that AMD's instruction-based sampling chooses its samples from",
	  PFM_IBS_PMD_OP, PFM_IBS_PMC_OP_CTL, OP_COUNT_OPS, op_options },
	{ "ibs_fetch",
	  "Instruction fetches that AMD's instruction-based sampling chooses its samples from",
	  PFM_IBS_PMD_FETCH, PFM_IBS_PMC_FETCH_CTL, 0, fetch_options },
};

/**
 * struct taker - an event that is being parsed
 * @known: which it is
 * @missing: bits of its control register that the processor does not have
 * @named: bits of the options that were taken
 * @event: out: the event
 * @why: out: the reason why it is refused
 * @size: bytes of @why
 */
struct taker {
	const struct ibs_event *known;
	uint64_t missing;
	uint64_t named;
	struct pfm_event *event;
	char *why;
	size_t size;
};

static int refuse(const struct taker *taker, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(const struct taker *taker, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(taker->why, taker->size, format, args);
	va_end(args);
	return err;
}

static const struct ibs_event *find_event(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		if (pfmi_text_equal(events[i].name, name))
			return &events[i];
	return NULL;
}

static int refuse_name(const struct taker *taker, const char *name)
{
	const struct ibs_option *option;
	char list[128] = "";
	size_t pos = 0;

	for (option = taker->known->options; option->name; option++)
		if (!option->is_alias)
			pfmi_text_add(list, sizeof(list), &pos, "%s%s",
				      pos ? ", " : "", option->name);
	return refuse(
		taker, -EINVAL,
		"%s has no option '%s'; it has %s, and the levels u and k",
		taker->known->name, name, list);
}

static const struct ibs_option *find_option(const struct taker *taker,
					    const char *name)
{
	const struct ibs_option *option;

	for (option = taker->known->options; option->name; option++)
		if (pfmi_text_equal(option->name, name))
			return option;
	return NULL;
}

/* The bits of an option with this value. */
static int option_bits(const struct taker *taker,
		       const struct ibs_option *option, uint64_t number,
		       uint64_t *bits)
{
	if (!option->max) {
		if (number > 1)
			return refuse(taker, -EINVAL, "%s is 0 or 1",
				      option->name);
		*bits = number ? option->bits : 0;
		return 0;
	}
	if (!number || number % LATENCY_UNIT || number > option->max)
		return refuse(
			taker, -EINVAL,
			"%s is a number of cycles from %d to %u, and a multiple of %d",
			option->name, LATENCY_UNIT, option->max, LATENCY_UNIT);
	number /= LATENCY_UNIT;
	/* 0 stands for 128 where another bit says that there is a threshold. */
	if (option->bits & OP_LATENCY_EN)
		number--;
	*bits = (option->bits & OP_LATENCY_EN) |
		number * (option->bits & -option->bits);
	return 0;
}

static int refuse_missing(const struct taker *taker,
			  const struct ibs_option *option)
{
	return refuse(
		taker, -EOPNOTSUPP,
		"the IBS of this processor does not have the option %s: bits 0x%llx of its control register are reserved",
		option->name,
		(unsigned long long)(option->bits & taker->missing));
}

/* Apply NAME or NAME=NUMBER. */
static int take_option(struct taker *taker, const char *text)
{
	size_t length = strcspn(text, "=");
	const struct ibs_option *option;
	char name[PFM_EVENT_NAME_LEN];
	uint64_t number = 1, bits = 0;
	int ret;

	memcpy(name, text, length);
	name[length] = 0;
	option = find_option(taker, name);
	if (!option)
		return refuse_name(taker, name);
	if (text[length] && !pfmi_text_number(text + length + 1, &number))
		return refuse(taker, -EINVAL, "'%s' is not a number from 0 up",
			      text + length + 1);
	if (taker->named & option->bits)
		return refuse(taker, -EINVAL, "'%s' is given twice",
			      option->name);
	ret = option_bits(taker, option, number, &bits);
	if (ret)
		return ret;
	if (bits & taker->missing)
		return refuse_missing(taker, option);
	taker->named |= option->bits;
	taker->event->code = (taker->event->code & ~option->bits) | bits;
	return 0;
}

/* Append an option to the name of the event, in lower case. */
static int add_name(struct taker *taker, const char *text)
{
	struct pfm_event *event = taker->event;
	size_t pos = strlen(event->name);
	bool fits;

	fits = pfmi_text_add(event->name, sizeof(event->name), &pos, ":");
	for (; *text && fits; text++)
		fits = pfmi_text_add(event->name, sizeof(event->name), &pos,
				     "%c", pfmi_text_lower(*text));
	return fits ? 0 : -ENAMETOOLONG;
}

static int take_named(struct taker *taker, const char *text)
{
	int ret = take_option(taker, text);

	return ret ? ret : add_name(taker, text);
}

/* The options between the slashes of ibs_op/.../, of which there may be none. */
static int take_terms(struct taker *taker, const char *text)
{
	char term[PFM_EVENT_NAME_LEN];
	size_t length;
	int ret;

	if (!*text)
		return 0;
	do {
		length = strcspn(text, ",");
		memcpy(term, text, length);
		term[length] = 0;
		ret = take_named(taker, term);
		text += length;
	} while (!ret && *text++);
	return ret;
}

/* The letters behind the second slash. */
static int take_letters(struct taker *taker, const char *text)
{
	for (; *text; text++) {
		if (pfmi_text_lower(*text) == 'u')
			taker->event->plm |= PFM_PLM_USER;
		else if (pfmi_text_lower(*text) == 'k')
			taker->event->plm |= PFM_PLM_KERNEL;
		else
			return refuse(
				taker, -EINVAL,
				"there is no modifier '%c' behind the '/'; IBS has u and k",
				*text);
	}
	return 0;
}

static int take_words(struct taker *taker, const struct pfmi_words *words)
{
	unsigned int i;
	int ret = 0;

	if (words->terms) {
		if (!words->letters)
			return refuse(taker, -EINVAL,
				      "the '/' at the end is missing");
		ret = take_terms(taker, words->terms);
		if (!ret)
			ret = take_letters(taker, words->letters);
	}
	for (i = 0; i < words->num_fields && !ret; i++)
		ret = take_named(taker, words->fields[i]);
	return ret;
}

/* Erratum 1606: the threshold alone is not applied right, and the kernel refuses it. */
static bool has_erratum_1606(void)
{
	struct pfmi_x86_cpu cpu;

	pfmi_x86_cpu(&cpu);
	return !strcmp(cpu.vendor, "AuthenticAMD") && cpu.family == 0x1a &&
	       cpu.model <= 0x0f;
}

/* Refuse options that do not go together on this processor. */
static int check_together(const struct taker *taker)
{
	const struct pfm_event *event = taker->event;

	if (event->pmd != PFM_IBS_PMD_OP || !(event->code & OP_LATENCY_EN) ||
	    event->code & OP_L3MISS || !has_erratum_1606())
		return 0;
	return refuse(
		taker, -EOPNOTSUPP,
		"ldlat needs l3missonly on this processor, because of its erratum 1606");
}

int pfmi_ibs_take(const struct pfm_reg_map *map, const struct pfmi_words *words,
		  struct pfm_event *event, char *why, size_t size)
{
	struct taker taker = {
		.known = words->table ? NULL : find_event(words->name),
		.event = event,
		.why = why,
		.size = size,
	};
	const struct pfm_reg_info *pmc;
	int ret;

	if (!taker.known)
		return -ENOENT;
	pmc = map ? pfm_reg_map_pmc(map, taker.known->pmc) : NULL;
	if (!pmc || !pfm_reg_map_pmd(map, taker.known->pmd))
		return refuse(
			&taker, -ENODEV,
			"needs an AMD processor with IBS and the module perfmon_ibs");
	taker.missing = pmc->rsvd;
	event->kind = PFM_EVENT_UNIT;
	event->pmd = taker.known->pmd;
	event->code = taker.known->dfl & ~taker.missing;
	strcpy(event->name, taker.known->name);
	ret = take_words(&taker, words);
	return ret ? ret : check_together(&taker);
}

uint64_t pfmi_ibs_encode(const struct pfm_event *event)
{
	uint64_t value = event->code;

	if (!(event->plm & PFM_PLM_KERNEL))
		value |= PFM_IBS_EXCLUDE_KERNEL;
	if (!(event->plm & PFM_PLM_USER))
		value |= PFM_IBS_EXCLUDE_USER;
	return value;
}

#define OPTIONS_MAX 8

static int visit_event(const struct ibs_event *known, uint64_t missing,
		       int (*visit)(const struct pfm_event_desc *desc,
				    void *arg),
		       void *arg)
{
	struct pfm_event_umask umasks[OPTIONS_MAX] = { 0 };
	struct pfm_event_desc desc = {
		.pmu = "",
		.name = known->name,
		.desc = known->desc,
		.code = known->pmd,
		.kind = PFM_EVENT_UNIT,
		.plm = PFM_PLM_USER | PFM_PLM_KERNEL,
		.umasks = umasks,
	};
	const struct ibs_option *option;

	for (option = known->options; option->name; option++) {
		if (option->is_alias || option->bits & missing)
			continue;
		umasks[desc.num_umasks++] = (struct pfm_event_umask){
			.name = option->name,
			.desc = option->desc,
			.code = option->bits,
			.is_modifier = 1,
			.takes_value = 1,
		};
	}
	return visit(&desc, arg);
}

int pfmi_ibs_for_each(const struct pfm_reg_map *map,
		      int (*visit)(const struct pfm_event_desc *desc,
				   void *arg),
		      void *arg)
{
	const struct pfm_reg_info *pmc;
	size_t i;
	int ret = 0;

	for (i = 0; map && i < ARRAY_SIZE(events) && !ret; i++) {
		pmc = pfm_reg_map_pmc(map, events[i].pmc);
		if (pmc && pfm_reg_map_pmd(map, events[i].pmd))
			ret = visit_event(&events[i], pmc->rsvd, visit, arg);
	}
	return ret;
}
