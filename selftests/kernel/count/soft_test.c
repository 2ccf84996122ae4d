// SPDX-License-Identifier: GPL-2.0-only
/*
 * Virtual registers against other numbers that the kernel has of the same thread.  A
 * register counts from START to STOP, so it lies between the number that was read inside
 * of the two ioctls and the number that was read outside.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "kselftest_harness.h"

/* Values that each register is compared with. */
struct seen {
	uint64_t value[6];
};

static const uint16_t regs[] = {
	CPU_TIME_NS, WALL_TIME_NS, CONTEXT_SWITCHES, MINOR_FAULTS, MAJOR_FAULTS,
	PAGE_FAULTS,
};

static struct seen look(void)
{
	struct rusage usage;
	struct seen seen;

	getrusage(RUSAGE_THREAD, &usage);
	seen.value[0] = time_ns(CLOCK_THREAD_CPUTIME_ID);
	seen.value[1] = time_ns(CLOCK_MONOTONIC);
	seen.value[2] = usage.ru_nvcsw + usage.ru_nivcsw;
	seen.value[3] = usage.ru_minflt;
	seen.value[4] = usage.ru_majflt;
	seen.value[5] = usage.ru_minflt + usage.ru_majflt;
	return seen;
}

/* Memory that nobody has touched yet. */
static volatile char *fresh(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		abort();
	/* Page by page; without huge pages in the kernel this says EINVAL. */
	madvise(mem, size, MADV_NOHUGEPAGE);
	return mem;
}

static void touch(volatile char *mem, size_t size)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	size_t i;

	for (i = 0; i < size; i += page)
		mem[i] = 1;
}

FIXTURE(soft) {
	int fd;
	struct seen before, begun, ending, after;
};

