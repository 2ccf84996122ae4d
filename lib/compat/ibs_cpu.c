// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_cpu.h"

#include <errno.h>
#include <unistd.h>

#include <linux/perfmon_ibs.h>

#include "ibs_context.h"
#include "ibs_entry.h"
#include "ibs_error.h"

/* A part of the buffer has room for at least so many samples between two looks at it. */
#define ENTRIES_MIN 1024

/* A backlog has room for the samples of so many buffers. */
#define BACKLOG_BUFFERS 2

static const ibs_sample_type_t kinds[PFMI_IBS_KINDS] = { IBS_OP_SAMPLE,
							 IBS_FETCH_SAMPLE };

static struct pfmi_ibs_backlog *backlog_of(struct pfmi_ibs_cpu *cpu,
					   ibs_sample_type_t kind)
{
	return &cpu->backlogs[kind != kinds[0]];
}

static const struct pfm_nway_hdr *header(const struct pfmi_ibs_cpu *cpu)
{
	return cpu->parts.lane;
}

unsigned int pfmi_ibs_cpu_entries(const struct pfmi_ibs_options *options)
{
	return options->poll_num_samples > ENTRIES_MIN
		       ? options->poll_num_samples
		       : ENTRIES_MIN;
}

/* Map the buffer of a context that was created, and begin to count and to read. */
static int begin(struct pfmi_ibs_cpu *cpu, int fd)
{
	int ret;

	ret = pfm_sample_buffer_map(fd, &cpu->buffer);
	if (ret < 0)
		return pfmi_ibs_refuse(
			-ret, "CPU %d: cannot map the buffer: %s", cpu->cpu,
			pfm_ctx_strerror(PFM_IOC_GET_CONFIG, ret));
	ret = pfm_sample_ibs_begin(&cpu->parts,
				   pfm_sample_buffer_lane(&cpu->buffer, 0),
				   cpu->buffer.lane_size);
	if (ret < 0)
		ret = pfmi_ibs_refuse(
			-ret,
			"CPU %d: the kernel's format 'ibs' is of another version",
			cpu->cpu);
	else
		ret = pfmi_ibs_context_start(fd, cpu->cpu);
	if (ret < 0)
		pfm_sample_buffer_unmap(&cpu->buffer);
	return ret;
}

int pfmi_ibs_cpu_enable(struct pfmi_ibs_cpu *cpu,
			const struct pfmi_ibs_options *options)
{
	const int fd = pfmi_ibs_context(options, pfmi_ibs_cpu_entries(options));
	int ret;

	if (fd < 0)
		return fd;
	ret = begin(cpu, fd);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	cpu->fd = fd;
	cpu->taken = 0;
	/* The shortest entries are those of fetches. */
	cpu->limit = BACKLOG_BUFFERS * cpu->buffer.lane_size /
		     sizeof(struct pfm_ibs_fetch);
	return 0;
}

static int refuse_buffer(const struct pfmi_ibs_cpu *cpu, int err)
{
	return pfmi_ibs_refuse(-err, "CPU %d: the kernel's buffer is malformed",
			       cpu->cpu);
}

/* Keep a sample that the program did not ask for. */
static void keep(struct pfmi_ibs_cpu *cpu, ibs_sample_type_t kind,
		 const ibs_sample_t *sample)
{
	if (!pfmi_ibs_backlog_add(backlog_of(cpu, kind), sample, cpu->limit))
		cpu->lost++;
}

static void deliver(struct pfmi_ibs_request *request, ibs_sample_type_t kind,
		    const ibs_sample_t *sample)
{
	if (request->types)
		request->types[request->count] = kind;
	request->samples[request->count++] = *sample;
}

/* Read samples from the buffer until the request is satisfied.  Returns 0 or -errno. */
static int read_buffer(struct pfmi_ibs_cpu *cpu,
		       struct pfmi_ibs_request *request)
{
	const struct pfm_ibs_entry *entry;
	ibs_sample_type_t kind;
	ibs_sample_t sample;
	int ret;

	while (request->count < request->room) {
		ret = pfm_sample_ibs_next(&cpu->parts, UINT64_MAX, &entry);
		if (ret < 0)
			return refuse_buffer(cpu, ret);
		if (!ret)
			break;
		cpu->taken++;
		kind = pfmi_ibs_convert(entry, &sample);
		if (kind & request->flags)
			deliver(request, kind, &sample);
		else
			keep(cpu, kind, &sample);
	}
	return 0;
}

