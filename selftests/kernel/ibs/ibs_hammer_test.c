// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling under everything that contexts can do: loads, starts, stops,
 * unloads and closes at random moments, with short periods, on threads that migrate, while a
 * CPU goes offline and comes back, and while the module is removed.  All samples that the
 * emulator took are recorded, but for those that a stop loses.  Needs root and the emulator
 * with a processor of AMD.  IBS_HAMMER_SEED in the environment repeats what the contexts did.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "hotplug.h"
#include "sampling.h"

#include <linux/perfmon_ibs.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "kselftest_harness.h"

#define PHASES	4
#define ROUNDS	40
#define WORKERS 2
#define ENTRIES 8192

#define LONG_PERIOD 50000

/* syslog(2): read all of the kernel's log */
#define READ_ALL 3

/**
 * struct sums - what the contexts of the workers did, in memory that all share
 * @samples: overflows that were recorded
 * @stops: times that an engine was stopped while it may have run: each may lose a sample
 * @wrong: line of what failed first, 0: none
 */
struct sums {
	uint64_t samples;
	uint64_t stops;
	int wrong;
};

#define NEED(sums, condition)                                            \
	do {                                                             \
		if (!(condition)) {                                      \
			(sums)->wrong = __LINE__;                        \
			printf("# line %d: %s\n", __LINE__, #condition); \
			_exit(1);                                        \
		}                                                        \
	} while (0)

static uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed % n;
}

static uint64_t switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw + usage.ru_nvcsw;
}

/* The CPU may be offline. */
static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int open_context(uint64_t *seed, uint16_t *num, uint64_t period)
{
	struct pfm_pmd_attr attr = {
		.long_reset = -period,
		.short_reset = -period,
	};
	uint64_t ctl = 0;
	int fd;

	*num = draw(seed, 2) ? PFM_IBS_PMD_OP : PFM_IBS_PMD_FETCH;
	attr.num = *num;
	if (*num == PFM_IBS_PMD_OP && draw(seed, 2))
		ctl = 1ULL << 19;
	fd = default_open(0, buffer_bytes(ENTRIES, 0));
	if (fd >= 0 && !pmc_write(fd, *num, ctl) &&
	    !pmd_write(fd, *num, -period) && !attr_write(fd, &attr))
		return fd;
	return -1;
}

/*
 * Do something while the context counts, or may count.  What takes the thread from its CPU is in
 * the number of switches.
 */
static void step(struct sums *sums, int fd, bool *started, uint64_t *seed)
{
	switch (draw(seed, 6)) {
	case 0:
		move_to(draw(seed, WORKERS));
		break;
	case 1:
		NEED(sums,
		     !(*started ? context_stop(fd) : context_start(fd, 0)));
		sums->stops += *started;
		*started = !*started;
		break;
	case 2:
		sched_yield();
		break;
	case 3:
		NEED(sums, !context_unload(fd));
		NEED(sums, !context_load(fd, 0));
		sums->stops += *started;
		*started = false;
		break;
	default:
		spin(draw(seed, 20000));
	}
}

/* One context.  A restart hands the buffer over when it has become full. */
static void round_of(struct sums *sums, uint64_t *seed)
{
	const unsigned int steps = draw(seed, 30);
	struct pfm_config cfg;
	bool started = false;
	uint64_t before;
	unsigned int i;
	uint16_t num;
	int fd;

	fd = open_context(seed, &num, 300 + draw(seed, 5000));
	NEED(sums, fd >= 0);
	NEED(sums, !context_load(fd, 0));
	before = switches();
	for (i = 0; i < steps; i++)
		step(sums, fd, &started, seed);
	/* All samples that there will be are known before the context is closed. */
	if (draw(seed, 2))
		NEED(sums, !context_unload(fd));
	else if (started)
		NEED(sums, !context_stop(fd));
	sums->stops += started + switches() - before;
	NEED(sums, !config_get(fd, &cfg));
	NEED(sums, !cfg.skipped && !cfg.fmt_errors);
	sums->samples += cfg.overflows;
	close(fd);
}

/*
 * A context that is closed while it counts.  Its period is so long that one sample at most comes
 * unseen before the close.
 */