FIXTURE_SETUP(soft)
{
	size_t i;

	self->fd = context_open(0);
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
	for (i = 0; i < ARRAY_LEN(regs); i++)
		ASSERT_EQ(0, pmd_write(self->fd, regs[i], 0));
	ASSERT_EQ(0, pmd_write(self->fd, MIGRATIONS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	/* Code that runs for the first time faults. */
	look();
}

FIXTURE_TEARDOWN(soft)
{
	close(self->fd);
}

#define BEGIN()								\
	do {								\
		self->before = look();					\
		ASSERT_EQ(0, context_start(self->fd, 0));		\
		self->begun = look();					\
	} while (0)

#define END()								\
	do {								\
		self->ending = look();					\
		ASSERT_EQ(0, context_stop(self->fd));			\
		self->after = look();					\
	} while (0)

/*
 * regs[i] lies between what was seen inside and outside, give or take slack:
 * not every clock is read at the same place.
 */
#define EXPECT_BETWEEN(i, slack)					\
	do {								\
		const uint64_t value_ = pmd_value(self->fd, regs[i]);	\
		EXPECT_LE(self->ending.value[i] - self->begun.value[i],	\
			  value_ + (slack));				\
		EXPECT_GE(self->after.value[i] - self->before.value[i] +\
			  (slack), value_);				\
	} while (0)

TEST_F(soft, wall_time)
{
	BEGIN();
	usleep(50000);
	END();
	EXPECT_BETWEEN(1, 0);
	EXPECT_LE(50000000, pmd_value(self->fd, WALL_TIME_NS));
}

TEST_F(soft, cpu_time_of_a_busy_thread)
{
	uint64_t value;

	BEGIN();
	burn_ns(200000000);
	END();
	value = pmd_value(self->fd, CPU_TIME_NS);
	/*
	 * The scheduler's clock and ours differ by a little, and in a virtual
	 * machine the host takes time that only one of them may see: a loaded
	 * host was seen to take more than a tenth.
	 */
	EXPECT_LE(100000000, value);
	EXPECT_GE(pmd_value(self->fd, WALL_TIME_NS), value);
	EXPECT_GE(self->after.value[1] - self->before.value[1], value);
}

/*
 * Time that the host takes from a virtual CPU is time on that CPU, so the best of
 * a few tries counts.
 */
TEST_F(soft, cpu_time_of_a_sleeping_thread)
{
	uint64_t wall = 0, cpu = 0;
	int tries = 5;

	do {
		wall = pmd_value(self->fd, WALL_TIME_NS);
		cpu = pmd_value(self->fd, CPU_TIME_NS);
		BEGIN();
		usleep(200000);
		END();
		wall = pmd_value(self->fd, WALL_TIME_NS) - wall;
		cpu = pmd_value(self->fd, CPU_TIME_NS) - cpu;
		EXPECT_LE(200000000, wall);
		EXPECT_LT(0, cpu);
	} while (cpu > 50000000 && --tries);
	EXPECT_GE(50000000, cpu);
}

/* Two busy threads on one CPU have half of it each. */
TEST_F(soft, cpu_time_is_shared)
{
	uint64_t value, wall;
	struct child other;
	int tries = 5;

	pin_to(0);
	child_exec(&other, ARGV(program("spin")));
	child_go(&other);
	usleep(10000);
	do {
		value = pmd_value(self->fd, CPU_TIME_NS);
		wall = pmd_value(self->fd, WALL_TIME_NS);
		BEGIN();
		while (time_ns(CLOCK_MONOTONIC) - self->begun.value[1] <
		       500000000)
			;
		END();
		value = pmd_value(self->fd, CPU_TIME_NS) - value;
		wall = pmd_value(self->fd, WALL_TIME_NS) - wall;
	} while ((value < wall / 4 || value > wall * 3 / 4) && --tries);
	child_kill(other.pid);
	EXPECT_LE(wall / 4, value);
	EXPECT_GE(wall * 3 / 4, value);
}

TEST_F(soft, context_switches)
{
	int i;

	BEGIN();
	for (i = 0; i < 50; i++)
		usleep(1000);
	END();
	EXPECT_BETWEEN(2, 0);
	/* On a slow machine a sleep may be over before it begins. */
	EXPECT_LT(25, pmd_value(self->fd, CONTEXT_SWITCHES));
}

TEST_F(soft, context_switches_of_a_ping_pong)
{
	const int rounds = 200;
	const pid_t parent = getpid();
	int there[2], back[2], i;
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(there));
	ASSERT_EQ(0, pipe(back));
	pin_to(0);
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		while (read(there[0], &c, 1) == 1) {
			if (write(back[1], &c, 1) != 1)
				_exit(1);
		}
	}
	BEGIN();
	for (i = 0; i < rounds; i++) {
		ASSERT_EQ(1, write(there[1], "", 1));
		ASSERT_EQ(1, read(back[0], &c, 1));
	}
	END();
	child_kill(pid);
	EXPECT_BETWEEN(2, 0);
	/* The answer needs the other one to run, on the same CPU. */
	EXPECT_LE(rounds, pmd_value(self->fd, CONTEXT_SWITCHES));
}

TEST_F(soft, minor_faults)
{
	const size_t pages = 500, size = pages * sysconf(_SC_PAGESIZE);
	volatile char *mem = fresh(size);

	BEGIN();
	touch(mem, size);
	END();
	EXPECT_BETWEEN(3, 0);
	EXPECT_LE(pages, pmd_value(self->fd, MINOR_FAULTS));
	EXPECT_GE(pages + 10, pmd_value(self->fd, MINOR_FAULTS));
	EXPECT_BETWEEN(5, 0);
	EXPECT_EQ(pmd_value(self->fd, MINOR_FAULTS) +
			  pmd_value(self->fd, MAJOR_FAULTS),
		  pmd_value(self->fd, PAGE_FAULTS));
}

