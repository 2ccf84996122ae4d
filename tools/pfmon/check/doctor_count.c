// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check that a count is right: of a loop whose number of instructions is known.
 *
 * Counters can be programmed, started and read, and count nothing all the same: another driver or
 * the firmware has left them frozen, or a hypervisor keeps the values of registers and does not
 * count.
 */
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/doctor_checks.h"
#include "check/findings.h"
#include "processor/machine.h"

#define CHECK "count"

#define ROUNDS	     1000000ULL
#define INSTRUCTIONS (2 * ROUNDS)
/* Some processors count an interrupt, or a page fault, as an instruction. */
#define TOLERANCE (INSTRUCTIONS / 100)
/* No processor executes more instructions in a cycle. */
#define PER_CYCLE 16

/* Two instructions a round */
static void loop(void)
{
	uint64_t rounds = ROUNDS;

#ifdef __aarch64__
	__asm__ volatile("1:	subs	%0, %0, #1\n"
			 "	b.ne	1b\n"
			 : "+r"(rounds)
			 :
			 : "cc");
#else
	__asm__ volatile("1:	dec	%0\n"
			 "	jne	1b\n"
			 : "+r"(rounds)
			 :
			 : "cc");
#endif
}

/* True if the loop was counted on all CPUs that it ran on. */
static bool counted_everywhere(int fd)
{
	struct pfm_config config = { 0 };

	return !pfm_ctx_get_config(fd, &config) && !config.barred;
}

/* Counts the loop.  Returns false if the event cannot be counted. */
static bool count(int fd, const struct pfm_reg_map *map, const char *name,
		  uint64_t *value)
{
	struct pfm_assignment *regs = calloc(1, sizeof(*regs));
	struct pfm_event event;
	bool done = false;

	if (!regs)
		return false;
	if (!pfm_event_parse(map, name, PFM_PLM_USER, &event) &&
	    pfm_event_implemented(map, event.code) != PFM_IMPLEMENTED_NO &&
	    !pfm_assign_registers(map, &event, 1, regs) &&
	    !pfm_ctx_write_pmcs(fd, regs->pmcs, regs->num_pmcs, NULL) &&
	    !pfm_ctx_write_pmds(fd, regs->pmds, regs->num_writable, NULL) &&
	    !pfm_ctx_load(fd, 0, NULL)) {
		done = !pfm_ctx_start(fd, NULL);
		loop();
		done = done && !pfm_ctx_stop(fd) &&
		       !pfm_ctx_read_pmds(fd, regs->pmds, 1, NULL) &&
		       counted_everywhere(fd);
		*value = regs->pmds[0].value;
		pfm_ctx_unload(fd);
	}
	free(regs);
	return done;
}

static void judge(struct findings *findings, bool right, const char *what,
		  uint64_t value)
{
	findings_add(findings, right ? FINDING_OK : FINDING_FAILED, CHECK,
		     "a loop of %llu instructions was counted as %" PRIu64
		     " %s%s",
		     INSTRUCTIONS, value, what,
		     right   ? ""
		     : value ? ": counts are wrong on this machine"
			     : ": the counters stand still");
	if (!right)
		findings_fix(
			findings,
			"end what else writes to the counters (drivers, tools that use /dev/cpu/*/msr), unload and load the modules; in a virtual machine it is the hypervisor that counts");
}

void doctor_check_count(struct findings *findings, const struct machine *machine)
{
	const struct pfm_reg_map *map = machine->map;
	uint64_t value;
	int fd;

	if (!map)
		return;
	fd = pfm_ctx_create(NULL);
	if (fd < 0)
		return;
	if (count(fd, map, "instructions", &value))
		judge(findings,
		      value + TOLERANCE >= INSTRUCTIONS &&
			      value <= INSTRUCTIONS + TOLERANCE,
		      "instructions", value);
	else if (count(fd, map, "cycles", &value))
		judge(findings, value >= INSTRUCTIONS / PER_CYCLE, "cycles",
		      value);
	close(fd);
}
