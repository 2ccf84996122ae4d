// SPDX-License-Identifier: GPL-2.0-only
/*
 * The owner of a context learns nothing of a program that its thread executes and
 * that it may not look into.  The program writes its /proc/self/maps to
 * the test, and no address in them may be in any output of the context.
 *
 * Root sees those addresses in the same runs: that shows that the test looks in the
 * right places.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "records.h"
#include "rights.h"
#include "sampling.h"
#include "sysfs.h"

#include <elf.h>
#include <linux/capability.h>
#include <linux/perfmon_callstack.h>
#include <linux/perfmon_nway.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include "kselftest_harness.h"
#include "progs/victim.h"

#define FOLDER	  "/tmp/exec_test"
#define RANGES	  256
#define CHAIN	  64 /* addresses from VICTIM_SECRET on */
#define PATIENCE  20000 /* ms that nothing needs */
#define PART_SIZE 262144

/**
 * struct ranges - addresses
 * @n: their number
 * @list: begin, end, and whether code is there
 */
struct ranges {
	unsigned int n;
	struct {
		uint64_t begin, end;
		bool code;
	} list[RANGES];
};

static void ranges_add(struct ranges *ranges, uint64_t begin, uint64_t end,
		       bool code)
{
	if (ranges->n == RANGES)
		abort();
	ranges->list[ranges->n].begin = begin;
	ranges->list[ranges->n].end = end;
	ranges->list[ranges->n++].code = code;
}

static bool ranges_overlap(const struct ranges *ranges, uint64_t begin,
			   uint64_t end)
{
	unsigned int i;

	for (i = 0; i < ranges->n; i++) {
		if (begin < ranges->list[i].end && ranges->list[i].begin < end)
			return true;
	}
	return false;
}

static bool ranges_begin(const struct ranges *ranges, uint64_t begin)
{
	unsigned int i;

	for (i = 0; i < ranges->n; i++) {
		if (ranges->list[i].code && ranges->list[i].begin == begin)
			return true;
	}
	return false;
}

/* Adds what a file like /proc/PID/maps says, but for what is in another list. */
static void ranges_read(struct ranges *ranges, int fd, const struct ranges *but)
{
	static char text[1 << 17];
	size_t used = 0;
	ssize_t len;
	char *line, *rest = text;

	do {
		len = read(fd, text + used, sizeof(text) - 1 - used);
		used += len > 0 ? len : 0;
	} while (len > 0);
	text[used] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		uint64_t begin, end;
		char mode[5];

		if (sscanf(line, "%lx-%lx %4s", &begin, &end, mode) == 3 &&
		    !(but && ranges_overlap(but, begin, end)))
			ranges_add(ranges, begin, end, mode[2] == 'x');
	}
}

/*
 * Programs.
 */

/**
 * struct prog - what is executed
 * @name: for messages
 * @file: copy of this one
 * @uid: owner
 * @gid: group
 * @mode: mode
 * @caps: it has a capability
 * @script: through a script, whose interpreter it is
 * @fails: there is no memory for its .bss, so the exec fails when all else is done
 * @args: what it is given
 */
struct prog {
	const char *name;
	const char *file;
	uid_t uid;
	gid_t gid;
	mode_t mode;
	bool caps;
	bool script;
	bool fails;
	const char *arg;
};

#define VICTIM "victim"
#define CAT    "/bin/cat"
#define MAPS   "/proc/self/maps"

/* clang-format off */
static const struct prog programs[] = {
	{ .name = "set-user-ID, static", .file = VICTIM, .mode = 04755 },
	{ .name = "set-user-ID, dynamic", .file = CAT, .mode = 04755,
	  .arg = MAPS },
	{ .name = "set-user-ID of a user", .file = VICTIM, .mode = 04755,
	  .uid = 1234 },
	{ .name = "set-group-ID", .file = VICTIM, .mode = 02755, .gid = 4321 },
	{ .name = "set-user-ID interpreter", .file = VICTIM, .mode = 04755,
	  .script = true },
	{ .name = "capability", .file = VICTIM, .mode = 0755, .caps = true },
	{ .name = "capability, dynamic", .file = CAT, .mode = 0755,
	  .caps = true, .arg = MAPS },
	{ .name = "unreadable", .file = VICTIM, .mode = 0711 },
	{ .name = "unreadable, dynamic", .file = CAT, .mode = 0711,
	  .arg = MAPS },
	{ .name = "fails, set-user-ID", .file = VICTIM, .mode = 04755,
	  .fails = true },
	{ .name = "fails, unreadable", .file = VICTIM, .mode = 0711,
	  .fails = true },
};

