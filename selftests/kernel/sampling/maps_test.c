// SPDX-License-Identifier: GPL-2.0-only
/*
 * READ_MAPS: which file a sample belongs to, whatever the program maps and when.
 */
#include "checkers.h"
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "sampling.h"

#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

/* Address of the code, and of the mapping that mremap(2) moves there. */
#define AT	((void *)0x500000000000)
#define BESIDE	((void *)0x510000000000)
/* ns.  With the kernel's checkers a shorter one is throttled. */
#define PERIOD	(20000 * checkers_factor())
#define PHASES	12
/* Some milliseconds: where nothing disturbs it, a pause of the sampling is shorter. */
#define SPINS	3000000

/* A function that counts its argument down. */
static const unsigned char code[] = {
#ifdef __aarch64__
	0x00, 0x04, 0x00, 0xf1, /* 1: subs x0, x0, #1 */
	0xe1, 0xff, 0xff, 0x54, /* b.ne 1b */
	0xc0, 0x03, 0x5f, 0xd6, /* ret */
#else
	0x48, 0xff, 0xcf, /* 1: dec %rdi */
	0x75, 0xfb, /* jne 1b */
	0xc3, /* ret */
#endif
};

static const char *const paths[] = { "/tmp/maps_test.a", "/tmp/maps_test.b" };

/* The child's access to the page at AT. */
enum way {
	WAY_UNMAP, /* unmap a file, then map the other one */
	WAY_OVER, /* map the other file over it */
	WAY_MOVE, /* map the other file elsewhere, and move it there */
	WAY_ANON, /* map memory without a file over it in every other phase */
};

/**
 * struct shared - what the child says of itself
 * @begin: when code was about to be executed at AT, in each phase
 * @end: when it had been
 */
struct shared {
	uint64_t begin[PHASES];
	uint64_t end[PHASES];
};

FIXTURE(maps)
{
	int fd;
	struct shared *shared;
	struct child child;
	const struct pfm_default_hdr *hdr;
	char *buf;
	struct pfm_read_records maps;
	bool missing;
};

FIXTURE_SETUP(maps)
{
	unsigned int i;

	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	self->buf = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->shared);
	ASSERT_NE(MAP_FAILED, (void *)self->buf);
	for (i = 0; i < ARRAY_LEN(paths); i++) {
		const int fd = open(paths[i], O_CREAT | O_TRUNC | O_RDWR, 0755);

		ASSERT_EQ(sizeof(code), write(fd, code, sizeof(code)));
		ASSERT_EQ(0, ftruncate(fd, getpagesize()));
		close(fd);
	}
	self->fd = -1;
}

FIXTURE_TEARDOWN(maps)
{
	if (self->fd >= 0)
		close(self->fd);
	unlink(paths[0]);
	unlink(paths[1]);
}

