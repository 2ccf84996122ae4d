// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions of libIBS: samples of all CPUs.
 */
#include "ibs_option.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The CPUs, between ibs_initialize() and ibs_finalize(); those without context have fd -1. */
static struct pfmi_ibs_cpu *cpus;
static unsigned int num_cpus;

static bool is_online(unsigned int cpu)
{
	char path[64], text = '1';
	FILE *file;

	/* A CPU that cannot go offline has no such file. */
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online",
		 cpu);
	file = fopen(path, "re");
	if (file) {
		text = fgetc(file);
		fclose(file);
	}
	return text == '1';
}

static int open_cpus(const struct pfmi_ibs_plan *plan)
{
	const char *why = "";
	unsigned int cpu;
	int ret;

	for (cpu = 0; cpu < num_cpus; cpu++) {
		if (pfmi_ibs_options.listed ? !pfmi_ibs_options.listed[cpu]
					    : !is_online(cpu))
			continue;
		ret = pfmi_ibs_cpu_open(&cpus[cpu], cpu, plan, &why);
		if (ret)
			return pfmi_ibs_fail(ret, "CPU %u: %s", cpu, why);
		if (pfmi_ibs_options.debug)
			fprintf(stderr,
				"IBS: CPU %u: every %llu, descriptor %d\n", cpu,
				(unsigned long long)plan->period, cpus[cpu].fd);
	}
	return 0;
}

int ibs_initialize(ibs_option_list_t *list, int count, int daemonize)
{
	struct pfmi_ibs_plan plan;
	unsigned int cpu;
	int i, err;

	if (cpus)
		return pfmi_ibs_fail(-EBUSY, "initialized already");
	if (daemonize)
		return pfmi_ibs_fail(-ENOSYS,
				     "there is no daemon; use 'pfmon ibs'");
	if (count < 0 || (count && !list))
		return pfmi_ibs_fail(-EINVAL, "wrong list of options");
	for (i = 0; i < count; i++)
		if (ibs_set_option(list[i].opt, list[i].val))
			return -1;
	if (pfmi_ibs_plan_make(&plan))
		return -1;
	num_cpus = pfmi_ibs_configured();
	cpus = calloc(num_cpus, sizeof(*cpus));
	if (!cpus)
		return pfmi_ibs_fail(-ENOMEM, "no memory for %u CPUs",
				     num_cpus);
	pfmi_ibs_options.is_fixed = true;
	for (cpu = 0; cpu < num_cpus; cpu++)
		cpus[cpu].fd = -1;
	if (!open_cpus(&plan))
		return 0;
	err = errno;
	ibs_finalize();
	errno = err;
	return -1;
}

void ibs_finalize(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < num_cpus; cpu++)
		pfmi_ibs_cpu_close(&cpus[cpu]);
	free(cpus);
	cpus = NULL;
	num_cpus = 0;
	pfmi_ibs_options.is_fixed = false;
}

static struct pfmi_ibs_cpu *find_cpu(int cpu)
{
	if (cpu >= 0 && (unsigned int)cpu < num_cpus && cpus[cpu].fd >= 0)
		return &cpus[cpu];
	pfmi_ibs_fail(-EINVAL, "CPU %d was not initialized", cpu);
	return NULL;
}

int ibs_enable_cpu(int cpu)
{
	struct pfmi_ibs_cpu *at = find_cpu(cpu);
	int ret;

	if (!at)
		return -1;
	ret = pfm_ctx_start(at->fd, NULL);
	if (ret)
		return pfmi_ibs_fail(ret, "CPU %d: %s", cpu,
				     pfm_ctx_strerror(PFM_IOC_START, ret));
	at->is_enabled = true;
	return 0;
}

void ibs_disable_cpu(int cpu)
{
	struct pfmi_ibs_cpu *at = find_cpu(cpu);
	int ret;

	if (!at)
		return;
	ret = pfm_ctx_stop(at->fd);
	if (ret)
		pfmi_ibs_fail(ret, "CPU %d: %s", cpu,
			      pfm_ctx_strerror(PFM_IOC_STOP, ret));
	at->is_enabled = false;
}

int ibs_enable_all(void)
{
	unsigned int cpu;
	int err;

	if (!cpus)
		return pfmi_ibs_fail(-EINVAL, "not initialized");
	for (cpu = 0; cpu < num_cpus; cpu++) {
		if (cpus[cpu].fd < 0 || !ibs_enable_cpu(cpu))
			continue;
		err = errno;
		ibs_disable_all();
		errno = err;
		return -1;
	}
	return 0;
}