/* Those that belong to whoever executes them. */
static const struct prog own_programs[] = {
	{ .name = "own, static", .file = VICTIM, .mode = 0755 },
	{ .name = "own, dynamic", .file = CAT, .mode = 0755, .arg = MAPS },
};
/* clang-format on */

#define for_each_program(p, list) \
	for (p = list; p < list + ARRAY_LEN(list); p++)

static const char *path_of(const struct prog *prog)
{
	static char path[64];
	char *p;

	snprintf(path, sizeof(path), FOLDER "/%s", prog->name);
	for (p = path; *p; p++) {
		if (*p == ' ' || *p == ',')
			*p = '_';
	}
	return path;
}

static int copy(const char *from, const char *to)
{
	const int in = open(from, O_RDONLY | O_CLOEXEC);
	const int out =
		open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	ssize_t len;

	if (in < 0 || out < 0)
		return -errno;
	do {
		len = sendfile(out, in, NULL, 1 << 20);
	} while (len > 0);
	close(in);
	close(out);
	return len < 0 ? -errno : 0;
}

/* A script that has a program interpret it. */
static int write_script(const char *interpreter)
{
	char path[140], text[140];
	int fd, ret;

	snprintf(path, sizeof(path), "%s.sh", interpreter);
	snprintf(text, sizeof(text), "#!%s\n", interpreter);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static int program_make(const struct prog *prog)
{
	const struct vfs_cap_data caps = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[0].permitted = 1 << CAP_NET_RAW,
	};
	char path[128];
	int ret;

	snprintf(path, sizeof(path), "%s", path_of(prog));
	ret = copy(prog->file[0] == '/' ? prog->file : program(prog->file),
		   path);
	if (ret)
		return ret;
	if (chown(path, prog->uid, prog->gid) || chmod(path, prog->mode) ||
	    (prog->caps &&
	     setxattr(path, "security.capability", &caps, XATTR_CAPS_SZ_2, 0)))
		return -errno;
	return prog->script ? write_script(path) : 0;
}

/* Address of the chain of frames in the program victim. */
static uint64_t secret_address(void)
{
	const int fd = open(program(VICTIM), O_RDONLY | O_CLOEXEC);
	uint64_t at = 0;
	Elf64_Ehdr elf;
	Elf64_Phdr seg;
	int i;

	if (fd < 0 || read(fd, &elf, sizeof(elf)) != sizeof(elf))
		abort();
	for (i = 0; i < elf.e_phnum; i++) {
		if (pread(fd, &seg, sizeof(seg),
			  elf.e_phoff + i * sizeof(seg)) != sizeof(seg))
			abort();
		if (seg.p_type == PT_LOAD && (seg.p_flags & PF_W))
			at = seg.p_vaddr;
	}
	close(fd);
	return at;
}

/*
 * The formats.
 */

static const struct pfm_default_arg default_arg = { .buf_size = PART_SIZE };
static const uint8_t default_uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID;

static const struct pfm_nway_arg nway_arg = {
	.part_size = PART_SIZE,
	.parts = 2,
	.flags = PFM_NWAY_DROP,
};
static const uint8_t nway_uuid[PFM_UUID_LEN] = PFM_NWAY_UUID;

#define STACKS (PFM_CALLSTACK_DROP | PFM_CALLSTACK_USER | PFM_CALLSTACK_KERNEL)

static const struct pfm_callstack_arg stack_arg = {
	.part_size = PART_SIZE,
	.parts = 1,
	.flags = STACKS,
	.depth = 16,
};
static const struct pfm_callstack_arg aggr_arg = {
	.part_size = PART_SIZE,
	.parts = 1,
	.flags = STACKS | PFM_CALLSTACK_AGGREGATE,
	.depth = 16,
};
static const uint8_t stack_uuid[PFM_UUID_LEN] = PFM_CALLSTACK_UUID;

/*
 * A thread that executes a program.
 */

/* Ways in which a thread gets to the program. */
enum way {
	WAY_EXEC,
	WAY_VFORK, /* a program that has a child execute it: FOLLOW_ALL */
	WAY_THREAD, /* a thread that is not the leader: FOLLOW_ALL */
};

