// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many event sets of a context that follows, of which each task sees few: each count is in
 * the record of the right task and set, no record has anything else, and all adds up.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "module.h"
#include "records.h"
#include "sampling.h"
#include "sets.h"

#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "modules/fmt_test.h"
#include "progs/exact.h"

#define SETS	200
#define WRITTEN 150 /* a set that is never active */
#define VALUE	12345
#define LOOP	5000

/* Sets that are active, one after the other. */
static const uint16_t picks[] = { 3, 63, 64, 0, 199 };

#define PICKS ARRAY_LEN(picks)

static uint64_t loop_cost(uint64_t n)
{
	return COST_NUMBER(digits(n)) + COST_LOOP(n) + COST_ENDING;
}

/* Counts of a task in a set. */
static uint64_t value_in(const struct pfm_record *rec, uint16_t set,
			 uint16_t num)
{
	uint64_t sum = 0;
	uint16_t i;

	for (i = 0; i < rec->nregs; i++) {
		if (rec->regs[i].set == set && rec->regs[i].num == num)
			sum += rec->regs[i].value;
	}
	return sum;
}

static uint64_t sum_in(const struct records *recs, uint16_t set, uint16_t num)
{
	struct pfm_record *rec;
	uint64_t sum = 0;

	for_each_record(rec, recs)
		sum += value_in(rec, set, num);
	return sum;
}

/* Values other than zero of sets that a task never saw. */
static unsigned int strays(const struct pfm_record *rec, const uint16_t *sets,
			   unsigned int n)
{
	unsigned int found = 0, i, s;

	for (i = 0; i < rec->nregs; i++) {
		const struct pfm_reg *reg = &rec->regs[i];

		if (!reg->value || reg->num == PFM_REG_SET_ENABLED)
			continue;
		for (s = 0; s < n && sets[s] != reg->set; s++)
			;
		found += s == n;
	}
	return found;
}

/* Run a program that is followed with a set active. */
static int run_with(int fd, uint16_t set, const char *const argv[])
{
	int ret = start_with(fd, set);
	pid_t pid;

	if (ret)
		return ret;
	pid = fork();
	if (!pid) {
		execv(argv[0], (char *const *)argv);
		_exit(126);
	}
	ret = child_reap(pid);
	return ret ? ret : context_stop(fd);
}

/* Totals of all sets, one kept register or counter after the other. */
struct totals {
	uint64_t values[SETS][3];
	uint64_t enabled;
};

static void totals_read(int fd, uint16_t num, struct totals *totals)
{
	unsigned int set;

	for (set = 0; set < SETS; set++) {
		totals->values[set][0] = set_value(fd, set, num);
		totals->values[set][1] = set_value(fd, set, PFM_REG_SET_ACTIVE);
		totals->values[set][2] = set_value(fd, set, PFM_REG_SET_RUNS);
	}
	totals->enabled = set_value(fd, 0, PFM_REG_SET_ENABLED);
}

static void totals_sum(const struct records *recs, uint16_t num,
		       struct totals *totals)
{
	unsigned int set;

	for (set = 0; set < SETS; set++) {
		totals->values[set][0] = sum_in(recs, set, num);
		totals->values[set][1] = sum_in(recs, set, PFM_REG_SET_ACTIVE);
		totals->values[set][2] = sum_in(recs, set, PFM_REG_SET_RUNS);
	}
	totals->enabled = sum_in(recs, 0, PFM_REG_SET_ENABLED);
}

/* Number of totals that differ. */
static int differ(const struct totals *a, const struct totals *b)
{
	int n = a->enabled != b->enabled;
	unsigned int set, i;

	for (set = 0; set < SETS; set++) {
		for (i = 0; i < ARRAY_LEN(a->values[set]); i++)
			n += a->values[set][i] != b->values[set][i];
	}
	return n;
}

/*
 * Unload, and take the records: what they add up to, and what the totals were
 * while the context was loaded, should be the totals.  How many are not; -errno.
 */
static int unload(int fd, uint16_t num, struct records *recs)
{
	static struct totals loaded, unloaded, sum;
	int ret;

	totals_read(fd, num, &loaded);
	ret = context_unload(fd);
	if (!ret)
		ret = records_collect(fd, recs, 1 << 16);
	if (ret)
		return ret;
	totals_read(fd, num, &unloaded);
	totals_sum(recs, num, &sum);
	return differ(&loaded, &unloaded) + differ(&sum, &unloaded);
}

