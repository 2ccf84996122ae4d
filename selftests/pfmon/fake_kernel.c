// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for /dev/perfmon, to be preloaded: pfmon and the library above it
 * are the real ones, what is counted is made up. So the tool can be tested on
 * any machine.
 *
 * The context's descriptor becomes a pidfd of the loaded process, which poll(2)
 * reports when the process ends, as a context does with END.  That of a CPU
 * becomes the end of a pipe; each time that it is read, it has counted 1000 more
 * than before, CPU n 1000 * (n + 1), cycles three times as many.
 *
 * FAKE_PERFMON is a list of words that change it:
 *	nopmu		no hardware PMU
 *	fewevents	the processor implements events 0x00, 0x08 and 0x11 alone
 *	nokernel	counting the kernel is refused
 *	denied		opening the device is refused
 *	threaded	the tasks created four threads and two processes, or with
 *	once		one thread
 *	failed		some tasks could not be followed
 *	barred		monitored tasks came to CPUs that do not count, twice
 *	perfdriver	the hardware PMU is perf's counters
 *	unequal		the kernel's sums differ from those of the records
 *	noformat	no sampling format is there
 *	badarg		the sampling format refuses its argument
 *	logarg		the argument of the sampling format is a line of FAKE_CALLS
 *	tell		what contexts are asked for are lines of FAKE_CALLS
 *	noblock		the command cannot be blocked, nor its mappings reported
 *	lost		samples were lost
 *	throttled	counting was paused, for three seconds
 *	briefly		for 100 microseconds
 *	overtime	processes that ended have used an hour of CPU time
 *	malformed	the sampling buffer is
 *	nostart		counting cannot begin but with the execution of a program
 *	nosets		event sets are not known
 *	lostturns	some turns of event sets found the log full
 *	running		each read of running tasks finds that another task has ended
 *	norunning	running tasks cannot be read
 *	noranges	ranges are not known
 *	noprobes	ranges need a right that the caller lacks
 *	badprobe	loading with ranges is refused, as there can be no probe
 *	norights	loading is refused
 *	oldcgroup	contexts cannot count a cgroup alone
 *	cgroup1		cgroups are of another version than 2
 *	deepcgroup	cgroups are too deep
 *	held		what is loaded has a context already
 *	busy		CPUs cannot be monitored, or tasks cannot
 *	unplug		CPU 1 went offline twice
 *	nopin		nothing may run on CPU 1 alone
 *	shortest	sampling periods of counters have 32 events or more
 *	onlycycles	no other event is implemented
 *	frozen		counters of the caller stand still
 *	wrong		counters of the caller count each instruction twice
 *	stopclock	the monotonic clock of the program stands still
 *	hasty		the monotonic clock of the program goes 120 times as fast
 *	hungry		the program has a gigabyte of memory
 *	noaccept	no descriptor is free for a connection, or with
 *	atfirst		for the first three of them
 *
 * FAKE_GAP are the nanoseconds from the end of the program that a task executes first to the begin
 * of its next one (1).
 *
 * FAKE_SCARCE is a number of bytes, and a second one behind a colon: no memory is left for arrays of as
 * many bytes, from that one on.
 * FAKE_NO_STRING is a string of which there can be no copy for lack of memory.
 *
 * FAKE_ROOT is a folder that is put before names in /sys, /lib/modules, /run, and those
 * of /proc/modules, /proc/cpuinfo, /proc/kallsyms, /proc/kcore, /proc/1/environ, /proc/sys, /.dockerenv and the device.  Monitored processes
 * are written to the file FAKE_LOG; to FAKE_CALLS a line "create" for each context, and "getinfo"
 * for each call that describes registers or events, and "midr" for each reading of MIDR_EL1.
 *
 * FAKE_ENTRIES is a file with a buffer of the default format, whose samples were taken.
 * FAKE_SAMPLES, a list ADDRESS:COUNT,..., are the samples that were taken; the
 * file FAKE_IMAGE is mapped at 0x10000000 then, with as many bytes.  Those of a
 * CPU are of the process FAKE_PID, or of the idle task.  The stack of a sample has that
 * address and the one 0x20 behind it.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/perfmon.h>
#include <linux/perfmon_callstack.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_perf.h>

#include "../../examples/format-reservoir/reservoir.h"
#include "fake_sets.h"

