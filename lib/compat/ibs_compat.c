// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions of libIBS.  They work on one state for the whole process, as libIBS has no
 * handle.
 */
#include <perfmon/ibs-compat.h>

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "ibs_context.h"
#include "ibs_cpus.h"
#include "ibs_error.h"
#include "ibs_wait.h"

/**
 * struct state - the library
 * @initialized: between ibs_initialize() and ibs_finalize()
 * @changed: an option was set, so @options are in use
 * @options: the options
 * @cpus: the CPUs
 * @next: index of the CPU whose samples are taken first, so that each has its turn
 * @lost: samples that were lost, up to ibs_finalize()
 * @paused: nanoseconds of pauses, likewise
 */
static struct {
	bool initialized;
	bool changed;
	struct pfmi_ibs_options options;
	struct pfmi_ibs_cpus cpus;
	unsigned int next;
	uint64_t lost;
	uint64_t paused;
} state;

static struct pfmi_ibs_options current_options(void)
{
	return state.changed ? state.options : pfmi_ibs_defaults;
}

/* The result of a function, from one that returns -errno; @debug: IBS_DEBUG. */
static int result_debug(int ret, bool debug)
{
	if (ret >= 0)
		return ret;
	if (debug)
		fprintf(stderr, "libperfmon: ibs: %s\n", pfmi_ibs_error());
	errno = -ret;
	return -1;
}

static int result(int ret)
{
	return result_debug(ret, current_options().debug);
}

static void set_options(const struct pfmi_ibs_options *options)
{
	state.options = *options;
	state.changed = true;
}