/* Each set counts the user's instructions; one begins with a value. */
static int sets_setup(int fd)
{
	struct pfm_set_desc desc = {};
	unsigned int set;
	int ret = 0;

	for (set = 0; set < SETS && !ret; set++) {
		desc.set = set;
		ret = set_create(fd, &desc);
		if (!ret)
			ret = set_pmc_write(fd, set, 0,
					    USER | EVENT_INST_RETIRED);
		if (!ret)
			ret = set_pmd_write(fd, set, 0,
					    set == WRITTEN ? VALUE : 0);
	}
	return ret;
}

FIXTURE(exact)
{
	const char *missing;
	int fd;
	struct records recs;
};

FIXTURE_SETUP(exact)
{
	self->missing = exact_missing();
	self->fd = context_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, self->fd);
	if (!self->missing)
		ASSERT_EQ(0, sets_setup(self->fd));
}

FIXTURE_TEARDOWN(exact)
{
	close(self->fd);
	free(self->recs.buf);
}

/* A task has values of the set that was active, and of no other. */
TEST_F(exact, each_in_its_set)
{
	TEST_PROVES(V4);
	unsigned int i, execs = 0, exits = 0, others = 0;
	struct pfm_record *rec;
	char text[16];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < PICKS; i++) {
		snprintf(text, sizeof(text), "%u", LOOP + i);
		ASSERT_EQ(0, run_with(self->fd, picks[i],
				      ARGV(program("loop"), text)));
	}
	ASSERT_EQ(0, unload(self->fd, 0, &self->recs));
	for_each_record(rec, &self->recs) {
		if (rec->reason == PFM_RECORD_EXEC) {
			ASSERT_GT(PICKS, execs);
			EXPECT_LT(0, value_in(rec, picks[execs], 0));
			EXPECT_EQ(0, strays(rec, &picks[execs], 1));
			execs++;
		} else if (rec->reason == PFM_RECORD_EXIT) {
			ASSERT_GT(PICKS, exits);
			EXPECT_EQ(loop_cost(LOOP + exits),
				  value_in(rec, picks[exits], 0));
			EXPECT_EQ(0, strays(rec, &picks[exits], 1));
			exits++;
		} else {
			/* This process, which saw all of them. */
			EXPECT_EQ(PFM_RECORD_UNLOAD, rec->reason);
			EXPECT_EQ(VALUE, value_in(rec, WRITTEN, 0));
			EXPECT_EQ(0, value_in(rec, WRITTEN, PFM_REG_SET_RUNS));
			others++;
		}
	}
	EXPECT_EQ(PICKS, execs);
	EXPECT_EQ(PICKS, exits);
	EXPECT_EQ(1, others);
	EXPECT_EQ(VALUE, set_value(self->fd, WRITTEN, 0));
	EXPECT_EQ(0, set_value(self->fd, WRITTEN - 1, 0));
}

/* The values that a set begins with are in the first program's record only. */
TEST_F(exact, exec)
{
	const struct pfm_start start = {
		.set = 199,
		.flags = PFM_START_ON_EXEC,
	};
	const uint16_t first[] = { start.set, WRITTEN };
	struct pfm_record *rec;
	struct child child;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	child_exec(&child,
		   ARGV(program("execloop"), "77", program("loop"), "1234"));
	ASSERT_EQ(0, context_load(self->fd, child.pid));
	ASSERT_EQ(0, call(self->fd, PFM_IOC_START, &start));
	child_go(&child);
	ASSERT_EQ(0, measure_end(self->fd, &child));
	ASSERT_EQ(0, unload(self->fd, 0, &self->recs));
	ASSERT_EQ(2, self->recs.n);
	rec = record_next(&self->recs, NULL);
	EXPECT_EQ(PFM_RECORD_EXEC, rec->reason);
	EXPECT_EQ(VALUE, value_in(rec, WRITTEN, 0));
	EXPECT_EQ(COST_NUMBER(2) + COST_LOOP(77) + COST_EXECUTE,
		  value_in(rec, start.set, 0));
	EXPECT_EQ(1, value_in(rec, start.set, PFM_REG_SET_RUNS));
	EXPECT_EQ(0, strays(rec, first, 2));
	rec = record_next(&self->recs, rec);
	EXPECT_EQ(PFM_RECORD_EXIT, rec->reason);
	EXPECT_EQ(loop_cost(1234), value_in(rec, start.set, 0));
	EXPECT_EQ(0, value_in(rec, start.set, PFM_REG_SET_RUNS));
	EXPECT_EQ(0, strays(rec, &start.set, 1));
	EXPECT_EQ(VALUE, set_value(self->fd, WRITTEN, 0));
}