#define EXCLUDE_KERNEL	(1ULL << 31)
#define CYCLES		31
#define BRANCHES	43
#define COUNTERS	6

#define FDS		1024
#define LANE_SIZE	(8U << 20)
#define IMAGE_BASE	0x10000000

/**
 * struct context - one context
 * @weight: number at the end of the name of its cgroup; 1 if there is none
 * @keep: other end of the pipe of a CPU's context
 * @reads: how often its registers were read
 * @logs: @lane is a log of turns
 * @stacks: @lane has call stacks
 * @reservoir: @lane is that of the format reservoir
 * @overflows: samples that were taken
 * @runs: how often its running tasks were read
 * @taken: records that were taken
 * @unloaded: nothing is monitored any more
 * @ranges: number of its ranges
 * @measures: the only one is in the program of the caller
 */
struct context {
	uint32_t flags;
	uint32_t pid;
	int cpu;
	unsigned int weight;
	int keep;
	uint64_t reads;
	unsigned int runs;
	unsigned int taken;
	bool unloaded;
	unsigned int ranges;
	bool measures;
	bool maps_taken;
	uint16_t used[PFM_REGS_MAX];
	unsigned int num_used;
	struct pfm_pmd_attr attrs[64];
	unsigned int num_attrs;
	bool logs;
	bool stacks;
	bool reservoir;
	uint64_t overflows;
	char *lane;
};

static const uint8_t reservoir_uuid[PFM_UUID_LEN] = RESERVOIR_UUID;
static int device = -1;
static struct context *contexts[FDS];

static bool mode(const char *word)
{
	const char *list = getenv("FAKE_PERFMON");

	return list && strstr(list, word);
}

static int fail(int err)
{
	errno = err;
	return -1;
}

static const struct pfm_reg_info virtual_regs[] = {
	{ .num = 256, .name = "CPU_TIME_NS", .flags = PFM_REGI_OVERFLOW },
	{ .num = 320, .name = "WALL_TIME_NS" },
	{ .num = 321, .name = "CONTEXT_SWITCHES" },
	{ .num = 322, .name = "MIGRATIONS", .flags = PFM_REGI_THREAD },
	{ .num = 323, .name = "MINOR_FAULTS" },
	{ .num = 324, .name = "MAJOR_FAULTS" },
	{ .num = 325, .name = "PAGE_FAULTS" },
	{ .num = 356, .name = "FREE_MEMORY_BYTES",
	  .flags = PFM_REGI_READONLY | PFM_REGI_GAUGE },
};

#define NUM_VIRTUAL	(sizeof(virtual_regs) / sizeof(virtual_regs[0]))

static bool is_hardware(unsigned int num)
{
	if (mode("perfdriver"))
		return num >= PFM_PERF_PMD(0) && num < PFM_PERF_PMD(COUNTERS);
	return !mode("nopmu") && (num < COUNTERS || num == CYCLES);
}

static int describe_pmd(struct pfm_reg_info *info)
{
	uint16_t num = info->num;
	unsigned int i;

	if (is_hardware(num)) {
		info->width = num == CYCLES ? 64 : 32;
		info->ctl = num;
		info->flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW |
			      (num == CYCLES ? PFM_REGI_CYCLES : 0);
		info->min_period = mode("shortest") ? 32 : 0;
		strcpy(info->name, num == CYCLES ? "PMCCNTR" : "PMEVCNTRn");
		info->name[8] = num == CYCLES ? 0 : '0' + num % PFM_PERF_PMD(0);
		return 0;
	}
	for (i = 0; i < NUM_VIRTUAL; i++) {
		if (virtual_regs[i].num != num)
			continue;
		*info = virtual_regs[i];
		info->width = 64;
		info->ctl = PFM_REG_NONE;
		info->flags |= PFM_REGI_VIRTUAL;
		if (!(info->flags & PFM_REGI_GAUGE))
			info->flags |= PFM_REGI_COUNTER;
		return 0;
	}
	return -1;
}

/* A counter of perf's has four control registers. */
static bool is_control(unsigned int num)
{
	if (mode("perfdriver"))
		return num >= PFM_PERF_PMC_TYPE(0) &&
		       num < PFM_PERF_PMC_CONFIG2(PFM_PERF_EVENTS);
	return is_hardware(num);
}