/* Create a context as for a CPU, and close it, so that errors are told early. */
static int try_context(const struct pfmi_ibs_options *options)
{
	struct pfmi_ibs_options wanted = *options;
	int fd;

	/* A processor with IBS has both kinds. */
	if (!wanted.op && !wanted.fetch)
		wanted.fetch = true;
	fd = pfmi_ibs_context(&wanted, 1);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* @debug: out: IBS_DEBUG, which is heeded also if the call fails. */
static int initialize(const ibs_option_list_t *list, int count, int daemonize,
		      bool *debug)
{
	struct pfmi_ibs_options options = current_options();
	int i, ret;

	*debug = options.debug;
	if (state.initialized)
		return pfmi_ibs_refuse(
			EBUSY,
			"ibs_initialize() was called already; call ibs_finalize() before");
	if (daemonize)
		return pfmi_ibs_refuse(
			ENOSYS,
			"perfmon has no daemon as libIBS has; 'pfmon --smpl-module=ibs' records to a file");
	if (count < 0 || (count && !list))
		return pfmi_ibs_refuse(EINVAL, "there is no list of %d options",
				       count);
	for (i = 0; i < count; i++) {
		ret = pfmi_ibs_set(&options, list[i].opt, list[i].val, false);
		*debug = options.debug;
		if (ret < 0)
			return ret;
	}
	ret = pfmi_ibs_check_period(&options);
	if (!ret)
		ret = try_context(&options);
	if (ret < 0)
		return ret;
	set_options(&options);
	state.initialized = true;
	state.lost = 0;
	state.paused = 0;
	return 0;
}

int ibs_initialize(ibs_option_list_t *options, int count, int daemonize)
{
	bool debug;
	const int ret = initialize(options, count, daemonize, &debug);

	return result_debug(ret, debug);
}

static int set_option(ibs_option_t option, ibs_val_t value)
{
	struct pfmi_ibs_options options = current_options();
	const int ret = pfmi_ibs_set(&options, option, value,
				     pfmi_ibs_cpus_enabled(&state.cpus));

	if (!ret)
		set_options(&options);
	return ret;
}

int ibs_set_option(ibs_option_t option, ibs_val_t value)
{
	return result(set_option(option, value));
}

static int check_initialized(void)
{
	if (state.initialized)
		return 0;
	return pfmi_ibs_refuse(EINVAL, "call ibs_initialize() before");
}

static int check_enable(void)
{
	const int ret = check_initialized();

	if (ret)
		return ret;
	if (!state.options.op && !state.options.fetch)
		return pfmi_ibs_refuse(
			EINVAL,
			"there is nothing to sample: set the option IBS_OP or IBS_FETCH to 1");
	return pfmi_ibs_check_period(&state.options);
}

static int enable_cpu(int cpu)
{
	const int ret = check_enable();

	if (ret)
		return ret;
	if (cpu < 0)
		return pfmi_ibs_refuse(ERANGE, "there is no CPU %d", cpu);
	if (!pfmi_ibs_is_listed(&state.options, cpu))
		return pfmi_ibs_refuse(EINVAL,
				       "CPU %d is not in IBS_CPU_LIST", cpu);
	return pfmi_ibs_cpus_enable(&state.cpus, &state.options, cpu);
}

int ibs_enable_cpu(int cpu)
{
	return result(enable_cpu(cpu));
}

static int enable_all(void)
{
	const int ret = check_enable();

	if (ret)
		return ret;
	return pfmi_ibs_cpus_enable_all(&state.cpus, &state.options);
}

int ibs_enable_all(void)
{
	return result(enable_all());
}

/*
 * Disabling returns no error, as in libIBS.  The text of a failure is kept for
 * ibs_error(), and IBS_DEBUG prints it.
 */
static void disable(struct pfmi_ibs_cpu *cpu)
{
	if (cpu->fd >= 0)
		result(pfmi_ibs_cpu_disable(cpu));
}

void ibs_disable_cpu(int cpu)
{
	struct pfmi_ibs_cpu *found = pfmi_ibs_cpus_find(&state.cpus, cpu);

	if (found)
		disable(found);
}

void ibs_disable_all(void)
{
	unsigned int i;

	for (i = 0; i < state.cpus.count; i++)
		disable(state.cpus.cpus[i]);
}

void ibs_finalize(void)
{
	ibs_disable_all();
	state.lost = ibs_lost();
	state.paused = ibs_paused();
	pfmi_ibs_cpus_free(&state.cpus);
	state.initialized = false;
	state.changed = false;
	state.next = 0;
}

static int check_request(const struct pfmi_ibs_request *request)
{
	const int both = IBS_OP_SAMPLE | IBS_FETCH_SAMPLE;

	if (request->room < 1 || !request->samples)
		return pfmi_ibs_refuse(EINVAL,
				       "there is no memory for %d samples",
				       request->room);
	if (!request->flags || request->flags & ~both)
		return pfmi_ibs_refuse(
			EINVAL,
			"0x%x names no kinds of samples: IBS_OP_SAMPLE, IBS_FETCH_SAMPLE or both",
			request->flags);
	if (request->flags == both && !request->types)
		return pfmi_ibs_refuse(
			EINVAL,
			"samples of both kinds need memory for their types");
	return check_initialized();
}

/*
 * Take samples of the CPUs that have @enough of them; 0: of all.  When the request is
 * satisfied, the next one begins with the CPU behind the one that was read last.
 */
static int take(struct pfmi_ibs_request *request, uint64_t enough)
{
	const unsigned int first = state.next;
	struct pfmi_ibs_cpu *cpu;
	unsigned int i;
	int ret;

	for (i = 0; i < state.cpus.count && request->count < request->room;
	     i++) {
		state.next = (first + i + 1) % state.cpus.count;
		cpu = state.cpus.cpus[(first + i) % state.cpus.count];
		if (enough && !pfmi_ibs_cpu_ready(cpu, request->flags, enough))
			continue;
		ret = pfmi_ibs_cpu_take(cpu, request);
		/* Samples that were taken are not to be lost; the error comes again. */
		if (ret < 0 && !request->count)
			return ret;
	}
	return 0;
}

/* Wait for samples, and take them, until there are some or the time is over. */
static int sample(struct pfmi_ibs_request *request)
{
	const struct pfmi_ibs_options *options = &state.options;
	const uint64_t room = request->room;
	struct pfmi_ibs_wait wait = {
		.flags = request->flags,
		.enough = options->poll_num_samples,
		.deadline = pfmi_ibs_deadline(options->poll_timeout),
	};
	uint64_t enough;
	int ret;

	if (wait.enough > room)
		wait.enough = room;
	wait.often = wait.enough < pfmi_ibs_cpu_entries(options);
	enough = options->aggressive_read ? 0 : wait.enough;
	do {
		ret = pfmi_ibs_wait(&state.cpus, &wait);
		if (ret > 0)
			ret = take(request, enough) ?: 1;
		else if (!ret && options->read_on_timeout)
			ret = take(request, 0);
	} while (ret > 0 && !request->count && !pfmi_ibs_is_over(&wait));
	return request->count || ret > 0 ? request->count : ret;
}

int ibs_sample(int max_samples, int sample_flags, struct ibs_sample *samples,
	       ibs_sample_type_t *sample_types)
{
	struct pfmi_ibs_request request = {
		.samples = samples,
		.types = sample_types,
		.room = max_samples,
		.flags = sample_flags,
	};
	int ret = check_request(&request);

	if (!ret)
		ret = sample(&request);
	return result(ret);
}

static void losses(uint64_t *lost, uint64_t *paused)
{
	uint64_t of_lost, of_paused;
	unsigned int i;

	*lost = state.lost;
	*paused = state.paused;
	for (i = 0; i < state.cpus.count; i++) {
		pfmi_ibs_cpu_losses(state.cpus.cpus[i], &of_lost, &of_paused);
		*lost += of_lost;
		*paused += of_paused;
	}
}

uint64_t ibs_lost(void)
{
	uint64_t lost, paused;

	losses(&lost, &paused);
	return lost;
}

uint64_t ibs_paused(void)
{
	uint64_t lost, paused;

	losses(&lost, &paused);
	return paused;
}

const char *ibs_error(void)
{
	return pfmi_ibs_error();
}