/* A record that stands for several tasks has the sets of all of them. */
TEST_F(exact, merged)
{
	TEST_PROVES(V4);
	unsigned int i, merged = 0;
	struct pfm_record *rec;
	struct pfm_config cfg;
	char text[16];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.records_max = 1;
	ASSERT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < 2 * PICKS; i++) {
		snprintf(text, sizeof(text), "%u", LOOP + i);
		ASSERT_EQ(0, run_with(self->fd, picks[i % PICKS],
				      ARGV(program("loop"), text)));
	}
	ASSERT_EQ(0, unload(self->fd, 0, &self->recs));
	EXPECT_EQ(4 * PICKS + 1, records_tasks(&self->recs));
	for_each_record(rec, &self->recs) {
		if (strcmp(record_path(rec), program("loop")))
			continue;
		EXPECT_EQ(PFM_RECORD_MERGED, rec->reason);
		EXPECT_EQ(2 * PICKS, rec->tasks);
		for (i = 0; i < PICKS; i++)
			EXPECT_EQ(loop_cost(LOOP + i) +
					  loop_cost(LOOP + PICKS + i),
				  value_in(rec, picks[i], 0));
		EXPECT_EQ(0, strays(rec, picks, PICKS));
		merged++;
	}
	EXPECT_EQ(1, merged);
}

/* A value that samples is reset all the time, but counts on for the task. */
TEST_F(exact, samples)
{
	const struct pfm_pmd_attr attr = {
		.num = 0,
		.set = 64,
		.long_reset = -20000,
		.short_reset = -20000,
	};
	const uint64_t n = 3000000;
	struct pfm_record *rec;
	struct pfm_config cfg;
	unsigned int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, set_pmd_write(self->fd, attr.set, 0, -20000));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, run_with(self->fd, attr.set,
				      ARGV(program("loop"), "3000000")));
	ASSERT_EQ(0, unload(self->fd, 0, &self->recs));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_LT(0, cfg.overflows);
	EXPECT_EQ(7, self->recs.n);
	for_each_record(rec, &self->recs) {
		if (rec->reason != PFM_RECORD_EXIT)
			continue;
		EXPECT_EQ(loop_cost(n), value_in(rec, attr.set, 0));
		EXPECT_EQ(0, strays(rec, &attr.set, 1));
	}
}

/* A format may write a register of a set that the task never saw. */
TEST_F(exact, format)
{
	const uint8_t uuid[PFM_UUID_LEN] = FMT_TEST_UUID;
	const struct fmt_test_arg arg = {
		.size = 4096,
		.handler_ret = FMT_TEST_RESET,
		.op = FMT_TEST_OP_WRITE_PMDS,
		.nregs = 1,
		.regs = { { .num = 0, .set = 100, .value = 777 } },
	};
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.set = 64,
		.long_reset = -100000,
		.short_reset = -100000,
	};
	const uint16_t sets[] = { attr.set, arg.regs[0].set };
	struct pfm_record *rec;
	unsigned int exits = 0;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	LOAD_OR_SKIP("fmt_test");
	fd = format_open(PFM_CTX_FOLLOW_ALL, uuid, &arg, sizeof(arg));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, sets_setup(fd));
	ASSERT_EQ(0, set_pmc_write(fd, attr.set, CYCLES, CYCLES_AT(USER)));
	ASSERT_EQ(0, set_pmd_write(fd, attr.set, CYCLES, -100000));
	ASSERT_EQ(0, attr_write(fd, &attr));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, run_with(fd, attr.set, ARGV(program("loop"), "300000")));
	ASSERT_EQ(0, unload(fd, 0, &self->recs));
	for_each_record(rec, &self->recs) {
		if (rec->reason != PFM_RECORD_EXIT)
			continue;
		EXPECT_EQ(777, value_in(rec, 100, 0));
		EXPECT_EQ(loop_cost(300000), value_in(rec, attr.set, 0));
		EXPECT_EQ(0, strays(rec, sets, 2));
		exits++;
	}
	EXPECT_EQ(1, exits);
	EXPECT_LE(777, set_value(fd, 100, 0));
	close(fd);
	/* The last reference on a file may be dropped a little later. */
	while (syscall(SYS_delete_module, "fmt_test", O_NONBLOCK) &&
	       errno == EWOULDBLOCK)
		usleep(1000);
}