static int describe_pmc(struct pfm_reg_info *info)
{
	if (info->num == BRANCHES && mode("branches")) {
		info->width = 16;
		info->ctl = PFM_REG_NONE;
		info->flags = PFM_REGI_BRANCHES;
		info->rsvd = ~(uint64_t)(PFM_BRANCH_USER | PFM_BRANCH_KERNEL |
					 PFM_BRANCH_KINDS);
		strcpy(info->name, "BRANCH_FILTER");
		return 0;
	}
	if (!is_control(info->num))
		return -1;
	info->width = 64;
	info->ctl = PFM_REG_NONE;
	strcpy(info->name, info->num == CYCLES ? "PMCCFILTR" : "PMEVTYPERn");
	return 0;
}

static int get_info(struct pfm_regs *arg, int (*describe)(struct pfm_reg_info *))
{
	struct pfm_reg_info *info = (void *)(uintptr_t)arg->regs;

	for (arg->failed = 0; arg->failed < arg->count; arg->failed++)
		if (describe(&info[arg->failed]))
			return fail(ENXIO);
	return 0;
}

/* Without the mode nothing is known. */
static int get_events(struct pfm_regs *arg)
{
	struct pfm_event_info *info = (void *)(uintptr_t)arg->regs;
	unsigned int i;

	for (i = 0; i < arg->count && !info[i].first && mode("onlycycles"); i++) {
		info[i].known = ~0ULL;
		info[i].implemented = 1ULL << 0x11;
	}
	for (i = 0; mode("fewevents") && i < arg->count; i++) {
		if (info[i].first && info[i].first != 0x4000)
			continue;
		info[i].known = ~0ULL;
		info[i].implemented = info[i].first ? 0 : 0x20101;
	}
	return 0;
}

static void get_config(const struct context *ctx, struct pfm_config *config)
{
	unsigned int num, i;

	memset(config, 0, sizeof(*config));
	config->abi_version = PFM_ABI_VERSION;
	config->flags = ctx->flags;
	config->records_max = PFM_RECORDS_DFL;
	config->follow_failed = mode("failed") ? 7 : 0;
	config->barred = mode("barred") ? 2 : 0;
	if (mode("threaded") &&
	    !(ctx->flags & (PFM_CTX_FOLLOW_CLONE | PFM_CTX_SYSTEM_WIDE)))
		config->unfollowed_threads = mode("once") ? 1 : 4;
	if (mode("threaded") && !mode("once") &&
	    !(ctx->flags & (PFM_CTX_FOLLOW_FORK | PFM_CTX_SYSTEM_WIDE)))
		config->unfollowed_processes = 2;
	config->lanes = 1;
	config->lane_size = LANE_SIZE;
	config->buffer_size = LANE_SIZE;
	config->cpu = ctx->cpu >= 0 ? (uint32_t)ctx->cpu : PFM_CPU_NONE;
	if (ctx->cpu == 1 && mode("unplug")) {
		config->offlines = 2;
		config->offline_ns = 1500000000;
	}
	config->overflows = ctx->overflows;
	config->throttled = mode("throttled") ? 3 : 0;
	if (config->throttled)
		config->throttled_ns = mode("briefly") ? 100000 : 3000000000;
	for (num = 0; num < PFM_REG_VIRT_BASE; num++) {
		if (is_control(num) || (num == BRANCHES && mode("branches")))
			config->impl_pmcs[num / 64] |= 1ULL << num % 64;
		if (is_hardware(num))
			config->impl_pmds[num / 64] |= 1ULL << num % 64;
	}
	for (i = 0; i < NUM_VIRTUAL; i++) {
		num = virtual_regs[i].num;
		config->impl_pmds[num / 64] |= 1ULL << num % 64;
	}
	if (!mode("nopmu") && !mode("perfdriver"))
		strcpy(config->pmu, "armv8_pmuv3");
}

/* What the register of the mode "branches" was last written with */
static uint64_t branch_filter;

static int write_pmcs(struct pfm_regs *arg)
{
	const struct pfm_reg *regs = (void *)(uintptr_t)arg->regs;

	for (arg->failed = 0; arg->failed < arg->count; arg->failed++)
		if (regs[arg->failed].num == BRANCHES)
			branch_filter = regs[arg->failed].value;
		else if (mode("nokernel") &&
		    !(regs[arg->failed].value & EXCLUDE_KERNEL))
			return fail(EPERM);
	return 0;
}

