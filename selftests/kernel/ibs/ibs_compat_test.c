// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions of libIBS: samples, against what the emulator took, and errors.  Needs root
 * and the emulator with a processor of AMD.
 *
 * A debug kernel takes some ten thousand ops for a sample or a call, hence the long period.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "hotplug.h"
#include "rights.h"
#include "sysfs.h"

#include <linux/perfmon_ibs.h>
#include <perfmon/ibs-compat.h>
#include <signal.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#define BOTH	 (IBS_OP_SAMPLE | IBS_FETCH_SAMPLE)
#define CPUS	 2
#define ROOM	 4096
#define MAX_CNT	 0x1fff
#define PERIOD	 (16 * MAX_CNT)
#define VAL(val) ((ibs_val_t)(intptr_t)(val))

static ibs_sample_t samples[ROOM];
static ibs_sample_type_t types[ROOM];

FIXTURE(ibs_compat)
{
	int kinds;
};

FIXTURE_VARIANT(ibs_compat)
{
	int kinds;
};

FIXTURE_VARIANT_ADD(ibs_compat, ops){
	.kinds = IBS_OP_SAMPLE,
};

FIXTURE_VARIANT_ADD(ibs_compat, fetches){
	.kinds = IBS_FETCH_SAMPLE,
};

FIXTURE_SETUP(ibs_compat)
{
	self->kinds = variant->kinds;
	pin_to(0);
}

FIXTURE_TEARDOWN(ibs_compat)
{
	ibs_finalize();
}

#define NEED_IBS()                                                          \
	do {                                                                \
		if (!emulator_present())                                    \
			SKIP(return, "needs the emulator with an x86 PMU"); \
		if (!has_register(PFM_IBS_PMD_OP))                          \
			SKIP(return, "no IBS here");                        \
	} while (0)

/* Returns 0 or -errno, as functions of tests do. */
static int error_of(int ret)
{
	return ret < 0 ? -errno : ret;
}

static int set(ibs_option_t option, intptr_t value)
{
	return error_of(ibs_set_option(option, VAL(value)));
}

static int begin(int kinds)
{
	ibs_option_list_t list[] = {
		{ IBS_OP, VAL(!!(kinds & IBS_OP_SAMPLE)) },
		{ IBS_FETCH, VAL(!!(kinds & IBS_FETCH_SAMPLE)) },
		{ IBS_MAX_CNT, VAL(MAX_CNT) },
		{ IBS_POLL_TIMEOUT, VAL(0) },
	};

	return error_of(ibs_initialize(list, ARRAY_LEN(list), 0));
}

/* Samples that the emulator took on a CPU: ops, fetches */
static void emulated_samples(int cpu, uint64_t count[2])
{
	struct emulated now;

	emulated_on(cpu, &now);
	count[0] = now.op_samples;
	count[1] = now.fetch_samples;
}

/**
 * struct taken - samples that were taken
 * @count: their number, by CPU and kind: ops, fetches
 * @last: time of the last one, likewise
 * @mine: those of this process
 * @kernel: those of the kernel
 * @wrong: those that cannot be
 */
struct taken {
	uint64_t count[CPUS][2];
	uint64_t last[CPUS][2];
	uint64_t mine;
	uint64_t kernel;
	uint64_t wrong;
};

static void add(struct taken *taken, int fetch, uint64_t address, uint64_t tsc,
		const int *ids)
{
	const int pid = ids[1], cpu = ids[2], kernel = ids[3];

	if (cpu < 0 || cpu >= CPUS || tsc <= taken->last[cpu][fetch] ||
	    (kernel != 0 && kernel != 1) || (int)(address >> 63) != kernel) {
		taken->wrong++;
		return;
	}
	taken->last[cpu][fetch] = tsc;
	taken->count[cpu][fetch]++;
	taken->mine += pid == getpid();
	taken->kernel += kernel;
}

static void add_sample(struct taken *taken, const ibs_sample_t *sample,
		       ibs_sample_type_t type)
{
	const ibs_op_t *op = &sample->ibs_sample.op;
	const ibs_fetch_t *fetch = &sample->ibs_sample.fetch;

	if (type == IBS_OP_SAMPLE) {
		add(taken, 0, op->op_rip, op->tsc, &op->tid);
		taken->wrong += !op->op_ctl.reg.ibs_op_val || op->cr3;
	} else {
		add(taken, 1, fetch->fetch_lin_ad, fetch->tsc, &fetch->tid);
		taken->wrong += !fetch->fetch_ctl.reg.ibs_fetch_val ||
				fetch->cr3;
	}
}

