// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of perfmon_perf against programs whose number of instructions is known, and against
 * events of perf that count the same at the same time.  For a guest whose counters perf has.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "hotplug.h"
#include "perf_pmu.h"
#include "rights.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include "kselftest_harness.h"
#include "progs/exact.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define COUNT	 PFM_PERF_PMD(0)

/* QEMU counts instructions for all CPUs at once; a plan with two CPUs is about other things. */
#define NEED_ONE_CPU()                                                \
	do {                                                          \
		if (cpus_online() > 1)                                \
			SKIP(return, "counts are exact on one CPU");  \
	} while (0)

FIXTURE(perf_pmu) {
	int fd;
};

FIXTURE_SETUP(perf_pmu)
{
	ASSERT_EQ(0, perf_pmu_load());
	pin_to(0);
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(perf_pmu)
{
	close(self->fd);
}

static int hardware(int fd, uint64_t event)
{
	return perf_reg_setup(fd, 0, PERF_TYPE_HARDWARE, event, PERF_PMU_USER);
}

static int instructions(int fd)
{
	return hardware(fd, PERF_COUNT_HW_INSTRUCTIONS);
}

/* QEMU has this event on any number of CPUs. */
static int cycles(int fd)
{
	return hardware(fd, PERF_COUNT_HW_CPU_CYCLES);
}

static uint64_t perf_value(int fd)
{
	struct perf_count count;

	return perf_read(fd, &count) == 1 && count.enabled == count.running ?
		       count.value : ~0ULL;
}

TEST_F(perf_pmu, self)
{
	const uint64_t ns[] = { 1, 2, 1000, 1000000, 20000000 };
	uint64_t before = 0, after;
	size_t i;

	NEED_ONE_CPU();
	ASSERT_EQ(0, instructions(self->fd));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < ARRAY_LEN(ns); i++) {
		ASSERT_EQ(0, self_loop(self->fd, ns[i]));
		ASSERT_EQ(0, pmd_read(self->fd, COUNT, &after));
		EXPECT_EQ(SELF_COST(ns[i]), after - before);
		before = after;
	}
	/* Loaded again it goes on from there. */
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(before, pmd_value(self->fd, COUNT));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(before + SELF_COST(1000), pmd_value(self->fd, COUNT));
}

/* Registers with the same event share a counter of perf, so there are more than counters. */
TEST_F(perf_pmu, all_registers_agree)
{
	unsigned int n;

	NEED_ONE_CPU();
	for (n = 0; n < PFM_PERF_EVENTS; n++)
		ASSERT_EQ(0, perf_reg_setup(self->fd, n, PERF_TYPE_HARDWARE,
					    PERF_COUNT_HW_INSTRUCTIONS,
					    PERF_PMU_USER));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	for (n = 0; n < PFM_PERF_EVENTS; n++)
		EXPECT_EQ(SELF_COST(100000),
			  pmd_value(self->fd, PFM_PERF_PMD(n)));
}

/* A register that is not enabled stands still, and so does one without PMCs. */
TEST_F(perf_pmu, not_enabled)
{
	ASSERT_EQ(0, pmd_write(self->fd, COUNT, 7));
	ASSERT_EQ(0, pmd_write(self->fd, PFM_PERF_PMD(1), 8));
	ASSERT_EQ(0, pmc_write(self->fd, PFM_PERF_PMC_TYPE(1),
			       PERF_PMU_TYPE(PERF_TYPE_HARDWARE,
					     PERF_PMU_USER) &
				       ~(uint64_t)PFM_PERF_ENABLE));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(7, pmd_value(self->fd, COUNT));
	EXPECT_EQ(8, pmd_value(self->fd, PFM_PERF_PMD(1)));
}

/* The event of a loaded context may change: the old counter of perf goes, a new one comes. */
TEST_F(perf_pmu, event_changed_while_loaded)
{
	uint64_t before;

	NEED_ONE_CPU();
	ASSERT_EQ(0, instructions(self->fd));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	ASSERT_EQ(0, pmd_read(self->fd, COUNT, &before));
	ASSERT_EQ(0, pmc_write(self->fd, PFM_PERF_PMC_CONFIG(0),
			       PERF_COUNT_HW_CPU_CYCLES));
	ASSERT_EQ(0, pmc_write(self->fd, PFM_PERF_PMC_CONFIG(0),
			       PERF_COUNT_HW_INSTRUCTIONS));
	ASSERT_EQ(0, self_loop(self->fd, 1000));
	EXPECT_EQ(before + SELF_COST(1000), pmd_value(self->fd, COUNT));
}

