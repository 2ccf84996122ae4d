// SPDX-License-Identifier: GPL-2.0-only
/*
 * contend SECONDS: on each CPU a process that uses perf and one that uses perfmon
 * come and go for that long, each looking at what it gets: all of it, a part or
 * nothing, and never a count that cannot be. Prints how often, and ends with
 * status 1 when a count was wrong or one of the two never had the PMU.
 */
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "perf.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#define ROUNDS 200000
/* ns: the times perf gives are not taken in the instant of the count. */
#define SLACK 1000000

/* Shared by all processes. */
struct sums {
	unsigned long full, part, waited, loaded, refused, wrong;
};

static struct sums *sums;
static bool exact;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

static void add(unsigned long *sum)
{
	__atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
}

static void wrong(const char *who, uint64_t value, uint64_t most)
{
	add(&sums->wrong);
	fprintf(stderr, "contend: %s counted %llu, can be %llu\n", who,
		(unsigned long long)value, (unsigned long long)most);
}

static void nap(unsigned int *seed)
{
	const struct timespec time = { .tv_nsec = rand_r(seed) % 8000000 };

	nanosleep(&time, NULL);
}

/* The emulated processor has one cycle a nanosecond. */
static void perf_once(int cpu, unsigned int *seed)
{
	struct perf_event_attr attr = perf_attr(
		exact ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_CPU_CYCLES);
	const int kind = rand_r(seed) % 3;
	struct perf_count count = {};
	int event;

	if (kind == 2)
		cpu = (cpu + 1) % cpus_online();
	event = perf_open(&attr, kind ? -1 : 0, kind ? cpu : -1, -1);
	if (event < 0) {
		fprintf(stderr, "contend: perf: %s\n", strerror(-event));
		_exit(1);
	}
	spin(ROUNDS);
	if (perf_read(event, &count) != 1)
		wrong("perf", 0, 0);
	close(event);
	if (!count.running)
		add(&sums->waited);
	else if (count.running < count.enabled)
		add(&sums->part);
	else
		add(&sums->full);
	if (count.value > count.running + SLACK ||
	    (!count.running && count.value))
		wrong("perf", count.value, count.running);
	if (kind != 2 && count.running == count.enabled &&
	    count.value < (exact ? 2 * ROUNDS : 1))
		wrong("perf", count.value, count.running);
}

static void perfmon_once(unsigned int *seed)
{
	const int fd = context_open(0);
	const int num = exact ? instructions_setup(fd, 0) : cycles_setup(fd, 0);
	const uint64_t start = now();
	uint64_t value, most;
	int ret;

	if (num < 0)
		abort();
	ret = context_load(fd, 0);
	if (ret == -EBUSY) {
		add(&sums->refused);
		close(fd);
		return;
	}
	if (ret || self_loop(fd, ROUNDS))
		abort();
	most = now() - start;
	value = pmd_value(fd, num);
	add(&sums->loaded);
	if (exact ? value != SELF_COST(ROUNDS) : !value || value > most)
		wrong("perfmon", value, exact ? SELF_COST(ROUNDS) : most);
	/* Half of them leave it to close(). */
	if (rand_r(seed) % 2 && context_unload(fd))
		abort();
	close(fd);
}

static void run(int cpu, bool perf, uint64_t end)
{
	unsigned int seed = 2 * cpu + perf;

	pin_to(cpu);
	while (now() < end) {
		if (perf)
			perf_once(cpu, &seed);
		else
			perfmon_once(&seed);
		nap(&seed);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	const uint64_t end =
		now() + (argc == 2 ? atoi(argv[1]) : 0) * 1000000000ULL;
	const int cpus = cpus_online();
	int i, status, bad = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: contend SECONDS\n");
		return 2;
	}
	exact = !exact_missing();
	sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sums == MAP_FAILED)
		return 2;
	for (i = 0; i < 2 * cpus; i++) {
		if (!fork())
			run(i / 2, i % 2, end);
	}
	for (i = 0; i < 2 * cpus; i++) {
		wait(&status);
		bad |= status;
	}
	printf("perf: %lu whole, %lu in part, %lu not counted; perfmon: %lu loaded, %lu refused; %lu wrong\n",
	       sums->full, sums->part, sums->waited, sums->loaded,
	       sums->refused, sums->wrong);
	return bad || sums->wrong || !sums->full || !sums->loaded;
}