/* One call.  Returns its result, or -errno. */
static int take(struct taken *taken, int kinds, int room)
{
	int n;

	memset(types, 0, sizeof(types));
	n = ibs_sample(room, kinds, samples, types);
	for (int i = 0; i < n; i++) {
		taken->wrong += !(types[i] & kinds);
		add_sample(taken, &samples[i], types[i]);
	}
	return error_of(n);
}

/* Take all samples that there are, at most room in a call.  Returns 0 or -errno. */
static int take_all(struct taken *taken, int kinds, int room)
{
	int n;

	do {
		n = take(taken, kinds, room);
	} while (n > 0);
	return n;
}

static uint64_t total(const struct taken *taken)
{
	uint64_t sum = 0;

	for (int cpu = 0; cpu < CPUS; cpu++)
		sum += taken->count[cpu][0] + taken->count[cpu][1];
	return sum;
}

/* The samples of all CPUs are those that the emulator took, with their process and level. */
TEST_F(ibs_compat, samples)
{
	const int cpus = cpus_online() < CPUS ? cpus_online() : CPUS;
	uint64_t before[CPUS][2], after[CPUS][2];
	struct taken taken = { 0 };

	NEED_IBS();
	ASSERT_EQ(0, begin(self->kinds));
	for (int cpu = 0; cpu < cpus; cpu++)
		emulated_samples(cpu, before[cpu]);
	ASSERT_EQ(0, error_of(ibs_enable_all()));
	for (int cpu = 0; cpu < cpus; cpu++) {
		pin_to(cpu);
		spin(100 * PERIOD);
	}
	ibs_disable_all();
	for (int cpu = 0; cpu < cpus; cpu++)
		emulated_samples(cpu, after[cpu]);
	pin_to(0);
	ASSERT_EQ(0, take_all(&taken, self->kinds, ROOM));
	EXPECT_EQ(0, taken.wrong);
	EXPECT_EQ(0, ibs_lost());
	EXPECT_LT(0, taken.mine);
	EXPECT_LE(total(&taken) / 2, taken.mine);
	for (int cpu = 0; cpu < cpus; cpu++) {
		EXPECT_LT(10, total(&taken) / cpus);
		EXPECT_EQ(after[cpu][0] - before[cpu][0], taken.count[cpu][0]);
		EXPECT_EQ(after[cpu][1] - before[cpu][1], taken.count[cpu][1]);
	}
}

/* Samples for which a call has no room are there for the next call. */
TEST_F(ibs_compat, room)
{
	uint64_t before[2], after[2];
	struct taken taken = { 0 };
	int n;

	NEED_IBS();
	ASSERT_EQ(0, begin(self->kinds));
	emulated_samples(0, before);
	ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
	EXPECT_EQ(0, error_of(ibs_enable_cpu(0)));
	spin(100 * PERIOD);
	/* Types are not needed for one kind. */
	n = ibs_sample(7, self->kinds, samples, NULL);
	ASSERT_EQ(7, n);
	for (int i = 0; i < n; i++)
		add_sample(&taken, &samples[i], self->kinds);
	ibs_disable_cpu(0);
	emulated_samples(0, after);
	ASSERT_EQ(0, take_all(&taken, self->kinds, 7));
	EXPECT_EQ(0, taken.wrong);
	EXPECT_EQ(after[0] - before[0] + after[1] - before[1], total(&taken));
	EXPECT_EQ(0, ibs_lost());
}

/* Samples of the other kind wait until they are asked for, and when the CPU is disabled. */
TEST_F(ibs_compat, kinds)
{
	const int other = BOTH & ~self->kinds;
	uint64_t before[2], after[2];
	struct taken taken = { 0 };

	NEED_IBS();
	ASSERT_EQ(0, begin(BOTH));
	emulated_samples(0, before);
	for (int round = 0; round < 3; round++) {
		ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
		spin(50 * PERIOD);
		ASSERT_EQ(0, take_all(&taken, self->kinds, ROOM));
		spin(50 * PERIOD);
		ibs_disable_cpu(0);
	}
	emulated_samples(0, after);
	EXPECT_LT(10, total(&taken));
	EXPECT_EQ(0, taken.count[0][other == IBS_FETCH_SAMPLE]);
	ASSERT_EQ(0, take_all(&taken, other, ROOM));
	EXPECT_EQ(after[other == IBS_FETCH_SAMPLE] -
			  before[other == IBS_FETCH_SAMPLE],
		  taken.count[0][other == IBS_FETCH_SAMPLE]);
	ASSERT_EQ(0, take_all(&taken, BOTH, ROOM));
	EXPECT_EQ(after[0] - before[0], taken.count[0][0]);
	EXPECT_EQ(after[1] - before[1], taken.count[0][1]);
	EXPECT_EQ(0, taken.wrong);
	EXPECT_EQ(0, ibs_lost());
}