/**
 * struct attack - what the context is to be
 * @flags: PFM_CTX_*
 * @num: register that samples
 * @period: its period
 * @first: its first one
 * @uuid: format, or NULL
 * @arg: its argument
 * @size: bytes of @arg
 * @way: how the program is executed
 */
struct attack {
	uint32_t flags;
	uint16_t num;
	uint64_t period, first;
	const uint8_t *uuid;
	const void *arg;
	uint32_t size;
	enum way way;
};

/**
 * struct outcome - where addresses of the program were seen
 * @maps: mappings in READ_MAPS
 * @words: words of the sampling buffer
 * @secrets: words of the sampling buffer that come from its memory
 * @messages: messages
 * @records: records with its path
 * @overflows: overflows of the context
 * @skipped: those that nobody took
 * @taken: samples that its buffer has or counts as lost
 * @ends: END messages
 * @status: of the child
 * @known: the victim told where it is
 */
struct outcome {
	unsigned int maps, words, secrets, messages, records;
	uint64_t overflows, skipped, taken;
	unsigned int ends;
	int status;
	bool known;
};

/**
 * struct run - an exec under way
 * @fd: context
 * @pid: child
 * @go: pipe that lets it go on
 * @out: pipe with what the program writes
 * @buf: sampling buffer, or NULL
 * @cfg: configuration at the end
 * @old: addresses of the child before
 */
struct run {
	int fd;
	pid_t pid;
	int go, out;
	const char *buf;
	struct pfm_config cfg;
	struct ranges old;
};

/* execve() with a frame pointer that is none: where the stack walk is to begin. */
static void execute(const char *path, const char *const argv[], uint64_t frame)
{
	static const char *const env[] = { NULL };
#ifdef __aarch64__
	register long x8 asm("x8") = SYS_execve;
	register long x0 asm("x0") = (long)path;
	register long x1 asm("x1") = (long)argv;
	register long x2 asm("x2") = (long)env;

	asm volatile("mov x29, %[frame]\n\tsvc #0"
		     : "+r"(x0)
		     : "r"(x8), "r"(x1), "r"(x2), [frame] "r"(frame)
		     : "memory", "x29");
#else
	long ret;

	asm volatile("push %%rbp\n\tmov %[frame], %%rbp\n\tsyscall\n\tpop %%rbp"
		     : "=a"(ret)
		     : "a"(SYS_execve), "D"(path), "S"(argv),
		       "d"(env), [frame] "r"(frame)
		     : "memory", "rcx", "r11");
#endif
	_exit(126);
}

struct to_execute {
	const char *path;
	const char *const *argv;
	uint64_t frame;
};

static void *execute_thread(void *arg)
{
	const struct to_execute *to = arg;

	execute(to->path, to->argv, to->frame);
	return NULL;
}

static void execute_way(const struct prog *prog, enum way way, uint64_t frame)
{
	char path[128];
	const char *const argv[] = { path, prog->arg, NULL };
	const char *const vfork_argv[] = { program("vforkexec"), "2", path,
					   prog->arg, NULL };
	const struct to_execute to = { path, argv, frame };
	const struct rlimit limit = { VICTIM_BSS / 2, VICTIM_BSS / 2 };
	pthread_t id;

	strcpy(path, path_of(prog));
	if (prog->script)
		strcat(path, ".sh");
	switch (way) {
	case WAY_EXEC:
		if (prog->fails && setrlimit(RLIMIT_AS, &limit))
			_exit(1);
		execute(path, argv, frame);
		break;
	case WAY_VFORK:
		execute(vfork_argv[0], vfork_argv, frame);
		break;
	case WAY_THREAD:
		if (!pthread_create(&id, NULL, execute_thread, (void *)&to))
			pause();
		break;
	}
	_exit(125);
}

