// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings, forks and execs of what is sampled, as perf's records tell them.
 *
 * perf records them when they happen, with the clock of the samples, for processes however
 * short.  Nothing is allocated in a monitored process, and the kernel has to export
 * nothing.  The records of all CPUs are sorted by time.  One that its CPU was just writing
 * is read the next time; if a sample behind it was looked up meanwhile, it is counted.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "options/options.h"
#include "sampling/perf_maps.h"
#include "symbols/symbols.h"

/**
 * struct mmap_record - PERF_RECORD_MMAP2
 * @header: type and size
 * @pid: process
 * @tid: thread
 * @start: first address
 * @size: bytes
 * @offset: in the file
 * @id_size: with PERF_RECORD_MISC_MMAP_BUILD_ID: bytes of @id; otherwise, with the next
 *	two fields, the device
 * @reserved: zero
 * @id: with PERF_RECORD_MISC_MMAP_BUILD_ID: build id
 * @major: number of the device
 * @minor: number of the device
 * @inode: inode number
 * @generation: of the inode
 * @protection: PROT_*
 * @flags: MAP_*
 * @path: the file, or a name of the kernel's
 */
struct mmap_record {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t size;
	uint64_t offset;
	union {
		struct {
			uint8_t id_size;
			uint8_t reserved[3];
			uint8_t id[20];
		};
		struct {
			uint32_t major;
			uint32_t minor;
			uint64_t inode;
			uint64_t generation;
		};
	};
	uint32_t protection;
	uint32_t flags;
	char path[];
};

/**
 * struct task_record - PERF_RECORD_FORK
 * @header: type and size
 * @pid: process
 * @ppid: process that created it; the same for a thread
 */
struct task_record {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t ppid;
};

/**
 * struct comm_record - PERF_RECORD_COMM
 * @header: type and size; PERF_RECORD_MISC_COMM_EXEC: the name is that of a new program
 * @pid: process
 */
struct comm_record {
	struct perf_event_header header;
	uint32_t pid;
};

/* Bits of mmap_record.protection, which are those of mmap(2). */
#define PROTECT_READ	1
#define PROTECT_WRITE	2
#define PROTECT_EXEC	4

/*
 * A stack grows without a record.  This is the kernel's default limit; what is mapped
 * in that room later comes first.
 */
#define STACK_SIZE (8ULL << 20)

static void take_map(struct perf_maps *perf, uint64_t time,
		     const struct mmap_record *record)
{
	struct symbols_map map = {
		.pid = record->pid,
		.time = time,
		.start = record->start,
		.end = record->start + record->size,
		.offset = record->offset,
		.access = (record->protection & PROTECT_READ ? MAP_READ : 0) |
			  (record->protection & PROTECT_WRITE ? MAP_WRITE : 0) |
			  (record->protection & PROTECT_EXEC ? MAP_EXEC : 0),
		.name = record->path,
	};

	if (record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		map.id = record->id;
		map.id_size = record->id_size;
	} else {
		map.inode = record->inode;
	}
	if (!strcmp(map.name, "//anon"))
		map.name = perf->symbols->data ? SYMBOLS_ANON : "";
	if (!strcmp(map.name, "[stack]") && map.end > STACK_SIZE)
		map.start = map.end - STACK_SIZE;
	symbols_map(perf->symbols, &map);
}

static void take_fork(struct perf_maps *perf, uint64_t time,
		      const struct task_record *record)
{
	if (record->pid == record->ppid)
		return;
	if (perf->all || symbols_knows(perf->symbols, record->ppid))
		symbols_copy(perf->symbols, record->ppid, record->pid, time);
	else
		symbols_end(perf->symbols, record->pid);
}

/*
 * Events of all processes tell of others' threads, too.  A thread that is known to run is one of the
 * session, even if its process is not known any more.
 */
