// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rates of events, measured before the session.
 *
 * The time is CPU time of pfmon: on a busy machine the loop takes longer, and the rate is the same.
 * The loop executes about as many cycles, instructions and branches in a second as a program that is
 * not held up.  How often a program misses a cache it cannot tell.
 */
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "events/event_list.h"
#include "sampling/rate.h"

/* As long as the loop runs, ns of CPU time. */
#define LOOP_NS (NS_PER_S / 100)

/* An event that a program causes more rarely than the loop has no rate that is worth anything. */
#define PERIOD_MIN 1000

static uint64_t cpu_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Returns how long it took. */
static uint64_t loop(void)
{
	volatile unsigned int round;
	uint64_t start = cpu_time(), now;

	do {
		for (round = 0; round < 10000; round++)
			;
		now = cpu_time();
	} while (now - start < LOOP_NS);
	return now - start;
}

/* Counts the loop in context @fd.  Returns false if the event cannot be counted. */
static bool count(int fd, const struct pfm_reg_map *map,
		  const struct pfm_event *event, uint64_t *value, uint64_t *ns)
{
	struct pfm_assignment *regs = calloc(1, sizeof(*regs));
	bool done = false;

	if (regs && !pfm_assign_registers(map, event, 1, regs) &&
	    !pfm_ctx_write_pmcs(fd, regs->pmcs, regs->num_pmcs, NULL) &&
	    !pfm_ctx_write_pmds(fd, regs->pmds, regs->num_writable, NULL) &&
	    !pfm_ctx_load(fd, 0, NULL)) {
		done = !pfm_ctx_start(fd, NULL);
		*ns = loop();
		done = done && !pfm_ctx_stop(fd) &&
		       !pfm_ctx_read_pmds(fd, regs->pmds, 1, NULL);
		*value = regs->pmds[0].value;
		pfm_ctx_unload(fd);
	}
	free(regs);
	return done;
}

/* Occurrences in a second of CPU time; 0 if that is not known. */
static uint64_t measure(const struct events *events, size_t event)
{
	struct pfm_event parsed = events->parsed[event];
	uint64_t value, ns;
	bool done;
	int fd;

	if (events->list[event].role == ROLE_TASK_CLOCK)
		return NS_PER_S;
	/* The loop is user code. */
	parsed.plm |= PFM_PLM_USER;
	fd = pfm_ctx_create(NULL);
	if (fd < 0)
		return 0;
	done = count(fd, events->map, &parsed, &value, &ns);
	close(fd);
	return done ? value * ((double)NS_PER_S / ns) : 0;
}

int rate_period(const struct events *events, size_t event, uint64_t frequency,
		bool adapted, uint64_t *period)
{
	const char *name = events->list[event].name;
	uint64_t rate = measure(events, event);

	*period = rate / frequency;
	if (adapted && *period < PERIOD_MIN)
		*period = PERIOD_MIN;
	if (*period >= PERIOD_MIN) {
		say_verbose("'%s': %" PRIu64
			    " in a second of a loop, so a period of %" PRIu64
			    " for %" PRIu64 " samples",
			    name, rate, *period, frequency);
		return 0;
	}
	if (rate / PERIOD_MIN && frequency > rate / PERIOD_MIN)
		say_error("'%s': %" PRIu64
			  " samples in a second are too many, at most %" PRIu64
			  "; -c PERIOD takes shorter periods",
			  name, frequency, rate / PERIOD_MIN);
	else
		say_error(
			"'%s': how often it occurs depends on the program, so there is no period for a frequency; give one with -c PERIOD",
			name);
	return -1;
}
