// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs for libIBS: its functions, as they call them, against what the emulator knows.
 * Needs root and the emulator with a processor of AMD.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "perf.h"
#include "rights.h"

#include <linux/perfmon_ibs.h>
#include <perfmon/ibs-compat.h>
#include <sys/sysinfo.h>

#include "kselftest_harness.h"

#define SAMPLES 4096

static ibs_sample_t samples[SAMPLES];
static ibs_sample_type_t types[SAMPLES];

FIXTURE(ibs_compat)
{
	char *list; /* IBS_CPU_LIST: CPU 0 */
};

FIXTURE_SETUP(ibs_compat)
{
	pin_to(0);
	self->list = calloc(get_nprocs_conf(), 1);
	ASSERT_NE(NULL, self->list);
	self->list[0] = 1;
}

FIXTURE_TEARDOWN(ibs_compat)
{
	ibs_finalize();
	free(self->list);
}

#define NEED_IBS()                                                          \
	do {                                                                \
		if (!emulator_present())                                    \
			SKIP(return, "needs the emulator with an x86 PMU"); \
		if (!has_register(PFM_IBS_PMD_OP))                          \
			SKIP(return, "no IBS here");                        \
	} while (0)

static int initialize(const char *list, bool ops, bool fetches,
		      unsigned long max_cnt, unsigned long enough)
{
	ibs_option_list_t options[] = {
		{ IBS_POLL_TIMEOUT, (ibs_val_t)1 },
		{ IBS_POLL_NUM_SAMPLES, (ibs_val_t)enough },
		{ IBS_READ_ON_TIMEOUT, (ibs_val_t)1 },
		{ IBS_CPU_LIST, (ibs_val_t)list },
		{ IBS_MAX_CNT, (ibs_val_t)max_cnt },
		{ IBS_OP, (ibs_val_t)ops },
		{ IBS_FETCH, (ibs_val_t)fetches },
	};

	return ibs_initialize(options,
			      sizeof(options) / sizeof(ibs_option_list_t), 0);
}

/* What the emulator took on this CPU since before. */
static void taken_since(const struct emulated *before, uint64_t *ops,
			uint64_t *fetches)
{
	struct emulated now;

	emulated_here(&now);
	*ops = now.op_samples - before->op_samples;
	*fetches = now.fetch_samples - before->fetch_samples;
}

/* Take what there is, by kind.  Returns the number of samples that are not as they must be. */
static unsigned int read_all(uint64_t *ops, uint64_t *fetches, uint64_t *own)
{
	unsigned int wrong = 0;
	int i, n;

	for (;;) {
		n = ibs_sample(SAMPLES, IBS_OP_SAMPLE | IBS_FETCH_SAMPLE,
			       samples, types);
		if (n <= 0)
			return wrong + (n < 0);
		for (i = 0; i < n; i++) {
			const ibs_op_t *op = &samples[i].ibs_sample.op;
			const ibs_fetch_t *fetch = &samples[i].ibs_sample.fetch;

			if (types[i] == IBS_OP_SAMPLE) {
				++*ops;
				wrong += op->cpu || !op->tsc ||
					 !op->op_ctl.reg.ibs_op_val ||
					 !op->op_ctl.reg.ibs_op_cnt_ctl ||
					 (uint64_t)op->kern_mode !=
						 op->op_rip >> 63;
				*own += op->pid == getpid();
			} else {
				++*fetches;
				wrong += types[i] != IBS_FETCH_SAMPLE ||
					 fetch->cpu || !fetch->tsc ||
					 !fetch->fetch_ctl.reg.ibs_fetch_val ||
					 !fetch->fetch_ctl.reg.ibs_rand_en ||
					 (uint64_t)fetch->kern_mode !=
						 fetch->fetch_lin_ad >> 63;
			}
		}
	}
}

