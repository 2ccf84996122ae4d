// SPDX-License-Identifier: GPL-2.0-only
/*
 * hammer SEED ROUNDS: loads, starts, switches sets, samples, follows, migrates, stops and
 * unloads, at random, on the emulator with an x86 PMU. Each register's values, summed over
 * all contexts and sets, must be what the emulator says that the counter counted meanwhile,
 * exactly. Prints a line for each kind of work, and the first difference; ends with status 1
 * if there is one.
 *
 * A PMD has the number of its counter in the emulator, which is why one array holds both.
 */
#include <inttypes.h>
#include <sys/syscall.h>
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "exact_count.h"
#include "sampling.h"
#include "sets.h"
#include "exact.h"

#define USR	     (1ULL << 16)
#define OS	     (1ULL << 17)
#define INSTRUCTIONS 0x00c0
#define SYNTHETIC    0x010e /* a rule of the option 'events' */
#define USER_COUNTER 1
#define FIXED	     32
#define FIXED_OS     1ULL
#define FIXED_USR    2ULL

#define CPU1 "/sys/devices/system/cpu/cpu1/online"

/* Events and their registers. Those that the processor lacks are left out. */
static struct counter {
	uint16_t num;
	uint64_t control;
	bool exists;
} counters[] = {
	{ 0, INSTRUCTIONS | USR | OS, false },
	{ USER_COUNTER, INSTRUCTIONS | USR, false },
	{ 2, INSTRUCTIONS | OS, false },
	{ 3, SYNTHETIC | USR | OS, false },
	{ FIXED, FIXED_USR, false },
	{ FIXED + 1, FIXED_USR | FIXED_OS, false },
};

#define for_each_counter(c)                                                    \
	for (struct counter *c = counters; c < counters + ARRAY_LEN(counters); \
	     c++)                                                              \
		if (c->exists)

/* The counts that perfmon reported, by PMD */
struct sums {
	uint64_t value[EMULATED_COUNTERS];
};

static uint64_t state;

/* xorshift64*, by Vigna */
static uint64_t random_below(uint64_t limit)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 11) % limit;
}

static void must(int ret, const char *what)
{
	if (ret >= 0)
		return;
	printf("hammer: %s: %s\n", what, strerror(-ret));
	exit(1);
}

static void wrong(const char *what, uint64_t got, uint64_t expected)
{
	printf("hammer: %s: %" PRIu64 ", not %" PRIu64 "\n", what, got,
	       expected);
	exit(1);
}

/* A program beside this one */
static const char *beside(const char *name)
{
	static char path[512];
	ssize_t len;

	len = readlink("/proc/self/exe", path, sizeof(path) - 64);
	if (len < 0)
		abort();
	path[len] = '\0';
	snprintf(strrchr(path, '/'), 64, "/%s", name);
	return path;
}

static void program_set(int fd, uint16_t set)
{
	for_each_counter(c)
	{
		must(set_pmc_write(fd, set, c->num, c->control), "WRITE_PMCS");
		must(set_pmd_write(fd, set, c->num, 0), "WRITE_PMDS");
	}
}

static int counting(uint32_t flags)
{
	const int fd = context_open(flags);

	must(fd, "CREATE_CONTEXT");
	program_set(fd, 0);
	return fd;
}

static void add(struct sums *sums, int fd, uint16_t set)
{
	for_each_counter(c)
	{
		const struct pfm_reg reg = { .num = c->num, .set = set };
		struct pfm_reg got = reg;

		must(vector(fd, PFM_IOC_READ_PMDS, &got, 1, NULL), "READ_PMDS");
		sums->value[c->num] += got.value;
	}
}

static void work(void)
{
	spin(1 + random_below(20000));
	if (!random_below(8))
		syscall(SYS_getppid);
	if (!random_below(16))
		sched_yield();
}

/* A thread that monitors itself, read while it counts and while it does not */
static void self(struct sums *sums)
{
	const int fd = counting(0);

	must(context_load(fd, 0), "LOAD_CONTEXT");
	for (int i = 0; i < 20; i++) {
		must(context_start(fd, 0), "START");
		work();
		if (random_below(2))
			pmd_value(fd, counters[0].num);
		work();
		must(context_stop(fd), "STOP");
	}
	must(context_unload(fd), "UNLOAD_CONTEXT");
	add(sums, fd, 0);
	close(fd);
}

static void run_sets(struct sums *sums, int fd)
{
	must(context_load(fd, 0), "LOAD_CONTEXT");
	for (int i = 0; i < 5; i++) {
		must(start_with(fd, random_below(3)), "START");
		for (int k = 0; k < 20; k++)
			work();
		must(context_stop(fd), "STOP");
	}
	must(context_unload(fd), "UNLOAD_CONTEXT");
	for (uint16_t set = 0; set < 3; set++)
		add(sums, fd, set);
}

