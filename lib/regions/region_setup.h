/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Regions: whether they are on, and with which events.
 */
#ifndef PERFMON_REGIONS_REGION_SETUP_H
#define PERFMON_REGIONS_REGION_SETUP_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>
#include <perfmon/region.h>

/* Most registers of a thread, and so most different events. */
#define PFMI_REGION_REGS 16

/**
 * struct pfmi_region_setup - what is measured
 * @events: number of events
 * @count: number of registers
 * @flags: PFM_REGION_*
 * @index: register of each event
 * @labels: name of each event, with its level
 * @output: file for the table; "": stderr
 * @regs: values of the registers
 */
struct pfmi_region_setup {
	unsigned int events;
	unsigned int count;
	uint32_t flags;
	uint16_t index[PFMI_REGION_REGS];
	char labels[PFMI_REGION_REGS][PFM_EVENT_NAME_LEN + 4];
	char output[PATH_MAX];
	struct pfm_assignment regs;
};

/* Written under the lock, before pfmi_region_on becomes 1. */
extern struct pfmi_region_setup pfmi_region_setup;

/* The places of a program look at this word: 1 if the regions are on. */
extern uint32_t pfmi_region_on;

/* For all that threads share. */
extern pthread_mutex_t pfmi_region_lock;

/* True if the regions are on; the first call asks the environment. */
bool pfmi_region_decide(void);

/* Say why nothing is measured, once in a process. */
__attribute__((format(printf, 1, 2))) void
pfmi_region_complain(const char *format, ...);

#endif