static int write_pmds(struct context *ctx, struct pfm_regs *arg)
{
	const struct pfm_reg *regs = (void *)(uintptr_t)arg->regs;
	unsigned int i, k;

	for (i = 0; i < arg->count; i++) {
		sets_use(regs[i].set, regs[i].num);
		for (k = 0; k < ctx->num_used; k++)
			if (ctx->used[k] == regs[i].num)
				break;
		if (k == ctx->num_used)
			ctx->used[ctx->num_used++] = regs[i].num;
	}
	return 0;
}

/* The tasks that a followed command is said to have had. */
static const struct {
	uint16_t reason;
	int child;		/* 0 the command itself */
	uint32_t status;
	uint64_t start, end, tasks;
	uint64_t count;
	const char *path;
} tasks[] = {
	{ PFM_RECORD_EXEC, 1, 0, 10, 20, 1, 5, "/bin/sh" },
	{ PFM_RECORD_EXIT, 1, 0x300, 21, 30, 1, 1000, "/usr/lib/cc1" },
	{ PFM_RECORD_EXIT, 2, 0x9, 15, 25, 1, 300, "a,\"b\"\n\xff\xc3\xa9" },
	{ PFM_RECORD_UNLOAD, 3, 0, 40, 60, 1, 2, "/usr/sbin/daemon" },
	{ PFM_RECORD_EXIT, 0, 0, 5, 50, 1, 70000, "/bin/sh" },
	{ PFM_RECORD_MERGED, -1, 0, 11, 49, 12, 600, "as" },
	{ PFM_RECORD_MERGED, -1, 0, 12, 48, 3, 60, "as" },
};

#define NUM_TASKS	(sizeof(tasks) / sizeof(tasks[0]))

static uint64_t task_count(unsigned int i, uint16_t num)
{
	return num == CYCLES ? 3 * tasks[i].count : tasks[i].count;
}

/*
 * With sets each task was counted for as many nanoseconds as it counts, in equal
 * parts by each set; the third one was gone before set 1 had its turn.
 */
static uint64_t task_value(unsigned int i, const struct pfm_reg *reg)
{
	uint64_t enabled = tasks[i].count;
	uint64_t active = enabled / num_sets;

	if (i == 2)
		active = reg->set ? 0 : enabled;
	switch (reg->num) {
	case PFM_REG_SET_ENABLED:
		return enabled;
	case PFM_REG_SET_ACTIVE:
		return active;
	case PFM_REG_SET_RUNS:
		return active ? 1 : 0;
	}
	if (reg->num >= PFM_REG_TASK_BASE)
		return tasks[i].count;
	return active * (reg->num == CYCLES ? 3 : 1);
}

static unsigned int write_set_regs(struct pfm_reg *regs, unsigned int i)
{
	unsigned int set, k, n = 0;

	for (set = 0; set < num_sets; set++)
		for (k = 0; k < sets[set].num_regs; k++)
			regs[n++] = (struct pfm_reg){ .set = set,
						      .num = sets[set].nums[k] };
	for (set = 0; set < num_sets; set++) {
		regs[n++] = (struct pfm_reg){ .set = set,
					      .num = PFM_REG_SET_ACTIVE };
		regs[n++] = (struct pfm_reg){ .set = set,
					      .num = PFM_REG_SET_RUNS };
	}
	if (num_sets)
		regs[n++].num = PFM_REG_SET_ENABLED;
	for (k = 0; k < n; k++)
		regs[k].value = task_value(i, &regs[k]);
	return n;
}

/* Set n is active n + 1 times as long as set 0. */
static uint64_t cpu_value(const struct context *ctx, const struct pfm_reg *reg)
{
	uint64_t unit = 1000 * (ctx->cpu + 1) * ctx->reads * ctx->weight;
	uint64_t enabled = unit * num_sets * (num_sets + 1) / 2;

	switch (reg->num) {
	case PFM_REG_SET_ENABLED:
		return enabled;
	case PFM_REG_SET_RUNS:
		return ctx->reads;
	}
	/* Of no set. */
	if (num_sets && reg->num >= PFM_REG_TASK_BASE &&
	    reg->num != PFM_REG_SET_ACTIVE)
		return enabled;
	if (reg->num == CYCLES)
		unit *= 3;
	return unit * (reg->set + 1);
}

/* Instructions that --doctor executes while it counts itself, and a few more */
static uint64_t own_count(uint16_t num)
{
	if (num >= PFM_REG_VIRT_BASE || mode("frozen"))
		return 0;
	return mode("wrong") ? 4000100 : 2000100;
}