/* All that the emulator took is read, in the pieces that the program asks for. */
TEST_F(ibs_compat, exact)
{
	uint64_t ops = 0, fetches = 0, own = 0, all_ops, all_fetches;
	struct emulated before;
	int round;

	NEED_IBS();
	/* With a shorter period, a debug kernel takes samples faster than they are read. */
	ASSERT_EQ(0, initialize(self->list, true, true, 0x4000, 2));
	emulated_here(&before);
	ASSERT_EQ(0, ibs_enable_all());
	for (round = 0; round < 10; round++) {
		spin(2000000);
		EXPECT_EQ(0, read_all(&ops, &fetches, &own));
	}
	ibs_disable_all();
	taken_since(&before, &all_ops, &all_fetches);
	EXPECT_EQ(0, read_all(&ops, &fetches, &own));
	EXPECT_EQ(0, ibs_lost());
	EXPECT_EQ(all_ops, ops);
	EXPECT_EQ(all_fetches, fetches);
	EXPECT_LT(20000000 / 0x40000, ops);
	EXPECT_LT(0, fetches);
	EXPECT_LT(ops / 2, own);
}

/* Who asks for one kind gets that kind, and the other one waits. */
TEST_F(ibs_compat, kinds)
{
	uint64_t ops = 0, fetches = 0, own = 0, all_ops, all_fetches;
	struct emulated before;
	int i, n, only = 0;

	NEED_IBS();
	ASSERT_EQ(0, initialize(self->list, true, true, 1024, 2));
	emulated_here(&before);
	ASSERT_EQ(0, ibs_enable_cpu(0));
	spin(2000000);
	ibs_disable_cpu(0);
	taken_since(&before, &all_ops, &all_fetches);
	/* Seven at a time */
	while ((n = ibs_sample(7, IBS_FETCH_SAMPLE, samples, types)) > 0) {
		ASSERT_GE(7, n);
		for (i = 0; i < n; i++)
			ASSERT_EQ(IBS_FETCH_SAMPLE, types[i]);
		only += n;
	}
	ASSERT_EQ(0, n);
	EXPECT_EQ(all_fetches, (uint64_t)only);
	EXPECT_EQ(0, read_all(&ops, &fetches, &own));
	EXPECT_EQ(all_ops, ops);
	EXPECT_EQ(0, fetches);
}

/* What finds the buffer full is counted. */
TEST_F(ibs_compat, lost)
{
	uint64_t ops = 0, fetches = 0, own = 0, all_ops, all_fetches;
	struct emulated before;

	NEED_IBS();
	ASSERT_EQ(0, initialize(self->list, true, false, 20, 2));
	emulated_here(&before);
	ASSERT_EQ(0, ibs_enable_all());
	do {
		spin(1000000);
	} while (ibs_lost() < 100);
	ibs_disable_all();
	taken_since(&before, &all_ops, &all_fetches);
	EXPECT_EQ(0, read_all(&ops, &fetches, &own));
	EXPECT_EQ(all_ops, ops + ibs_lost());
	EXPECT_EQ(0, all_fetches);
	EXPECT_EQ(0, fetches);
	/* As many as in the toolkit's buffer, but for a part's last entries */
	EXPECT_GE((1 << 20) / sizeof(ibs_op_t), ops);
	EXPECT_LE((1 << 20) / sizeof(ibs_op_t) - 8, ops);
}

/* Too few samples are left alone, until sampling ends. */
TEST_F(ibs_compat, enough)
{
	uint64_t ops = 0, fetches = 0, own = 0;

	NEED_IBS();
	ASSERT_EQ(0, initialize(self->list, true, false, 1024, 5000));
	ASSERT_EQ(0, ibs_set_option(IBS_READ_ON_TIMEOUT, (ibs_val_t)0));
	ASSERT_EQ(0, ibs_enable_all());
	spin(1000000);
	EXPECT_EQ(0, ibs_sample(SAMPLES, IBS_OP_SAMPLE, samples, types));
	ASSERT_EQ(0, ibs_set_option(IBS_READ_ON_TIMEOUT, (ibs_val_t)1));
	EXPECT_LT(0, ibs_sample(SAMPLES, IBS_OP_SAMPLE, samples, types));
	ASSERT_EQ(0, ibs_set_option(IBS_READ_ON_TIMEOUT, (ibs_val_t)0));
	spin(1000000);
	ibs_disable_all();
	EXPECT_EQ(0, read_all(&ops, &fetches, &own));
	EXPECT_LT(0, ops);
	/* A full part ends the wait: the time is much longer than the test may take. */
	ibs_finalize();
	ASSERT_EQ(0, initialize(self->list, true, false, 9, 1500));
	ASSERT_EQ(0, ibs_set_option(IBS_POLL_TIMEOUT, (ibs_val_t)1000000));
	ASSERT_EQ(0, ibs_enable_all());
	EXPECT_LE(1500, ibs_sample(SAMPLES, IBS_OP_SAMPLE, samples, types));
	EXPECT_EQ(0, ibs_set_option(IBS_POLL_TIMEOUT, (ibs_val_t)1));
}

