// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * IBS on one CPU, for the functions of libIBS.
 *
 * A CPU has one context at most, so both kinds share its buffer.  A program may ask for one of
 * them only, and the buffer is released in the order of its parts: so the samples are moved to a
 * queue for each kind, whose length is that of the toolkit's buffers.
 */
#include "ibs_cpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT_OPS (1ULL << 19)
#define RANDOM	  (1ULL << 57)

/**
 * struct kind - what differs between ops and fetches
 * @pmc: control register
 * @pmd: counting register
 * @ctl: bits of the toolkit's default that the processor may lack
 * @smpl: word PFM_IBS_SMPL_WORD of the registers of a sample
 * @old_size: bytes of a sample in the toolkit's buffer
 */
static const struct kind {
	uint16_t pmc;
	uint16_t pmd;
	uint64_t ctl;
	uint64_t smpl;
	unsigned int old_size;
} kinds[PFMI_IBS_KINDS] = {
	[PFMI_IBS_OPS] = { PFM_IBS_PMC_OP_CTL, PFM_IBS_PMD_OP, COUNT_OPS,
			   PFM_IBS_OP_SMPL, sizeof(struct ibs_op) },
	[PFMI_IBS_FETCHES] = { PFM_IBS_PMC_FETCH_CTL, PFM_IBS_PMD_FETCH, RANDOM,
			       PFM_IBS_FETCH_SMPL, sizeof(struct ibs_fetch) },
};

unsigned int pfmi_ibs_capacity(unsigned int kind)
{
	return PFMI_IBS_BUFFER / kinds[kind].old_size;
}

/* Create a context whose parts hold as many samples as the consumer waits for. */
static int create(const struct pfmi_ibs_plan *plan)
{
	const uint8_t uuid[PFM_UUID_LEN] = PFM_IBS_UUID;
	const bool has_ops = plan->kinds & 1U << PFMI_IBS_OPS;
	const unsigned int all =
		pfmi_ibs_capacity(has_ops ? PFMI_IBS_OPS : PFMI_IBS_FETCHES);
	struct pfm_ibs_arg arg = { .flags = PFM_IBS_DROP };
	unsigned int entries = all / PFM_IBS_PARTS_MAX;

	PFM_OPTS(pfm_create_opts, opts, .fmt_uuid = uuid, .fmt_arg = &arg,
		 .fmt_arg_size = sizeof(arg),
		 .flags = PFM_CTX_SYSTEM_WIDE | PFM_CTX_NO_MSG);

	if (plan->enough > entries)
		entries = plan->enough;
	arg.parts = all / entries;
	if (arg.parts < PFM_NWAY_PARTS_MIN)
		arg.parts = PFM_NWAY_PARTS_MIN;
	/* A part is full when an op finds no room. */
	arg.part_size =
		sizeof(struct pfm_nway_part) +
		(entries - 1ULL) * (has_ops ? sizeof(struct pfm_ibs_op)
					    : sizeof(struct pfm_ibs_fetch)) +
		sizeof(struct pfm_ibs_op);
	return pfm_ctx_create(&opts);
}

/* Let a kind sample. */
static int program(int fd, const struct kind *kind, uint64_t period,
		   const char **why)
{
	struct pfm_reg_info info = { .num = kind->pmc };
	struct pfm_reg pmc = { .num = kind->pmc };
	struct pfm_reg pmd = { .num = kind->pmd, .value = -period };
	struct pfm_pmd_attr attr = {
		.num = kind->pmd,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -period,
		.short_reset = -period,
	};
	unsigned long request = PFM_IOC_WRITE_PMCS;
	int ret;

	attr.smpl_pmds[PFM_IBS_SMPL_WORD] = kind->smpl;
	ret = pfm_ctx_getinfo_pmcs(fd, &info, 1, NULL);
	if (ret == -ENXIO) {
		*why = "no IBS here: the processor does not have it, or the module is not loaded (modprobe perfmon_ibs)";
		return -ENODEV;
	}
	if (!ret) {
		pmc.value = kind->ctl & ~info.rsvd;
		ret = pfm_ctx_write_pmcs(fd, &pmc, 1, NULL);
	}
	if (!ret) {
		request = PFM_IOC_WRITE_PMDS;
		ret = pfm_ctx_write_pmds(fd, &pmd, 1, NULL);
	}
	if (!ret) {
		request = PFM_IOC_WRITE_PMDATTRS;
		ret = pfm_ctx_write_pmdattrs(fd, &attr, 1, NULL);
	}
	if (ret)
		*why = pfm_ctx_strerror(request, ret);
	return ret;
}

static int queue_open(struct pfmi_ibs_queue *queue, unsigned int kind,
		      const char **why)
{
	queue->capacity = pfmi_ibs_capacity(kind);
	queue->ring = calloc(queue->capacity, sizeof(*queue->ring));
	if (queue->ring)
		return 0;
	*why = "no memory for the samples";
	return -ENOMEM;
}

static int map(struct pfmi_ibs_cpu *at, const char **why)
{
	int ret;

	ret = pfm_buffer_map(at->fd, &at->buffer);
	if (!ret)
		ret = pfm_ibs_begin(&at->parts, pfm_buffer_lane(&at->buffer, 0),
				    at->buffer.lane_size);
	if (ret)
		*why = "its buffer cannot be mapped";
	return ret;
}