static int read_pmds(struct context *ctx, struct pfm_regs *arg)
{
	struct pfm_reg *regs = (void *)(uintptr_t)arg->regs;
	unsigned int i, k;

	ctx->reads += !regs[0].set;
	for (i = 0; i < arg->count; i++) {
		regs[i].value = regs[i].num == 356 ? 123456789 : 0;
		if (regs[i].num == 356)
			continue;
		if (ctx->cpu >= 0) {
			regs[i].value = cpu_value(ctx, &regs[i]);
			continue;
		}
		if (!ctx->pid) {
			regs[i].value = own_count(regs[i].num);
			continue;
		}
		if (num_sets && !(ctx->flags & PFM_CTX_FOLLOW_ALL) &&
		    regs[i].num != 320) {
			regs[i].value = sets_value(&regs[i]);
			continue;
		}
		if (num_sets) {
			for (k = 0; k < NUM_TASKS; k++)
				regs[i].value += task_value(k, &regs[i]);
			continue;
		}
		for (k = 0; k < NUM_TASKS; k++)
			regs[i].value += task_count(k, regs[i].num);
		if (mode("unequal"))
			regs[i].value++;
	}
	return 0;
}

/* The counts of a running task grow by a quarter each time. */
static void make_running(const struct context *ctx, struct pfm_record *record)
{
	unsigned int k;

	record->reason = PFM_RECORD_RUNNING;
	record->status = 0;
	record->end = 55;
	for (k = 0; k < record->nregs; k++)
		record->regs[k].value =
			record->regs[k].value *
			(ctx->runs < 4 ? ctx->runs : 4) / 4;
}

static uint32_t write_record(const struct context *ctx, void *to,
			     unsigned int i)
{
	uint32_t length = strlen(tasks[i].path);
	struct pfm_record *record = to;
	bool merged = tasks[i].reason == PFM_RECORD_MERGED;
	struct pfm_reg regs[1024] = { 0 };
	unsigned int k, nregs = ctx->num_used;

	for (k = 0; k < ctx->num_used; k++) {
		regs[k].num = ctx->used[k];
		regs[k].value = task_count(i, ctx->used[k]);
	}
	if (num_sets) {
		memset(regs, 0, sizeof(regs));
		nregs = write_set_regs(regs, i);
	}
	record->size = (sizeof(*record) + nregs * sizeof(record->regs[0]) +
			length + 8) & ~7U;
	memset((char *)to + 4, 0, record->size - 4);
	record->reason = tasks[i].reason;
	record->nregs = nregs;
	if (!merged) {
		record->pid = ctx->pid + tasks[i].child;
		record->tid = record->pid;
		record->ppid = tasks[i].child ? ctx->pid : (uint32_t)getpid();
	}
	record->status = tasks[i].status;
	record->start = tasks[i].start;
	record->end = tasks[i].end;
	if (i == 1) {
		record->start = tasks[0].end + sets_number("FAKE_GAP", 1);
		record->end = record->start + 9;
	}
	record->tasks = tasks[i].tasks;
	record->path_len = length;
	strcpy(record->comm, "comm");
	memcpy(record->regs, regs, nregs * sizeof(regs[0]));
	memcpy(&record->regs[nregs], tasks[i].path, length);
	return record->size;
}

/*
 * Record n is there when the running tasks were read n times; its task is then among them
 * once more.  The second task begins when the record of the first one, which executed it,
 * is there.
 */
static int read_running(struct context *ctx, struct pfm_read_records *arg)
{
	char *to = (char *)(uintptr_t)arg->buf;
	unsigned int i;

	if (mode("norunning"))
		return fail(EINVAL);
	/* All tasks in one buffer would be too easy. */
	if (arg->size < 128 * 1024)
		return fail(ENOSPC);
	ctx->runs++;
	for (i = ctx->runs - 1; i < NUM_TASKS; i++) {
		if (tasks[i].reason == PFM_RECORD_MERGED ||
		    (i == 1 && !ctx->taken))
			continue;
		write_record(ctx, to + arg->used, i);
		make_running(ctx, (void *)(to + arg->used));
		arg->used += ((struct pfm_record *)(to + arg->used))->size;
		arg->count++;
	}
	return 0;
}