/*
 * Samples for which the buffer has no room are counted exactly.  The buffer is four times
 * its smallest part.
 */
TEST_F(ibs_compat, lost)
{
	uint64_t before[2], after[2], lost;
	struct taken taken = { 0 };
	const int fetch = self->kinds == IBS_FETCH_SAMPLE;

	NEED_IBS();
	ASSERT_EQ(0, begin(self->kinds));
	ASSERT_EQ(0, set(IBS_POLL_NUM_SAMPLES, 1));
	ASSERT_EQ(0, set(IBS_MAX_CNT, 0x7ff));
	emulated_samples(0, before);
	ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
	while (!ibs_lost())
		spin(100 * PERIOD);
	lost = ibs_lost();
	ibs_disable_cpu(0);
	emulated_samples(0, after);
	EXPECT_LE(lost, ibs_lost());
	lost = ibs_lost();
	ASSERT_EQ(0, take_all(&taken, self->kinds, ROOM));
	EXPECT_EQ(0, taken.wrong);
	EXPECT_EQ(4 * 1024, total(&taken));
	EXPECT_EQ(after[fetch] - before[fetch], total(&taken) + lost);
	ibs_finalize();
	EXPECT_EQ(lost, ibs_lost());
	ASSERT_EQ(0, begin(self->kinds));
	EXPECT_EQ(0, ibs_lost());
}

/*
 * The shortest period: the kernel pauses.  All that the emulator took were read, or are counted.
 */
TEST_F(ibs_compat, storm)
{
	uint64_t before[2], after[2];
	struct taken taken = { 0 };

	NEED_IBS();
	ASSERT_EQ(0, begin(BOTH));
	ASSERT_EQ(0, set(IBS_MAX_CNT, 9));
	EXPECT_EQ(0, ibs_paused());
	emulated_samples(0, before);
	ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
	while (!ibs_paused())
		ASSERT_LE(0, take(&taken, self->kinds, ROOM));
	ibs_disable_cpu(0);
	emulated_samples(0, after);
	ASSERT_EQ(0, take_all(&taken, BOTH, ROOM));
	EXPECT_EQ(0, taken.wrong);
	EXPECT_LT(0, taken.count[0][0]);
	EXPECT_LT(0, taken.count[0][1]);
	EXPECT_EQ(after[0] - before[0] + after[1] - before[1],
		  total(&taken) + ibs_lost());
}

/* Too few samples: a call that may not read at the timeout leaves them there. */
TEST_F(ibs_compat, timeout)
{
	struct taken taken = { 0 };

	NEED_IBS();
	ASSERT_EQ(0, begin(self->kinds));
	ASSERT_EQ(0, set(IBS_READ_ON_TIMEOUT, 0));
	ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
	spin(20 * PERIOD);
	EXPECT_EQ(0, ibs_sample(ROOM, self->kinds, samples, types));
	EXPECT_LT(0, ibs_sample(5, self->kinds, samples, types));
	EXPECT_EQ(0, set(IBS_READ_ON_TIMEOUT, 1));
	ASSERT_EQ(0, take_all(&taken, self->kinds, ROOM));
	EXPECT_LT(0, total(&taken));
	/* Without a CPU there is nothing to wait for. */
	EXPECT_EQ(0, set(IBS_POLL_TIMEOUT, -1));
	ibs_disable_all();
	EXPECT_EQ(0, take_all(&taken, self->kinds, ROOM));
	EXPECT_EQ(0, ibs_sample(ROOM, self->kinds, samples, types));
}

/*
 * A call waits until a CPU has enough samples: a number that poll(2) reports, and a smaller
 * one.
 */
TEST_F(ibs_compat, enough)
{
	const int numbers[] = { 1024, 50 };
	const int kinds[] = { self->kinds, BOTH };
	pid_t child;

	NEED_IBS();
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, begin(kinds[i / 2]));
		ASSERT_EQ(0, set(IBS_POLL_TIMEOUT, -1));
		ASSERT_EQ(0, set(IBS_READ_ON_TIMEOUT, 0));
		ASSERT_EQ(0, set(IBS_POLL_NUM_SAMPLES, numbers[i % 2]));
		ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
		child = child_spin_on(0);
		for (int round = 0; round < 2; round++)
			EXPECT_LE(numbers[i % 2], ibs_sample(ROOM, kinds[i / 2],
							     samples, types));
		child_kill(child);
		ibs_finalize();
	}
}