/* Processes, one after the other, that have work for some time slices. */
static void work(void)
{
	unsigned int i;
	pid_t pid;

	for (i = 0; i < 20; i++) {
		pid = fork();
		if (!pid) {
			spin(500000);
			_exit(0);
		}
		child_reap(pid);
	}
	_exit(0);
}

/* Time of each task and set is found again, also when it is asked for meanwhile. */
TEST(they_add_up)
{
	const int fd = context_open(PFM_CTX_FOLLOW_ALL);
	struct records recs = {};
	/* In the middle of their kind: what tasks leave moves in pieces. */
	const uint16_t looked[] = { 17, 180 };
	uint64_t active, last[] = { 0, 0 };
	unsigned int set, i;
	pid_t pids[2];
	int status;

	ASSERT_LE(0, fd);
	for (set = 0; set < SETS; set++) {
		ASSERT_EQ(0, set_timed(fd, set, 100000));
		ASSERT_EQ(0, set_pmd_write(fd, set, CPU_TIME_NS,
					   set == WRITTEN ? VALUE : 0));
	}
	/* Those that follow the task are no set's. */
	ASSERT_EQ(0, pmd_write(fd, CONTEXT_SWITCHES, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	for (set = 0; set < 2; set++) {
		pids[set] = fork();
		if (!pids[set])
			work();
	}
	/* Sets with time slices. */
	while (!waitpid(pids[0], &status, WNOHANG)) {
		for (i = 0; i < ARRAY_LEN(looked); i++) {
			active = set_value(fd, looked[i], PFM_REG_SET_ACTIVE);
			EXPECT_LE(last[i], active);
			last[i] = active;
		}
	}
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, child_reap(pids[1]));
	/* On a busy host a time slice lasts until the late emulated interrupt. */
	for (i = 0; i < 1000 && !set_value(fd, 17, CPU_TIME_NS); i++)
		spin(1000000);
	ASSERT_EQ(0, context_stop(fd));
	ASSERT_EQ(0, unload(fd, CPU_TIME_NS, &recs));
	EXPECT_EQ(43, recs.n);
	EXPECT_EQ(pmd_value(fd, CONTEXT_SWITCHES),
		  records_sum(&recs, CONTEXT_SWITCHES));
	EXPECT_LT(0, pmd_value(fd, CONTEXT_SWITCHES));
	EXPECT_LT(0, set_value(fd, 17, CPU_TIME_NS));
	EXPECT_LE(VALUE, set_value(fd, WRITTEN, CPU_TIME_NS));
	free(recs.buf);
	close(fd);
}

/* A child that has its CPU switch tasks as often as it can. */
static pid_t child_yields(void)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	if (pid)
		return pid;
	die_with_parent(parent);
	for (;;)
		sched_yield();
}

/*
 * Whoever is switched to after START counts in the set that START names, and in no
 * other.  On a machine that keeps stores and loads in order this cannot fail.
 */
TEST(start_with_another_set)
{
	const int fd = context_open(PFM_CTX_FOLLOW_ALL);
	pid_t pids[3];
	uint64_t runs[2];
	unsigned int i;

	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, set_describe(fd, i, 0));
		ASSERT_EQ(0, set_pmd_write(fd, i, CPU_TIME_NS, 0));
	}
	ASSERT_EQ(0, context_load(fd, 0));
	for (i = 0; i < ARRAY_LEN(pids); i++) {
		pids[i] = child_yields();
		ASSERT_LT(0, pids[i]);
	}
	for (i = 0; i < 200; i++) {
		const unsigned int other = !(i % 2);

		runs[0] = set_value(fd, other, PFM_REG_SET_RUNS);
		ASSERT_EQ(0, start_with(fd, i % 2));
		ASSERT_EQ(0, context_stop(fd));
		runs[1] = set_value(fd, other, PFM_REG_SET_RUNS);
		ASSERT_EQ(runs[0], runs[1]);
	}
	/* Both were counted in. */
	EXPECT_LT(0, set_value(fd, 0, PFM_REG_SET_RUNS));
	EXPECT_LT(0, set_value(fd, 1, PFM_REG_SET_RUNS));
	for (i = 0; i < ARRAY_LEN(pids); i++)
		child_kill(pids[i]);
	close(fd);
}

TEST_HARNESS_MAIN