/* Count a program by perfmon and by perf, inherited by its children, at the same time. */
static void both(struct __test_metadata *_metadata, int fd,
		 const char *const argv[], uint64_t *ours, uint64_t *theirs)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_HW_INSTRUCTIONS);
	struct child child;
	int perf;

	attr.disabled = 1;
	attr.enable_on_exec = 1;
	attr.inherit = 1;
	ASSERT_EQ(0, instructions(fd));
	ASSERT_EQ(0, measure_prepare(fd, &child, argv));
	perf = perf_open(&attr, child.pid, -1, -1);
	ASSERT_LE(0, perf);
	child_go(&child);
	ASSERT_EQ(0, measure_end(fd, &child));
	*ours = pmd_value(fd, COUNT);
	*theirs = perf_value(perf);
	close(perf);
}

TEST_F(perf_pmu, program_beside_perf)
{
	const uint64_t cost = COST_NUMBER(7) + COST_LOOP(1000000) + COST_ENDING;
	uint64_t ours, theirs;

	NEED_ONE_CPU();
	both(_metadata, self->fd, ARGV(program("loop"), "1000000"), &ours,
	     &theirs);
	EXPECT_EQ(cost, ours);
	EXPECT_EQ(cost, theirs);
}

TEST_F(perf_pmu, switches_beside_perf)
{
	const uint64_t cost =
		COST_NUMBER(3) + COST_NUMBER(4) +
		300 * (COST_LOOP(1000) + COST_YIELD + COST_REPEAT) + COST_ENDING;
	struct child other;
	uint64_t ours, theirs;

	NEED_ONE_CPU();
	child_exec(&other, ARGV(program("yieldloop"), "1000000000", "100"));
	child_go(&other);
	both(_metadata, self->fd, ARGV(program("yieldloop"), "300", "1000"),
	     &ours, &theirs);
	child_kill(other.pid);
	EXPECT_EQ(cost, ours);
	EXPECT_EQ(cost, theirs);
}

TEST_F(perf_pmu, build_beside_perf)
{
	const uint64_t cost =
		COST_NUMBER(2) + COST_NUMBER(4) +
		20 * (COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT) +
		COST_ENDING +
		20 * (COST_IF_CHILD + COST_LOOP(5000) + COST_ENDING);
	uint64_t ours, theirs;

	NEED_ONE_CPU();
	close(self->fd);
	self->fd = context_open(PFM_CTX_FOLLOW_ALL | PFM_CTX_AGGREGATE);
	ASSERT_LE(0, self->fd);
	both(_metadata, self->fd, ARGV(program("forkloop"), "20", "5000"),
	     &ours, &theirs);
	EXPECT_EQ(cost, ours);
	EXPECT_EQ(cost, theirs);
}

/* perf's own event begins after START and ends before STOP, another one around them. */
TEST_F(perf_pmu, cpu_beside_perf)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_HW_INSTRUCTIONS);
	uint64_t inner, outer, ours;
	int in, out;

	NEED_ONE_CPU();
	close(self->fd);
	self->fd = context_open(PFM_CTX_SYSTEM_WIDE);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions(self->fd));
	ASSERT_EQ(0, context_load(self->fd, 0));
	out = perf_open(&attr, -1, 0, -1);
	ASSERT_LE(0, out);
	outer = perf_value(out);
	ASSERT_EQ(0, context_start(self->fd, 0));
	in = perf_open(&attr, -1, 0, -1);
	ASSERT_LE(0, in);
	spin(1000000);
	usleep(10000);
	inner = perf_value(in);
	ASSERT_EQ(0, context_stop(self->fd));
	outer = perf_value(out) - outer;
	ours = pmd_value(self->fd, COUNT);
	EXPECT_LE(2000000, inner);
	EXPECT_LE(inner, ours);
	EXPECT_LE(ours, outer);
	close(in);
	close(out);
}