static unsigned int samples_on(int cpu, int n)
{
	unsigned int found = 0;

	for (int i = 0; i < n; i++)
		found += (types[i] == IBS_OP_SAMPLE
				  ? samples[i].ibs_sample.op.cpu
				  : samples[i].ibs_sample.fetch.cpu) == cpu;
	return found;
}

/* One CPU has enough samples: those of the other one are taken, or are not. */
TEST_F(ibs_compat, aggressive)
{
	pid_t child;
	int n;

	NEED_IBS();
	NEED_TWO_CPUS();
	ASSERT_EQ(0, begin(self->kinds));
	ASSERT_EQ(0, set(IBS_POLL_TIMEOUT, -1));
	ASSERT_EQ(0, set(IBS_POLL_NUM_SAMPLES, 1024));
	ASSERT_EQ(0, error_of(ibs_enable_all()));
	spin(20 * PERIOD);
	child = child_spin_on(1);
	n = ibs_sample(ROOM, self->kinds, samples, types);
	EXPECT_LE(1024, n);
	EXPECT_EQ(n, samples_on(1, n));
	EXPECT_EQ(0, set(IBS_AGGRESSIVE_READ, 1));
	n = ibs_sample(ROOM, self->kinds, samples, types);
	child_kill(child);
	EXPECT_LE(1024, n);
	EXPECT_LT(0, samples_on(0, n));
	EXPECT_EQ(n, samples_on(0, n) + samples_on(1, n));
}

/* The value of IBS_CPU_LIST with CPUs from @first to @last */
static intptr_t list_of(int first, int last)
{
	static char list[4096];

	memset(list, 0, sizeof(list));
	memset(list + first, 1, last - first + 1);
	return (intptr_t)list;
}

/* Options that shape a context cannot change while a context exists. */
TEST_F(ibs_compat, options)
{
	const ibs_option_t shapes[] = { IBS_OP, IBS_FETCH, IBS_POLL_NUM_SAMPLES,
					IBS_MAX_CNT };

	NEED_IBS();
	EXPECT_EQ(-EINVAL, error_of(ibs_enable_cpu(0)));
	ASSERT_EQ(0, error_of(ibs_initialize(NULL, 0, 0)));
	EXPECT_EQ(-EINVAL, error_of(ibs_enable_cpu(0)));
	EXPECT_NE(NULL, strstr(ibs_error(), "IBS_OP"));
	EXPECT_EQ(-EBUSY, begin(self->kinds));
	EXPECT_EQ(0, set(self->kinds == IBS_OP_SAMPLE ? IBS_OP : IBS_FETCH, 1));
	if (cpus_online() > 1) {
		EXPECT_EQ(0, set(IBS_CPU_LIST, list_of(1, 1)));
		EXPECT_EQ(-EINVAL, error_of(ibs_enable_cpu(0)));
		EXPECT_NE(NULL, strstr(ibs_error(), "IBS_CPU_LIST"));
	}
	EXPECT_EQ(0, set(IBS_CPU_LIST, list_of(0, 0)));
	ASSERT_EQ(0, error_of(ibs_enable_all()));
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		EXPECT_EQ(-EBUSY, set(shapes[i], 1));
	EXPECT_EQ(-EBUSY, set(IBS_CPU_LIST, list_of(0, 0)));
	EXPECT_EQ(0, set(IBS_AGGRESSIVE_READ, 1));
	ibs_disable_all();
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		EXPECT_EQ(0, set(shapes[i], 1));
	EXPECT_EQ(0, set(IBS_CPU_LIST, list_of(0, 0)));
	EXPECT_EQ(-EINVAL, error_of(ibs_enable_cpu(0)));
	EXPECT_NE(NULL, strstr(ibs_error(), "IBS_MAX_CNT"));
}

/* A failed call enables nothing. */
TEST_F(ibs_compat, no_such_cpu)
{
	NEED_IBS();
	ASSERT_EQ(0, begin(self->kinds));
	EXPECT_EQ(-ERANGE, error_of(ibs_enable_cpu(-1)));
	EXPECT_EQ(-ERANGE, error_of(ibs_enable_cpu(100000)));
	EXPECT_NE(NULL, strstr(ibs_error(), "CPU 100000"));
	EXPECT_EQ(0, set(IBS_MAX_CNT, MAX_CNT));
	ibs_disable_cpu(100000);
}