void ibs_disable_all(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < num_cpus; cpu++)
		if (cpus[cpu].fd >= 0 && cpus[cpu].is_enabled)
			ibs_disable_cpu(cpu);
}

uint64_t ibs_lost(void)
{
	uint64_t lost = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < num_cpus; cpu++)
		if (cpus[cpu].fd >= 0)
			lost += pfmi_ibs_cpu_lost(&cpus[cpu]);
	return lost;
}

static int drain_all(void)
{
	unsigned int cpu;
	int ret;

	for (cpu = 0; cpu < num_cpus; cpu++) {
		if (cpus[cpu].fd < 0)
			continue;
		ret = pfmi_ibs_cpu_drain(&cpus[cpu]);
		if (ret)
			return pfmi_ibs_fail(
				ret, "CPU %u: its buffer cannot be read", cpu);
	}
	return 0;
}

static bool has_enough(const struct pfmi_ibs_cpu *at, unsigned int kind)
{
	return at->queues[kind].count >= pfmi_ibs_options.enough;
}

/* Whether a CPU has enough samples of one of the kinds in @flags. */
static bool any_enough(int flags)
{
	unsigned int cpu, kind;

	for (cpu = 0; cpu < num_cpus; cpu++)
		for (kind = 0; kind < PFMI_IBS_KINDS; kind++)
			if (flags & 1 << kind && has_enough(&cpus[cpu], kind))
				return true;
	return false;
}

static bool any_enabled(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < num_cpus; cpu++)
		if (cpus[cpu].fd >= 0 && cpus[cpu].is_enabled)
			return true;
	return false;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* Wait until a buffer has a full part. */
static int wait_part(struct pollfd *polled, uint64_t ms)
{
	unsigned int cpu;

	/* poll(2) leaves out negative descriptors. */
	for (cpu = 0; cpu < num_cpus; cpu++)
		polled[cpu] =
			(struct pollfd){ .fd = cpus[cpu].fd, .events = POLLIN };
	if (poll(polled, num_cpus, ms < INT_MAX ? ms : INT_MAX) < 0)
		return pfmi_ibs_fail(-errno, "poll: %s",
				     pfm_ctx_strerror(0, -errno));
	return 0;
}

/* Returns 1 when a CPU has enough samples, 0 when the time is over, -1 after an error. */
static int wait_enough(int flags)
{
	const uint64_t begin = now_ms();
	struct pollfd *polled;
	uint64_t passed = 0;
	int ret;

	polled = calloc(num_cpus, sizeof(*polled));
	if (!polled)
		return pfmi_ibs_fail(-ENOMEM, "no memory for %u descriptors",
				     num_cpus);
	for (;;) {
		ret = drain_all();
		if (ret || any_enough(flags) ||
		    passed >= pfmi_ibs_options.timeout || !any_enabled())
			break;
		ret = wait_part(polled, pfmi_ibs_options.timeout - passed);
		if (ret)
			break;
		passed = now_ms() - begin;
	}
	free(polled);
	return ret ? ret : any_enough(flags);
}

/* Take samples of a kind from a CPU.  Returns their number. */
static unsigned int take(struct pfmi_ibs_cpu *at, unsigned int kind,
			 unsigned int max, struct ibs_sample *samples,
			 ibs_sample_type_t *types)
{
	const unsigned int taken =
		pfmi_ibs_queue_take(&at->queues[kind], samples, max);
	unsigned int i;

	for (i = 0; i < taken; i++)
		types[i] = 1 << kind;
	return taken;
}

int ibs_sample(int max_samples, int sample_flags, struct ibs_sample *samples,
	       ibs_sample_type_t *sample_types)
{
	unsigned int cpu, kind, total = 0;
	bool takes_all;
	int ret;

	if (!cpus)
		return pfmi_ibs_fail(-EINVAL, "not initialized");
	if (max_samples <= 0 || !sample_flags ||
	    sample_flags & ~(IBS_OP_SAMPLE | IBS_FETCH_SAMPLE))
		return pfmi_ibs_fail(-EINVAL,
				     "wrong number or kinds of samples");
	ret = wait_enough(sample_flags);
	if (ret < 0)
		return -1;
	takes_all = ret ? pfmi_ibs_options.is_aggressive
			: pfmi_ibs_options.reads_on_timeout || !any_enabled();
	for (cpu = 0; cpu < num_cpus; cpu++)
		for (kind = 0; kind < PFMI_IBS_KINDS; kind++)
			if (sample_flags & 1 << kind &&
			    (takes_all || has_enough(&cpus[cpu], kind)))
				total += take(&cpus[cpu], kind,
					      max_samples - total,
					      samples + total,
					      sample_types + total);
	return total;
}
