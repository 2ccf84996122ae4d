// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflows that are noted first and handled by irq_work, as where the PMU interrupts by an
 * NMI; what overflows come with; and a unit that samples beside the counters.  The PMU
 * is one of software (modules/pmi_test.c), which counts nanoseconds; needs root.
 */
#include <sys/wait.h>

#include "child.h"
#include "context.h"
#include "cpu.h"
#include "module.h"
#include "sampling.h"

#include "kselftest_harness.h"

#define RECORD	4 /* number of the record that an overflow comes with */
#define UNIT	192
#define PERIOD	100000ULL
#define ENTRIES 4096

static bool is_loaded(const char *module)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/%s", module);
	return !access(path, F_OK);
}

/* The module of the hardware's counters, in whose place the test's module is loaded. */
static const char *hardware_module(void)
{
	static const char *const names[] = { "perfmon_armv8", "perfmon_intel",
					     "perfmon_amd" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++) {
		if (is_loaded(names[i]))
			return names[i];
	}
	return NULL;
}

FIXTURE(pmi)
{
	int fd;
	const char *had;
	size_t size;
	const struct pfm_default_hdr *hdr;
};

FIXTURE_VARIANT(pmi)
{
	bool unit;
	const char *options;
};

FIXTURE_VARIANT_ADD(pmi, counters){
	.options = "",
};

FIXTURE_VARIANT_ADD(pmi, unit){
	.unit = true,
	.options = "unit=1",
};

#ifdef __x86_64__
/* Interrupts are NMIs that another CPU sends all the time. */
FIXTURE_VARIANT_ADD(pmi, nmi){
	.options = "nmi=1",
};

FIXTURE_VARIANT_ADD(pmi, unit_nmi){
	.unit = true,
	.options = "unit=1 nmi=1",
};
#endif

static bool lacks_module(void)
{
	return system("modinfo pmi_test >/dev/null 2>&1");
}

static bool lacks_cpu(const FIXTURE_VARIANT(pmi) * variant)
{
	return strstr(variant->options, "nmi") && cpus_online() < 2;
}

/* The harness runs a test even though its setup has skipped it. */
#define NEED_PMI()                                          \
	do {                                                \
		if (lacks_module())                         \
			SKIP(return, "no module pmi_test"); \
		if (lacks_cpu(variant))                     \
			SKIP(return, "needs two CPUs");     \
	} while (0)

FIXTURE_SETUP(pmi)
{
	char command[64];

	self->fd = -1;
	if (lacks_module() || lacks_cpu(variant))
		return;
	self->had = variant->unit ? NULL : hardware_module();
	if (self->had) {
		snprintf(command, sizeof(command), "rmmod %s", self->had);
		ASSERT_EQ(0, system(command));
	}
	/* The other CPU sends the NMIs. */
	pin_to(0);
	/* modprobe would load the other PMU module again, which the core asks for. */
	snprintf(command, sizeof(command), "insmod $(modinfo -n pmi_test) %s",
		 variant->options);
	ASSERT_EQ(0, system(command));
}

FIXTURE_TEARDOWN(pmi)
{
	char command[64];

	if (self->hdr)
		munmap((void *)self->hdr, self->size);
	if (self->fd >= 0)
		close(self->fd);
	/* After a test that failed, an ASSERT here would come back here without end. */
	if (is_loaded("pmi_test")) {
		EXPECT_EQ(0, system("rmmod pmi_test"));
	}
	if (self->had) {
		snprintf(command, sizeof(command), "modprobe %s", self->had);
		EXPECT_EQ(0, system(command));
	}
}

static uint16_t num(const FIXTURE_VARIANT(pmi) * variant, uint16_t n)
{
	return (variant->unit ? UNIT : 0) + n;
}

