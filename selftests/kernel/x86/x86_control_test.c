// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts and samples while others write to the global control of x86 counters, which no
 * reservation keeps them from: perf's NMI handler and perf's help for KVM.  The module
 * control_test does it in their place.  Needs root and the emulator with an x86 PMU, on one
 * CPU.
 *
 * A second process takes turns with the one that is counted.  What it executes must not be
 * in the counts.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "exact_count.h"
#include "sampling.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "kselftest_harness.h"

#define CONTROL	 "/sys/module/control_test/parameters/"
#define ROUNDS	 20000000ULL
#define SWITCHES 5

/* Write a file; the error is the test's to notice. */
static void put(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(path);
	if (fd >= 0)
		close(fd);
}

static long number_in(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		perror(path);
	if (fd >= 0)
		close(fd);
	return text[0] ? strtol(text, NULL, 0) : -1;
}

/* perfmon's handler has to be registered after that of control_test. */
static int modules_load(void)
{
	put("/proc/sys/kernel/nmi_watchdog", "0");
	return system(
		"{ modprobe -r nmi_test; modprobe -r perfmon_intel perfmon_amd; "
		"modprobe -r control_test; } 2>/dev/null; "
		"modprobe control_test && modprobe perfmon && "
		"{ modprobe perfmon_intel 2>/dev/null || modprobe perfmon_amd; } >&2");
}

static bool is_intel(void)
{
	return !access("/sys/module/perfmon_intel", F_OK);
}

FIXTURE(control)
{
	int fd;
	pid_t other;
};

FIXTURE_SETUP(control)
{
	self->fd = -1;
	self->other = 0;
	if (!emulator_present())
		return;
	ASSERT_EQ(0, modules_load());
}

FIXTURE_TEARDOWN(control)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->other) {
		kill(self->other, SIGKILL);
		waitpid(self->other, NULL, 0);
	}
	if (emulator_present()) {
		EXPECT_EQ(0, system("rmmod nmi_test 2>/dev/null; "
				    "rmmod control_test"));
	}
}

#define NEED_EMULATOR()                                                     \
	do {                                                                \
		if (!emulator_present())                                    \
			SKIP(return, "needs the emulator with an x86 PMU"); \
	} while (0)

/* perf's handler for AMD's processors does nothing unless perf has the counters. */
#define NEED_INTEL()                                                \
	do {                                                        \
		NEED_EMULATOR();                                    \
		if (!is_intel())                                    \
			SKIP(return, "needs a processor of Intel"); \
	} while (0)

/* The second process: turns until it is killed, and lets the counters run if asked to. */
static pid_t other_begin(bool run)
{
	const pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		if (run)
			put(CONTROL "run", "1");
		spin(100000);
	}
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw;
}

static int counter(int fd, uint16_t num, uint64_t value)
{
	const int ret = pmc_write(fd, num, USER | EVENT_INST_RETIRED);

	return ret ? ret : pmd_write(fd, num, value);
}