/* A page of a file that is not in memory. */
TEST_F(soft, major_faults)
{
	volatile char *mem;
	const int fd = open("/usr/bin/gawk", O_RDONLY);

	if (fd < 0)
		SKIP(return, "needs a large file on a disk: /usr/bin/gawk");
	ASSERT_EQ(0, posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
	mem = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE, fd, 0);
	ASSERT_NE(MAP_FAILED, (void *)mem);
	ASSERT_EQ(0, madvise((void *)mem, 65536, MADV_RANDOM));
	BEGIN();
	mem[40000];
	END();
	EXPECT_BETWEEN(4, 0);
	EXPECT_LE(1, pmd_value(self->fd, MAJOR_FAULTS));
	EXPECT_GE(2, pmd_value(self->fd, MAJOR_FAULTS));
	EXPECT_BETWEEN(5, 0);
}

TEST_F(soft, migrations)
{
	const int moves = 20;
	int i;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	pin_to(0);
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 1; i <= moves; i++)
		pin_to(i % 2);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(moves, pmd_value(self->fd, MIGRATIONS));
}

TEST_F(soft, no_migrations)
{
	int i;

	pin_to(0);
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 20; i++)
		usleep(100);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(0, pmd_value(self->fd, MIGRATIONS));
}

/* The value that the kernel tells now, in bytes. */
static uint64_t free_memory(void)
{
	struct sysinfo info;

	return sysinfo(&info) ? 0 : (uint64_t)info.freeram * info.mem_unit;
}

TEST_F(soft, free_memory)
{
	const uint64_t others = 8 << 20;
	const size_t size = 64 << 20;
	volatile char *mem = fresh(size);
	uint64_t before, after;

	/* It needs neither to be in the set nor to be started. */
	before = pmd_value(self->fd, FREE_MEMORY_BYTES);
	EXPECT_LE(free_memory(), before + others);
	EXPECT_GE(free_memory() + others, before);
	touch(mem, size);
	after = pmd_value(self->fd, FREE_MEMORY_BYTES);
	EXPECT_GE(before - size / 2, after);
	ASSERT_EQ(0, munmap((void *)mem, size));
	/* The kernel decides how much of it CPUs keep for their next allocations. */
	after = pmd_value(self->fd, FREE_MEMORY_BYTES);
	EXPECT_LE(free_memory(), after + others);
	EXPECT_GE(free_memory() + others, after);
}

TEST_F(soft, stopped_is_not_counted)
{
	TEST_PROVES(S4);
	const size_t size = 100 * sysconf(_SC_PAGESIZE);
	uint64_t stopped[ARRAY_LEN(regs)];
	size_t i;

	/* Long enough to sleep indeed, also on a busy host. */
	BEGIN();
	touch(fresh(size), size);
	usleep(20000);
	END();
	for (i = 0; i < ARRAY_LEN(regs); i++)
		stopped[i] = pmd_value(self->fd, regs[i]);
	touch(fresh(size), size);
	usleep(20000);
	burn_ns(20000000);
	for (i = 0; i < ARRAY_LEN(regs); i++)
		EXPECT_EQ(stopped[i], pmd_value(self->fd, regs[i]));
	/* And goes on from there. */
	ASSERT_EQ(0, context_start(self->fd, 0));
	touch(fresh(size), size);
	usleep(20000);
	ASSERT_EQ(0, context_stop(self->fd));
	for (i = 0; i < 4; i++)
		EXPECT_LT(stopped[i], pmd_value(self->fd, regs[i]));
	EXPECT_LE(stopped[3] + 100, pmd_value(self->fd, MINOR_FAULTS));
	EXPECT_GE(stopped[3] + 110, pmd_value(self->fd, MINOR_FAULTS));
}