static void close_running(struct sums *sums, uint64_t *seed)
{
	const uint64_t before = switches();
	struct pfm_config cfg;
	uint16_t num;
	int fd;

	fd = open_context(seed, &num, LONG_PERIOD);
	NEED(sums, fd >= 0);
	NEED(sums, !context_load(fd, 0));
	NEED(sums, !context_start(fd, 0));
	spin(draw(seed, LONG_PERIOD));
	NEED(sums, !config_get(fd, &cfg));
	close(fd);
	sums->samples += cfg.overflows;
	sums->stops += 2 + switches() - before;
}

static void work(struct sums *sums, uint64_t seed)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		round_of(sums, &seed);
		if (!draw(&seed, 4))
			close_running(sums, &seed);
	}
	_exit(0);
}

static void add_emulated(uint64_t *samples, uint64_t *unknown)
{
	struct emulated now;
	int cpu;

	*samples = 0;
	*unknown = 0;
	for (cpu = 0; cpu < WORKERS; cpu++) {
		pin_to(cpu);
		emulated_here(&now);
		*samples += now.op_samples + now.fetch_samples;
		*unknown += now.ibs_unknown;
	}
	pin_to(0);
}

static bool is_in_log(const char *text)
{
	const int size = klogctl(10, NULL, 0);
	char *log = calloc(1, size + 1);
	bool found;

	if (!log || klogctl(READ_ALL, log, size) < 0)
		abort();
	found = strstr(log, text);
	free(log);
	return found;
}

/* From the environment, or a random one; draw() cannot begin with 0. */
static uint64_t first_seed(void)
{
	const char *given = getenv("IBS_HAMMER_SEED");
	uint64_t seed;

	if (given)
		return strtoull(given, NULL, 0) | 1;
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		abort();
	return seed | 1;
}

TEST(ibs_hammer)
{
	uint64_t before, after, unknown, stops = 0, samples = 0, seed;
	struct sums *sums;
	int phase, w, status;

	if (!emulator_present())
		SKIP(return, "needs the emulator with an x86 PMU");
	if (!has_register(PFM_IBS_PMD_OP))
		SKIP(return, "no IBS here");
	if (sysconf(_SC_NPROCESSORS_ONLN) < WORKERS)
		SKIP(return, "needs two CPUs");
	seed = first_seed();
	printf("# IBS_HAMMER_SEED=%#llx\n", (unsigned long long)seed);
	sums = mmap(NULL, sizeof(*sums) * WORKERS, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, sums);
	add_emulated(&before, &unknown);
	for (phase = 0; phase < PHASES; phase++) {
		for (w = 0; w < WORKERS; w++) {
			if (!fork())
				work(&sums[w], draw(&seed, UINT64_MAX) | 1);
			draw(&seed, 2);
		}
		ASSERT_EQ(true, cpu1_online(false));
		spin(200000);
		ASSERT_EQ(true, cpu1_online(true));
		for (w = 0; w < WORKERS; w++) {
			ASSERT_LT(0, wait(&status));
			EXPECT_EQ(0, status);
		}
		/* Contexts are closed, but IBS may not be given back yet. */
		ASSERT_EQ(0,
			  system("rmmod perfmon_ibs && modprobe perfmon_ibs"));
	}
	add_emulated(&after, &unknown);
	for (w = 0; w < WORKERS; w++) {
		EXPECT_EQ(0, sums[w].wrong);
		samples += sums[w].samples;
		stops += sums[w].stops;
	}
	printf("# %llu samples, emulator %llu; %llu stops\n",
	       (unsigned long long)samples,
	       (unsigned long long)(after - before), (unsigned long long)stops);
	EXPECT_LT(1000, samples);
	EXPECT_LE(samples, after - before);
	EXPECT_GE(samples + stops, after - before);
	/* Few stops do: a sample has to come in a few dozen of several thousand instructions. */
	EXPECT_GE(samples + stops / 4, after - before);
	EXPECT_EQ(0, unknown);
	EXPECT_EQ(false, is_in_log("Uhhuh"));
	EXPECT_EQ(false, is_in_log("Dazed"));
}

TEST_HARNESS_MAIN