static unsigned int records_due(const struct context *ctx)
{
	if (!mode("running") || ctx->unloaded)
		return NUM_TASKS;
	return ctx->runs < NUM_TASKS ? ctx->runs : NUM_TASKS;
}

static int read_records(struct context *ctx, struct pfm_read_records *arg)
{
	arg->count = 0;
	arg->used = 0;
	if (!(ctx->flags & PFM_CTX_FOLLOW_ALL))
		return 0;
	if (arg->flags)
		return read_running(ctx, arg);
	for (; ctx->taken < records_due(ctx); ctx->taken++) {
		arg->used += write_record(ctx, (char *)(uintptr_t)arg->buf +
					  arg->used, ctx->taken);
		arg->count++;
	}
	return 0;
}

static int write_attrs(struct context *ctx, const struct pfm_regs *arg)
{
	const struct pfm_pmd_attr *from = (void *)(uintptr_t)arg->regs;
	unsigned int i;

	if (num_sets) {
		sets[from->set].trigger = -from->long_reset;
		sets[from->set].trigger_pmd = from->num;
		return 0;
	}
	ctx->num_attrs = arg->count;
	memcpy(ctx->attrs, (void *)(uintptr_t)arg->regs, arg->count * sizeof(ctx->attrs[0]));
	/* The first period of a frequency stays. */
	for (i = 0; i < arg->count; i++)
		if (ctx->attrs[i].flags & PFM_PMDF_FREQUENCY)
			ctx->attrs[i].short_reset = ctx->attrs[i].long_reset;
	return 0;
}

#include "fake_samples.h"

/* A pidfd is of a process; that of a thread is where its process is. */
static pid_t process_of(pid_t tid)
{
	char name[32], line[128];
	pid_t pid = tid;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "Tgid: %d", &pid);
	if (file)
		fclose(file);
	return pid;
}

static void add_line(const char *variable, const char *line)
{
	const char *name = getenv(variable);
	FILE *file = name ? fopen(name, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "%s\n", line);
	fclose(file);
}

static void log_line(const char *line)
{
	add_line("FAKE_LOG", line);
}

static void note(const struct pfm_load *arg)
{
	char line[32];

	snprintf(line, sizeof(line), "%u %s", arg->tid,
		 arg->flags & PFM_LOAD_PROCESS ? "process" : "thread");
	log_line(line);
}

static int load_cpu(struct context *ctx, int context, uint32_t cpu)
{
	int ends[2];

	if (cpu >= (uint32_t)sysconf(_SC_NPROCESSORS_CONF))
		return fail(ERANGE);
	if (pipe2(ends, O_CLOEXEC) || dup3(ends[0], context, O_CLOEXEC) < 0)
		return -1;
	close(ends[0]);
	ctx->keep = ends[1];
	ctx->cpu = cpu;
	if (ctx->num_attrs)
		fill_buffer(ctx);
	return 0;
}

/* The name of the group's folder tells what it counts. */
static int set_cgroup(struct context *ctx, const struct pfm_cgroup *arg)
{
	char name[64], path[1024] = "cgroup ", *end;

	if (mode("oldcgroup"))
		return fail(ENOTTY);
	if (mode("cgroup1"))
		return fail(EBADF);
	if (mode("deepcgroup"))
		return fail(ERANGE);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", arg->fd);
	if (readlink(name, path + strlen(path), sizeof(path) - 8) < 0)
		return -1;
	log_line(path);
	end = path + strlen(path);
	while (end[-1] >= '0' && end[-1] <= '9')
		end--;
	if (*end)
		ctx->weight = strtoul(end, NULL, 10);
	return 0;
}

static bool uses_counters(const struct context *ctx)
{
	unsigned int i;

	for (i = 0; i < ctx->num_used; i++)
		if (ctx->used[i] < PFM_REG_VIRT_BASE)
			return true;
	return false;
}

static int load(struct context *ctx, int context, const struct pfm_load *arg)
{
	int fd;

	if (mode("norights"))
		return fail(EPERM);
	if (mode("badprobe") && ctx->ranges)
		return fail(EINVAL);
	if (mode("busy") || (mode("perfhas") && uses_counters(ctx)))
		return fail(EBUSY);
	if (mode("held"))
		return fail(EEXIST);
	if (ctx->flags & PFM_CTX_SYSTEM_WIDE)
		return load_cpu(ctx, context, arg->tid);
	fd = syscall(SYS_pidfd_open, arg->tid ? process_of(arg->tid) : getpid(),
		     0);
	if (fd < 0 || dup3(fd, context, O_CLOEXEC) < 0)
		return -1;
	close(fd);
	note(arg);
	ctx->pid = arg->tid;
	if (ctx->num_attrs)
		fill_buffer(ctx);
	if (num_sets && !(ctx->flags & PFM_CTX_FOLLOW_ALL))
		sets_run(ctx->logs ? ctx->lane : NULL, mode("lostturns"));
	return 0;
}