static void take_switch(struct perf_maps *perf, uint64_t time,
			const struct perf_event_header *record)
{
	bool on = record->type != PERF_RECORD_EXIT &&
		  !(record->misc & PERF_RECORD_MISC_SWITCH_OUT);
	uint32_t pid, tid;

	perf_rings_thread(record, &pid, &tid);
	if (perf->what & PERF_RINGS_WAITS) {
		if (record->type == PERF_RECORD_EXIT)
			waits_ended(&perf->waits, tid);
		else if (on)
			waits_back(&perf->waits, time, tid);
		else
			waits_left(&perf->waits, tid,
				   record->misc &
					   PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	}
	if (!perf->switches)
		return;
	if (!on || !perf->wide || symbols_knows(perf->symbols, pid))
		running_switch(&perf->running, time, tid, on);
}

static void take_record(void *arg, uint64_t time,
			const struct perf_event_header *record)
{
	struct perf_maps *perf = arg;
	const struct comm_record *comm = (const void *)record;

	perf->late += time < perf->until;
	switch (record->type) {
	case PERF_RECORD_MMAP2:
		take_map(perf, time, (const void *)record);
		break;
	case PERF_RECORD_FORK:
		take_fork(perf, time, (const void *)record);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		take_switch(perf, time, record);
		break;
	case PERF_RECORD_EXIT:
		if (perf->what & (PERF_RINGS_SWITCHES | PERF_RINGS_WAITS))
			take_switch(perf, time, record);
		break;
	case PERF_RECORD_SAMPLE:
		waits_sample(&perf->waits, record);
		break;
	case PERF_RECORD_COMM:
		if ((record->misc & PERF_RECORD_MISC_COMM_EXEC) &&
		    symbols_knows(perf->symbols, comm->pid))
			symbols_clear(perf->symbols, comm->pid, time);
		break;
	}
}

void perf_maps_init(struct perf_maps *perf, const struct options *options,
		    struct symbols *symbols)
{
	struct perf_rings try;

	perf->symbols = symbols;
	if (!symbols->on)
		return;
	perf->all = options->scope.scope == SCOPE_SYSTEM;
	perf->switches = options->smpl.latency;
	perf->what = (symbols->data ? PERF_RINGS_DATA : 0) |
		     (perf->switches ? PERF_RINGS_SWITCHES : 0) |
		     (options->smpl.off_cpu ? PERF_RINGS_WAITS : 0);
	/* Of all processes there are more switches than those of the command. */
	perf->on = !options->smpl.off_cpu &&
		   !perf_rings_open(&perf->rings, PERF_RINGS_ALL, perf->what);
	perf->wide = perf->on;
	/* Threads that there are already would need an event each. */
	if (!perf->on && options->command && !perf->all &&
	    !perf_rings_open(&try, getpid(), perf->what)) {
		perf_rings_close(&try);
		perf->on = true;
	}
	symbols->exact = perf->on;
	if (perf->on)
		say_verbose("perf tells the mappings of %s",
			    perf->wide ? "all processes" : "the command");
}

void perf_maps_read(struct perf_maps *perf)
{
	if (perf->on)
		perf_rings_read(&perf->rings, take_record, perf);
}

void perf_maps_begin(struct perf_maps *perf, pid_t pid, bool command)
{
	const uint64_t now = clock_now();
	int err = 0;

	if (!perf->on)
		return;
	/* The process was created by one that is not known, so its fork must not count. */
	perf_maps_read(perf);
	if (!perf->wide)
		err = perf_rings_open(&perf->rings, pid, perf->what);
	if (err) {
		say_verbose("/proc tells the mappings: perf_event_open(2): %s",
			    strerror(-err));
		perf->on = false;
		perf->symbols->exact = false;
		return;
	}
	symbols_clear(perf->symbols, pid, now);
	/* perf records mappings that are made from now on. */
	if (!command)
		symbols_read_process(perf->symbols, pid, now);
}

uint32_t perf_maps_running(const struct perf_maps *perf, uint64_t time)
{
	return perf->switches ? running_at(&perf->running, time) : 0;
}

uint64_t perf_maps_lost(const struct perf_maps *perf)
{
	return perf->rings.lost + perf->running.lost + perf->waits.lost +
	       perf->late;
}

void perf_maps_free(struct perf_maps *perf)
{
	perf_rings_close(&perf->rings);
	running_free(&perf->running);
	waits_free(&perf->waits);
}
