// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * How long ibs_sample() waits in poll(2) before it looks at the buffer of a CPU again.
 *
 * The linker has the library call the functions of this file for the context of a CPU, for poll(2) and for
 * the time, which stands still.
 */
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

#include <linux/perfmon_ibs.h>
#include <perfmon/ibs-compat.h>

#include "compat/ibs_context.h"
#include "compat/ibs_cpu.h"
#include "tap.h"

/* A part of a buffer has room for this many samples, or for IBS_POLL_NUM_SAMPLES if that is more. */
#define ENTRIES 1024

/* More samples than any call waits for. */
#define MANY 100000

/* The library looks at a buffer after this many milliseconds if poll(2) does not report it. */
#define SLICE 10

/* A lane of the format ibs with a part that is being filled, which has one op. */
static struct lane {
	struct pfm_nway_hdr hdr;
	struct pfm_nway_part part;
	struct pfm_ibs_op op;
	struct pfm_nway_part next;
	uint64_t room[40];
} lane = {
	.hdr = {
		.version = PFM_IBS_VERSION,
		.parts = 2,
		.part_offs = offsetof(struct lane, part),
		.part_size = offsetof(struct lane, next) -
			     offsetof(struct lane, part),
		.part_room = offsetof(struct lane, next) -
			     offsetof(struct lane, part),
	},
	.part = {
		.count = 1,
		.cur_offs = offsetof(struct lane, next) -
			    offsetof(struct lane, part),
		.seq = 1,
	},
	.op = { .head.kind = PFM_IBS_KIND_OP, .rip = 1 },
};

/* Milliseconds that poll(2) was to wait, and the calls of it. */
static int waited;
static unsigned int polls;

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_pfmi_ibs_context(const struct pfmi_ibs_options *options,
			    unsigned int entries);
int __wrap_pfmi_ibs_cpu_enable(struct pfmi_ibs_cpu *cpu,
			       const struct pfmi_ibs_options *options);

/* All samples come while the library waits. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	polls++;
	waited = timeout;
	lane.hdr.samples = MANY;
	return fds[0].events == POLLIN && count == 1 ? 0 : -1;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){ .tv_sec = 1000 };
	return 0;
}

int __wrap_pfmi_ibs_context(const struct pfmi_ibs_options *options,
			    unsigned int entries)
{
	(void)options;
	(void)entries;
	return open("/dev/null", O_RDONLY);
}

int __wrap_pfmi_ibs_cpu_enable(struct pfmi_ibs_cpu *cpu,
			       const struct pfmi_ibs_options *options)
{
	(void)options;
	lane.hdr.samples = 0;
	cpu->taken = 0;
	cpu->limit = 1;
	cpu->fd = open("/dev/null", O_RDONLY);
	return pfm_sample_ibs_begin(&cpu->parts, &lane, sizeof(lane));
}

/* @room: number of samples that the program has memory for; @enough: IBS_POLL_NUM_SAMPLES */
static void waits(int room, intptr_t enough, intptr_t timeout, int wanted,
		  const char *what)
{
	static ibs_sample_t samples[MANY];
	ibs_option_list_t list[] = {
		{ IBS_OP, (ibs_val_t)1L },
		{ IBS_POLL_NUM_SAMPLES, (ibs_val_t)enough },
		{ IBS_POLL_TIMEOUT, (ibs_val_t)timeout },
	};

	waited = -7;
	polls = 0;
	if (ibs_initialize(list, 3, 0) || ibs_enable_cpu(0))
		printf("# %s\n", ibs_error());
	is_num(ibs_sample(room, IBS_OP_SAMPLE, samples, NULL), 1, what);
	is_num(waited, wanted, "milliseconds of its wait");
	is_num(polls, 1, "and it waits once");
	ibs_finalize();
}

int main(void)
{
	waits(1, 1, -1, SLICE, "a part holds more than enough samples");
	waits(ENTRIES, ENTRIES - 1, -1, SLICE, "it holds one more");
	waits(ENTRIES, ENTRIES, -1, -1, "it holds as many: poll(2) reports it");
	waits(MANY, 2 * ENTRIES, -1, -1, "a part is made as large");
	waits(2 * ENTRIES - 1, 2 * ENTRIES, -1, SLICE,
	      "the program has room for fewer than the part");
	waits(1, 1, 3, 3, "the time is over before that");
	waits(MANY, 2 * ENTRIES, 60000, 60000, "a limit of time");
	return tap_end();
}