static void note_argument(const struct pfm_create *arg)
{
	const uint8_t *bytes = (void *)(uintptr_t)arg->fmt_arg;
	char line[160] = "argument ";
	unsigned int i;

	for (i = 0; i < arg->fmt_arg_size && i < 64; i++)
		sprintf(line + strlen(line), "%02x", bytes[i]);
	add_line("FAKE_CALLS", line);
}

static int create(const struct pfm_create *arg)
{
	struct context *ctx;
	int fd;

	if (arg->fmt_arg_size && mode("logarg"))
		note_argument(arg);
	if (arg->fmt_arg_size && mode("badarg"))
		return fail(EINVAL);
	if (arg->fmt_arg_size && mode("noformat"))
		return fail(ENOENT);
	if (mode("noblock") &&
	    (arg->flags & (PFM_CTX_NOTIFY_BLOCK | PFM_CTX_MAPS)))
		return fail(EOPNOTSUPP);
	if (arg->flags & PFM_CTX_SYSTEM_WIDE &&
	    (arg->flags & (PFM_CTX_NOTIFY_BLOCK | PFM_CTX_MAPS |
			   PFM_CTX_FOLLOW_ALL)))
		return fail(EINVAL);
	fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0 || fd >= FDS)
		return fail(EMFILE);
	free(contexts[fd]);
	ctx = calloc(1, sizeof(*ctx));
	ctx->flags = arg->flags;
	ctx->cpu = -1;
	ctx->weight = 1;
	if (arg->fmt_arg_size)
		make_lane(ctx, arg);
	num_sets = 0;
	memset(sets, 0, sizeof(sets));
	contexts[fd] = ctx;
	return fd;
}

static int start(const struct pfm_start *arg)
{
	bool now = !arg || !(arg->flags & PFM_START_ON_EXEC);

	return now && mode("nostart") ? fail(EINVAL) : 0;
}

/*
 * A line of FAKE_CALLS for each range, and each point.  What is in the program of the caller measures
 * what a function of one instruction counts.
 */
static int set_ranges(struct context *ctx, const struct pfm_regs *arg)
{
	const struct pfm_range *range = (void *)(uintptr_t)arg->regs;
	char name[64], path[1024], self[1024], line[1200];
	ssize_t length, own;
	unsigned int i;

	if (mode("noranges"))
		return fail(ENOTTY);
	if (mode("noprobes"))
		return fail(EPERM);
	own = readlink("/proc/self/exe", self, sizeof(self));
	ctx->ranges = 0;
	for (i = 0; i < arg->count; i++, range++) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", range->fd);
		length = readlink(name, path, sizeof(path) - 1);
		if (length < 0)
			return fail(EBADF);
		path[length] = '\0';
		if (!range->flags ||
		    range->flags & (PFM_RANGE_SPAN | PFM_RANGE_TRIGGER))
			ctx->ranges++;
		ctx->measures = length == own && !memcmp(path, self, own);
		if (ctx->measures)
			continue;
		snprintf(line, sizeof(line), "range %s %u 0x%llx 0x%llx", path,
			 range->flags, (unsigned long long)range->start,
			 (unsigned long long)range->end);
		add_line("FAKE_CALLS", line);
	}
	return 0;
}

/* Each range counts ten times as much as the one before; of the second some calls do not return. */
static int get_ranges(const struct context *ctx, const struct pfm_regs *arg)
{
	struct pfm_range_info *info = (void *)(uintptr_t)arg->regs;
	unsigned int i, k;
	uint64_t factor;

	for (i = 0; i < arg->count; i++, info++) {
		if (info->range >= ctx->ranges)
			return fail(ERANGE);
		for (k = 0, factor = info->num + 1; k < info->range; k++)
			factor *= 10;
		info->calls = ctx->measures ? 200 : 20;
		info->outer = info->calls;
		info->returned = info->calls;
		info->sum = 1000 * factor;
		info->min = ctx->measures ? 2 + info->num : 10 * factor;
		info->max = 90 * factor;
		if (info->range != 1)
			continue;
		info->outer = 10;
		info->returned = 7;
		info->left = 2;
		info->cut = 1;
		info->missed = 3;
		info->rest = 555;
	}
	return 0;
}