/* Levels add up.  The kernel's part has the path of the ioctl and of interrupts. */
TEST_F(perf_pmu, kernel)
{
	unsigned int i;
	uint64_t v[3];

	NEED_ONE_CPU();
	ASSERT_EQ(0, instructions(self->fd));
	ASSERT_EQ(0, perf_reg_setup(self->fd, 1, PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_INSTRUCTIONS,
				    PFM_PERF_EXCLUDE_USER));
	ASSERT_EQ(0, perf_reg_setup(self->fd, 2, PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_INSTRUCTIONS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 1000; i++)
		getppid();
	ASSERT_EQ(0, context_stop(self->fd));
	for (i = 0; i < 3; i++)
		v[i] = pmd_value(self->fd, PFM_PERF_PMD(i));
	EXPECT_LT(2000, v[0]);
	EXPECT_LT(20000, v[1]);
	/* The counters are read one after the other, 100 instructions and more each. */
	EXPECT_LE(v[0] + v[1], v[2] + 2000);
	EXPECT_GE(v[0] + v[1] + 2000, v[2]);
}

#define PAGES 100

static void touch_pages(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	volatile char *mem = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (mem == MAP_FAILED)
		abort();
	madvise((void *)mem, PAGES * page, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		mem[i * page] = 1;
	munmap((void *)mem, PAGES * page);
}

/* False in a guest without PMU, and wherever perf has no driver for it. */
static bool perf_has_counters(void)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_HW_CPU_CYCLES);
	const int perf = perf_open(&attr, 0, -1, -1);

	if (perf >= 0)
		close(perf);
	return perf != -ENOENT;
}

#define NEED_COUNTERS()                                                     \
	do {                                                                \
		if (!perf_has_counters())                                   \
			SKIP(return, "perf has no hardware counters here"); \
	} while (0)

/*
 * Without hardware counters the software events count all the same: the module is of use there.
 * Others are refused.
 */
TEST_F(perf_pmu, software_without_counters)
{
	const int refusal = perf_has_counters() ? 0 : -EOPNOTSUPP;
	uint64_t before, after;

	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_CPU_CYCLES, 0));
	ASSERT_EQ(refusal, context_load(self->fd, 0));
	close(self->fd);
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_SOFTWARE,
				    PERF_COUNT_SW_PAGE_FAULTS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	touch_pages();
	ASSERT_EQ(0, pmd_read(self->fd, COUNT, &before));
	touch_pages();
	ASSERT_EQ(0, pmd_read(self->fd, COUNT, &after));
	EXPECT_EQ(PAGES, after - before);
}

TEST_F(perf_pmu, page_faults)
{
	uint64_t before, after;

	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_SOFTWARE,
				    PERF_COUNT_SW_PAGE_FAULTS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	/* Code and stack of what follows fault the first time. */
	touch_pages();
	ASSERT_EQ(0, pmd_read(self->fd, COUNT, &before));
	touch_pages();
	ASSERT_EQ(0, pmd_read(self->fd, COUNT, &after));
	EXPECT_EQ(PAGES, after - before);
}

/* The same numbers as perf has for the same thread. */
TEST_F(perf_pmu, context_switches)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_SW_CONTEXT_SWITCHES);
	uint64_t ours, theirs;
	int perf, i;

	attr.type = PERF_TYPE_SOFTWARE;
	attr.exclude_kernel = 0;
	attr.exclude_hv = 0;
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_SOFTWARE,
				    PERF_COUNT_SW_CONTEXT_SWITCHES, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	perf = perf_open(&attr, 0, -1, -1);
	ASSERT_LE(0, perf);
	ASSERT_EQ(0, context_start(self->fd, 0));
	ours = pmd_value(self->fd, COUNT);
	theirs = perf_value(perf);
	for (i = 0; i < 20; i++)
		usleep(1000);
	EXPECT_LE(20, pmd_value(self->fd, COUNT) - ours);
	/* A thread that is preempted between the two reads is counted in one only. */
	for (i = 0; i < 100; i++) {
		uint64_t o = pmd_value(self->fd, COUNT) - ours;
		uint64_t t = perf_value(perf) - theirs;

		if (o == t)
			break;
	}
	EXPECT_GT(100, i);
	close(perf);
}

static uint64_t migrations(void)
{
	char line[256];
	uint64_t n = ~0ULL;
	FILE *f = fopen("/proc/self/sched", "r");

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "se.nr_migrations : %lu", &n);
	if (f)
		fclose(f);
	return n;
}