static void timed_sets(struct sums *sums)
{
	const int fd = counting(0);

	for (uint16_t set = 0; set < 3; set++) {
		must(set_timed(fd, set, 50000 + random_below(2000000)),
		     "CREATE_EVTSET");
		program_set(fd, set);
	}
	run_sets(sums, fd);
	close(fd);
}

/* The counts of the first counter beside its value: it was set back @times. */
static void add_periods(struct sums *sums, int fd, uint64_t period,
			uint64_t times)
{
	struct pfm_config cfg;

	must(config_get(fd, &cfg), "GET_CONFIG");
	sums->value[counters[0].num] +=
		period * (times + cfg.overflows + cfg.skipped);
}

/* The first counter's overflows end the sets. */
static void overflow_sets(struct sums *sums)
{
	const uint64_t period = 2000 + random_below(20000);
	const int fd = counting(0);

	for (uint16_t set = 0; set < 3; set++) {
		const struct pfm_set_desc desc = {
			.set = set,
			.flags = PFM_SETFL_OVFL_SWITCH,
		};
		const struct pfm_pmd_attr attr = {
			.num = counters[0].num,
			.set = set,
			.long_reset = -period,
			.short_reset = -period,
			.ovfl_switch_cnt = 1 + random_below(3),
		};

		must(set_create(fd, &desc), "CREATE_EVTSET");
		program_set(fd, set);
		must(set_pmd_write(fd, set, attr.num, -period), "WRITE_PMDS");
		must(attr_write(fd, &attr), "WRITE_PMDATTRS");
	}
	run_sets(sums, fd);
	add_periods(sums, fd, period, 3);
	close(fd);
}

#define COST_OF_LOOP(n) (COST_NUMBER(digits(n)) + COST_LOOP(n) + COST_ENDING)

/*
 * Prepares a program that is chosen at random. Returns what it and its children execute in
 * user mode, or 0 if that is not known.
 */
static uint64_t choose_program(char args[5][512], const char *argv[6])
{
	static const char *const names[] = { "loop",	  "forkloop",
					     "threads",	  "yieldloop",
					     "vforkexec", "execloop",
					     "migrate" };
	const uint64_t which = random_below(ARRAY_LEN(names));
	const uint64_t k = 1 + random_below(9), n = 1 + random_below(9000);
	const uint64_t numbers = COST_NUMBER(1) + COST_NUMBER(digits(n));
	const uint64_t child = COST_IF_CHILD + COST_LOOP(n) + COST_ENDING;
	const uint64_t fork =
		COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT;
	unsigned int i = 0;

	snprintf(args[i++], sizeof(args[0]), "%s", beside(names[which]));
	if (which == 5)
		snprintf(args[i++], sizeof(args[0]), "%" PRIu64, n);
	else if (which)
		snprintf(args[i++], sizeof(args[0]), "%" PRIu64, k);
	if (which == 4 || which == 5)
		snprintf(args[i++], sizeof(args[0]), "%s", beside("loop"));
	snprintf(args[i++], sizeof(args[0]), "%" PRIu64, n);
	argv[i] = NULL;
	while (i--)
		argv[i] = args[i];
	switch (which) {
	case 0:
		return COST_OF_LOOP(n);
	case 1:
		return numbers + k * (fork + child) + COST_ENDING;
	case 2:
		return numbers +
		       k * (COST_NEW_THREAD + COST_IF_CHILD + COST_REPEAT +
			    child) +
		       COST_ENDING;
	case 3:
		return numbers + k * (COST_LOOP(n) + COST_YIELD + COST_REPEAT) +
		       COST_ENDING;
	case 4:
		return COST_NUMBER(1) + COST_ENDING +
		       k * (fork + COST_IF_CHILD + COST_EXECUTE +
			    COST_OF_LOOP(n));
	case 5:
		return COST_NUMBER(digits(n)) + COST_LOOP(n) + COST_EXECUTE +
		       COST_OF_LOOP(n);
	}
	return 0;
}

/* Followed tasks: the context's values are those of all of them. */
static void follow(struct sums *sums, uint32_t flags)
{
	const int fd = counting(PFM_CTX_FOLLOW_ALL | flags);
	const uint64_t before = sums->value[USER_COUNTER];
	char args[5][512];
	const char *argv[6];
	const uint64_t cost = choose_program(args, argv);
	struct child child;
	union pfm_msg msg;
	int status;

	must(measure_begin(fd, &child, argv), "counting a program");
	status = child_reap(child.pid);
	if (status)
		wrong("exit status of a program", status, 0);
	must(message_read(fd, &msg), "reading a message");
	if (msg.type != PFM_MSG_END)
		wrong("type of a message", msg.type, PFM_MSG_END);
	must(context_unload(fd), "UNLOAD_CONTEXT");
	add(sums, fd, 0);
	if (cost && counters[USER_COUNTER].exists &&
	    sums->value[USER_COUNTER] - before != cost)
		wrong(argv[0], sums->value[USER_COUNTER] - before, cost);
	close(fd);
}