static bool failed(int ret, int err)
{
	const int got = errno;

	if (ret == -1 && got == err)
		return true;
	printf("# returned %d, %s\n", ret, strerror(got));
	return false;
}

TEST_F(ibs_compat, refused)
{
	NEED_IBS();
	ASSERT_EQ(0, initialize(self->list, true, true, 1024, 2));
	EXPECT_TRUE(failed(initialize(self->list, true, true, 1024, 2), EBUSY));
	EXPECT_TRUE(
		failed(ibs_set_option(IBS_MAX_CNT, (ibs_val_t)2048), EBUSY));
	EXPECT_TRUE(failed(ibs_set_option(99, NULL), EINVAL));
	EXPECT_TRUE(failed(ibs_enable_cpu(get_nprocs_conf()), EINVAL));
	EXPECT_TRUE(failed(ibs_enable_cpu(-1), EINVAL));
	EXPECT_TRUE(
		failed(ibs_sample(0, IBS_OP_SAMPLE, samples, types), EINVAL));
	EXPECT_TRUE(failed(ibs_sample(1, 0, samples, types), EINVAL));
	EXPECT_TRUE(failed(ibs_sample(1, 4, samples, types), EINVAL));
	/* Nothing of that changed anything. */
	ASSERT_EQ(0, ibs_enable_all());
	spin(200000);
	EXPECT_LT(0, ibs_sample(SAMPLES, IBS_OP_SAMPLE, samples, types));
}

static int initialize_without_rights(void *arg)
{
	rights_drop();
	return initialize(arg, true, false, 1024, 2) == -1 ? errno : 0;
}

static int initialize_with_device(void *arg)
{
	/* For the device */
	rights_keep(1ULL << CAP_DAC_OVERRIDE);
	return initialize(arg, true, false, 1024, 2) == -1 ? errno : 0;
}

TEST_F(ibs_compat, rights)
{
	NEED_IBS();
	EXPECT_EQ(EACCES, in_child(initialize_without_rights, self->list));
	EXPECT_EQ(EPERM, in_child(initialize_with_device, self->list));
}

/* perf samples: the CPU is refused, and free again when perf has ended. */
TEST_F(ibs_compat, perf_has_it)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_period = 100000,
	};
	FILE *file;
	int event;

	NEED_IBS();
	file = fopen("/sys/bus/event_source/devices/ibs_op/type", "re");
	ASSERT_NE(NULL, file);
	ASSERT_EQ(1, fscanf(file, "%u", &attr.type));
	fclose(file);
	event = perf_open(&attr, -1, 0, -1);
	ASSERT_LE(0, event);
	EXPECT_TRUE(
		failed(initialize(self->list, true, false, 1024, 2), EBUSY));
	close(event);
	EXPECT_EQ(0, initialize(self->list, true, false, 1024, 2));
}

/* The other modules are there, and so is /dev/perfmon. */
TEST_F(ibs_compat, no_module)
{
	NEED_IBS();
	ASSERT_EQ(0, system("modprobe -r perfmon_ibs >&2"));
	EXPECT_TRUE(
		failed(initialize(self->list, true, false, 1024, 2), ENODEV));
	EXPECT_TRUE(failed(ibs_enable_all(), EINVAL));
	ASSERT_EQ(0, system("modprobe perfmon_ibs >&2"));
	EXPECT_EQ(0, initialize(self->list, true, false, 1024, 2));
}

TEST_HARNESS_MAIN
