// SPDX-License-Identifier: GPL-2.0-only
/*
 * ibs: the cost of a sample of AMD's instruction-based sampling.  A loop of known length is
 * timed with and without sampling.  The difference, divided by the number of samples, is the
 * cost of one sample, its interrupt included.
 *
 * ibs/FLAVOUR/PERIOD		instruction address, thread, time and period
 * ibs/FLAVOUR-regs/PERIOD	and all registers of the sample
 *
 * perfmon samples the thread, in its formats "default" and "ibs".  perf, on Linux 6.1, can
 * sample a CPU only, and records the registers as PERF_SAMPLE_RAW.
 */
#include "bench.h"

#include <sys/syscall.h>

#include <linux/perfmon_ibs.h>
#include <linux/perfmon_nway.h>

#define LOOP	   30000000ULL /* instructions, approximately */
#define RUNS	   3
#define RING_PAGES 1024
#define PART_SIZE  (1 << 20)

/**
 * struct kind - a way to sample
 * @name: name of the figure
 * @pmu: perf's name of the flavour
 * @config: perf: bits of the control register
 * @num: perfmon: PMC and PMD
 * @ctl: perfmon: value of the PMC
 * @smpl: perfmon: registers of a sample
 * @regs: all registers are recorded
 */
struct kind {
	const char *name;
	const char *pmu;
	uint64_t config;
	uint16_t num;
	uint64_t ctl;
	uint64_t smpl;
	bool regs;
};

#define COUNT_OPS (1ULL << 19)

static const struct kind kinds[] = {
	{ "op", "ibs_op", COUNT_OPS, PFM_IBS_PMD_OP, COUNT_OPS,
	  PFM_IBS_OP_SMPL, false },
	{ "op-regs", "ibs_op", COUNT_OPS, PFM_IBS_PMD_OP, COUNT_OPS,
	  PFM_IBS_OP_SMPL, true },
	{ "fetch", "ibs_fetch", 0, PFM_IBS_PMD_FETCH, 0, PFM_IBS_FETCH_SMPL,
	  false },
	{ "fetch-regs", "ibs_fetch", 0, PFM_IBS_PMD_FETCH, 0,
	  PFM_IBS_FETCH_SMPL, true },
};

static const uint64_t periods[] = { 160000, 48000 };

static void loop(void)
{
	uint64_t n = LOOP / 2;

	while (n--)
		asm volatile("");
}

static int open_format(bool regs)
{
	const uint8_t uuid[PFM_UUID_LEN] = PFM_IBS_UUID;
	const struct pfm_ibs_arg arg = { .part_size = PART_SIZE, .parts = 2 };

	return regs ? format_open(0, uuid, &arg, sizeof(arg)) :
		      default_open(0, PART_SIZE);
}

static uint64_t run_perfmon(const struct kind *kind, uint64_t period,
			    uint64_t *samples)
{
	struct pfm_pmd_attr attr = {
		.num = kind->num,
		.long_reset = -period,
		.short_reset = -period,
	};
	struct pfm_config cfg;
	uint64_t ns;
	int fd;

	if (kind->regs)
		attr.smpl_pmds[PFM_IBS_SMPL_WORD] = kind->smpl;
	fd = open_format(kind->regs);
	if (fd < 0 || pmc_write(fd, kind->num, kind->ctl) ||
	    pmd_write(fd, kind->num, -period) || attr_write(fd, &attr) ||
	    context_load(fd, 0))
		bench_fail(kind->name);
	ns = time_ns(CLOCK_MONOTONIC);
	if (context_start(fd, 0))
		bench_fail("START");
	loop();
	if (context_stop(fd))
		bench_fail("STOP");
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	if (config_get(fd, &cfg) || cfg.state != PFM_STATE_LOADED ||
	    cfg.fmt_errors || cfg.skipped || cfg.throttled)
		bench_fail("samples were lost");
	*samples = cfg.overflows;
	close(fd);
	return ns;
}

static uint32_t type_of(const char *pmu)
{
	char path[80], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 pmu);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		bench_fail(path);
	close(fd);
	return strtoul(text, NULL, 10);
}

static uint64_t count_records(const struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + page->data_offset;
	const struct perf_event_header *header;
	uint64_t pos, samples = 0;

	for (pos = 0; pos < page->data_head; pos += header->size) {
		header = (const void *)(data + pos);
		if (header->type == PERF_RECORD_SAMPLE)
			samples++;
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_THROTTLE)
			bench_fail("perf lost samples");
	}
	return samples;
}

static uint64_t run_perf(const struct kind *kind, uint64_t period,
			 uint64_t *samples)
{
	struct perf_event_attr attr = {
		.type = type_of(kind->pmu),
		.size = sizeof(attr),
		.config = kind->config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
			       (kind->regs ? PERF_SAMPLE_RAW : 0),
		.disabled = 1,
	};
	const size_t size = (RING_PAGES + 1) * 4096;
	uint64_t ns;
	void *ring;
	int fd;

	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		bench_fail("perf_event_open");
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		bench_fail("perf's ring");
	ns = time_ns(CLOCK_MONOTONIC);
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		bench_fail("ENABLE");
	loop();
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
		bench_fail("DISABLE");
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	*samples = count_records(ring);
	munmap(ring, size);
	close(fd);
	return ns;
}

static uint64_t run_nothing(const struct kind *kind, uint64_t period,
			    uint64_t *samples)
{
	const uint64_t ns = time_ns(CLOCK_MONOTONIC);

	*samples = 0;
	loop();
	return time_ns(CLOCK_MONOTONIC) - ns;
}

/* Wait for a fixed point between two timer ticks, as sample.c does. */
static void settle(void)
{
	const uint64_t tick = 20000000;
	struct timespec ts;
	uint64_t ns;

	bench_settle();
	ns = (time_ns(CLOCK_MONOTONIC) / tick + 1) * tick;
	ts.tv_sec = ns / 1000000000;
	ts.tv_nsec = ns % 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static uint64_t median(const struct kind *kind, uint64_t period,
		       uint64_t *samples,
		       uint64_t (*run)(const struct kind *kind, uint64_t period,
				       uint64_t *samples))
{
	uint64_t ns[RUNS];
	int i;

	for (i = 0; i < RUNS; i++) {
		settle();
		ns[i] = run(kind, period, samples);
	}
	return bench_median(ns, RUNS);
}

int main(int argc, char *argv[])
{
	uint64_t without, with, samples;
	size_t i, k;

	bench_begin(argc, argv);
	without = median(NULL, 0, &samples, run_nothing);
	for (k = 0; k < ARRAY_LEN(kinds); k++) {
		for (i = 0; i < ARRAY_LEN(periods); i++) {
			with = median(&kinds[k], periods[i], &samples,
				      bench_perf ? run_perf : run_perfmon);
			if (samples < LOOP / periods[i] / 2)
				bench_fail("fewer samples than there should be");
			bench_print((double)(with - without) / samples,
				    "ibs/%s/%llu", kinds[k].name,
				    (unsigned long long)periods[i]);
		}
	}
	return 0;
}