static int open_buffer(FIXTURE_DATA(pmi) * self, uint32_t flags)
{
	struct pfm_config cfg;

	self->fd = default_open(flags, buffer_bytes(ENTRIES, 2));
	if (self->fd < 0)
		return self->fd;
	self->hdr = buffer_map(self->fd);
	if (!self->hdr || config_get(self->fd, &cfg))
		return -ENOMEM;
	self->size = cfg.buffer_size;
	return 0;
}

/*
 * Spend CPU time until there were n overflows.  A time would not do: the host may be busy.  Then
 * little is counted, as the counters stand still while overflows are handled.
 */
static bool burn_overflows(const FIXTURE_DATA(pmi) * self, uint64_t n)
{
	struct pfm_config cfg;
	unsigned int polls;

	for (polls = 0; polls < 100000; polls++) {
		burn_ns(100000);
		if (config_get(self->fd, &cfg))
			return false;
		if (cfg.overflows >= n)
			return true;
	}
	return false;
}

/* All that the register counted, if each overflow is one period. */
static uint64_t counted(const FIXTURE_DATA(pmi) * self, uint16_t num,
			uint64_t period)
{
	struct pfm_config cfg;

	if (config_get(self->fd, &cfg))
		return 0;
	return pmd_value(self->fd, num) + period +
	       (cfg.overflows + cfg.skipped) * period;
}

/* A counter counts no more than the clock of CPU time, and resume goes on from a stop. */
TEST_F(pmi, counts)
{
	const uint16_t ns = num(variant, 0);
	uint64_t value, cpu;
	int i;

	NEED_PMI();
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, ns, 0));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, context_start(self->fd, 0));
		burn_ns(1000000);
		sched_yield();
		ASSERT_EQ(0, context_stop(self->fd));
	}
	value = pmd_value(self->fd, ns);
	cpu = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LE(10 * 1000000, value);
	/* The clock runs a little longer: it is started first and stopped last. */
	EXPECT_GE(cpu, value);
}

/* The low bits wrap: the value goes on, whoever finds the wrap. */
TEST_F(pmi, wrap)
{
	const uint64_t first = (5ULL << 47) - 3000000;
	const uint16_t ns = num(variant, 0);
	uint64_t last = first, value;
	struct pfm_config cfg;
	int i;

	NEED_PMI();
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, ns, first));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 200; i++) {
		ASSERT_EQ(0, pmd_read(self->fd, ns, &value));
		ASSERT_LE(last, value);
		ASSERT_GE(last + 1000000000, value);
		last = value;
		burn_ns(50000);
	}
	EXPECT_LT(5ULL << 47, last);
	ASSERT_EQ(0, context_stop(self->fd));
	/* And on from there, without a second wrap. */
	ASSERT_EQ(0, context_start(self->fd, 0));
	burn_ns(1000000);
	ASSERT_EQ(0, context_stop(self->fd));
	value = pmd_value(self->fd, ns);
	EXPECT_LE(last + 1000000, value);
	EXPECT_GE(last + 1000000000, value);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.overflows);
}

/* One register samples: each overflow is a sample, and none is lost. */
TEST_F(pmi, samples)
{
	const uint16_t ns = num(variant, 0);
	uint64_t i, last = 0, known = 0, value;
	struct pfm_config cfg;

	NEED_PMI();
	ASSERT_EQ(0, open_buffer(self, 0));
	ASSERT_EQ(0, pmd_write(self->fd, ns, -PERIOD));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, sample_every(self->fd, ns, PERIOD, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_overflows(self, 40));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
	value = counted(self, ns, PERIOD);
	EXPECT_GE(pmd_value(self->fd, CPU_TIME_NS), value);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 0);

		ASSERT_EQ(ns, entry->ovfl_pmd);
		ASSERT_EQ(getpid(), entry->pid);
		known += !!entry->ip;
		/* Overflows that one late interrupt finds have its time. */
		ASSERT_LE(last, entry->tstamp);
		last = entry->tstamp;
	}
	/*
	 * Not when the overflow is found at a context switch, before its interrupt.  How many
	 * are depends on how busy the host is.
	 */
	EXPECT_LT(0, known);
}