static int run_child(struct run *run, const struct prog *prog,
		     const struct attack *attack, uint64_t frame)
{
	const pid_t parent = getpid();
	int go[2], out[2];
	char path[64], c;
	int fd;

	if (pipe2(go, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return -errno;
	run->pid = fork();
	if (run->pid < 0)
		return -errno;
	if (!run->pid) {
		die_with_parent(parent);
		close(run->fd);
		close(go[1]);
		if (dup2(out[1], 1) != 1 || read(go[0], &c, 1) != 1)
			_exit(1);
		execute_way(prog, attack->way, frame);
	}
	close(go[0]);
	close(out[1]);
	run->go = go[1];
	run->out = out[0];
	snprintf(path, sizeof(path), "/proc/%d/maps", run->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	run->old.n = 0;
	ranges_read(&run->old, fd, NULL);
	close(fd);
	return run->old.n ? 0 : -ENODATA;
}

static int run_context(struct run *run, int device, const struct attack *attack)
{
	const struct pfm_pmd_attr attr = {
		.num = attack->num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -attack->period,
		.short_reset = -attack->period,
	};
	struct pfm_create arg = {
		.flags = attack->flags,
		.fmt_arg = (uintptr_t)attack->arg,
		.fmt_arg_size = attack->size,
	};
	int ret;

	if (attack->uuid)
		memcpy(arg.fmt_uuid, attack->uuid, sizeof(arg.fmt_uuid));
	run->fd = call(device, PFM_IOC_CREATE_CONTEXT, &arg);
	if (run->fd < 0)
		return run->fd;
	run->buf = attack->uuid ? buffer_map(run->fd) : NULL;
	ret = attack->num == CYCLES ? pmc_write(run->fd, CYCLES, CYCLES_AT(ALL_LEVELS)) : 0;
	if (!ret)
		ret = pmd_write(run->fd, attack->num, -attack->first);
	return ret ? ret : attr_write(run->fd, &attr);
}

/* Notes a word that is an address of the victim, or was read from there. */
static void look_at(uint64_t word, const struct ranges *victim, bool *address,
		    bool *secret)
{
	*secret = word >= VICTIM_SECRET && word < VICTIM_SECRET + CHAIN;
	*address = ranges_overlap(victim, word, word + 1);
}

/* Reads messages until the session is over. */
static int read_messages(struct run *run, struct outcome *outcome,
			 uint64_t *ips, unsigned int max)
{
	struct pollfd pfd = { .fd = run->fd, .events = POLLIN };
	union pfm_msg msg;
	unsigned int n = 0;

	for (;;) {
		if (poll(&pfd, 1, PATIENCE) != 1)
			return -ETIME;
		if (message_read(run->fd, &msg) != sizeof(msg))
			return -EPROTO;
		if (msg.type == PFM_MSG_END)
			break;
		if (msg.ovfl.ip && n < max)
			ips[n++] = msg.ovfl.ip;
		context_restart(run->fd, PFM_LANE_ALL);
	}
	outcome->ends++;
	ips[n] = 0;
	return 0;
}

static void look_at_maps(struct run *run, const char *path,
			 const struct ranges *victim, struct outcome *outcome)
{
	static char buf[1 << 16] __attribute__((aligned(8)));
	struct pfm_read_records arg;
	const struct pfm_map *map;

	do {
		arg = (struct pfm_read_records){
			.buf = (uintptr_t)buf,
			.size = sizeof(buf),
		};
		if (call(run->fd, PFM_IOC_READ_MAPS, &arg))
			abort();
		for (map = (const void *)buf; (char *)map < buf + arg.used;
		     map = (const void *)((char *)map + map->size)) {
			if (ranges_begin(victim, map->start) ||
			    (path && !strcmp(map->path, path)))
				outcome->maps++;
		}
	} while (arg.count);
}

static void look_at_records(struct run *run, const char *path,
			    struct outcome *outcome)
{
	struct records recs = {};
	struct pfm_record *rec;

	if (records_collect(run->fd, &recs, 4096))
		abort();
	for_each_record(rec, &recs)
	{
		/* A script is told by its own name. */
		if (!strncmp(record_path(rec), path, strlen(path)))
			outcome->records++;
	}
	free(recs.buf);
}

/* Samples and lost ones by what the lanes' headers say. */
static uint64_t taken(const struct run *run, const struct attack *attack)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < run->cfg.lanes; i++) {
		const void *lane = run->buf + i * run->cfg.lane_size;
		const struct pfm_default_hdr *dflt = lane;
		const struct pfm_nway_hdr *nway = lane;

		if (attack->uuid == default_uuid)
			sum += dflt->hdr_count + dflt->hdr_lost;
		else
			sum += nway->samples + nway->lost;
	}
	return sum;
}

static void look_at_buffer(const struct run *run, const struct ranges *victim,
			   struct outcome *outcome)
{
	const uint64_t *word = (const void *)run->buf;
	bool address, secret;
	uint64_t i;

	for (i = 0; i < run->cfg.buffer_size / sizeof(*word); i++) {
		if (!word[i])
			continue;
		look_at(word[i], victim, &address, &secret);
		outcome->words += address;
		outcome->secrets += secret;
	}
}

static int run_finish(struct run *run, const struct prog *prog,
		      const struct attack *attack, struct outcome *outcome)
{
	static uint64_t ips[100001];
	struct ranges victim = {};
	bool address, secret;
	unsigned int i;
	int ret;

	if (write(run->go, "", 1) != 1)
		abort();
	ret = read_messages(run, outcome, ips, ARRAY_LEN(ips) - 1);
	ranges_read(&victim, run->out, &run->old);
	outcome->known = victim.n;
	if (prog->file[0] != '/')
		ranges_add(&victim, VICTIM_BASE, VICTIM_BASE + 2 * VICTIM_BSS,
			   false);
	outcome->status = child_reap(run->pid);
	run->pid = 0;
	if (!ret)
		ret = config_get(run->fd, &run->cfg);
	if (ret)
		return ret;
	outcome->overflows += run->cfg.overflows;
	outcome->skipped += run->cfg.skipped;
	for (i = 0; ips[i]; i++) {
		look_at(ips[i], &victim, &address, &secret);
		outcome->messages += address || secret;
	}
	if (attack->flags & PFM_CTX_MAPS)
		look_at_maps(run, path_of(prog), &victim, outcome);
	if (attack->flags & PFM_CTX_FOLLOW_ALL)
		look_at_records(run, path_of(prog), outcome);
	if (run->buf) {
		outcome->taken += taken(run, attack);
		look_at_buffer(run, &victim, outcome);
	}
	return 0;
}

/* Executes the program once and adds to the outcome.  0 or -errno. */
static int run_once(int device, const struct prog *prog,
		    const struct attack *attack, struct outcome *outcome)
{
	struct run run = { .fd = -1, .go = -1, .out = -1 };
	int ret;

	ret = run_context(&run, device, attack);
	if (!ret)
		ret = run_child(&run, prog, attack, secret_address());
	if (!ret)
		ret = context_load(run.fd, run.pid);
	if (!ret)
		ret = context_start(run.fd, 0);
	if (!ret)
		ret = run_finish(&run, prog, attack, outcome);
	if (run.pid > 0)
		child_kill(run.pid);
	if (run.buf)
		munmap((void *)run.buf, run.cfg.buffer_size);
	close(run.fd);
	close(run.go);
	close(run.out);
	return ret;
}

FIXTURE(exec)
{
	int device;
};

/**
 * @attack: but for the periods
 * @kernel: users may count kernel code
 */
FIXTURE_VARIANT(exec)
{
	struct attack attack;
	bool kernel;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(exec, dflt) {
	.attack = { PFM_CTX_MAPS, CPU_TIME_NS, 0, 0, default_uuid, &default_arg,
		    sizeof(default_arg), WAY_EXEC },
};

FIXTURE_VARIANT_ADD(exec, nway) {
	.attack = { PFM_CTX_MAPS, CPU_TIME_NS, 0, 0, nway_uuid, &nway_arg,
		    sizeof(nway_arg), WAY_EXEC },
};

FIXTURE_VARIANT_ADD(exec, stacks) {
	.attack = { 0, CPU_TIME_NS, 0, 0, stack_uuid, &stack_arg,
		    sizeof(stack_arg), WAY_EXEC },
};

FIXTURE_VARIANT_ADD(exec, stacks_counted) {
	.attack = { PFM_CTX_MAPS, CPU_TIME_NS, 0, 0, stack_uuid, &aggr_arg,
		    sizeof(aggr_arg), WAY_EXEC },
};

FIXTURE_VARIANT_ADD(exec, messages) {
	.attack = { PFM_CTX_MAPS, CPU_TIME_NS, 0, 0, NULL, NULL, 0, WAY_EXEC },
};

FIXTURE_VARIANT_ADD(exec, blocked) {
	.attack = { PFM_CTX_MAPS | PFM_CTX_NOTIFY_BLOCK, CPU_TIME_NS, 0, 0, NULL,
		    NULL, 0, WAY_EXEC },
};

FIXTURE_VARIANT_ADD(exec, followed) {
	.attack = { PFM_CTX_MAPS | PFM_CTX_FOLLOW_ALL, CPU_TIME_NS, 0, 0,
		    stack_uuid, &stack_arg, sizeof(stack_arg), WAY_EXEC },
};

FIXTURE_VARIANT_ADD(exec, vfork_child) {
	.attack = { PFM_CTX_MAPS | PFM_CTX_FOLLOW_ALL, CPU_TIME_NS, 0, 0,
		    stack_uuid, &stack_arg, sizeof(stack_arg), WAY_VFORK },
};

FIXTURE_VARIANT_ADD(exec, thread) {
	.attack = { PFM_CTX_MAPS | PFM_CTX_FOLLOW_ALL, CPU_TIME_NS, 0, 0,
		    stack_uuid, &stack_arg, sizeof(stack_arg), WAY_THREAD },
};

FIXTURE_VARIANT_ADD(exec, kernel_level) {
	.attack = { PFM_CTX_MAPS, CYCLES, 0, 0, stack_uuid, &stack_arg,
		    sizeof(stack_arg), WAY_EXEC },
	.kernel = true,
};
/* clang-format on */

FIXTURE_SETUP(exec)
{
	const struct prog *prog;

	umask(022);
	if (mkdir(FOLDER, 0755) && errno != EEXIST)
		abort();
	for_each_program(prog, programs) ASSERT_EQ(0, program_make(prog));
	for_each_program(prog, own_programs) ASSERT_EQ(0, program_make(prog));
	ASSERT_EQ(0, sysfs_write("policy/kernel_level",
				 variant->kernel ? "1" : "0"));
	self->device = device_open();
	ASSERT_LE(0, self->device);
}

FIXTURE_TEARDOWN(exec)
{
	close(self->device);
}

#define NEED_VARIANT()                                                  \
	do {                                                            \
		if (variant->attack.num == CYCLES && !HAVE_CYCLES)      \
			SKIP(return, "no counter of cycles only here"); \
	} while (0)

/* Different ones, so that samples come at all places of an exec. */
static const uint64_t periods[] = { 40000, 17001, 63533 };

/* All periods; 0 or -errno. */
static int run_all(int device, const struct prog *prog,
		   const struct attack *attack, struct outcome *outcome)
{
	/* An exec takes ten times as long with the kernel's checkers. */
	const uint64_t scale = kernel_has_checkers() ? 10 : 1;
	struct attack one = *attack;
	unsigned int i;
	int ret = 0;

	memset(outcome, 0, sizeof(*outcome));
	outcome->known = true;
	for (i = 0; !ret && i < ARRAY_LEN(periods); i++) {
		one.period = periods[i] * scale;
		one.first = one.period / (i + 1);
		ret = run_once(device, prog, &one, outcome);
	}
	return ret;
}

/* Programs that the owner may not look into. */
TEST_F(exec, shows_nothing)
{
	TEST_PROVES(E1, E2, G8);
	const struct prog *prog;
	struct outcome outcome;

	NEED_VARIANT();
	rights_drop();
	for_each_program(prog, programs)
	{
		if (prog->fails && variant->attack.way != WAY_EXEC)
			continue;
		ASSERT_EQ(0, run_all(self->device, prog, &variant->attack,
				     &outcome))
		{
			TH_LOG("%s", prog->name);
		}
		EXPECT_EQ(0, outcome.maps + outcome.words + outcome.secrets +
				     outcome.messages + outcome.records)
		{
			TH_LOG("%s: %u mappings, %u words, %u secrets, %u messages, %u records",
			       prog->name, outcome.maps, outcome.words,
			       outcome.secrets, outcome.messages,
			       outcome.records);
		}
		EXPECT_EQ(ARRAY_LEN(periods), outcome.ends);
		/* All of the comparison rests on what the program writes. */
		EXPECT_EQ(!prog->fails, outcome.known);
		EXPECT_EQ(prog->fails, !!WIFSIGNALED(outcome.status));
		EXPECT_LT(0, outcome.overflows);
		/* None is lost without being counted. */
		if (variant->attack.uuid)
			EXPECT_EQ(outcome.overflows, outcome.taken);
	}
}

/* True if each output that is to show the program does. */
static bool shows(const struct attack *attack, const struct outcome *outcome)
{
	return (!(attack->flags & PFM_CTX_MAPS) || outcome->maps) &&
	       (!(attack->flags & PFM_CTX_FOLLOW_ALL) || outcome->records) &&
	       (attack->uuid != stack_uuid || outcome->words);
}

/*
 * Runs until the program was shown, as a short one may be over before it is
 * sampled.  0 or -errno.
 */
static int run_until_shown(int device, const struct prog *prog,
			   const struct attack *attack, struct outcome *outcome)
{
	int ret, round = 0;

	do {
		ret = run_all(device, prog, attack, outcome);
	} while (!ret && !shows(attack, outcome) && ++round < 50);
	return ret;
}

/* Its own programs are the owner's to look into. */
TEST_F(exec, shows_own)
{
	const struct prog *prog;
	struct outcome outcome;

	NEED_VARIANT();
	rights_drop();
	for_each_program(prog, own_programs)
	{
		ASSERT_EQ(0, run_until_shown(self->device, prog,
					     &variant->attack, &outcome))
		{
			TH_LOG("%s", prog->name);
		}
		EXPECT_EQ(true, outcome.known);
		EXPECT_EQ(true, shows(&variant->attack, &outcome))
		{
			TH_LOG("%s", prog->name);
		}
	}
}

/* Root sees all: what is looked for above is there. */
TEST_F(exec, shows_root)
{
	const struct prog *prog;
	struct outcome outcome;

	NEED_VARIANT();
	for_each_program(prog, programs)
	{
		if (prog->fails)
			continue;
		ASSERT_EQ(0, run_until_shown(self->device, prog,
					     &variant->attack, &outcome))
		{
			TH_LOG("%s", prog->name);
		}
		EXPECT_EQ(true, outcome.known);
		EXPECT_EQ(true, shows(&variant->attack, &outcome))
		{
			TH_LOG("%s", prog->name);
		}
	}
}

/*
 * A program that may not be dumped any more is not looked into any more.
 */

enum { SEEN, HIDDEN, SEEN_AGAIN, PHASES };

/**
 * struct phase - what happens while a program may be dumped, or may not
 * @begin: time when it began, ns of CLOCK_MONOTONIC
 * @end: when it ended
 * @mapping: code that it mapped
 */
struct phase {
	volatile uint64_t begin, end, mapping;
};

static void work_until(const volatile int *go, int phase)
{
	volatile unsigned int i;

	while (*go <= phase) {
		for (i = 0; i < 1000; i++)
			;
	}
}

struct dumpable {
	volatile int go;
	struct phase phases[PHASES];
};

static void change_dumpable(struct dumpable *shared)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int i;

	for (i = SEEN; i < PHASES; i++) {
		struct phase *phase = &shared->phases[i];

		if (prctl(PR_SET_DUMPABLE, i != HIDDEN))
			_exit(1);
		phase->mapping = (uintptr_t)mmap(
			NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		phase->begin = time_ns(CLOCK_MONOTONIC);
		work_until(&shared->go, i);
		phase->end = time_ns(CLOCK_MONOTONIC);
	}
	_exit(0);
}

/* Samples of a phase with an address, and all. */
static void phase_samples(const struct pfm_default_hdr *hdr,
			  const struct phase *phase, unsigned int *with_ip,
			  unsigned int *all)
{
	uint64_t i;

	*with_ip = 0;
	*all = 0;
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		if (!phase->begin || entry->tstamp <= phase->begin ||
		    (phase->end && entry->tstamp >= phase->end))
			continue;
		++*all;
		*with_ip += !!entry->ip;
	}
}

static bool mapping_reported(int fd, uint64_t mapping)
{
	struct ranges wanted = {};
	struct outcome outcome = {};
	struct run run = { .fd = fd };

	ranges_add(&wanted, mapping, mapping + 4096, true);
	look_at_maps(&run, NULL, &wanted, &outcome);
	return outcome.maps;
}

TEST(undumpable)
{
	TEST_PROVES(E1, E2, G8);
	const struct attack attack = {
		.flags = PFM_CTX_MAPS,
		.num = CPU_TIME_NS,
		.period = 200000,
		.first = 200000,
		.uuid = default_uuid,
		.arg = &default_arg,
		.size = sizeof(default_arg),
	};
	const struct pfm_default_hdr *hdr;
	const int device = device_open();
	unsigned int with_ip, all;
	struct run run = {};
	struct dumpable *shared;
	uint64_t begin;
	int i;

	ASSERT_LE(0, device);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)shared);
	rights_drop();
	ASSERT_EQ(0, run_context(&run, device, &attack));
	hdr = (const void *)run.buf;
	ASSERT_NE(NULL, hdr);
	run.pid = fork();
	if (!run.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		change_dumpable(shared);
	}
	while (!shared->phases[SEEN].begin)
		sched_yield();
	ASSERT_EQ(0, context_load(run.fd, run.pid));
	ASSERT_EQ(0, context_start(run.fd, 0));
	begin = time_ns(CLOCK_MONOTONIC);
	for (i = SEEN; i < PHASES; i++) {
		const struct phase *phase = &shared->phases[i];
		bool reported = false;

		/*
		 * On a slow machine many samples may come before the first one of
		 * user code, and before the mapping is reported.
		 */
		do {
			if (phase->begin && !reported)
				reported = mapping_reported(run.fd,
							    phase->mapping);
			phase_samples(hdr, phase, &with_ip, &all);
			usleep(1000);
			ASSERT_GT(PATIENCE * 1000000ULL,
				  time_ns(CLOCK_MONOTONIC) - begin);
		} while (all < 20 || !phase->begin ||
			 (i != HIDDEN && !(with_ip && reported)));
		EXPECT_EQ(i != HIDDEN, !!with_ip);
		if (i == HIDDEN)
			EXPECT_FALSE(mapping_reported(run.fd, phase->mapping));
		EXPECT_EQ(i != HIDDEN, reported);
		shared->go = i + 1;
	}
	child_reap(run.pid);
	close(run.fd);
	close(device);
}