TEST_F(perf_pmu, cpu_migrations)
{
	uint64_t before;
	int i;

	NEED_TWO_CPUS();
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_SOFTWARE,
				    PERF_COUNT_SW_CPU_MIGRATIONS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	before = migrations();
	for (i = 1; i <= 20; i++)
		pin_to(i % 2);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(20, pmd_value(self->fd, COUNT));
	if (before != ~0ULL)
		EXPECT_EQ(migrations() - before, pmd_value(self->fd, COUNT));
}

/* Different codes, which the processor need not have. */
static uint64_t code(unsigned int i)
{
#ifdef __aarch64__
	return 0x100 + i;
#else
	return 0xc0 | i << 24;
#endif
}

/* Load with more different events than the processor has counters. */
static int load_many(int fd)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < PFM_PERF_EVENTS && !ret; i++)
		ret = perf_reg_setup(fd, i, PERF_TYPE_RAW, code(i),
				     PERF_PMU_USER);
	return ret ? ret : context_load(fd, 0);
}

TEST_F(perf_pmu, counters_run_out)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_HW_CPU_CYCLES);
	struct perf_count count;
	int perf;

	NEED_COUNTERS();
	EXPECT_EQ(-EBUSY, load_many(self->fd));
	/* The counter that was taken is given back: perf counts, and the event is not multiplexed. */
	perf = perf_open(&attr, 0, -1, -1);
	ASSERT_LE(0, perf);
	spin(1000);
	ASSERT_EQ(1, perf_read(perf, &count));
	EXPECT_LT(0, count.value);
	EXPECT_EQ(count.enabled, count.running);
	close(perf);
	close(self->fd);
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cycles(self->fd));
	EXPECT_EQ(0, context_load(self->fd, 0));
}

TEST_F(perf_pmu, refused)
{
	const struct pfm_pmd_attr attr = { .num = COUNT, .long_reset = -1000,
					   .short_reset = -1000 };

	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, 12345, 0, PERF_PMU_USER));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->fd, 0));
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_HARDWARE, 77,
				    PERF_PMU_USER));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->fd, 0));
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_BREAKPOINT, 0,
				    PERF_PMU_USER));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->fd, 0));
	EXPECT_EQ(-ERANGE, pmc_write(self->fd, PFM_PERF_PMC_TYPE(0), 1 << 8));
	/* It counts, and does not sample. */
	EXPECT_EQ(-EOPNOTSUPP, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, &attr,
				      1, NULL));
}

static void paranoid(const char *level)
{
	const int fd = open(PARANOID, O_WRONLY);

	if (fd < 0 || write(fd, level, strlen(level)) < 0)
		abort();
	close(fd);
}

/* The rights of an ordinary user at a level of perf's: a bit for each thing that works. */
enum {
	USER_WORKS = 1,
	KERNEL_WORKS = 2,
	TRACEPOINT_WORKS = 4,
	MANY_WORK = 8,
};

static int as_user(int device)
{
	const pid_t pid = fork();
	int fd, done = 0;

	if (pid < 0)
		abort();
	if (pid)
		return WEXITSTATUS(child_reap(pid));
	rights_drop();
	fd = context_create(device, 0);
	if (!cycles(fd) && !context_load(fd, 0))
		done |= USER_WORKS;
	close(fd);
	fd = context_create(device, 0);
	if (!perf_reg_setup(fd, 0, PERF_TYPE_SOFTWARE,
			    PERF_COUNT_SW_CONTEXT_SWITCHES, 0) &&
	    !context_load(fd, 0))
		done |= KERNEL_WORKS;
	close(fd);
	fd = context_create(device, 0);
	if (!perf_reg_setup(fd, 0, PERF_TYPE_TRACEPOINT, 1, PERF_PMU_USER) &&
	    !context_load(fd, 0))
		done |= TRACEPOINT_WORKS;
	close(fd);
	fd = context_create(device, 0);
	if (!perf_reg_setup(fd, 0, PERF_TYPE_SOFTWARE, 0, PERF_PMU_USER) &&
	    !perf_reg_setup(fd, 1, PERF_TYPE_SOFTWARE, 1, PERF_PMU_USER) &&
	    !perf_reg_setup(fd, 2, PERF_TYPE_SOFTWARE, 2, PERF_PMU_USER) &&
	    !perf_reg_setup(fd, 3, PERF_TYPE_SOFTWARE, 3, PERF_PMU_USER) &&
	    !perf_reg_setup(fd, 4, PERF_TYPE_SOFTWARE, 4, PERF_PMU_USER) &&
	    !context_load(fd, 0))
		done |= MANY_WORK;
	_exit(done);
}