TEST_F(ibs_compat, offline)
{
	int ret, all, listed;

	NEED_IBS();
	NEED_TWO_CPUS();
	ASSERT_EQ(0, begin(self->kinds));
	ASSERT_EQ(true, cpu1_online(false));
	ret = error_of(ibs_enable_cpu(1));
	EXPECT_NE(NULL, strstr(ibs_error(), "CPU 1"));
	all = error_of(ibs_enable_all());
	ibs_disable_all();
	EXPECT_EQ(0, set(IBS_CPU_LIST, list_of(0, 1)));
	listed = error_of(ibs_enable_all());
	ASSERT_EQ(true, cpu1_online(true));
	EXPECT_EQ(-ENODEV, ret);
	EXPECT_EQ(0, all);
	EXPECT_EQ(-ENODEV, listed);
	EXPECT_EQ(0, error_of(ibs_enable_all()));
}

/* The CPU has as many contexts as it can have. */
TEST_F(ibs_compat, busy)
{
	int fds[2];

	NEED_IBS();
	for (unsigned int i = 0; i < ARRAY_LEN(fds); i++) {
		fds[i] = context_open(PFM_CTX_SYSTEM_WIDE);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, pmd_write(fds[i], CPU_TIME_NS, 0));
		ASSERT_EQ(0, context_load(fds[i], 0));
	}
	ASSERT_EQ(0, begin(self->kinds));
	EXPECT_EQ(-EBUSY, error_of(ibs_enable_cpu(0)));
	EXPECT_NE(NULL, strstr(ibs_error(), "CPU 0"));
	close(fds[0]);
	EXPECT_EQ(0, error_of(ibs_enable_cpu(0)));
	close(fds[1]);
}

static void ignore(int signal)
{
}

TEST_F(ibs_compat, signal)
{
	const struct sigaction action = { .sa_handler = ignore };
	const struct itimerval each = {
		.it_interval.tv_usec = 50000,
		.it_value.tv_usec = 50000,
	};
	const struct itimerval never = { 0 };

	NEED_IBS();
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, begin(self->kinds));
	ASSERT_EQ(0, set(IBS_POLL_TIMEOUT, -1));
	ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &each, NULL));
	EXPECT_EQ(-EINTR,
		  error_of(ibs_sample(ROOM, self->kinds, samples, types)));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &never, NULL));
}

/* A program that closes what is not its own is told, and does not wait for ever. */
TEST_F(ibs_compat, closed)
{
	const int first = dup(STDOUT_FILENO);

	NEED_IBS();
	close(first);
	ASSERT_EQ(0, begin(self->kinds));
	ASSERT_EQ(0, set(IBS_POLL_TIMEOUT, -1));
	ASSERT_EQ(0, error_of(ibs_enable_cpu(0)));
	ASSERT_EQ(0, close_range(first, ~0U, 0));
	EXPECT_EQ(-EBADF,
		  error_of(ibs_sample(ROOM, self->kinds, samples, types)));
	EXPECT_NE(NULL, strstr(ibs_error(), "CPU 0"));
}

static int try_without_rights(void *arg)
{
	const int *kinds = arg;

	rights_drop();
	return -begin(*kinds);
}

/* With the right to open the device */
static int try_without_capability(void *arg)
{
	const int *kinds = arg;

	rights_keep(1ULL << CAP_DAC_OVERRIDE);
	return -begin(*kinds);
}

static int try_without_cpu(void *arg)
{
	const int *kinds = arg;

	rights_keep(1ULL << CAP_DAC_OVERRIDE);
	if (begin(*kinds))
		return 255;
	return -error_of(ibs_enable_cpu(0));
}

TEST_F(ibs_compat, rights)
{
	int ret;

	NEED_IBS();
	EXPECT_EQ(EACCES, in_child(try_without_rights, &self->kinds));
	EXPECT_EQ(EPERM, in_child(try_without_capability, &self->kinds));
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "1"));
	ret = in_child(try_without_cpu, &self->kinds);
	ASSERT_EQ(0, sysfs_write("policy/kernel_level", "0"));
	EXPECT_EQ(EPERM, ret);
}

TEST_F(ibs_compat, no_module)
{
	int ret;

	NEED_IBS();
	ASSERT_EQ(0, system("rmmod perfmon_ibs"));
	ret = begin(self->kinds);
	EXPECT_NE(NULL, strstr(ibs_error(), "perfmon_ibs"));
	ASSERT_EQ(0, system("modprobe perfmon_ibs"));
	EXPECT_EQ(-ENODEV, ret);
	EXPECT_EQ(0, begin(self->kinds));
}

TEST_HARNESS_MAIN