/*
 * Programs report their mappings, one after the other, also when one between two
 * of them was not sampled.
 */

/* Feeds a shell with lines while it works, until its mappings were reported. */
static bool feed_until_reported(const struct run *run)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	struct ranges maps = {};
	struct outcome outcome = {};
	char path[64];
	int i, fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", run->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	ranges_read(&maps, fd, NULL);
	close(fd);
	while (!outcome.maps &&
	       time_ns(CLOCK_MONOTONIC) - begin < PATIENCE * 1000000ULL) {
		for (i = 0; i < 20; i++) {
			if (write(run->go, "b\n", 2) != 2)
				abort();
		}
		usleep(1000);
		look_at_maps((struct run *)run, NULL, &maps, &outcome);
	}
	return outcome.maps;
}

/* Waits until the shell's last argument is this: it runs that program. */
static bool wait_for_program(pid_t pid, char mark)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	char path[64], text[4096];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	do {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		len = fd < 0 ? 0 : read(fd, text, sizeof(text));
		if (fd >= 0)
			close(fd);
		if (len > 2 && text[len - 2] == mark && !text[len - 3])
			return true;
		usleep(1000);
	} while (time_ns(CLOCK_MONOTONIC) - begin < PATIENCE * 1000000ULL);
	return false;
}