/* Somebody lets the counters run while the thread that is counted does not. */
TEST_F(control, started)
{
	TEST_PROVES(N9);
	struct emulated before, after;
	long before_switches;

	NEED_EMULATOR();
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, counter(self->fd, 0, 0));
	ASSERT_EQ(0, counter(self->fd, 1, -(SELF_COST(ROUNDS) / 2)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	self->other = other_begin(true);
	ASSERT_LT(0, self->other);
	before_switches = switches();
	emulated_here(&before);
	ASSERT_EQ(0, self_loop(self->fd, ROUNDS));
	emulated_here(&after);
	EXPECT_LE(SWITCHES, switches() - before_switches);
	/* They did count the other process. */
	EXPECT_LT(SELF_COST(ROUNDS), after.counted[0] - before.counted[0]);
	EXPECT_EQ(SELF_COST(ROUNDS), pmd_value(self->fd, 0));
	EXPECT_EQ(SELF_COST(ROUNDS) - SELF_COST(ROUNDS) / 2,
		  pmd_value(self->fd, 1));
}

/* Have control_test act as perf's handler, in NMIs that are not the PMU's as well. */
static int handler_begin(void)
{
	put(CONTROL "handler", "1");
	return system("modprobe nmi_test kind=2 from=2000 to=20000");
}

/* An NMI that comes while the thread that is counted does not run. */
TEST_F(control, handler_counts)
{
	TEST_PROVES(N1);
	long before_switches;

	NEED_INTEL();
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, counter(self->fd, 0, 0));
	ASSERT_EQ(0, counter(self->fd, 1, -(SELF_COST(ROUNDS) / 2)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, handler_begin());
	self->other = other_begin(false);
	ASSERT_LT(0, self->other);
	before_switches = switches();
	ASSERT_EQ(0, self_loop(self->fd, ROUNDS));
	EXPECT_LE(SWITCHES, switches() - before_switches);
	EXPECT_LT(1000, number_in(CONTROL "calls"));
	EXPECT_EQ(SELF_COST(ROUNDS), pmd_value(self->fd, 0));
	EXPECT_EQ(SELF_COST(ROUNDS) - SELF_COST(ROUNDS) / 2,
		  pmd_value(self->fd, 1));
	EXPECT_EQ(0, number_in("/sys/module/nmi_test/parameters/refused"));
}

/* Overflows that the other handler acknowledges; counter 3 does not sample. */
static void check_samples(struct __test_metadata *_metadata,
			  FIXTURE_DATA(control) * self, const uint64_t *periods,
			  unsigned int n)
{
	const struct pfm_default_hdr *hdr;
	struct pfm_config cfg;
	uint64_t samples = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		samples += SELF_COST(ROUNDS) / periods[i];
	self->fd = default_open(0, buffer_bytes(samples + 100, 0));
	ASSERT_LE(0, self->fd);
	hdr = buffer_map(self->fd);
	ASSERT_NE(NULL, hdr);
	for (i = 0; i < n; i++) {
		const uint64_t period = periods[i];

		ASSERT_EQ(0, counter(self->fd, i, -period));
		ASSERT_EQ(0, sample_every(self->fd, i, period, NULL, 0));
	}
	ASSERT_EQ(0, counter(self->fd, 3, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, handler_begin());
	self->other = other_begin(false);
	ASSERT_LT(0, self->other);
	ASSERT_EQ(0, self_loop(self->fd, ROUNDS));
	EXPECT_EQ(SELF_COST(ROUNDS), pmd_value(self->fd, 3));
	EXPECT_EQ(samples, hdr->hdr_count);
	EXPECT_EQ(0, hdr->hdr_lost);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(samples, cfg.overflows);
	EXPECT_EQ(0, cfg.skipped);
	EXPECT_EQ(0, cfg.throttled);
	EXPECT_LT(0, number_in(CONTROL "acknowledged"));
	EXPECT_EQ(0, number_in("/sys/module/nmi_test/parameters/refused"));
}

/* With the kernel's checkers an overflow takes so long that a shorter period is throttled. */
#define PERIOD_WITHOUT_PAUSE(period) \
	((period) * (kernel_has_checkers() ? 10 : 1))

TEST_F(control, handler_samples_one)
{
	TEST_PROVES(Q3);
	const uint64_t periods[] = { PERIOD_WITHOUT_PAUSE(10007) };

	NEED_INTEL();
	check_samples(_metadata, self, periods, ARRAY_LEN(periods));
}

TEST_F(control, handler_samples_three)
{
	const uint64_t periods[] = { PERIOD_WITHOUT_PAUSE(50021),
				     PERIOD_WITHOUT_PAUSE(50021),
				     PERIOD_WITHOUT_PAUSE(75011) };

	NEED_INTEL();
	check_samples(_metadata, self, periods, ARRAY_LEN(periods));
}

TEST_HARNESS_MAIN
