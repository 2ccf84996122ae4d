// SPDX-License-Identifier: GPL-2.0-only
/*
 * Software events of perf that count nothing, and whose ring buffers tell what the kernel
 * maps, forks and executes.
 *
 * An event for all processes costs a task nothing but the records.  One for a task and its
 * children is copied at each fork, for each CPU, but needs fewer rights.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "sampling/perf_rings.h"

/*
 * Bytes of data in a ring: a power of two.  Those of a user without rights have to fit
 * into kernel.perf_event_mlock_kb, together with a page that is not data.
 */
#define SIZE_ALL	(1U << 20)
#define SIZE_TASK	(1U << 18)

/**
 * struct perf_ring - the ring of a CPU
 * @fd: the event
 * @page: the page before the data
 */
struct perf_ring {
	int fd;
	struct perf_event_mmap_page *page;
};

/* The stack at a switch is the kernel's, and what called it. */
static void ask_waits(struct perf_event_attr *attr)
{
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->exclude_kernel = 0;
}

static int open_event(pid_t task, int cpu, unsigned int what, size_t size)
{
	const bool data = what & PERF_RINGS_DATA;
	const bool switches = what & (PERF_RINGS_SWITCHES | PERF_RINGS_WAITS);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_TIME |
			       (switches ? PERF_SAMPLE_TID : 0),
		.context_switch = switches,
		.inherit = task != PERF_RINGS_ALL,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap_data = data,
		.mmap2 = 1,
		/* For data, files are told apart by their inodes, as in /proc. */
		.build_id = !data,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = size / 2,
	};
	int fd;

	if (what & PERF_RINGS_WAITS)
		ask_waits(&attr);
	fd = syscall(SYS_perf_event_open, &attr, task, cpu, -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_ring(struct perf_rings *rings, pid_t task, int cpu,
		     unsigned int what)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	struct perf_ring *ring = &rings->list[rings->count];
	void *memory;
	int fd, err;

	fd = open_event(task, cpu, what, rings->size);
	if (fd < 0)
		return fd;
	memory = mmap(NULL, page + rings->size, PROT_READ | PROT_WRITE,
		      MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		err = -errno;
		close(fd);
		return err;
	}
	ring->fd = fd;
	ring->page = memory;
	rings->count++;
	return 0;
}

int perf_rings_open(struct perf_rings *rings, pid_t task, unsigned int what)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int cpu, err = 0;

	memset(rings, 0, sizeof(*rings));
	rings->size = task == PERF_RINGS_ALL || !geteuid() ? SIZE_ALL : SIZE_TASK;
	rings->list = calloc(cpus, sizeof(*rings->list));
	if (!rings->list)
		return -ENOMEM;
	for (cpu = 0; cpu < cpus; cpu++) {
		err = open_ring(rings, task, cpu, what);
		/* An offline CPU executes nothing. */
		if (err && err != -ENODEV)
			break;
	}
	if (cpu == cpus && rings->count)
		return 0;
	perf_rings_close(rings);
	return err;
}

void perf_rings_poll(const struct perf_rings *rings, struct pollfd *fds)
{
	size_t i;

	for (i = 0; i < rings->count; i++)
		fds[i] = (struct pollfd){ rings->list[i].fd, POLLIN, 0 };
}

/* Copies bytes of a ring, which may be at both of its ends. */
static void copy(const struct perf_rings *rings, const char *data,
		 uint64_t from, void *to, size_t size)
{
	size_t at = from & (rings->size - 1);
	size_t first = rings->size - at < size ? rings->size - at : size;

	memcpy(to, data + at, first);
	memcpy((char *)to + first, data, size - first);
}

static void copy_ring(struct perf_rings *rings, struct perf_ring *ring)
{
	const char *data = (const char *)ring->page + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&ring->page->data_head,
					__ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	struct perf_event_header header;

	while (tail < head) {
		copy(rings, data, tail, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail)
			break;
		if (!array_reserve(&rings->batch, 1, &rings->room,
				   rings->used + header.size)) {
			copy(rings, data, tail, rings->batch + rings->used,
			     header.size);
			rings->used += header.size;
		} else {
			rings->lost++;
		}
		tail += header.size;
	}
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

static int compare(const void *a, const void *b)
{
	const struct perf_order *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* A sample has its time behind the thread; any other record ends with both. */
static const char *time_of(const struct perf_event_header *header)
{
	if (header->type == PERF_RECORD_SAMPLE)
		return (const char *)(header + 1) + sizeof(uint64_t);
	return (const char *)header + header->size - sizeof(uint64_t);
}

/* Returns the number of records. */
static size_t sort(struct perf_rings *rings)
{
	size_t count = 0, offset;
	const struct perf_event_header *header;

	for (offset = 0; offset < rings->used; offset += header->size) {
		header = (const void *)(rings->batch + offset);
		if (array_reserve(&rings->order, sizeof(*rings->order),
				  &rings->order_room, count + 1)) {
			rings->lost++;
			continue;
		}
		memcpy(&rings->order[count].time, time_of(header),
		       sizeof(uint64_t));
		rings->order[count++].offset = offset;
	}
	qsort(rings->order, count, sizeof(*rings->order), compare);
	return count;
}

void perf_rings_thread(const struct perf_event_header *record, uint32_t *pid,
		       uint32_t *tid)
{
	const char *at = (const char *)record + record->size - 2 * sizeof(uint64_t);

	memcpy(pid, at, sizeof(*pid));
	memcpy(tid, at + sizeof(*pid), sizeof(*tid));
}

static void count_lost(struct perf_rings *rings,
		       const struct perf_event_header *header)
{
	/* The event's number and the number of records. */
	uint64_t fields[2];

	memcpy(fields, header + 1, sizeof(fields));
	rings->lost += fields[1];
}

void perf_rings_read(struct perf_rings *rings,
		     void (*visit)(void *arg, uint64_t time,
				   const struct perf_event_header *record),
		     void *arg)
{
	size_t i, count;

	rings->used = 0;
	for (i = 0; i < rings->count; i++)
		copy_ring(rings, &rings->list[i]);
	count = sort(rings);
	for (i = 0; i < count; i++) {
		const struct perf_event_header *header =
			(const void *)(rings->batch + rings->order[i].offset);

		if (header->type == PERF_RECORD_LOST)
			count_lost(rings, header);
		else
			visit(arg, rings->order[i].time, header);
	}
}

void perf_rings_close(struct perf_rings *rings)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	size_t i;

	for (i = 0; i < rings->count; i++) {
		munmap(rings->list[i].page, page + rings->size);
		close(rings->list[i].fd);
	}
	free(rings->list);
	free(rings->batch);
	free(rings->order);
	memset(rings, 0, sizeof(*rings));
}
