// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * AMD core counters: on most families every counter counts every event.
 *
 * Sources: AMD's BIOS and Kernel Developer's Guides (families 10h to 16h), Processor
 * Programming References (family 17h and later), and Linux, arch/x86/events/amd/core.c.
 */
#include "base/array.h"
#include "pmu/arch_amd_names.h"
#include "pmu/arch_x86.h"
#include "pmu/tables.h"
#include "pmu/vendor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CODE_BITS	(EVTSEL_COMMON | EVTSEL_EVENT_HIGH | EVTSEL_GUEST | EVTSEL_HOST)

#define TABLE_PREFIX	"amd64_"
#define FAMILY_PREFIX	"amd64_fam"

/* Families with rules or events of their own. */
#define FAMILY_BULLDOZER 0x15
#define FAMILY_ZEN	0x17	/* Zen and Zen 2 */
#define FAMILY_ZEN_3_4	0x19
#define FAMILY_ZEN_5	0x1a

#define EVENT_FLOPS	0x003	/* retired SSE and AVX operations */

/* A counter with this event holds the upper bits of the counter before it. */
#define CODE_MERGE	(EVTSEL_EVENT_HIGH | EVTSEL_EVENT)

/**
 * struct processor - what the rules depend on
 * @family: family
 * @zen2: Zen 2 or later
 * @zen4: Zen 4 or later
 */
struct processor {
	unsigned int family;
	bool zen2;
	bool zen4;
};

/*
 * The table's name is known once libpfm4 has found the processor, or was told which one to
 * assume; neither changes while a program runs.
 */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct processor current;

/* Source: Linux, arch/x86/kernel/cpu/amd.c. */
static struct processor processor_of(unsigned int family, unsigned int model)
{
	const bool zen2 = (model >= 0x30 && model < 0x50) ||
			  (model >= 0x60 && model < 0x80) ||
			  (model >= 0x90 && model < 0x92) ||
			  (model >= 0xa0 && model < 0xb0);
	const bool zen4 = (model >= 0x10 && model < 0x20) || model >= 0x60;

	return (struct processor){
		.family = family,
		.zen2 = family >= FAMILY_ZEN_3_4 ||
			(family == FAMILY_ZEN && zen2),
		.zen4 = family >= FAMILY_ZEN_5 ||
			(family == FAMILY_ZEN_3_4 && zen4),
	};
}

static void find_processor(void)
{
	const char *table = pfmi_tables_name(&pfmi_arch_amd);
	const size_t length = strlen(FAMILY_PREFIX);
	const char *forced = pfmi_vendor_forced();
	struct pfmi_x86_cpu cpu;

	if (forced && !strcmp(forced, "amdzen5")) {
		current = processor_of(FAMILY_ZEN_5, 0);
		return;
	}
	if (table) {
		/* amd64_k7 and amd64_k8 have no number and need none. */
		if (!strncmp(table, FAMILY_PREFIX, length))
			current.family = strtoul(table + length, NULL, 16);
		current.zen2 = current.family >= FAMILY_ZEN_3_4 ||
			       strstr(table, "zen2");
		current.zen4 = current.family >= FAMILY_ZEN_5 ||
			       strstr(table, "zen4");
		return;
	}
	pfmi_x86_cpu(&cpu);
	if (strcmp(cpu.vendor, "AuthenticAMD") &&
	    strcmp(cpu.vendor, "HygonGenuine")) {
		/* The map is not that of this machine: assume what is common to Zen. */
		current.family = FAMILY_ZEN;
		return;
	}
	current = processor_of(cpu.family, cpu.model);
}

static const struct processor *current_processor(void)
{
	pthread_once(&once, find_processor);
	return &current;
}

static bool amd_owns_table(const char *table)
{
	return !strncmp(table, TABLE_PREFIX, strlen(TABLE_PREFIX));
}

static void amd_take_encoding(struct pfm_event *event, const uint64_t *codes,
			      int count, const char *full)
{
	(void)count;
	(void)full;
	event->code = codes[0] & CODE_BITS;
}

/* Event number: 12 bits in two fields. */
static uint64_t amd_table_code(uint64_t code)
{
	return (code & EVTSEL_EVENT) | (code & EVTSEL_EVENT_HIGH) >> 24;
}

static const struct pfm_arch_name *names_of(const struct processor *cpu)
{
	if (cpu->family == FAMILY_BULLDOZER)
		return fam15h_names;
	if (cpu->family < FAMILY_ZEN)
		return k7_names;
	if (cpu->zen4)
		return zen4_names;
	return cpu->zen2 ? zen2_names : zen1_names;
}

const struct pfm_arch_name *pfmi_amd_names(unsigned int family,
					   unsigned int model)
{
	const struct processor cpu = processor_of(family, model);

	return names_of(&cpu);
}

static const struct pfm_arch_name *amd_names(unsigned int i)
{
	return i ? NULL : names_of(current_processor());
}

/*
 * libpfm4's modifier g is the guest bit, its h the host bit.  In event strings of this
 * library h is a privilege level, so both bits have names of their own.
 */
static const struct pfmi_x86_modifier worlds[] = {
	{ "guest", EVTSEL_GUEST },
	{ "host", EVTSEL_HOST },
	{ 0 }
};