TEST_F(perf_pmu, rights)
{
	const int device = device_open();

	NEED_COUNTERS();
	ASSERT_LE(0, device);
	paranoid("2");
	EXPECT_EQ(USER_WORKS, as_user(device));
	/* perfmon's policy still keeps the kernel from them. */
	paranoid("1");
	EXPECT_EQ(USER_WORKS, as_user(device));
	paranoid("3");
	EXPECT_EQ(0, as_user(device));
	close(device);
}

/* Type of a PMU of perf's by name, 0 if there is none. */
static uint32_t type_of(const char *pmu)
{
	char path[64];
	unsigned int type = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 pmu);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%u", &type) != 1)
		type = 0;
	fclose(f);
	return type;
}

/* Error of LOAD_CONTEXT, as a positive number, of an ordinary user with an event. */
static int load_as_user(int device, uint32_t type, uint64_t config,
			uint64_t config1)
{
	const pid_t pid = fork();
	int fd, ret;

	if (pid < 0)
		abort();
	if (pid)
		return WEXITSTATUS(child_reap(pid));
	rights_drop();
	fd = context_create(device, 0);
	ret = perf_reg_setup(fd, 0, type, config, PERF_PMU_USER);
	if (!ret)
		ret = pmc_write(fd, PFM_PERF_PMC_CONFIG1(0), config1);
	if (ret)
		_exit(255);
	_exit(-context_load(fd, 0));
}

/*
 * A PMU of perf's sees the rights of the caller, not those of the module: a kprobe or a uprobe of
 * somebody without them is not even tried.
 */
TEST_F(perf_pmu, rights_asked_by_probes)
{
	static const char function[] = "do_nanosleep";
	const uint32_t kprobe = type_of("kprobe"), uprobe = type_of("uprobe");
	const int device = device_open();

	if (!kprobe || !uprobe)
		SKIP(return, "a kernel without kprobes or uprobes");
	ASSERT_LE(0, device);
	paranoid("2");
	EXPECT_EQ(EPERM, load_as_user(device, kprobe, 0,
				      (uintptr_t)function));
	EXPECT_EQ(EPERM, load_as_user(device, uprobe, 0,
				      (uintptr_t)"/bin/true"));
	/* Those with the right are refused because of the kind of event. */
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, kprobe, 0, PERF_PMU_USER));
	ASSERT_EQ(0, pmc_write(self->fd, PFM_PERF_PMC_CONFIG1(0),
			       (uintptr_t)function));
	EXPECT_EQ(-EOPNOTSUPP, context_load(self->fd, 0));
	close(device);
}

/*
 * On Intel's processors bit 21 of a raw event has it count what the other thread of the core
 * executes, which perf allows from level 0 on.  A source that somebody with the right has made
 * does not change that.
 */
TEST_F(perf_pmu, rights_asked_by_raw)
{
	const uint64_t any = 0xc0 | 1 << 21;
	const int device = device_open();

	if (access("/sys/bus/event_source/devices/cpu/format/any", R_OK))
		SKIP(return, "no processor of Intel's with that bit");
	ASSERT_LE(0, device);
	paranoid("2");
	EXPECT_EQ(0, load_as_user(device, PERF_TYPE_RAW, 0xc0, 0));
	EXPECT_EQ(EPERM, load_as_user(device, PERF_TYPE_RAW, any, 0));
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_RAW, any,
				    PERF_PMU_USER));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(EPERM, load_as_user(device, PERF_TYPE_RAW, any, 0));
	paranoid("0");
	EXPECT_EQ(0, load_as_user(device, PERF_TYPE_RAW, any, 0));
	paranoid("2");
	close(device);
}

