/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part that the small programs of this folder share.  They are written for perfmon2 and libpfm, and include
 * headers of the folder perfmon2-compat only.
 *
 * A program prints a line "NAME VALUE" for each result; compat_host_test.sh and compat_test.sh compare them.
 */
#ifndef COMPAT_STYLE_H
#define COMPAT_STYLE_H

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/pfmlib.h>

#define MAX_EVENTS 8

/* Calls of getppid() in a unit of work. */
#define CALLS 1000

/*
 * Turns of an empty loop, of two instructions, that follow each call.  The call itself is some ten
 * instructions in user mode, and together they are about the 100 that the made-up kernel counts for a call.
 */
#define TURNS 45

static inline void die(const char *what)
{
	printf("failed %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(1);
}

static inline void work(unsigned int units)
{
	unsigned int i, turn;

	for (i = 0; i < units * CALLS; i++) {
		getppid();
		for (turn = 0; turn < TURNS; turn++)
			__asm__ volatile("");
	}
}

static inline void show(const char *name, uint64_t value)
{
	printf("%s %" PRIu64 "\n", name, value);
	fflush(stdout);
}

/* 1 when the call failed with that errno. */
static inline int gave(int ret, int err)
{
	return ret == -1 && errno == err;
}

static pfmlib_input_param_t inp;
static pfmlib_output_param_t outp;

/* Registers for events, by the name that the program of that time has. */
__attribute__((unused)) static void choose(const char *const *names,
					   unsigned int count, unsigned int plm)
{
	unsigned int i;
	int ret;

	ret = pfm_initialize();
	if (ret != PFMLIB_SUCCESS) {
		printf("failed pfm_initialize: %s\n", pfm_strerror(ret));
		exit(1);
	}
	memset(&inp, 0, sizeof(inp));
	memset(&outp, 0, sizeof(outp));
	inp.pfp_dfl_plm = plm;
	for (i = 0; i < count; i++) {
		ret = pfm_find_full_event(names[i], &inp.pfp_events[i]);
		if (ret != PFMLIB_SUCCESS) {
			printf("failed %s: %s\n", names[i], pfm_strerror(ret));
			exit(1);
		}
	}
	inp.pfp_event_count = count;
	ret = pfm_dispatch_events(&inp, NULL, &outp, NULL);
	if (ret != PFMLIB_SUCCESS) {
		printf("failed pfm_dispatch_events: %s\n", pfm_strerror(ret));
		exit(1);
	}
}

static const char *const basics[] = { "UNHALTED_CORE_CYCLES",
				      "INSTRUCTIONS_RETIRED" };

/* The structures of v2.2 to v2.82 from what choose() found. */
__attribute__((unused)) static void fill(pfarg_pmc_t *pc, pfarg_pmd_t *pd)
{
	unsigned int i;

	memset(pc, 0, MAX_EVENTS * sizeof(*pc));
	memset(pd, 0, MAX_EVENTS * sizeof(*pd));
	for (i = 0; i < outp.pfp_pmc_count; i++) {
		pc[i].reg_num = outp.pfp_pmcs[i].reg_num;
		pc[i].reg_value = outp.pfp_pmcs[i].reg_value;
	}
	for (i = 0; i < outp.pfp_pmd_count; i++)
		pd[i].reg_num = outp.pfp_pmds[i].reg_num;
}

static inline void bit_set(uint64_t *bv, unsigned int num)
{
	bv[num / 64] |= 1ULL << num % 64;
}

#endif /* COMPAT_STYLE_H */