#include "fake_notes.h"

static void note_call(unsigned long request, const void *arg)
{
	if (mode("tell"))
		note_asked(request, arg);
	switch (request) {
	case PFM_IOC_CREATE_CONTEXT:
		add_line("FAKE_CALLS", "create");
		break;
	case PFM_IOC_GETINFO_PMCS:
	case PFM_IOC_GETINFO_PMDS:
	case PFM_IOC_GETINFO_EVENTS:
		add_line("FAKE_CALLS", "getinfo");
	}
}

static int call(struct context *ctx, int fd, unsigned long request, void *arg)
{
	note_call(request, arg);
	if (request == PFM_IOC_CREATE_CONTEXT)
		return create(arg);
	if (!ctx)
		return fail(ENOTTY);
	switch (request) {
	case PFM_IOC_GET_CONFIG:
		get_config(ctx, arg);
		return 0;
	case PFM_IOC_GETINFO_PMCS:
		return get_info(arg, describe_pmc);
	case PFM_IOC_GETINFO_PMDS:
		return get_info(arg, describe_pmd);
	case PFM_IOC_GETINFO_EVENTS:
		return get_events(arg);
	case PFM_IOC_WRITE_PMCS:
		return write_pmcs(arg);
	case PFM_IOC_WRITE_PMDS:
		return write_pmds(ctx, arg);
	case PFM_IOC_READ_PMDS:
		return read_pmds(ctx, arg);
	case PFM_IOC_READ_RECORDS:
		return read_records(ctx, arg);
	case PFM_IOC_UNLOAD_CONTEXT:
		ctx->unloaded = true;
		return 0;
	case PFM_IOC_CREATE_EVTSET:
		if (mode("nosets"))
			return fail(ENOTTY);
		return sets_create(arg) ? fail(EINVAL) : 0;
	case PFM_IOC_WRITE_PMDATTRS:
		return write_attrs(ctx, arg);
	case PFM_IOC_READ_PMDATTRS:
		return fail(ENODATA);
	case PFM_IOC_READ_MAPS:
		read_maps(ctx, arg);
		return 0;
	case PFM_IOC_SET_CGROUP:
		return set_cgroup(ctx, arg);
	case PFM_IOC_SET_RANGES:
		return set_ranges(ctx, arg);
	case PFM_IOC_GETINFO_RANGES:
		return get_ranges(ctx, arg);
	case PFM_IOC_LOAD_CONTEXT:
		return load(ctx, fd, arg);
	case PFM_IOC_START:
		return start(arg);
	default:
		return 0;
	}
}

static struct context *context_of(int fd)
{
	return fd >= 0 && fd < FDS ? contexts[fd] : NULL;
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*real)(int, unsigned long, void *) = dlsym(RTLD_NEXT, "ioctl");
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (fd < 0 || (fd != device && !context_of(fd)))
		return real(fd, request, arg);
	return call(context_of(fd), fd, request, arg);
}

/* perf is refused: the stand-in tells the mappings, as the module does. */
long syscall(long number, ...)
{
	long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
	long arg[6];
	va_list args;
	int i;

	if (number == SYS_perf_event_open) {
		errno = EACCES;
		return -1;
	}
	va_start(args, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	return real(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/* The buffer of the context; anything else as it is. */
#define MMAP(name)							\
void *name(void *at, size_t size, int prot, int how, int fd, off_t from); \
void *name(void *at, size_t size, int prot, int how, int fd, off_t from)  \
{									\
	struct context *ctx = context_of(fd);				\
									\
	if (ctx)							\
		return ctx->lane;					\
	return (void *)syscall(SYS_mmap, at, size, prot, how, fd, from); \
}

MMAP(mmap)
MMAP(mmap64)

/* A descriptor that is used anew is no context. */
int close(int fd)
{
	struct context *ctx = context_of(fd);

	if (ctx) {
		contexts[fd] = NULL;
		free(ctx);
	}
	if (fd == device)
		device = -1;
	return syscall(SYS_close, fd);
}

#include "fake_libc.h"