/* Several registers sample, with the values of others. */
TEST_F(pmi, several)
{
	uint64_t n[4] = {}, i;
	struct pfm_config cfg;
	unsigned int r;

	NEED_PMI();
	ASSERT_EQ(0, open_buffer(self, 0));
	for (r = 0; r < 4; r++) {
		const uint64_t period = (r + 1) * PERIOD;

		ASSERT_EQ(0, pmd_write(self->fd, num(variant, r), -period));
		ASSERT_EQ(0, sample_every(self->fd, num(variant, r), period,
					  PMD_LIST(num(variant, 0))));
	}
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_overflows(self, 80));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 1);

		ASSERT_LE(num(variant, 0), entry->ovfl_pmd);
		ASSERT_GE(num(variant, 3), entry->ovfl_pmd);
		n[entry->ovfl_pmd - num(variant, 0)]++;
	}
	EXPECT_LT(5, n[3]);
	if (cfg.skipped)
		return;
	/* All registers count the same, so the numbers are those of the periods. */
	for (r = 1; r < 4; r++) {
		EXPECT_LE(n[0], (r + 1) * n[r] + r);
		EXPECT_GE(n[0] + 1, (r + 1) * n[r]);
	}
}

/* The data of overflows: a number and an address of its own for each. */
TEST_F(pmi, records)
{
	const uint16_t ns = num(variant, 0), record = num(variant, RECORD);
	uint64_t i, first;
	struct pfm_config cfg;

	NEED_PMI();
	ASSERT_EQ(0, open_buffer(self, 0));
	ASSERT_EQ(0, pmd_write(self->fd, ns, -PERIOD));
	EXPECT_EQ(-EACCES, pmd_write(self->fd, record, 1));
	ASSERT_EQ(0, sample_every(self->fd, ns, PERIOD, PMD_LIST(record)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_overflows(self, 20));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
	first = entry_val(entry_at(self->hdr, 0, 1), 0);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 1);

		ASSERT_EQ(first + i, entry_val(entry, 0));
		ASSERT_EQ(first + i, entry->ip);
	}
	/* The last one stays, and no count is added to it. */
	EXPECT_EQ(first + i - 1, pmd_value(self->fd, record));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(first + i - 1, pmd_value(self->fd, record));
}

/* An interrupt that comes after twenty periods: each has its record. */
TEST_F(pmi, many_records)
{
	const uint16_t ns = num(variant, 0), record = num(variant, RECORD);
	struct pfm_config cfg;
	uint64_t i, first;

	NEED_PMI();
	ASSERT_EQ(0, open_buffer(self, 0));
	ASSERT_EQ(0, pmc_write(self->fd, ns, 20 * PERIOD));
	ASSERT_EQ(0, pmd_write(self->fd, ns, -PERIOD));
	ASSERT_EQ(0, sample_every(self->fd, ns, PERIOD, PMD_LIST(record)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_overflows(self, 21));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.skipped);
	first = entry_val(entry_at(self->hdr, 0, 1), 0);
	for (i = 0; i < self->hdr->hdr_count; i++)
		ASSERT_EQ(first + i, entry_val(entry_at(self->hdr, i, 1), 0));
}

/* Without records, what an interrupt does not handle is counted. */
TEST_F(pmi, late)
{
	const uint16_t ns = num(variant, 0);
	struct pfm_config cfg;
	uint64_t value;

	NEED_PMI();
	ASSERT_EQ(0, open_buffer(self, 0));
	ASSERT_EQ(0, pmc_write(self->fd, ns, 20 * PERIOD));
	ASSERT_EQ(0, pmd_write(self->fd, ns, -PERIOD));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, sample_every(self->fd, ns, PERIOD, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_overflows(self, 10));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_LT(0, cfg.skipped);
	value = counted(self, ns, PERIOD);
	EXPECT_GE(pmd_value(self->fd, CPU_TIME_NS), value);
}