static void follow_all(struct sums *sums)
{
	follow(sums, 0);
}

static void aggregate(struct sums *sums)
{
	follow(sums, PFM_CTX_AGGREGATE);
}

/* The first counter samples; the others go on. */
static void sample(struct sums *sums)
{
	const uint64_t period = 97 + random_below(20000);
	const int fd = default_open(0, buffer_bytes(100000, 0));
	struct pfm_config cfg;

	must(fd, "CREATE_CONTEXT");
	program_set(fd, 0);
	must(pmd_write(fd, counters[0].num, -period), "WRITE_PMDS");
	must(sample_every(fd, counters[0].num, period, NULL, 0),
	     "WRITE_PMDATTRS");
	must(context_load(fd, 0), "LOAD_CONTEXT");
	must(context_start(fd, 0), "START");
	for (int i = 0; i < 10; i++)
		work();
	must(config_get(fd, &cfg), "GET_CONFIG");
	must(context_stop(fd), "STOP");
	must(context_unload(fd), "UNLOAD_CONTEXT");
	add(sums, fd, 0);
	/* A full buffer has masked the context: its last overflow did not set the value back. */
	add_periods(sums, fd, period, cfg.state != PFM_STATE_MASKED);
	close(fd);
}

/* A thread that runs, in user mode and in the kernel, and is attached to at any moment */
static void attach(struct sums *sums)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	must(pid, "fork");
	if (!pid) {
		die_with_parent(parent);
		for (;;) {
			spin(500);
			sched_yield();
		}
	}
	for (int i = 0; i < 10; i++) {
		const int fd = counting(0);

		must(context_load(fd, pid), "LOAD_CONTEXT");
		must(context_start(fd, 0), "START");
		usleep(random_below(500));
		work();
		if (random_below(2))
			must(context_stop(fd), "STOP");
		must(context_unload(fd), "UNLOAD_CONTEXT");
		add(sums, fd, 0);
		close(fd);
	}
	child_kill(pid);
}

static void each_cpu(struct sums *sums)
{
	const int cpus = cpus_online();
	int fds[64];

	for (int cpu = 0; cpu < cpus && cpu < 64; cpu++) {
		fds[cpu] = counting(PFM_CTX_SYSTEM_WIDE);
		must(context_load(fds[cpu], cpu), "LOAD_CONTEXT");
		must(context_start(fds[cpu], 0), "START");
	}
	for (int i = 0; i < 5; i++) {
		const struct child child = { .pid = child_idle() };

		work();
		child_kill(child.pid);
	}
	for (int cpu = 0; cpu < cpus && cpu < 64; cpu++) {
		must(context_stop(fds[cpu]), "STOP");
		must(context_unload(fds[cpu]), "UNLOAD_CONTEXT");
		add(sums, fds[cpu], 0);
		close(fds[cpu]);
	}
}

/* One process moves a thread from CPU to CPU while this one loads and unloads. */
static void race(struct sums *sums)
{
	const int cpus = cpus_online();
	const pid_t parent = getpid();
	const pid_t target = child_spin_on(0);
	const pid_t mover = fork();
	cpu_set_t set;

	must(mover, "fork");
	if (!mover) {
		die_with_parent(parent);
		for (int cpu = 0;; cpu = (cpu + 1) % cpus) {
			CPU_ZERO(&set);
			CPU_SET(cpu, &set);
			sched_setaffinity(target, sizeof(set), &set);
			usleep(100);
		}
	}
	for (int i = 0; i < 10; i++) {
		const int fd = counting(0);

		must(context_load(fd, target), "LOAD_CONTEXT");
		must(context_start(fd, 0), "START");
		usleep(random_below(1000));
		must(context_unload(fd), "UNLOAD_CONTEXT");
		add(sums, fd, 0);
		close(fd);
	}
	child_kill(mover);
	child_kill(target);
}

static void cpu1_set_online(bool online)
{
	const int fd = open(CPU1, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, online ? "1" : "0", 1) != 1)
		must(-errno, CPU1);
	close(fd);
}