/* A PMU's own type asks perf each time, and its events count as others do. */
TEST_F(perf_pmu, rights_asked_and_given)
{
	const uint32_t own = type_of("armv8_pmuv3") ?: type_of("armv8_pmuv3_0");
	const int device = device_open();

	if (own < PERF_TYPE_MAX)
		SKIP(return, "no PMU with a type of its own");
	ASSERT_LE(0, device);
	paranoid("2");
	/* The cycles of Armv8. */
	EXPECT_EQ(0, load_as_user(device, own, 0x11, 0));
	close(device);
}

/* A context of a CPU that goes and comes back has a new counter there. */
TEST_F(perf_pmu, hotplug)
{
	TEST_PROVES(Y3);
	uint64_t before;
	int round, tries;
	pid_t pid;

	NEED_HOTPLUG();
	NEED_COUNTERS();
	close(self->fd);
	self->fd = context_open(PFM_CTX_SYSTEM_WIDE);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_CPU_CYCLES, 0));
	ASSERT_EQ(0, perf_reg_setup(self->fd, 1, PERF_TYPE_SOFTWARE,
				    PERF_COUNT_SW_CONTEXT_SWITCHES, 0));
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (round = 0; round < 5; round++) {
		pid = child_spin_on(1);
		before = pmd_value(self->fd, COUNT);
		for (tries = 0; tries < 2000; tries++) {
			if (pmd_value(self->fd, COUNT) > before + 1000000)
				break;
			usleep(1000);
		}
		EXPECT_GT(2000, tries);
		child_kill(pid);
		before = pmd_value(self->fd, COUNT);
		ASSERT_TRUE(cpu1_online(false));
		/* The value is kept, and is none that was made up. */
		EXPECT_LE(before, pmd_value(self->fd, COUNT));
		EXPECT_GT(before + (1ULL << 40), pmd_value(self->fd, COUNT));
		before = pmd_value(self->fd, COUNT);
		EXPECT_EQ(before, pmd_value(self->fd, COUNT));
		ASSERT_TRUE(cpu1_online(true));
	}
	EXPECT_EQ(0, context_unload(self->fd));
}

/* Contexts come and go, of tasks that migrate, while a CPU does. */
TEST_F(perf_pmu, hotplug_of_tasks)
{
	TEST_PROVES(Y1, Y4);
	struct perf_event_attr attr = perf_attr(PERF_COUNT_HW_CPU_CYCLES);
	const int perf = perf_open(&attr, -1, 0, -1);
	struct child child;
	int round;

	NEED_HOTPLUG();
	NEED_COUNTERS();
	ASSERT_LE(0, perf);
	for (round = 0; round < 10; round++) {
		close(self->fd);
		self->fd = context_open(PFM_CTX_FOLLOW_ALL);
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, perf_reg_setup(self->fd, 0, PERF_TYPE_HARDWARE,
					    PERF_COUNT_HW_CPU_CYCLES,
					    PERF_PMU_USER));
		ASSERT_EQ(0, perf_reg_setup(self->fd, 1, PERF_TYPE_SOFTWARE,
					    PERF_COUNT_SW_PAGE_FAULTS, 0));
		ASSERT_EQ(0, measure_begin(self->fd, &child,
					   ARGV(program("forkloop"), "200",
						"20000")));
		ASSERT_TRUE(cpu1_online(round & 1));
		ASSERT_EQ(0, measure_end(self->fd, &child));
		EXPECT_LT(0, pmd_value(self->fd, COUNT));
		EXPECT_GT(1ULL << 40, pmd_value(self->fd, COUNT));
	}
	ASSERT_TRUE(cpu1_online(true));
	close(perf);
}

/* The module goes when no context has it any more, right after the last one. */
TEST_F(perf_pmu, unload)
{
	TEST_PROVES(Y5);
	int round;

	NEED_COUNTERS();
	for (round = 0; round < 3; round++) {
		ASSERT_EQ(0, cycles(self->fd));
		ASSERT_EQ(0, perf_reg_setup(self->fd, 1, PERF_TYPE_SOFTWARE,
					    PERF_COUNT_SW_PAGE_FAULTS, 0));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 1000));
		EXPECT_NE(0, system("rmmod perfmon_perf 2>/dev/null"));
		close(self->fd);
		ASSERT_EQ(0, system("rmmod perfmon_perf >&2"));
		ASSERT_EQ(0, perf_pmu_load());
		self->fd = context_open(0);
		ASSERT_LE(0, self->fd);
	}
}

TEST_HARNESS_MAIN