/*
 * Give the parts that were read to their end back to the kernel.  The last one may be among
 * them although the request was satisfied there: a look at the next entry tells.
 */
static int release(struct pfmi_ibs_cpu *cpu)
{
	struct pfm_sample_parts ahead = cpu->parts;
	const struct pfm_ibs_entry *entry;
	uint64_t done;
	int ret;

	ret = pfm_sample_ibs_next(&ahead, UINT64_MAX, &entry);
	if (ret < 0)
		return refuse_buffer(cpu, ret);
	if (ret) {
		ahead.offset -= ret;
		ahead.done--;
	}
	cpu->parts = ahead;
	done = pfm_sample_parts_done(&ahead);
	ret = done ? pfm_ctx_restart(cpu->fd, 0, done) : 0;
	if (!ret)
		return 0;
	return pfmi_ibs_refuse(-ret, "CPU %d: cannot release samples: %s",
			       cpu->cpu,
			       pfm_ctx_strerror(PFM_IOC_RESTART, ret));
}

int pfmi_ibs_cpu_take(struct pfmi_ibs_cpu *cpu,
		      struct pfmi_ibs_request *request)
{
	ibs_sample_t sample;
	size_t i;
	int ret;

	for (i = 0; i < PFMI_IBS_KINDS; i++) {
		if (!(kinds[i] & request->flags))
			continue;
		while (request->count < request->room &&
		       pfmi_ibs_backlog_take(&cpu->backlogs[i], &sample))
			deliver(request, kinds[i], &sample);
	}
	if (cpu->fd < 0)
		return 0;
	ret = read_buffer(cpu, request);
	return ret < 0 ? ret : release(cpu);
}

/* Move all samples of the buffer, which do not change any more, to the backlogs. */
static int empty_buffer(struct pfmi_ibs_cpu *cpu)
{
	struct pfmi_ibs_request nothing = { .room = 1 };

	return read_buffer(cpu, &nothing);
}

void pfmi_ibs_cpu_losses(const struct pfmi_ibs_cpu *cpu, uint64_t *lost,
			 uint64_t *paused)
{
	struct pfm_config config;

	*lost = cpu->lost;
	*paused = cpu->paused;
	if (cpu->fd < 0)
		return;
	*lost += __atomic_load_n(&header(cpu)->lost, __ATOMIC_RELAXED);
	if (pfm_ctx_get_config(cpu->fd, &config) < 0)
		return;
	*lost += config.skipped;
	*paused += config.throttled_ns;
}

int pfmi_ibs_cpu_disable(struct pfmi_ibs_cpu *cpu)
{
	uint64_t lost, paused;
	int ret;

	pfm_ctx_stop(cpu->fd);
	pfmi_ibs_cpu_losses(cpu, &lost, &paused);
	pfm_ctx_unload(cpu->fd);
	/* Later losses, of the backlog, are added to those of the kernel. */
	cpu->lost = lost;
	cpu->paused = paused;
	ret = empty_buffer(cpu);
	pfm_sample_buffer_unmap(&cpu->buffer);
	close(cpu->fd);
	cpu->fd = -1;
	return ret;
}

void pfmi_ibs_cpu_free(struct pfmi_ibs_cpu *cpu)
{
	size_t i;

	for (i = 0; i < PFMI_IBS_KINDS; i++)
		pfmi_ibs_backlog_free(&cpu->backlogs[i]);
}

bool pfmi_ibs_cpu_ready(const struct pfmi_ibs_cpu *cpu, int flags,
			uint64_t enough)
{
	uint64_t there = 0;
	size_t i;

	for (i = 0; i < PFMI_IBS_KINDS; i++)
		if (kinds[i] & flags)
			there += cpu->backlogs[i].count;
	if (cpu->fd < 0)
		return there;
	there += __atomic_load_n(&header(cpu)->samples, __ATOMIC_RELAXED) -
		 cpu->taken;
	return there >= enough;
}

bool pfmi_ibs_cpu_is_reported(const struct pfmi_ibs_cpu *cpu)
{
	return pfm_sample_parts_filled(&cpu->parts) >= cpu->parts.seq;
}