/* A CPU goes away and comes back while a thread that moves between CPUs is counted. */
static void hotplug(struct sums *sums)
{
	const pid_t target = child_spin_on(0);
	cpu_set_t all;

	CPU_ZERO(&all);
	CPU_SET(0, &all);
	CPU_SET(1, &all);
	for (int i = 0; i < 2; i++) {
		const int fd = counting(0);

		must(context_load(fd, target), "LOAD_CONTEXT");
		must(context_start(fd, 0), "START");
		for (int online = 0; online < 2; online++) {
			if (sched_setaffinity(target, sizeof(all), &all))
				must(-errno, "sched_setaffinity");
			usleep(random_below(1000));
			cpu1_set_online(online);
		}
		must(context_unload(fd), "UNLOAD_CONTEXT");
		add(sums, fd, 0);
		close(fd);
	}
	child_kill(target);
}

/* The owner dies while it counts: nobody gets its values, and what comes next is exact. */
static void killed(struct sums *sums)
{
	const pid_t parent = getpid();
	int started[2];
	pid_t pid;
	char c;

	(void)sums;
	if (pipe2(started, O_CLOEXEC))
		must(-errno, "pipe2");
	pid = fork();
	must(pid, "fork");
	if (!pid) {
		int fd;

		die_with_parent(parent);
		fd = counting(0);
		must(context_load(fd, 0), "LOAD_CONTEXT");
		must(context_start(fd, 0), "START");
		if (write(started[1], "", 1) != 1)
			_exit(1);
		for (;;)
			spin(1000);
	}
	close(started[1]);
	if (read(started[0], &c, 1) != 1)
		must(-EIO, "a child that counts");
	close(started[0]);
	usleep(random_below(3000));
	child_kill(pid);
}

static const struct kind {
	const char *name;
	void (*run)(struct sums *sums);
	bool lost; /* values that nobody can read */
	bool hotplug;
} kinds[] = {
	{ .name = "self", .run = self },
	{ .name = "sets by time", .run = timed_sets },
	{ .name = "sets by overflow", .run = overflow_sets },
	{ .name = "follow", .run = follow_all },
	{ .name = "aggregate", .run = aggregate },
	{ .name = "sample", .run = sample },
	{ .name = "attach", .run = attach },
	{ .name = "each CPU", .run = each_cpu },
	{ .name = "race", .run = race },
	{ .name = "hotplug", .run = hotplug, .hotplug = true },
	{ .name = "killed", .run = killed, .lost = true },
};

/* Whether nothing was lost and nothing was counted twice */
static bool conserved(const struct kind *kind, const struct emulated *before,
		      const struct emulated *after, const struct sums *sums)
{
	bool same = true;

	for (int i = 0; i < EMULATED_COUNTERS; i++) {
		const uint64_t counted = after->counted[i] - before->counted[i];

		if (counted == sums->value[i] || kind->lost)
			continue;
		printf("hammer: %s, counter %d: perfmon %" PRIu64
		       ", emulator %" PRIu64 "\n",
		       kind->name, i, sums->value[i], counted);
		same = false;
	}
	return same;
}

static bool one(const struct kind *kind, uint64_t *counted)
{
	struct emulated before, after;
	struct sums sums = {};

	emulated_all(&before);
	kind->run(&sums);
	emulated_all(&after);
	counted[0] += after.counted[0] - before.counted[0];
	counted[1] += after.nmis - before.nmis;
	counted[2] += after.nmis_of_overflows - before.nmis_of_overflows;
	return conserved(kind, &before, &after, &sums);
}

static void find_counters(void)
{
	const int fd = context_open(0);

	must(fd, "CREATE_CONTEXT");
	for (size_t i = 0; i < ARRAY_LEN(counters); i++)
		counters[i].exists =
			!pmc_write(fd, counters[i].num, counters[i].control);
	close(fd);
	if (!counters[0].exists)
		must(-ENXIO, "the first counter");
}

int main(int argc, char **argv)
{
	const uint64_t seed = argc > 2 ? strtoull(argv[1], NULL, 0) : 0;
	const unsigned int rounds = argc > 2 ? atoi(argv[2]) : 0;

	if (!seed || !rounds) {
		fprintf(stderr, "usage: hammer SEED ROUNDS; neither is 0\n");
		return 2;
	}
	if (!emulator_present()) {
		fprintf(stderr, "hammer: no emulated x86 PMU\n");
		return 2;
	}
	setlinebuf(stdout);
	find_counters();
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		uint64_t counted[3] = {};

		if (kinds[k].hotplug && access(CPU1, W_OK))
			continue;
		state = seed + k;
		for (unsigned int i = 0; i < rounds; i++) {
			if (one(&kinds[k], counted))
				continue;
			printf("hammer: seed %" PRIu64 ", round %u\n", seed, i);
			return 1;
		}
		if (!counted[0]) {
			printf("hammer: %s: nothing was counted\n",
			       kinds[k].name);
			return 1;
		}
		printf("%s: %" PRIu64 " instructions, %" PRIu64
		       " NMIs, %" PRIu64 " of overflows\n",
		       kinds[k].name, counted[0], counted[1], counted[2]);
	}
	return 0;
}