static void map_phase(enum way way, unsigned int phase)
{
	const int fd = open(paths[phase % 2], O_RDONLY | O_CLOEXEC);
	const size_t page = getpagesize();
	void *at = AT;

	if (way == WAY_UNMAP && phase)
		munmap(AT, page);
	if (way == WAY_MOVE) {
		at = mmap(BESIDE, page, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE | MAP_FIXED, fd, 0);
		at = mremap(at, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, AT);
	} else if (way == WAY_ANON && phase % 2) {
		at = mmap(AT, page, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
		memcpy(at, code, sizeof(code));
		__builtin___clear_cache(at, (char *)at + sizeof(code));
	} else {
		at = mmap(AT, page, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE | MAP_FIXED, fd, 0);
	}
	if (at != AT)
		_exit(1);
	close(fd);
}

static void run_phases(struct shared *shared, enum way way)
{
	unsigned int i;

	for (i = 0; i < PHASES; i++) {
		map_phase(way, i);
		shared->begin[i] = time_ns(CLOCK_MONOTONIC);
		((void (*)(unsigned long))AT)(SPINS);
		shared->end[i] = time_ns(CLOCK_MONOTONIC);
	}
}

/*
 * A context that samples, with a buffer for everything: a full one would end the reports.  With the
 * kernel's checkers it takes many times the CPU time to map something.
 */
static int open_sampler(FIXTURE_DATA(maps) * self, uint32_t flags)
{
	int ret;

	self->fd = default_open(PFM_CTX_MAPS | flags, checkers_factor() << 20);
	self->missing = self->fd == -EOPNOTSUPP;
	if (self->fd < 0)
		return self->fd;
	ret = sample_every(self->fd, CPU_TIME_NS, PERIOD, NULL, 0);
	return ret ?: pmd_write(self->fd, CPU_TIME_NS, -PERIOD);
}

#define NEED_MAPS(flags)                                             \
	do {                                                         \
		const int ret_ = open_sampler(self, flags);          \
                                                                     \
		if (self->missing)                                   \
			SKIP(return, "this kernel reports no mappings"); \
		ASSERT_EQ(0, ret_);                                  \
	} while (0)

/* Has a child wait; in the child, true when it is to go on. */
static bool fork_child(FIXTURE_DATA(maps) * self)
{
	const pid_t parent = getpid();
	int pipefd[2];
	char c;

	if (pipe2(pipefd, O_CLOEXEC))
		abort();
	self->child.pid = fork();
	if (self->child.pid < 0)
		abort();
	if (!self->child.pid) {
		die_with_parent(parent);
		close(pipefd[1]);
		if (read(pipefd[0], &c, 1) != 1)
			_exit(1);
		return true;
	}
	close(pipefd[0]);
	self->child.go = pipefd[1];
	return false;
}

/* Samples the child to its end, and reads the mappings. */
static int sample_child(FIXTURE_DATA(maps) * self)
{
	int ret;

	ret = context_load(self->fd, self->child.pid) ?:
	      context_start(self->fd, 0);
	if (ret)
		return ret;
	child_go(&self->child);
	if (child_reap(self->child.pid))
		return -ECHILD;
	self->hdr = buffer_map(self->fd);
	self->maps = (struct pfm_read_records){
		.buf = (uintptr_t)self->buf,
		.size = 16 << 20,
	};
	return call(self->fd, PFM_IOC_READ_MAPS, &self->maps);
}

#define for_each_map(map, self)                                         \
	for ((map) = (const struct pfm_map *)(self)->buf;               \
	     (const char *)(map) < (self)->buf + (self)->maps.used;     \
	     (map) = (const void *)((const char *)(map) + (map)->size))

/* The path of an address at a time, by the rule of struct pfm_map; NULL without one. */
static const char *path_at(const FIXTURE_DATA(maps) * self, uint64_t time,
			   uint64_t address)
{
	const struct pfm_map *map, *found = NULL;

	for_each_map(map, self)
	{
		if (map->tstamp <= time && map->start <= address &&
		    address < map->end && (!found || map->tstamp >= found->tstamp))
			found = map;
	}
	return found ? found->path : NULL;
}

FIXTURE_VARIANT(maps)
{
	enum way way;
};

FIXTURE_VARIANT_ADD(maps, unmap){ .way = WAY_UNMAP };
FIXTURE_VARIANT_ADD(maps, over){ .way = WAY_OVER };
FIXTURE_VARIANT_ADD(maps, move){ .way = WAY_MOVE };
FIXTURE_VARIANT_ADD(maps, anon){ .way = WAY_ANON };

/* No sample gets a file that was not mapped at its time. */
TEST_F(maps, replaced)
{
	TEST_PROVES(G9);
	unsigned int n[PHASES] = {}, sampled = 0, wrong = 0;
	struct pfm_config cfg;
	unsigned int phase;
	uint64_t i;

	NEED_MAPS(0);
	if (fork_child(self)) {
		run_phases(self->shared, variant->way);
		_exit(0);
	}
	ASSERT_EQ(0, sample_child(self));
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 0);
		const char *path, *want;

		if (entry->ip - (uint64_t)AT >= sizeof(code))
			continue;
		for (phase = 0; phase < PHASES; phase++)
			if (entry->tstamp >= self->shared->begin[phase] &&
			    entry->tstamp <= self->shared->end[phase])
				break;
		ASSERT_GT(PHASES, phase);
		n[phase]++;
		want = variant->way == WAY_ANON && phase % 2 ? "" :
							       paths[phase % 2];
		path = path_at(self, entry->tstamp, entry->ip);
		if (!path || strcmp(path, want)) {
			TH_LOG("phase %u: %s, not %s", phase,
			       path ?: "nothing known", want);
			wrong++;
		}
	}
	for (phase = 0; phase < PHASES; phase++)
		sampled += !!n[phase];
	/* On a host that does something else, a pause of the sampling lasts for phases. */
	EXPECT_LE(exact_missing() ? 2 : PHASES, sampled);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.maps);
	/*
	 * A walk over the mappings that takes long, because the host does something else or
	 * the kernel checks itself, makes the next one wait; but then the context says so.
	 */
	EXPECT_EQ(true, !wrong || cfg.maps_lost);
	if (!exact_missing() && !kernel_has_checkers())
		EXPECT_EQ(0, cfg.maps_lost);
}