#define BUSY "while read l && [ $l = b ]; do :; done; "

static void run_shells(int in)
{
	static const char last[] = BUSY "exit 0";
	static const char second[] = BUSY "exec /bin/sh -c \"$1\" 3";
	static const char first[] = BUSY "exec /bin/sh -c \"$1\" sh \"$2\" 2";

	if (dup2(in, 0))
		_exit(1);
	execl("/bin/sh", "/bin/sh", "-c", first, "sh", second, last, "1", NULL);
	_exit(126);
}

TEST(mappings_of_each_program)
{
	const struct attack attack = {
		.flags = PFM_CTX_MAPS,
		.num = CPU_TIME_NS,
		.period = 50000,
		.first = 50000,
		.uuid = default_uuid,
		.arg = &default_arg,
		.size = sizeof(default_arg),
	};
	const int device = device_open();
	int round, pipefd[2];

	ASSERT_LE(0, device);
	for (round = 0; round < 5; round++) {
		struct run run = {};

		ASSERT_EQ(0, pipe2(pipefd, O_CLOEXEC));
		ASSERT_EQ(0, run_context(&run, device, &attack));
		run.pid = fork();
		if (!run.pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			run_shells(pipefd[0]);
		}
		run.go = pipefd[1];
		close(pipefd[0]);
		ASSERT_EQ(true, wait_for_program(run.pid, '1'));
		ASSERT_EQ(0, context_load(run.fd, run.pid));
		ASSERT_EQ(0, context_start(run.fd, 0));
		EXPECT_EQ(true, feed_until_reported(&run));
		/* The second one is not sampled. */
		ASSERT_EQ(0, context_stop(run.fd));
		ASSERT_EQ(2, write(run.go, "x\n", 2));
		ASSERT_EQ(true, wait_for_program(run.pid, '2'));
		ASSERT_EQ(2, write(run.go, "x\n", 2));
		ASSERT_EQ(true, wait_for_program(run.pid, '3'));
		ASSERT_EQ(0, context_start(run.fd, 0));
		EXPECT_EQ(true, feed_until_reported(&run));
		close(run.go);
		child_reap(run.pid);
		close(run.fd);
	}
	close(device);
}

TEST_HARNESS_MAIN