static bool amd_modifier(struct pfm_event *event, const char *field)
{
	return pfmi_x86_modifier(event, field, worlds);
}

static bool amd_table_modifier(struct pfm_event *event, const char *field)
{
	return pfmi_x86_field(event, field, worlds);
}

static const struct pfm_arch_term terms[] = {
	{ "event", EVTSEL_EVENT | EVTSEL_EVENT_HIGH, 0 },
	{ "umask", EVTSEL_UMASK, 0 },
	{ "cmask", EVTSEL_CMASK, 0 },
	{ "inv", EVTSEL_INV, 0 },
	{ "edge", EVTSEL_EDGE, 0 },
	{ "guest", EVTSEL_GUEST, 'G' },
	{ "host", EVTSEL_HOST, 'H' },
	{ 0 }
};

static bool amd_take_register(struct pfm_event *event, uint64_t value)
{
	return pfmi_x86_take_register(event, value, CODE_BITS);
}

static unsigned int bits_set(uint64_t value)
{
	unsigned int count = 0;

	for (; value; value &= value - 1)
		count++;
	return count;
}

/*
 * Family 15h: counters of the events 0x000 to 0x0ff, and of those from 0x100 on, by the
 * upper four bits of the lower byte.  Events from 0xe0 on belong to the northbridge, which
 * has counters of its own.
 */
static const uint8_t bulldozer_groups[16] = {
	0x38, 0x38,		/* floating point */
	0x3f, 0x3f,		/* load and store */
	0x3f, 0x3f,		/* data cache */
	0x07, 0x07,		/* shared by the two cores of a unit */
	0x07, 0x07,		/* instruction cache, decoder */
	0x00, 0x00,
	0x3f,			/* execution, load and store */
	0x07,			/* decoder */
	0x00, 0x00,		/* northbridge */
};

static const struct {
	uint16_t event;
	uint8_t counters;
} bulldozer_events[] = {
	{ 0x003, 0x08 }, { 0x00b, 0x08 }, { 0x00d, 0x08 }, { 0x023, 0x07 },
	{ 0x02d, 0x08 }, { 0x02e, 0x09 }, { 0x043, 0x07 }, { 0x045, 0x07 },
	{ 0x046, 0x07 }, { 0x054, 0x07 }, { 0x055, 0x07 }, { 0x08f, 0x01 },
	{ 0x0db, 0x3f }, { 0x0dc, 0x3f }, { 0x0dd, 0x3f }, { 0x0de, 0x3f },
	{ 0x0df, 0x3f }, { 0x187, 0x01 }, { 0x188, 0x01 }, { 0x1c0, 0x38 },
	{ 0x1d6, 0x3f }, { 0x1d8, 0x3f },
};

static uint32_t bulldozer_counters(uint64_t code)
{
	const unsigned int event = amd_table_code(code);
	const uint64_t umask = code & EVTSEL_UMASK;
	size_t i;

	/* Three events depend on the unit mask. */
	if (event == 0x000)
		return umask & 0xf000 && umask & 0x0f00 ? 0x08 : 0x38;
	if (event == 0x004)
		return bits_set(umask) > 1 ? 0x08 : 0x38;
	if (event == 0x031)
		return bits_set(umask) > 1 ? 0x00 : 0x07;
	for (i = 0; i < ARRAY_SIZE(bulldozer_events); i++)
		if (bulldozer_events[i].event == event)
			return bulldozer_events[i].counters;
	return bulldozer_groups[event >> 4 & 0xf];
}

/*
 * An event that can increment by more than 15 in a cycle needs a counter with an even
 * number, and the one after it for the upper bits.
 */
static uint64_t amd_pair_code(const struct pfm_event *event)
{
	if (current_processor()->family < FAMILY_ZEN ||
	    amd_table_code(event->code) != EVENT_FLOPS)
		return 0;
	return CODE_MERGE;
}

static enum pfm_arch_fit amd_fit(const struct pfm_event *event,
				 const struct pfm_reg_info *pmd)
{
	uint32_t counters = UINT32_MAX;

	if (current_processor()->family == FAMILY_BULLDOZER)
		counters = bulldozer_counters(event->code);
	if (amd_pair_code(event))
		counters = 0x55555555;
	return pmd->num < 32 && counters >> pmd->num & 1 ? PFM_FIT_OK :
							  PFM_FIT_NONE;
}

static uint64_t amd_encode(const struct pfm_event *event,
			   const struct pfm_reg_info *pmd)
{
	(void)pmd;
	return event->code | pfmi_x86_levels(event);
}

/* AMD defines no events that are the same on all processors. */
static const struct pfm_arch_event amd_events[] = { { 0 } };

const struct pfm_arch_ops pfmi_arch_amd = {
	.name = "amd",
	.levels = PFM_PLM_USER | PFM_PLM_KERNEL,
	.code_bits = CODE_BITS,
	.events = amd_events,
	.names = amd_names,
	.owns_table = amd_owns_table,
	.take_encoding = amd_take_encoding,
	.table_code = amd_table_code,
	.modifier = amd_modifier,
	.terms = terms,
	.table_modifier = amd_table_modifier,
	.take_register = amd_take_register,
	.fit = amd_fit,
	.pair_code = amd_pair_code,
	.encode = amd_encode,
};