/* A program that maps more and more code, as one that loads many libraries. */
static void map_more(const char *path, unsigned int n)
{
	const size_t page = getpagesize();
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	unsigned int i;

	if (fd < 0 || ftruncate(fd, 2 * n * page))
		_exit(1);
	for (i = 0; i < n; i++) {
		/* Not pages that follow one another: those would be one mapping. */
		if (mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
			 2 * i * page) == MAP_FAILED)
			_exit(1);
		burn_ns(2 * PERIOD);
	}
	/*
	 * The last ones are reported, too, if a walk over the mappings has to wait, or a pause of
	 * the sampling: that lasts for long where the host has stopped the machine.
	 */
	burn_ns(exact_missing() ? 1000000000 : 50000000);
	_exit(0);
}

#define LIBRARIES 200

/* Each mapping is reported once, not again with each one that comes later. */
TEST_F(maps, reported_once)
{
	unsigned int mapped = 0, all = 0;
	const struct pfm_map *map;

	if (variant->way)
		SKIP(return, "the same for all ways");
	NEED_MAPS(0);
	if (fork_child(self))
		map_more(paths[0], LIBRARIES);
	ASSERT_EQ(0, sample_child(self));
	for_each_map(map, self)
	{
		mapped += !strcmp(map->path, paths[0]);
		all++;
	}
	EXPECT_EQ(LIBRARIES, mapped);
	/* The program's own, the vdso, and the record that voids what was before. */
	EXPECT_GT(LIBRARIES + 10, all);
}

static void *burn_thread(void *arg)
{
	burn_ns(50 * PERIOD);
	return NULL;
}

/* Threads share what their process has reported. */
TEST_F(maps, threads)
{
	unsigned int own = 0, voids = 0;
	const struct pfm_map *map;
	char path[PATH_MAX];
	ssize_t len;

	if (variant->way)
		SKIP(return, "the same for all ways");
	NEED_MAPS(PFM_CTX_FOLLOW_ALL);
	if (fork_child(self)) {
		pthread_t threads[8];
		unsigned int i;

		for (i = 0; i < ARRAY_LEN(threads); i++)
			if (pthread_create(&threads[i], NULL, burn_thread,
					   NULL))
				_exit(1);
		for (i = 0; i < ARRAY_LEN(threads); i++)
			pthread_join(threads[i], NULL);
		_exit(0);
	}
	ASSERT_EQ(0, sample_child(self));
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	ASSERT_LT(0, len);
	path[len] = '\0';
	for_each_map(map, self)
	{
		if (map->pid != (uint32_t)self->child.pid)
			continue;
		own += !strcmp(map->path, path);
		voids += !map->start && !map->path_len;
	}
	EXPECT_EQ(1, voids);
	/* Once, or twice when a thread found the mapping at an earlier time. */
	EXPECT_LT(0, own);
	EXPECT_GE(2, own);
}

/* Bytes are limited, what does not fit is counted, and later reports find room again. */
TEST_F(maps, limit)
{
	char path[PATH_MAX] = "/tmp/";
	struct pfm_config cfg;
	int fd, i;

	if (variant->way)
		SKIP(return, "the same for all ways");
	NEED_MAPS(0);
	for (i = 0; i < 15; i++) {
		snprintf(path + strlen(path), 256, "%0240d", i);
		ASSERT_EQ(true, !mkdir(path, 0755) || errno == EEXIST);
		strcat(path, "/");
	}
	strcat(path, "code");
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0755);
	ASSERT_LE(0, fd);
	close(fd);
	if (fork_child(self))
		map_more(path, 2600);
	ASSERT_EQ(0, context_load(self->fd, self->child.pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	child_go(&self->child);
	ASSERT_EQ(0, child_reap(self->child.pid));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	self->maps.buf = (uintptr_t)self->buf;
	self->maps.size = 16 << 20;
	ASSERT_EQ(0, call(self->fd, PFM_IOC_READ_MAPS, &self->maps));
	EXPECT_EQ(cfg.maps, self->maps.count);
	EXPECT_GE(PFM_MAPS_BYTES_MAX, self->maps.used);
	EXPECT_LT(PFM_MAPS_BYTES_MAX - 4096, self->maps.used);
	EXPECT_LT(0, cfg.maps_lost);
	EXPECT_LE(2600, cfg.maps_lost + self->maps.count);
	unlink(path);
	/* A process of its own: it has room. */
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -PERIOD));
	if (fork_child(self)) {
		run_phases(self->shared, WAY_OVER);
		_exit(0);
	}
	ASSERT_EQ(0, context_load(self->fd, self->child.pid));
	ASSERT_EQ(0, context_start(self->fd, 0));
	child_go(&self->child);
	ASSERT_EQ(0, child_reap(self->child.pid));
	ASSERT_EQ(0, call(self->fd, PFM_IOC_READ_MAPS, &self->maps));
	/* On a machine that is busy, pauses of the sampling may be as long as whole phases. */
	EXPECT_LT(0, self->maps.count);
}

TEST_HARNESS_MAIN
