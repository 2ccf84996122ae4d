/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The control register of a counter, which Intel and AMD have in common.
 */
#ifndef PERFMON_PMU_ARCH_X86_H
#define PERFMON_PMU_ARCH_X86_H

#include "pmu/arch.h"

/* PERFEVTSEL (Intel) and PERF_CTL (AMD). */
#define EVTSEL_EVENT		0xffULL
#define EVTSEL_UMASK		0xff00ULL
#define EVTSEL_USR		(1ULL << 16)
#define EVTSEL_OS		(1ULL << 17)
#define EVTSEL_EDGE		(1ULL << 18)
#define EVTSEL_INT		(1ULL << 20)
#define EVTSEL_ANY		(1ULL << 21)	/* Intel */
#define EVTSEL_EN		(1ULL << 22)
#define EVTSEL_INV		(1ULL << 23)
#define EVTSEL_CMASK		(0xffULL << 24)
#define EVTSEL_IN_TX		(1ULL << 32)	/* Intel */
#define EVTSEL_IN_TXCP		(1ULL << 33)	/* Intel */
#define EVTSEL_EVENT_HIGH	(0xfULL << 32)	/* AMD: event 11:8 */
#define EVTSEL_GUEST		(1ULL << 40)	/* AMD */
#define EVTSEL_HOST		(1ULL << 41)	/* AMD */

/* Bits of an event code on both. */
#define EVTSEL_COMMON	(EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_EDGE | EVTSEL_INV | \
			 EVTSEL_CMASK)

/**
 * struct pfmi_x86_modifier - a field of an event string that sets bits of the code
 * @name: its name
 * @bits: the bits; one bit: the field is a switch, otherwise it takes a number
 */
struct pfmi_x86_modifier {
	const char *name;
	uint64_t bits;
};

/*
 * Apply a field to the code if it is in the list, which a NULL name ends, or one of e
 * (edge), i (inv) and c (cmask), which both vendors have.
 */
bool pfmi_x86_modifier(struct pfm_event *event, const char *field,
		       const struct pfmi_x86_modifier *list);

/* The same without e, i and c. */
bool pfmi_x86_field(struct pfm_event *event, const char *field,
		    const struct pfmi_x86_modifier *list);

/* As pfm_arch_ops.take_register. */
bool pfmi_x86_take_register(struct pfm_event *event, uint64_t value,
			    uint64_t code_bits);

/* The bits of the register that are the levels of the event. */
uint64_t pfmi_x86_levels(const struct pfm_event *event);

/**
 * struct pfmi_x86_cpu - the processor that the program runs on
 * @vendor: text from CPUID, "" on other architectures
 * @family: family, extended family added
 * @model: model, extended model included
 */
struct pfmi_x86_cpu {
	char vendor[13];
	unsigned int family;
	unsigned int model;
};

void pfmi_x86_cpu(struct pfmi_x86_cpu *cpu);

/* The events that generic names stand for on an AMD processor with this family and model. */
const struct pfm_arch_name *pfmi_amd_names(unsigned int family,
					   unsigned int model);

#endif