int pfmi_ibs_cpu_open(struct pfmi_ibs_cpu *at, int cpu,
		      const struct pfmi_ibs_plan *plan, const char **why)
{
	unsigned int kind;
	int ret = 0;

	memset(at, 0, sizeof(*at));
	at->cpu = cpu;
	at->fd = create(plan);
	if (at->fd < 0) {
		ret = at->fd;
		*why = pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, ret);
		if (ret != -ENOENT && ret != -ENXIO)
			return ret;
		*why = "/dev/perfmon or the sampling format ibs does not exist; load the modules: modprobe perfmon_ibs";
		return -ENODEV;
	}
	for (kind = 0; kind < PFMI_IBS_KINDS && !ret; kind++) {
		if (!(plan->kinds & 1U << kind))
			continue;
		ret = program(at->fd, &kinds[kind], plan->period, why);
		if (!ret)
			ret = queue_open(&at->queues[kind], kind, why);
	}
	if (!ret)
		ret = map(at, why);
	if (!ret) {
		ret = pfm_ctx_load(at->fd, cpu, NULL);
		if (ret)
			*why = pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, ret);
	}
	if (ret)
		pfmi_ibs_cpu_close(at);
	return ret;
}

void pfmi_ibs_cpu_close(struct pfmi_ibs_cpu *at)
{
	unsigned int kind;

	for (kind = 0; kind < PFMI_IBS_KINDS; kind++)
		free(at->queues[kind].ring);
	if (at->buffer.base)
		pfm_buffer_unmap(&at->buffer);
	if (at->fd >= 0)
		close(at->fd);
	memset(at, 0, sizeof(*at));
	at->fd = -1;
}

static struct ibs_op old_op(const struct pfm_ibs_op *entry)
{
	return (struct ibs_op){
		.op_ctl.val = entry->ctl,
		.op_rip = entry->rip,
		.op_data.val = entry->data,
		.op_data2.val = entry->data2,
		.op_data3.val = entry->data3,
		.op_data4.val = entry->data4,
		.dc_lin_ad = entry->dc_linad,
		.dc_phys_ad.val = entry->dc_physad,
		.br_target = entry->br_target,
		.tsc = entry->head.tsc,
		.tid = entry->head.tid,
		.pid = entry->head.pid,
		.cpu = entry->head.cpu,
		.kern_mode = !!(entry->head.flags & PFM_IBS_ENTRY_KERNEL),
	};
}

static struct ibs_fetch old_fetch(const struct pfm_ibs_fetch *entry)
{
	return (struct ibs_fetch){
		.fetch_ctl.val = entry->ctl,
		.fetch_ctl_extd.val = entry->extd,
		.fetch_lin_ad = entry->linad,
		.fetch_phys_ad.val = entry->physad,
		.tsc = entry->head.tsc,
		.tid = entry->head.tid,
		.pid = entry->head.pid,
		.cpu = entry->head.cpu,
		.kern_mode = !!(entry->head.flags & PFM_IBS_ENTRY_KERNEL),
	};
}

/* Append an entry to the queue of its kind; false if there is no room for it. */
static bool push(struct pfmi_ibs_cpu *at, const struct pfm_ibs_entry *entry)
{
	const bool is_op = entry->kind == PFM_IBS_KIND_OP;
	struct pfmi_ibs_queue *queue =
		&at->queues[is_op ? PFMI_IBS_OPS : PFMI_IBS_FETCHES];
	struct ibs_sample *sample;

	if (queue->count == queue->capacity)
		return false;
	sample =
		&queue->ring[(queue->first + queue->count++) % queue->capacity];
	if (is_op)
		sample->ibs_sample.op =
			old_op((const struct pfm_ibs_op *)entry);
	else
		sample->ibs_sample.fetch =
			old_fetch((const struct pfm_ibs_fetch *)entry);
	return true;
}

static uint64_t header_value(const struct pfmi_ibs_cpu *at, size_t offset)
{
	return __atomic_load_n(
		(const uint64_t *)((const char *)at->parts.lane + offset),
		__ATOMIC_ACQUIRE);
}

#define HEADER(at, member) \
	header_value(at, offsetof(struct pfm_nway_hdr, member))

static int release(struct pfmi_ibs_cpu *at)
{
	const uint64_t done = pfm_parts_done(&at->parts);

	return done ? pfm_ctx_restart(at->fd, 0, done) : 0;
}

int pfmi_ibs_cpu_drain(struct pfmi_ibs_cpu *at)
{
	/* Samples that come meanwhile wait: otherwise it might never end. */
	const uint64_t until = HEADER(at, samples);
	const struct pfm_ibs_entry *entry;
	int ret = 0;

	while (at->taken < until && ret >= 0) {
		ret = pfm_ibs_next(&at->parts, UINT64_MAX, &entry);
		if (ret <= 0)
			break;
		at->taken++;
		at->dropped += !push(at, entry);
		ret = release(at);
	}
	if (!ret)
		ret = release(at);
	return ret < 0 ? ret : 0;
}

uint64_t pfmi_ibs_cpu_lost(const struct pfmi_ibs_cpu *at)
{
	return HEADER(at, lost) + at->dropped;
}

unsigned int pfmi_ibs_queue_take(struct pfmi_ibs_queue *queue,
				 struct ibs_sample *samples, unsigned int max)
{
	unsigned int taken;

	for (taken = 0; taken < max && queue->count; taken++) {
		samples[taken] = queue->ring[queue->first];
		queue->first = (queue->first + 1) % queue->capacity;
		queue->count--;
	}
	return taken;
}