TEST_F(soft, start_values)
{
	const uint64_t start = -50ULL;
	const size_t size = 100 * sysconf(_SC_PAGESIZE);
	uint64_t began, lasted;

	ASSERT_EQ(0, pmd_write(self->fd, MINOR_FAULTS, start));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 1ULL << 40));
	EXPECT_EQ(start, pmd_value(self->fd, MINOR_FAULTS));
	began = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_start(self->fd, 0));
	touch(fresh(size), size);
	/* Written while counting, it counts on from there. */
	ASSERT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 7ULL << 50));
	ASSERT_EQ(0, context_stop(self->fd));
	lasted = time_ns(CLOCK_MONOTONIC) - began;
	EXPECT_LE(50, pmd_value(self->fd, MINOR_FAULTS));
	EXPECT_GE(60, pmd_value(self->fd, MINOR_FAULTS));
	EXPECT_LT(1ULL << 40, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_GE((1ULL << 40) + lasted, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_LT(7ULL << 50, pmd_value(self->fd, WALL_TIME_NS));
	EXPECT_GE((7ULL << 50) + lasted, pmd_value(self->fd, WALL_TIME_NS));
}

TEST_F(soft, unload_keeps_values)
{
	const size_t size = 100 * sysconf(_SC_PAGESIZE);
	uint64_t unloaded[ARRAY_LEN(regs)];
	size_t i;

	ASSERT_EQ(0, context_start(self->fd, 0));
	touch(fresh(size), size);
	ASSERT_EQ(0, context_unload(self->fd));
	for (i = 0; i < ARRAY_LEN(regs); i++)
		unloaded[i] = pmd_value(self->fd, regs[i]);
	EXPECT_LE(100, unloaded[3]);
	burn_ns(10000000);
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < ARRAY_LEN(regs); i++)
		EXPECT_EQ(unloaded[i], pmd_value(self->fd, regs[i]));
	ASSERT_EQ(0, context_start(self->fd, 0));
	touch(fresh(size), size);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_LE(unloaded[3] + 100, pmd_value(self->fd, MINOR_FAULTS));
}

/* Another process, seen from here while it works and after its end. */
TEST_F(soft, another_process)
{
	const size_t pages = 300, size = pages * sysconf(_SC_PAGESIZE);
	const pid_t parent = getpid();
	int go[2], done[2];
	union pfm_msg msg;
	uint64_t value, asleep;
	int tries = 100;
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(done, O_CLOEXEC));
	ASSERT_EQ(0, context_unload(self->fd));
	pid = fork();
	if (!pid) {
		volatile char *mem = fresh(size);

		die_with_parent(parent);
		/* Code that runs for the first time after a fork faults. */
		if (write(done[1], "", 1) != 1 || read(go[0], &c, 1) != 1)
			_exit(1);
		touch(mem, size);
		if (write(done[1], "", 1) != 1 || read(go[0], &c, 1) != 1)
			_exit(1);
		_exit(0);
	}
	ASSERT_EQ(1, read(done[0], &c, 1));
	ASSERT_EQ(0, context_load(self->fd, pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(1, write(go[1], "", 1));
	ASSERT_EQ(1, read(done[0], &c, 1));
	value = pmd_value(self->fd, MINOR_FAULTS);
	EXPECT_LE(pages, value);
	EXPECT_GE(pages + 20, value);
	/* Asleep, it takes no time of a CPU; nothing but the clock goes on. */
	do {
		value = pmd_value(self->fd, CPU_TIME_NS);
		usleep(20000);
		asleep = pmd_value(self->fd, CPU_TIME_NS);
	} while (value != asleep && --tries);
	EXPECT_EQ(value, asleep);
	EXPECT_LE(20000000, pmd_value(self->fd, WALL_TIME_NS));
	ASSERT_EQ(1, write(go[1], "", 1));
	child_reap(pid);
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_LT(value, pmd_value(self->fd, CPU_TIME_NS));
	/* Over is over, for the clock as well. */
	value = pmd_value(self->fd, WALL_TIME_NS);
	usleep(1000);
	EXPECT_EQ(value, pmd_value(self->fd, WALL_TIME_NS));
}

TEST_HARNESS_MAIN