/* A context that follows: counts are added up, records are not. */
TEST_F(pmi, follows)
{
	const uint16_t ns = num(variant, 0), record = num(variant, RECORD);
	uint64_t value = 0, cpu = 0;
	struct pfm_config cfg;
	int i, status;

	NEED_PMI();
	ASSERT_EQ(0, open_buffer(self, PFM_CTX_FOLLOW_ALL));
	ASSERT_EQ(0, pmd_write(self->fd, ns, -PERIOD));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, sample_every(self->fd, ns, PERIOD, PMD_LIST(record)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 4; i++) {
		if (!fork())
			_exit(!burn_overflows(self, 10 * (i + 1)));
	}
	while (wait(&status) > 0)
		EXPECT_EQ(0, status);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_LE(40, cfg.overflows);
	EXPECT_EQ(0, pmd_value(self->fd, record));
	/* The first period is no part of the count. */
	value = pmd_value(self->fd, ns);
	cpu = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_GE(cpu, value);
	/* Those that were skipped are of several periods. */
	EXPECT_LE(cfg.overflows * PERIOD, value + PERIOD);
}

/* A unit and the clock overflow side by side, each with its samples. */
TEST_F(pmi, beside)
{
	const uint16_t ns = num(variant, 0);
	uint64_t i, n[2] = {};
	struct pfm_config cfg;

	NEED_PMI();
	ASSERT_EQ(0, open_buffer(self, 0));
	ASSERT_EQ(0, pmd_write(self->fd, ns, -PERIOD));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -3 * PERIOD));
	ASSERT_EQ(0, sample_every(self->fd, ns, PERIOD, NULL, 0));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 3 * PERIOD, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(true, burn_overflows(self, 80));
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++)
		n[entry_at(self->hdr, i, 0)->ovfl_pmd == CPU_TIME_NS]++;
	EXPECT_LT(20, n[0]);
	EXPECT_LT(5, n[1]);
}

#define PARAMETERS "/sys/module/pmi_test/parameters/"

static int hold_write(const char *text)
{
	const int fd = open(PARAMETERS "hold", O_WRONLY | O_CLOEXEC);
	const ssize_t len = write(fd, text, 1);

	close(fd);
	return len == 1 ? 0 : -errno;
}

/* Waits until a file has this text, some seconds at most. */
static bool becomes(const char *path, const char *text)
{
	char now[64];
	ssize_t len;
	int fd, i;

	for (i = 0; i < 5000; i++) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		len = read(fd, now, sizeof(now) - 1);
		close(fd);
		if (len > 0 && len == (ssize_t)strlen(text) &&
		    !memcmp(now, text, len))
			return true;
		usleep(1000);
	}
	return false;
}

/* A LOAD that waits for a PMU keeps nobody from executing a program meanwhile. */
TEST_F(pmi, load_that_waits)
{
	const char *const argv[] = { program("spin"), NULL };
	struct child child;
	char comm[64];
	pid_t loader;

	NEED_PMI();
	child_exec(&child, argv);
	snprintf(comm, sizeof(comm), "/proc/%d/comm", child.pid);
	ASSERT_EQ(0, hold_write("Y"));
	loader = fork();
	if (!loader) {
		const int fd = context_open(0);
		int ret = pmc_write(fd, num(variant, 0), 0);

		if (!ret)
			ret = pmd_write(fd, num(variant, 0), 0);
		if (!ret)
			ret = context_load(fd, child.pid);
		_exit(ret ? 1 : 0);
	}
	EXPECT_EQ(true, becomes(PARAMETERS "held", "Y\n"));
	child_go(&child);
	EXPECT_EQ(true, becomes(comm, "spin\n"));
	EXPECT_EQ(0, hold_write("N"));
	EXPECT_EQ(0, child_reap(loader));
	child_kill(child.pid);
}

TEST_HARNESS_MAIN
