/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libperfmon: contexts, event strings and the choice of registers.
 *
 * Rules for every function:
 *
 *  - The result is zero or positive, or a negative errno value.  The library does
 *    not change errno and prints nothing (except <perfmon/region.h>).
 *  - A function that writes text to a caller's buffer ends it with a zero byte and
 *    cuts off what does not fit.
 *  - Every function may be called by several threads at the same time, as long as
 *    they do not write to the same object.
 *  - @fd is the descriptor of a context, @map a register map.
 *
 * libpfm4 supplies the event tables.  The library defines none of its names
 * (pfm_initialize, pfm_get_..., pfm_find_event, pfm_strerror ...), so a program can
 * include both headers and link both libraries.
 *
 * The kernel's interface, <linux/perfmon.h>, defines the terms, says what each ioctl
 * does and lists its errors.  This file lists only the errors that the library adds.
 */
#ifndef PERFMON_PERFMON_H
#define PERFMON_PERFMON_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>
#include <linux/perfmon_callstack.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_ibs.h>
#include <linux/perfmon_nway.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFM_API		__attribute__((visibility("default")))

/* Version of perfmon that this header is of: major << 16 | minor << 8 | patch. */
#define PFM_LIB_VERSION	0x00040000

/*
 * Version of the library that is loaded, in the form of PFM_LIB_VERSION.  It may differ from that of the
 * header: what a program needs is the library's interface, which its SONAME has.
 */
PFM_API int pfm_lib_version(void);

/* Version of the libpfm4 that is loaded: major << 16 | minor. */
PFM_API int pfm_lib_tables_version(void);

/*
 * Contexts (context/): one function for each ioctl.
 *
 * Functions that take a vector store in @failed, which may be NULL, the index of the
 * element that the kernel refused, or the number of elements when the error does not
 * concern an element.
 */

/*
 * Option structures.  A function that may get more arguments in later versions takes
 * them in a structure that begins with its own size, so that a program works with a
 * library of another version:
 *
 *  - NULL stands for a structure in which all options are zero, the defaults.
 *  - A structure that is shorter than the library's comes from an older header:
 *    the options that it does not have are zero.
 *  - A structure that is longer comes from a newer header: options that the
 *    library does not know must be zero.
 *
 * The structures have no padding; reserved fields must be zero.  Errors of each
 * function that takes options:
 *
 *   -EINVAL	sz is less than the size of sz itself, or a reserved field is not
 *		zero
 *   -E2BIG	an option that the library does not know is not zero
 *
 * PFM_OPTS(pfm_load_opts, opts, .set = 1) declares a structure opts whose members sz
 * and set have values, and whose other members are zero.
 */
#define PFM_OPTS(type, name, ...) \
	struct type name = { .sz = sizeof(struct type), __VA_ARGS__ }

/**
 * struct pfm_create_opts - options of pfm_ctx_create()
 * @sz: bytes of this structure
 * @fmt_uuid: PFM_UUID_LEN bytes that name a sampling format, for instance
 *	PFM_DEFAULT_UUID; NULL: the context does not sample
 * @fmt_arg: the format's argument; may be NULL when @fmt_arg_size is 0
 * @fmt_arg_size: its bytes
 * @flags: PFM_CTX_*
 * @reserved: zero
 */
struct pfm_create_opts {
	size_t sz;
	const uint8_t *fmt_uuid;
	const void *fmt_arg;
	size_t fmt_arg_size;
	uint32_t flags;
	uint32_t reserved;
};

/**
 * pfm_ctx_create - create a context
 * @opts: options; NULL: no flags, no sampling format
 *
 * Returns the descriptor, to be closed with close(2).
 *   -ENOENT	/dev/perfmon does not exist: the module is not loaded
 *   -EACCES	no right to open /dev/perfmon
 *   -EINVAL	also: @fmt_arg_size exceeds 4 GiB
 */
PFM_API int pfm_ctx_create(const struct pfm_create_opts *opts);

PFM_API int pfm_ctx_write_pmcs(int fd, const struct pfm_reg *regs,
			       unsigned int count, unsigned int *failed);
PFM_API int pfm_ctx_write_pmds(int fd, const struct pfm_reg *regs,
			       unsigned int count, unsigned int *failed);
PFM_API int pfm_ctx_read_pmds(int fd, struct pfm_reg *regs,
			      unsigned int count, unsigned int *failed);

/**
 * struct pfm_load_opts - options of pfm_ctx_load()
 * @sz: bytes of this structure
 * @set: event set that is active first
 * @flags: PFM_LOAD_*
 * @reserved: zero
 */
struct pfm_load_opts {
	size_t sz;
	uint16_t set;
	uint16_t flags;
	uint32_t reserved;
};

/**
 * pfm_ctx_load - attach a context to a thread, a process or a CPU
 * @fd: the context
 * @tid: thread id, 0 is the calling thread; for a context with
 *	PFM_CTX_SYSTEM_WIDE the number of a CPU
 * @opts: options; NULL: set 0, no flags
 */
PFM_API int pfm_ctx_load(int fd, uint32_t tid,
			 const struct pfm_load_opts *opts);
PFM_API int pfm_ctx_unload(int fd);

/**
 * struct pfm_start_opts - options of pfm_ctx_start()
 * @sz: bytes of this structure
 * @flags: PFM_START_*
 * @set: event set that becomes active
 * @reserved: zero
 */
struct pfm_start_opts {
	size_t sz;
	uint32_t flags;
	uint16_t set;
	uint16_t reserved;
};

/**
 * pfm_ctx_start - begin counting
 * @fd: the context
 * @opts: options; NULL: set 0, no flags
 */
PFM_API int pfm_ctx_start(int fd, const struct pfm_start_opts *opts);
PFM_API int pfm_ctx_stop(int fd);

/* Event sets. */

/* Create event sets, or describe existing ones anew. */
PFM_API int pfm_ctx_create_sets(int fd, const struct pfm_set_desc *sets,
				unsigned int count, unsigned int *failed);

/* Uses only the member set of each element. */
PFM_API int pfm_ctx_delete_sets(int fd, const struct pfm_set_desc *sets,
				unsigned int count, unsigned int *failed);

/* The caller sets the member set of each element and zeroes the rest. */
PFM_API int pfm_ctx_getinfo_sets(int fd, struct pfm_set_info *info,
				 unsigned int count, unsigned int *failed);

/* The caller sets the member num of each element and zeroes the rest. */
PFM_API int pfm_ctx_getinfo_pmcs(int fd, struct pfm_reg_info *info,
				 unsigned int count, unsigned int *failed);
PFM_API int pfm_ctx_getinfo_pmds(int fd, struct pfm_reg_info *info,
				 unsigned int count, unsigned int *failed);

/* The caller sets the member first of each element and zeroes the rest. */
PFM_API int pfm_ctx_getinfo_events(int fd, struct pfm_event_info *info,
				   unsigned int count, unsigned int *failed);

/**
 * pfm_ctx_getinfo_held - ask which registers other contexts hold
 * @fd: a context
 * @held: the caller sets the members cpu and tid, and zeroes the rest
 *
 *   -EINVAL	a CPU and a thread
 *   -ERANGE	no such CPU
 *   -ESRCH	no such thread
 *   -EPERM	a thread of another process, or no right to monitor CPUs
 *   -ENOTTY	the kernel modules are older than this: a system-wide context and contexts of
 *		threads exclude each other
 */
PFM_API int pfm_ctx_getinfo_held(int fd, struct pfm_held *held);

/**
 * pfm_ctx_set_cgroup - let a system-wide context count tasks of one cgroup only
 * @fd: a context, not loaded
 * @cgroup: descriptor of a directory of the cgroup2 file system; -1: count all tasks
 *
 * Tasks of cgroups below that one count as well.
 *
 *   -EBUSY	the context is loaded
 *   -EINVAL	the context is not system-wide
 *   -EBADF	the descriptor is not open, or not one of a directory of cgroup2
 *   -ENOENT	the cgroup is being removed
 *   -ERANGE	the cgroup is 64 levels below the root, or deeper
 *   -EOPNOTSUPP	the kernel has no cgroups
 *   -ENOTTY	the kernel modules are older than this
 */
PFM_API int pfm_ctx_set_cgroup(int fd, int cgroup);

/**
 * pfm_ctx_set_ranges - let a context count in functions, or stretches of code, only
 * @fd: a context, not loaded
 * @ranges: where to count, see struct pfm_range; the caller may close the files afterwards
 * @count: elements of @ranges, at most PFM_RANGE_POINTS_MAX; 0: count everywhere again
 * @failed: out: index of the element that was refused, or @count; may be NULL
 *
 *   -EPERM	needs CAP_PERFMON
 *   -EBUSY	the context is loaded
 *   -EINVAL	unknown flags, an end that does not go with them, or no element is a range
 *   -EBADF	a file is not open for reading
 *   -ENOEXEC	it is no regular file
 *   -ERANGE	a place is not within its file
 *   -EOPNOTSUPP	the kernel has no uprobes for modules; or the context monitors a CPU, samples, or has
 *		PFM_CTX_AGGREGATE
 *   -ENOTTY	the kernel modules are older than this
 */
PFM_API int pfm_ctx_set_ranges(int fd, const struct pfm_range *ranges,
			       unsigned int count, unsigned int *failed);

/**
 * pfm_ctx_getinfo_ranges - read what was counted in ranges
 * @fd: a context that has been loaded since pfm_ctx_set_ranges()
 * @info: the caller sets the members range and num of each element, and zeroes the rest
 * @count: elements of @info
 * @failed: out: index of the element that was refused, or @count; may be NULL
 *
 *   -ERANGE	no such range
 *   -ENODATA	the context was not loaded since, or did not use the register
 *   -ENOTTY	the kernel modules are older than this
 */
PFM_API int pfm_ctx_getinfo_ranges(int fd, struct pfm_range_info *info,
				   unsigned int count, unsigned int *failed);

PFM_API int pfm_ctx_get_config(int fd, struct pfm_config *config);
PFM_API int pfm_ctx_set_config(int fd, const struct pfm_config *config);

/**
 * pfm_ctx_read_records - take finished task records, without waiting
 * @fd: the context
 * @buf: buffer for the records, aligned to 8 bytes
 * @size: bytes of @buf; at most 4 GiB are used
 * @count: out: number of records; may be NULL
 * @used: out: bytes of @buf that they take; may be NULL
 *
 * Returns 0, also when there is no record; then *@used is 0.  A buffer of
 * PFM_RECORD_SIZE_MAX bytes holds any record.
 */
PFM_API int pfm_ctx_read_records(int fd, void *buf, size_t size,
				 unsigned int *count, size_t *used);

/**
 * pfm_ctx_read_running - read the counts so far of the tasks that are monitored
 * @fd: the context, which follows
 * @buf: buffer for a record of each task, aligned to 8 bytes
 * @size: bytes of @buf; at most 4 GiB are used
 * @count: out: number of records; may be NULL
 * @used: out: bytes of @buf that they take; may be NULL
 *
 * The records have the reason PFM_RECORD_RUNNING.  Records of finished tasks are not
 * taken.  A caller that reads them afterwards has the counts of each task: see
 * PFM_RECORDS_RUNNING.
 *   -ENOSPC	not all records fit in the buffer: try again with a larger one
 *   -EINVAL	(also) the kernel modules are older than this function
 */
PFM_API int pfm_ctx_read_running(int fd, void *buf, size_t size,
				 unsigned int *count, size_t *used);

#define PFM_RECORD_SIZE_MAX	(sizeof(struct pfm_record) + PFM_PATH_MAX + 8 + \
				 PFM_REGS_MAX * sizeof(struct pfm_reg))

/**
 * pfm_ctx_read_msg - take one message
 * @fd: the context
 * @msg: out: the message
 *
 * Returns 1 when there was a message, 0 after the END message was taken.
 *   -EAGAIN	there is none, and the descriptor has O_NONBLOCK
 *   -EINTR	a signal came while the call waited
 *   -EIO	the kernel returned something that is not a message
 */
PFM_API int pfm_ctx_read_msg(int fd, union pfm_msg *msg);

/**
 * pfm_ctx_strerror - describe an error of an ioctl on a context
 * @request: PFM_IOC_* of the ioctl; PFM_IOC_CREATE_CONTEXT also for the errors of
 *	opening the device
 * @err: the negative errno value
 *
 * Returns a phrase without a final dot, for users: it says what they can do, where
 * there is something to do.  Never NULL, and never freed.  For an error that the
 * ioctl does not document it is the text of strerrordesc_np(3).
 */
PFM_API const char *pfm_ctx_strerror(unsigned long request, int err);

/*
 * Reading the registers of the calling thread without a system call (user_page/).
 */
struct pfm_user_page_map;

/**
 * pfm_user_page_open - choose the registers that the calling thread will read
 * @fd: the context
 * @regs: num and set of each register
 * @count: number of elements of @regs, 1 to PFM_REGS_MAX
 * @page: out: handle for the functions below; free it with pfm_user_page_close()
 *
 * The context may be loaded and started before or after this call.  It should
 * monitor the calling thread.  If it does not, or if the kernel or the processor has
 * no reads in user mode, pfm_user_page_read() uses the ioctl, with the same values.
 *
 *   -EINVAL	@count is out of range
 */
PFM_API int pfm_user_page_open(int fd, const struct pfm_reg *regs,
			       unsigned int count,
			       struct pfm_user_page_map **page);

/**
 * pfm_user_page_read - read the registers
 * @page: the handle
 * @vals: out: the values, in the order given to pfm_user_page_open()
 *
 * Returns 0 when the registers were read in user mode, 1 when by the ioctl, or the
 * error of the ioctl.  The registers are read one after the other.  A processor may
 * execute neighbouring instructions earlier or later than the reads, unless the
 * caller adds barriers (isb).  Each thread must open a handle of its own.  A signal
 * handler may interrupt a read and read as well, with a handle of its own.
 */
PFM_API int pfm_user_page_read(struct pfm_user_page_map *page, uint64_t *vals);

/**
 * pfm_user_page_denied - go on after a signal for a read of a counter that was denied
 * @sig: the signal
 * @info: what the handler was told of it
 * @ucontext: third argument of the handler; changed if the result is 1
 *
 * If another context takes the counters from a thread in the middle of a read, the thread
 * gets SIGILL on arm64; on x86 SIGSEGV if the administrator denies all processes the
 * counters.  pfm_user_page_open() installs a handler that calls this, if the program has
 * none for that signal.  A program that has one, or installs one later, calls this first
 * (SA_SIGINFO), and returns from its handler if the result is 1: the read goes on by the
 * ioctl.  Async-signal-safe.
 *
 * Returns 1; 0 if the signal has another reason.
 */
PFM_API int pfm_user_page_denied(int sig, const siginfo_t *info,
				 void *ucontext);

/* PFM_USER_PAGE_VALID, or the reason why a read uses the ioctl: PFM_USER_PAGE_*. */
PFM_API int pfm_user_page_state(struct pfm_user_page_map *page);

/* States that the library adds to those of the kernel. */
#define PFM_USER_PAGE_NOT_MAPPED 64
#define PFM_USER_PAGE_THREAD	 65
#define PFM_USER_PAGE_REGISTER	 66

/* Describe a state: a phrase without a final dot, never freed. */
PFM_API const char *pfm_user_page_reason(int state);

/* Free a handle; NULL is allowed. */
PFM_API void pfm_user_page_close(struct pfm_user_page_map *page);

/*
 * Sampling: the rest of its ioctls (context/), and reading buffers (samples/).
 */

PFM_API int pfm_ctx_write_pmdattrs(int fd, const struct pfm_pmd_attr *attrs,
				   unsigned int count, unsigned int *failed);
/* The caller sets num and set of each element and zeroes the rest. */
PFM_API int pfm_ctx_read_pmdattrs(int fd, struct pfm_pmd_attr *attrs,
				  unsigned int count, unsigned int *failed);

/**
 * pfm_ctx_restart - go on after a notification
 * @fd: the context
 * @lane: lane that the consumer has dealt with, PFM_LANE_ALL for all of them
 * @arg: for the format
 */
PFM_API int pfm_ctx_restart(int fd, uint32_t lane, uint64_t arg);

/**
 * pfm_ctx_available - count the entries of the sampling buffer that wait for the consumer
 * @fd: the context
 *
 * Samples of a context that still counts are added meanwhile.
 *
 * Return: entries that were not released by a restart, in all lanes, at most INT_MAX;
 * -ENOTTY when the context has no sampling format, or one that does not say.
 */
PFM_API int pfm_ctx_available(int fd);

/* Take mappings (PFM_CTX_MAPS), as pfm_ctx_read_records() takes records. */
PFM_API int pfm_ctx_read_maps(int fd, void *buf, size_t size,
			      unsigned int *count, size_t *used);

#define PFM_MAP_SIZE_MAX	(sizeof(struct pfm_map) + 4096 + 8)

/**
 * pfm_sample_map_next - walk over the mappings in a buffer
 * @buf: what pfm_ctx_read_maps() wrote
 * @used: bytes in it
 * @offset: where the next mapping begins, 0 at first; moved past it
 *
 * Works as pfm_record_next().  Only path_len bytes of the member path may be read.
 */
PFM_API const struct pfm_map *pfm_sample_map_next(const void *buf, size_t used,
						  size_t *offset);

/**
 * struct pfm_sample_buffer - a sampling buffer that is mapped
 * @base: its first byte; NULL: not mapped
 * @size: bytes of the buffer
 * @lane_size: bytes of a lane
 * @lanes: number of lanes
 */
struct pfm_sample_buffer {
	const void *base;
	size_t size;
	size_t lane_size;
	unsigned int lanes;
};

/**
 * pfm_sample_buffer_map - map the sampling buffer of a context, read-only
 * @fd: the context
 * @buffer: out: the buffer
 *
 * The buffer stays mapped when the context is closed, until pfm_sample_buffer_unmap().
 *
 *   -ENXIO	the context has no buffer
 */
PFM_API int pfm_sample_buffer_map(int fd, struct pfm_sample_buffer *buffer);
PFM_API void pfm_sample_buffer_unmap(struct pfm_sample_buffer *buffer);

/* First byte of a lane, which has lane_size bytes; NULL: there is no such lane. */
PFM_API const void *
pfm_sample_buffer_lane(const struct pfm_sample_buffer *buffer,
		       unsigned int lane);

/**
 * struct pfm_sample - one sample in a buffer
 * @entry: the entry
 * @vals: values of the registers in smpl_pmds, in ascending order of the registers
 * @nvals: number of elements of @vals
 *
 * Points into the buffer: valid until the lane is restarted or the buffer unmapped.
 */
struct pfm_sample {
	const struct pfm_default_entry *entry;
	const uint64_t *vals;
	unsigned int nvals;
};

/**
 * pfm_sample_branches - the branches of a sample, which led to it
 * @sample: from pfm_sample_entry_next(), pfm_sample_default_next() or pfm_sample_nway_next()
 *
 * Returns the first of sample->entry->nr_branches elements, the last branch first.  They are in the
 * buffer, as the sample is.
 */
PFM_API const struct pfm_branch *
pfm_sample_branches(const struct pfm_sample *sample);

/**
 * pfm_sample_entry_next - walk over entries of the type struct pfm_default_entry
 * @area: memory with the entries, aligned to 8 bytes
 * @size: bytes that the entries take there
 * @offset: where the next entry begins; moved past it
 * @attrs: what was written with pfm_ctx_write_pmdattrs(); it determines how many
 *	values follow an entry
 * @count: number of elements of @attrs
 * @sample: out: the sample
 *
 * Returns 1.  Reads nothing outside of @area, whatever it contains.
 *   -EBADMSG	there is no complete entry of a register in @attrs
 */
PFM_API int pfm_sample_entry_next(const void *area, size_t size, size_t *offset,
				  const struct pfm_pmd_attr *attrs,
				  unsigned int count,
				  struct pfm_sample *sample);

/**
 * struct pfm_sample_consumer - how far a lane of the default format was read
 * @lane: the lane
 * @size: bytes of the lane
 * @offset: where the next entry begins
 * @done: number of entries that were read since the last restart
 */
struct pfm_sample_consumer {
	const void *lane;
	size_t size;
	size_t offset;
	uint64_t done;
};

/**
 * pfm_sample_default_begin - begin to read a lane of the default format
 * @consumer: out: the state of reading
 * @lane: from pfm_sample_buffer_lane()
 * @size: bytes of a lane
 *
 *   -EPROTO	the kernel's format is of another major version
 *   -EBADMSG	the memory is not a lane of this format
 */
PFM_API int pfm_sample_default_begin(struct pfm_sample_consumer *consumer,
				     const void *lane, size_t size);

/**
 * pfm_sample_default_next - get the next sample of a lane
 * @consumer: the state of reading
 * @attrs: as for pfm_sample_entry_next()
 * @count: number of elements of @attrs
 * @sample: out: the sample
 *
 * May be called while the kernel adds samples to the lane, and when monitoring has
 * ended, for lanes that are not full.
 *
 * Returns 1, or 0 when there is no further sample now.
 *   -EBADMSG	the lane is malformed, or does not match @attrs
 */
PFM_API int pfm_sample_default_next(struct pfm_sample_consumer *consumer,
				    const struct pfm_pmd_attr *attrs,
				    unsigned int count,
				    struct pfm_sample *sample);

/* 1 when the lane is full and takes no samples until a restart, otherwise 0. */
PFM_API int pfm_sample_default_full(const struct pfm_sample_consumer *consumer);

/* Call it after pfm_ctx_restart() has succeeded for the lane. */
PFM_API void pfm_sample_default_restarted(struct pfm_sample_consumer *consumer);

/**
 * struct pfm_sample_parts - how far a lane in parts was read
 * @lane: the lane
 * @size: bytes of the lane
 * @seq: number of the part that is being read
 * @offset: where its next entry begins
 * @done: number of its entries that were read
 *
 * The formats nway, callstack and ibs divide a lane into parts, see
 * <linux/perfmon_nway.h>: this is to them what struct pfm_sample_consumer is to the default
 * format.
 */
struct pfm_sample_parts {
	const void *lane;
	size_t size;
	uint64_t seq;
	size_t offset;
	uint64_t done;
};

/* Number of the last part that is full. */
PFM_API uint64_t pfm_sample_parts_filled(const struct pfm_sample_parts *parts);

/* Begin to read a lane of the format nway, as pfm_sample_default_begin(). */
PFM_API int pfm_sample_nway_begin(struct pfm_sample_parts *parts,
				  const void *lane, size_t size);

/*
 * Get the next sample of a lane of the format nway, as pfm_sample_default_next(), from parts
 * up to number @last; UINT64_MAX: from all parts.
 */
PFM_API int pfm_sample_nway_next(struct pfm_sample_parts *parts, uint64_t last,
				 const struct pfm_pmd_attr *attrs,
				 unsigned int count, struct pfm_sample *sample);

/**
 * pfm_sample_parts_done - number of the last part that is full and was read to its end
 * @parts: the state of reading
 *
 * Returns the number, which is the argument for pfm_ctx_restart(); 0 when there is no
 * such part that is not released yet.
 */
PFM_API uint64_t pfm_sample_parts_done(const struct pfm_sample_parts *parts);

/**
 * pfm_sample_parts_lost - number of samples that found no room, since it was last asked
 * @parts: the state of reading; a lane of the format nway, callstack or ibs
 * @told: in, out: the lane's whole number when it was last asked; 0 the first time
 */
PFM_API uint64_t pfm_sample_parts_lost(const struct pfm_sample_parts *parts,
				       uint64_t *told);

/**
 * struct pfm_sample_stack - an entry, or an aggregated record, of the format callstack
 * @count: number of samples: 1 for an entry
 * @weight: sum of their periods
 * @ip: address of the interrupted instruction, 0 when it is not known
 * @tstamp: time of the first of them, ns of CLOCK_MONOTONIC
 * @pid: process id
 * @tid: thread id; of a record the same as @pid
 * @cpu: CPU; of a record 0
 * @pmd: PMD that overflowed
 * @set: event set
 * @flags: PFM_CALLSTACK_CUT_KERNEL, CUT_USER, LATE, OTHER, HIDDEN, LR_KERNEL, LR_USER
 * @exec: of a record: number that rises with each program that the process executes
 * @nkernel: frames of the kernel's stack
 * @nuser: frames of the user's stack
 * @nvals: number of elements of @vals
 * @reserved: zero
 * @frames: the kernel's frames, then the user's, each innermost first
 * @vals: values of the registers in smpl_pmds, in ascending order of the registers
 *
 * Points into the buffer: valid until the part is released.
 */
struct pfm_sample_stack {
	uint64_t count;
	uint64_t weight;
	uint64_t ip;
	uint64_t tstamp;
	uint32_t pid;
	uint32_t tid;
	uint16_t cpu;
	uint16_t pmd;
	uint16_t set;
	uint16_t flags;
	uint32_t exec;
	uint16_t nkernel;
	uint16_t nuser;
	uint16_t nvals;
	uint16_t reserved[3];
	const uint64_t *frames;
	const uint64_t *vals;
};

/* Begin to read a lane of the format callstack, as pfm_sample_default_begin(). */
PFM_API int pfm_sample_callstack_begin(struct pfm_sample_parts *parts,
				       const void *lane, size_t size);

/**
 * pfm_sample_callstack_next - get the next stack of a lane
 * @parts: the state of reading
 * @last: read parts up to this number; UINT64_MAX: all parts.  The counts of records
 *	still rise in a part that is not full: while the kernel writes, read
 *	aggregated parts up to pfm_sample_parts_filled() only
 * @stack: out: the stack
 *
 * Returns 1, or 0 when there is no further stack now.
 *   -EBADMSG	the lane is malformed
 */
PFM_API int pfm_sample_callstack_next(struct pfm_sample_parts *parts,
				      uint64_t last,
				      struct pfm_sample_stack *stack);

/* Begin to read a lane of the format ibs, as pfm_sample_default_begin(). */
PFM_API int pfm_sample_ibs_begin(struct pfm_sample_parts *parts,
				 const void *lane, size_t size);

/**
 * pfm_sample_ibs_next - get the next entry of a lane of the format ibs
 * @parts: the state of reading
 * @last: read parts up to this number; UINT64_MAX: all parts
 * @entry: out: the entry: its kind says whether it is a struct pfm_ibs_fetch or a struct
 *	pfm_ibs_op.  Points into the buffer: valid until the part is released
 *
 * Returns the bytes of the entry, or 0 when there is no further entry now.
 *   -EBADMSG	the lane is malformed
 */
PFM_API int pfm_sample_ibs_next(struct pfm_sample_parts *parts, uint64_t last,
				const struct pfm_ibs_entry **entry);

/**
 * pfm_sample_ibs_skip - leave out all entries that there are now
 * @parts: the state of reading
 *
 * The next entry is one that is recorded later.  Parts that are full can be released then:
 * pfm_sample_parts_done() tells.
 *
 * Returns 0, or
 *   -EBADMSG	the lane is malformed
 */
PFM_API int pfm_sample_ibs_skip(struct pfm_sample_parts *parts);

/*
 * Formats that describe themselves (formats/): a program builds the argument of a format that
 * it does not know, and reads its entries.  Documentation/extend/format-descriptions.rst
 * explains the terms.
 */

/* A description; it does not change, and several threads may read it. */
struct pfm_format;

/**
 * enum pfm_format_layout - how entries are found
 * @PFM_FORMAT_NONE: they are not, or the layout is of a later version
 * @PFM_FORMAT_LINEAR: as those of the format default
 * @PFM_FORMAT_PARTS: as those of the format nway
 * @PFM_FORMAT_ARRAY: they follow the header, and have one size
 */
enum pfm_format_layout {
	PFM_FORMAT_NONE,
	PFM_FORMAT_LINEAR,
	PFM_FORMAT_PARTS,
	PFM_FORMAT_ARRAY,
};

/**
 * enum pfm_format_use - what an entry stands for
 * @PFM_FORMAT_STREAM: a sample
 * @PFM_FORMAT_HISTOGRAM: as many samples as its fields of kind count say
 * @PFM_FORMAT_TABLE: itself, when monitoring has ended
 */
enum pfm_format_use {
	PFM_FORMAT_STREAM,
	PFM_FORMAT_HISTOGRAM,
	PFM_FORMAT_TABLE,
};

/**
 * enum pfm_format_kind - what may be done with a value
 * @PFM_FORMAT_NUMBER: a number, or a kind of a later version
 * @PFM_FORMAT_BITS: a number that is read in hexadecimal
 * @PFM_FORMAT_CODE: address of an instruction
 * @PFM_FORMAT_STACK: addresses of a call stack, innermost first
 * @PFM_FORMAT_DATA: address of data
 * @PFM_FORMAT_TIME: ns of CLOCK_MONOTONIC
 * @PFM_FORMAT_PID: process id
 * @PFM_FORMAT_TID: thread id
 * @PFM_FORMAT_CPU: CPU
 * @PFM_FORMAT_SET: event set
 * @PFM_FORMAT_PMD: register that overflowed
 * @PFM_FORMAT_EVENT: eventid of the register
 * @PFM_FORMAT_RESET: minus the period
 * @PFM_FORMAT_PERIOD: events that the entry stands for
 * @PFM_FORMAT_COUNT: samples that the entry stands for
 * @PFM_FORMAT_VALUE: value of a register in smpl_pmds
 * @PFM_FORMAT_ENTRIES: header: entries in use
 * @PFM_FORMAT_SEEN: header: samples that the format was called for
 * @PFM_FORMAT_LOST: header: samples that are in no entry
 * @PFM_FORMAT_BRANCH: tail of struct pfm_branch, the last branch first
 */
enum pfm_format_kind {
	PFM_FORMAT_NUMBER,
	PFM_FORMAT_BITS,
	PFM_FORMAT_CODE,
	PFM_FORMAT_STACK,
	PFM_FORMAT_DATA,
	PFM_FORMAT_TIME,
	PFM_FORMAT_PID,
	PFM_FORMAT_TID,
	PFM_FORMAT_CPU,
	PFM_FORMAT_SET,
	PFM_FORMAT_PMD,
	PFM_FORMAT_EVENT,
	PFM_FORMAT_RESET,
	PFM_FORMAT_PERIOD,
	PFM_FORMAT_COUNT,
	PFM_FORMAT_VALUE,
	PFM_FORMAT_ENTRIES,
	PFM_FORMAT_SEEN,
	PFM_FORMAT_LOST,
	PFM_FORMAT_BRANCH,
};

/**
 * struct pfm_format_info - a format
 * @name: its name
 * @pmu: PMU whose samples it takes; NULL: all
 * @help: what it is for; NULL if it does not say
 * @uuid: its UUID
 * @version: major << 16 | minor
 * @layout: enum pfm_format_layout
 * @arg_size: bytes of the argument
 * @args: number of fields of the argument
 * @hdr_size: bytes of the header of a lane
 * @fields: number of fields of the header
 * @entries: number of types of entries
 * @reserved: zero
 *
 * This structure, and those below that functions return a pointer to, may get more members
 * at their end.
 */
struct pfm_format_info {
	const char *name;
	const char *pmu;
	const char *help;
	uint8_t uuid[PFM_UUID_LEN];
	uint32_t version;
	uint32_t layout;
	uint32_t arg_size;
	uint32_t args;
	uint32_t hdr_size;
	uint32_t fields;
	uint32_t entries;
	uint32_t reserved;
};

#define PFM_FORMAT_SIGNED   (1U << 0)
#define PFM_FORMAT_REQUIRED (1U << 1) /* an argument without default */

/**
 * struct pfm_format_arg - a field of the argument
 * @name: its name
 * @unit: its unit; NULL if it has none
 * @help: what it is; NULL if the name says it
 * @mask: a flag: its bits; 0: a number
 * @dfl: its default; int64_t with PFM_FORMAT_SIGNED, as
 * @min: its smallest value, and
 * @max: its largest value
 * @offset: its place in the argument
 * @size: its bytes
 * @flags: PFM_FORMAT_SIGNED, PFM_FORMAT_REQUIRED
 * @reserved: zero
 */
struct pfm_format_arg {
	const char *name;
	const char *unit;
	const char *help;
	uint64_t mask;
	uint64_t dfl;
	uint64_t min;
	uint64_t max;
	uint32_t offset;
	uint32_t size;
	uint32_t flags;
	uint32_t reserved;
};

/**
 * struct pfm_format_field - a field of a header or an entry, or a tail of an entry
 * @name: its name
 * @unit: its unit; NULL if it has none
 * @count: tail: the field that has the number of elements, or "smpl_pmds"
 * @offset: field: its place
 * @size: its bytes, or those of an element: 1, 2, 4 or 8, or those of struct pfm_branch
 * @kind: enum pfm_format_kind
 * @flags: PFM_FORMAT_SIGNED
 */
struct pfm_format_field {
	const char *name;
	const char *unit;
	const char *count;
	uint32_t offset;
	uint32_t size;
	uint32_t kind;
	uint32_t flags;
};

/* Most tails of an entry */
#define PFM_FORMAT_TAILS_MAX 8

/**
 * struct pfm_format_entry - a type of entries
 * @name: its name
 * @use: enum pfm_format_use
 * @size: bytes of the fixed part
 * @fields: number of fields
 * @tails: number of tails, at most PFM_FORMAT_TAILS_MAX
 */
struct pfm_format_entry {
	const char *name;
	uint32_t use;
	uint32_t size;
	uint32_t fields;
	uint32_t tails;
};

/**
 * pfm_format_read - read the description of a format that is loaded
 * @name: its name, or its UUID
 * @format: out: the description, for pfm_format_free()
 *
 *   -ENOENT	no such format is loaded
 *   -ENODATA	the format does not describe itself
 *   -EBADMSG	the description cannot be understood
 */
PFM_API int pfm_format_read(const char *name, struct pfm_format **format);

/* The same from the text of a description.  The text is copied. */
PFM_API int pfm_format_parse(const char *text, size_t length,
			     struct pfm_format **format);
PFM_API void pfm_format_free(struct pfm_format *format);

/* Reads what is written as 8-4-4-4-12 hexadecimal digits; -EINVAL if @text is nothing such. */
PFM_API int pfm_format_uuid(const char *text, uint8_t *uuid);

PFM_API const struct pfm_format_info *
pfm_format_info(const struct pfm_format *format);

/* Each returns NULL if there is no element of that number. */
PFM_API const struct pfm_format_arg *
pfm_format_arg(const struct pfm_format *format, unsigned int arg);
PFM_API const struct pfm_format_field *
pfm_format_header(const struct pfm_format *format, unsigned int field);
PFM_API const struct pfm_format_entry *
pfm_format_entry(const struct pfm_format *format, unsigned int entry);
PFM_API const struct pfm_format_field *
pfm_format_field(const struct pfm_format *format, unsigned int entry,
		 unsigned int field);
PFM_API const struct pfm_format_field *
pfm_format_tail(const struct pfm_format *format, unsigned int entry,
		unsigned int tail);

/**
 * pfm_format_arg_init - make an argument of the defaults
 * @format: the format
 * @arg: out: arg_size bytes
 */
PFM_API void pfm_format_arg_init(const struct pfm_format *format, void *arg);

/**
 * pfm_format_arg_set - set a field of an argument
 * @format: the format
 * @arg: the argument
 * @field: number of the field
 * @value: a number, decimal or behind 0x, with the suffix k, M or G; of a flag yes, no, 1
 *	or 0
 *
 *   -ENOENT	there is no such field
 *   -EINVAL	@value is no number
 *   -ERANGE	@value is out of bounds
 */
PFM_API int pfm_format_arg_set(const struct pfm_format *format, void *arg,
			       unsigned int field, const char *value);

/* The value of a field at its place behind @base; int64_t with PFM_FORMAT_SIGNED. */
PFM_API uint64_t pfm_format_value(const struct pfm_format_field *field,
				  const void *base);

/**
 * struct pfm_format_reader - how far a lane was read
 * @format: the format
 * @attrs: the attributes of all registers that sample
 * @count: number of elements of @attrs
 * @reserved: zero
 * @arg: the argument of the context
 * @parts: lane, and place in it
 *
 * A lane with the layout parts may be handed to pfm_sample_parts_filled(),
 * pfm_sample_parts_done() and pfm_sample_parts_lost() as @parts.
 */
struct pfm_format_reader {
	const struct pfm_format *format;
	const struct pfm_pmd_attr *attrs;
	unsigned int count;
	unsigned int reserved;
	const void *arg;
	struct pfm_sample_parts parts;
};

/**
 * struct pfm_format_record - an entry in a buffer
 * @at: its first byte
 * @size: its bytes, with its tails
 * @type: number of its type, for pfm_format_entry()
 * @reserved: zero
 * @tails: its tails
 * @elements: how many elements each of them has
 *
 * Points into the buffer: valid until the lane or the part is released.
 */
struct pfm_format_record {
	const void *at;
	size_t size;
	unsigned int type;
	unsigned int reserved;
	const void *tails[PFM_FORMAT_TAILS_MAX];
	uint32_t elements[PFM_FORMAT_TAILS_MAX];
};

/**
 * pfm_format_begin - begin to read a lane
 * @reader: out: the state of reading
 * @format: the format
 * @arg: the argument of the context
 * @attrs: the attributes of all registers that sample
 * @count: number of elements of @attrs
 * @lane: from pfm_sample_buffer_lane()
 * @size: bytes of a lane
 *
 * All of them are used until the last call with @reader.
 *
 *   -EOPNOTSUPP	the layout is PFM_FORMAT_NONE
 *   -EBADMSG	the memory is not a lane of this format
 */
PFM_API int pfm_format_begin(struct pfm_format_reader *reader,
			     const struct pfm_format *format, const void *arg,
			     const struct pfm_pmd_attr *attrs,
			     unsigned int count, const void *lane, size_t size);

/**
 * pfm_format_next - get the next entry of a lane
 * @reader: the state of reading
 * @last: with the layout parts, the last part to read; UINT64_MAX: all
 * @record: out: the entry
 *
 * An array, and entries that are no stream, are to be read when monitoring has ended; in parts,
 * also when a part is full.
 *
 * Returns 1, or 0 when there is no further entry now.
 *   -EBADMSG	the lane is malformed
 */
PFM_API int pfm_format_next(struct pfm_format_reader *reader, uint64_t last,
			    struct pfm_format_record *record);

/* 1 if the lane is linear and full, so that it takes nothing until a restart; otherwise 0. */
PFM_API int pfm_format_full(const struct pfm_format_reader *reader);

/* Call it after pfm_ctx_restart() has succeeded for a linear lane. */
PFM_API void pfm_format_restarted(struct pfm_format_reader *reader);

/**
 * pfm_format_sum - sum of the fields of a kind in the header of a lane
 * @reader: the state of reading
 * @kind: PFM_FORMAT_LOST, SEEN or ENTRIES
 * @sum: out: the sum
 *
 *   -ENODATA	the header has no such field
 */
PFM_API int pfm_format_sum(const struct pfm_format_reader *reader,
			   uint32_t kind, uint64_t *sum);

/* Records (records/). */

/**
 * pfm_record_next - walk over the records in a buffer
 * @buf: what pfm_ctx_read_records() wrote, aligned to 8 bytes
 * @used: bytes in it
 * @offset: where the next record begins, 0 at first; moved past it
 *
 * Returns NULL at the end, and when the rest is not a complete, consistent and
 * aligned record; only at the end *@offset equals @used.  Reads nothing outside of
 * @buf, whatever it contains.
 */
PFM_API const struct pfm_record *pfm_record_next(const void *buf, size_t used,
						 size_t *offset);

/**
 * pfm_record_path - path of the program of a record
 * @record: from pfm_record_next()
 * @length: out: bytes of the path; may be NULL
 *
 * Returns the first byte of the path.  Only *@length bytes may be read: there may be
 * no zero byte behind them.
 */
PFM_API const char *pfm_record_path(const struct pfm_record *record,
				    size_t *length);

/**
 * pfm_record_value - value of a register in a record
 * @record: from pfm_record_next()
 * @num: PMD
 * @set: event set
 * @value: out: the value
 *
 *   -ENOENT	the record does not have the register
 */
PFM_API int pfm_record_value(const struct pfm_record *record, uint16_t num,
			     uint16_t set, uint64_t *value);

/*
 * Register map (registers/): the registers that a kernel offers.  A map
 * does not change, and stays valid when the context that it was read from is closed.
 */
struct pfm_reg_map;

/* Read the map of the registers of a context.  Free it with pfm_reg_map_free(). */
PFM_API int pfm_reg_map_from_ctx(int fd, struct pfm_reg_map **map);

/**
 * enum pfm_driver - whose counters hardware events use
 * @PFM_DRIVER_ANY: the processor's if a module of perfmon's has them, otherwise perf's; as
 *	pfm_reg_map_from_ctx() does
 * @PFM_DRIVER_NATIVE: the processor's
 * @PFM_DRIVER_PERF: those of the kernel's perf (perfmon_perf), which others may use at the same
 *	time.  They do not sample
 */
enum pfm_driver {
	PFM_DRIVER_ANY,
	PFM_DRIVER_NATIVE,
	PFM_DRIVER_PERF,
};

/**
 * pfm_reg_map_from_driver - read the map with the counters of one driver
 * @fd: a context
 * @driver: whose counters
 * @map: out: the map; pfm_reg_map_pmu() is "perf" if the counters are perf's
 *
 *   -ENODEV	no such driver is loaded
 */
PFM_API int pfm_reg_map_from_driver(int fd, enum pfm_driver driver,
				   struct pfm_reg_map **map);

/**
 * pfm_reg_map_from_info - make a map from arrays, for instance to try out assignments
 *	for another machine
 * @pmu: name of the PMU's description, "" for none
 * @pmcs: configuration registers
 * @num_pmcs: number of elements of @pmcs
 * @pmds: data registers
 * @num_pmds: number of elements of @pmds
 * @map: out: the map; free it with pfm_reg_map_free()
 *
 *   -EINVAL	a register number is out of range or given twice, a name has no end,
 *		or the control register of a PMD is not among @pmcs
 */
PFM_API int
pfm_reg_map_from_info(const char *pmu, const struct pfm_reg_info *pmcs,
		      unsigned int num_pmcs, const struct pfm_reg_info *pmds,
		      unsigned int num_pmds, struct pfm_reg_map **map);

/**
 * pfm_reg_map_set_events - define which event codes the processor implements
 * @map: the map
 * @info: replaces what the map has; copied
 * @count: number of elements of @info, 0 to PFM_REGS_MAX
 *
 * For maps from pfm_reg_map_from_info(); pfm_reg_map_from_ctx() asks the kernel.
 *
 *   -EINVAL	too many elements, a first that is not a multiple of 64, or bits in
 *		implemented that are not in known
 *   -ENOMEM
 */
PFM_API int pfm_reg_map_set_events(struct pfm_reg_map *map,
				   const struct pfm_event_info *info,
				   unsigned int count);

/**
 * pfm_reg_map_leave_out - leave registers out of a map, so that no event is assigned to them
 * @map: the map
 * @held: registers, as from pfm_ctx_getinfo_held(); only the members pmcs and pmds are used.  The
 *	data registers of a control register that is left out are left out, too
 *
 * Pointers to registers of the map are not valid any more.
 *
 * Returns how many counters of the hardware were left out.
 */
PFM_API unsigned int pfm_reg_map_leave_out(struct pfm_reg_map *map,
					   const struct pfm_held *held);

/* Free a map; NULL is allowed. */
PFM_API void pfm_reg_map_free(struct pfm_reg_map *map);

/* Name of the hardware PMU's description, "" when there is none. */
PFM_API const char *pfm_reg_map_pmu(const struct pfm_reg_map *map);

/* Description of a register; NULL when the kernel does not have it. */
PFM_API const struct pfm_reg_info *
pfm_reg_map_pmc(const struct pfm_reg_map *map, unsigned int num);
PFM_API const struct pfm_reg_info *
pfm_reg_map_pmd(const struct pfm_reg_map *map, unsigned int num);

/* The register that follows @prev, the first one for NULL; NULL at the end. */
PFM_API const struct pfm_reg_info *
pfm_reg_map_next_pmc(const struct pfm_reg_map *map,
		     const struct pfm_reg_info *prev);
PFM_API const struct pfm_reg_info *
pfm_reg_map_next_pmd(const struct pfm_reg_map *map,
		     const struct pfm_reg_info *prev);

/* PMD of that name, regardless of case; NULL when there is none. */
PFM_API const struct pfm_reg_info *
pfm_reg_map_find_pmd(const struct pfm_reg_map *map, const char *name);

/**
 * pfm_reg_map_counters - number of hardware counters that can be used at a time
 * @map: the map
 * @cycles: out: how many of them count processor cycles only; may be NULL
 */
PFM_API unsigned int pfm_reg_map_counters(const struct pfm_reg_map *map,
					  unsigned int *cycles);

/*
 * Events (events/).
 *
 * An event string is NAME[:UNITMASK...][:LEVELS] or PMU::NAME..., regardless of case.
 * NAME is looked up in this order:
 *
 *  - a generic name: cycles and instructions exist on every hardware PMU.  perf's other names
 *    of hardware and cache events (branches, LLC-load-misses) stand for the event that the
 *    kernel's driver programs for them, in all spellings of perf's.  slots,
 *    topdown-retiring, topdown-bad-spec, topdown-fe-bound and topdown-be-bound on Intel
 *    from Ice Lake on, and topdown-heavy-ops, topdown-br-mispredict, topdown-fetch-lat and
 *    topdown-mem-bound from Sapphire Rapids on
 *  - a virtual register, by the kernel's name for it (CPU_TIME_NS) or by its alias:
 *    task-clock or cpu-clock, wall-clock, context-switches or cs, migrations or
 *    cpu-migrations, page-faults or faults, minor-faults, major-faults, free-memory; takes
 *    neither unit masks nor levels
 *  - an event of AMD's instruction-based sampling (IBS), which has registers of its own:
 *    ibs_op, ibs_fetch, with options in the place of unit masks.  ibs_op: cnt_ctl=0 counts
 *    cycles, cnt_ctl=1 ops; ldlat=N samples only loads that take more than N cycles, 128 to
 *    2048; strmst only stores that go past the caches.  ibs_fetch: rand adds random bits to
 *    periods; fetchlat=N samples only fetches that take longer than N cycles, 128 to 1920.
 *    Both: l3missonly samples only what misses the L3 cache.  Also as perf writes it,
 *    ibs_op/cnt_ctl=1/.  The levels say which samples are kept; the hardware counts at all
 *    levels
 *  - a raw event code, r1b or 0x1b, as the PMU numbers its events; on Intel and AMD it
 *    has the bits of PERFEVTSEL without the levels, INT and EN.  raw:0x41010e is the
 *    value of the whole register, of which INT and EN are ignored
 *  - an event of libpfm4's table for the PMU of this machine
 *  - an event that the architecture of the PMU defines (INST_RETIRED); for
 *    processors for which libpfm4 has no table
 *
 * LEVELS are u (user), k (kernel), h or hv (hypervisor), one or more in one field or
 * in several (:uk, :u:k); also u=1 and u=0.  Levels that are named replace the
 * caller's default; a level that is switched off (u=0) is removed from it.  Among them p, or
 * pp, asks for samples without skid: cycles, r76 and r0c1 become events of IBS, other events
 * are refused.  P is p where that is possible, and means nothing elsewhere.
 *
 * On Intel and AMD, generic names and raw codes take modifiers in the place of unit
 * masks: e (edge), i (invert), c=N (threshold), t (any thread, Intel), intx and intxcp
 * (transactions, Intel), guest and host (AMD; libpfm4's events take them, too).  Raw codes
 * of events that need a second register take its value: offcore_rsp=, frontend=, ldlat=.
 *
 * cpu/TERM,.../LEVELS is a raw code in parts, on Intel and AMD: event=, umask=, cmask=,
 * inv, edge, any, in_tx, in_tx_cp, guest, host, and the value of a second register.
 * Modifiers and levels may follow after colons.
 */

/* Privilege levels; the bits of libpfm4's PFM_PLM3, PFM_PLM0 and PFM_PLMH. */
#define PFM_PLM_KERNEL		0x01
#define PFM_PLM_USER		0x08
#define PFM_PLM_HYP		0x10

#define PFM_EVENT_NAME_LEN	160

#define PFM_EVENT_HARDWARE	1	/* uses a counter of the PMU */
#define PFM_EVENT_VIRTUAL	2	/* is a virtual register */
#define PFM_EVENT_UNIT		3	/* is counted by a unit beside the PMU: AMD's IBS */

#define PFM_EVENTF_CYCLES	(1U << 0)	/* processor cycles; a cycle counter can count it */
#define PFM_EVENTF_GAUGE	(1U << 1)	/* a level of the whole system, not a count */
#define PFM_EVENTF_READONLY	(1U << 2)	/* its register cannot be written */
#define PFM_EVENTF_GENERIC	(1U << 3)	/* generic name or alias (desc only) */
#define PFM_EVENTF_EXTRA	(1U << 4)	/* needs the value extra in a second register */
#define PFM_EVENTF_LEVELS	(1U << 5)	/* the string names the levels, not the caller */

/**
 * struct pfm_event - an event, ready for pfm_assign_registers()
 * @name: canonical name: the table or PMU that defines the event, "::", the event
 *	with its unit masks, and the levels: "arm_n1::INST_RETIRED:u".  Generic names
 *	and virtual registers have no table; raw codes are written r1b
 * @code: event code in the PMU, with unit masks and modifiers; 0 for virtual registers; of
 *	IBS the bits of the control register, without the levels
 * @plm: PFM_PLM_* at which it counts; 0 for virtual registers.  Of IBS: the levels whose
 *	samples are kept, it counts at both
 * @flags: PFM_EVENTF_*
 * @kind: PFM_EVENT_HARDWARE, PFM_EVENT_VIRTUAL or PFM_EVENT_UNIT
 * @pmd: PMD of a virtual register, or of IBS; PFM_REG_NONE for hardware events
 * @reserved: zero
 * @extra: with PFM_EVENTF_EXTRA: value of a second control register, which the code
 *	selects (Intel: OFFCORE_RSP and others)
 * @reserved2: zero
 */
struct pfm_event {
	char name[PFM_EVENT_NAME_LEN];
	uint64_t code;
	uint32_t plm;
	uint32_t flags;
	uint16_t kind;
	uint16_t pmd;
	uint32_t reserved;
	uint64_t extra;
	uint32_t reserved2[2];
};

/**
 * pfm_event_parse - parse an event string
 * @map: the map
 * @text: the string
 * @dfl_plm: PFM_PLM_* for an event that names no level
 * @event: out: the event, when 0 is returned
 *
 *   -EINVAL	not an event string; or the event has no such unit mask, needs a
 *		unit mask, or does not take this combination; or it has no samples without
 *		skid (:p) on this machine
 *   -ENOENT	no such event
 *   -ENODEV	a hardware event, and there is no PMU, or none that this library
 *		knows; an event of IBS, and there is no IBS
 *   -EOPNOTSUPP	a generic name of which this processor has no event; @event then has
 *		its name, kind, levels and flags.  Or an option of IBS that this processor
 *		does not have
 *   -ERANGE	a raw code that is too large for the PMU, or with bits that are not
 *		part of an event
 *   -ENODATA	a raw code that needs the value of a second register, and has none
 *   -EDOM	the event would count at no level, or at a level that the PMU
 *		cannot select
 *   -ENAMETOOLONG	longer than PFM_EVENT_NAME_LEN
 *   -ENOMEM
 */
PFM_API int pfm_event_parse(const struct pfm_reg_map *map, const char *text,
			    uint32_t dfl_plm, struct pfm_event *event);

/* Results of pfm_event_implemented(). */
#define PFM_IMPLEMENTED_UNKNOWN	0	/* not known, as for codes that vendors define */
#define PFM_IMPLEMENTED_YES	1
#define PFM_IMPLEMENTED_NO	2	/* a counter of the event does not change */

/**
 * pfm_event_implemented - whether the processor implements a hardware event
 * @map: the map; NULL: nothing is known
 * @code: code of the event, from struct pfm_event or struct pfm_event_desc
 *
 * A processor implements some of the events that its architecture defines.  On a
 * machine with several kinds of processors, an event is implemented if all of them
 * implement it.
 *
 * Returns PFM_IMPLEMENTED_*.
 */
PFM_API int pfm_event_implemented(const struct pfm_reg_map *map, uint64_t code);

/**
 * pfm_event_strerror - describe what is wrong with an event string
 * @map: the map
 * @text: the string that pfm_event_parse() refused
 * @err: the error that it returned
 * @buf: out: a phrase without a final dot, which names the event, and after an unknown
 *	name the closest known ones
 * @size: bytes of @buf; 512 are enough for any phrase
 *
 * Returns @buf.
 */
PFM_API const char *pfm_event_strerror(const struct pfm_reg_map *map,
				       const char *text, int err, char *buf,
				       size_t size);

/**
 * pfm_event_suggest - find known event names that are like an unknown one
 * @map: the map
 * @name: event string; levels and unit masks are ignored
 * @out: out: the names, the closest first
 * @count: number of elements of @out, of which up to 16 are used
 *
 * A name is like it that is spelled alike, that contains it, or that has its words, or the
 * beginnings of them, in any order: dcache-misses finds L1-dcache-load-misses.  If there is none,
 * the names are those of the events whose descriptions have its words.
 *
 * Returns the number of names, 0 when no name is close, or -ENOMEM.
 */
PFM_API int pfm_event_suggest(const struct pfm_reg_map *map, const char *name,
			      char out[][PFM_EVENT_NAME_LEN],
			      unsigned int count);

/**
 * struct pfm_event_umask - a unit mask or modifier of an event
 * @name: its name
 * @desc: what it selects, may be ""
 * @code: bits that it contributes to the event code
 * @is_default: 1 when it is used if no unit mask is named
 * @is_modifier: 1 when it is not a unit mask but a setting of the counter, like edge
 * @takes_value: 1 when the modifier takes a value
 * @reserved: zero
 */
struct pfm_event_umask {
	const char *name;
	const char *desc;
	uint64_t code;
	unsigned char is_default;
	unsigned char is_modifier;
	unsigned char takes_value;
	unsigned char reserved[5];
};

/**
 * struct pfm_event_desc - description of an event that exists on this machine
 * @pmu: table that defines it; "" for generic names and virtual registers
 * @name: its name, without the table
 * @desc: what it counts, may be ""
 * @equiv: another name of the same event, NULL when there is none; for an alias the
 *	name that it stands for
 * @code: event code in the PMU, on Intel and AMD without unit masks for an event of
 *	libpfm4's tables; for virtual registers and events of IBS the PMD
 * @kind: PFM_EVENT_*
 * @reserved: zero
 * @flags: PFM_EVENTF_*
 * @plm: levels that can be selected; 0: none
 * @num_umasks: number of elements of @umasks
 * @umasks: unit masks and modifiers
 */
struct pfm_event_desc {
	const char *pmu;
	const char *name;
	const char *desc;
	const char *equiv;
	uint64_t code;
	uint16_t kind;
	uint16_t reserved;
	uint32_t flags;
	uint32_t plm;
	uint32_t num_umasks;
	const struct pfm_event_umask *umasks;
};

/**
 * pfm_event_for_each - visit every event that pfm_event_parse() knows on this machine
 * @map: the map.  NULL: visit the events of all tables of libpfm4 for a processor core
 *	that match this machine, and no virtual registers
 * @visit: called for each event; @desc is valid during the call only.  A result other
 *	than 0 ends the walk
 * @arg: passed to @visit
 *
 * Order: generic names, virtual registers, aliases, IBS, table by table, and then the
 * events of the architecture that are in no table.
 *
 * Returns 0, the last result of @visit, or -ENOMEM.
 */
PFM_API int pfm_event_for_each(const struct pfm_reg_map *map,
			       int (*visit)(const struct pfm_event_desc *desc,
					    void *arg),
			       void *arg);

/**
 * pfm_event_describe - visit the events that an event string names
 * @map: the map
 * @text: the string.  Unit masks and levels are ignored, so they may be wrong or
 *	missing
 * @visit: called for each event, as by pfm_event_for_each()
 * @arg: passed to @visit
 *
 * The first event visited is the one that pfm_event_parse() would choose.  For a raw
 * code all events with that code are visited; if there is none, one event that has
 * only the code.
 *
 * Returns 0, the last result of @visit, or
 *   -ENOENT	no such event
 *   -EINVAL	not an event string
 *   -ENODEV, -ERANGE	a raw code, as from pfm_event_parse()
 *   -ENAMETOOLONG
 *   -ENOMEM
 */
PFM_API int pfm_event_describe(const struct pfm_reg_map *map, const char *text,
			       int (*visit)(const struct pfm_event_desc *desc,
					    void *arg),
			       void *arg);

/* Kinds of perf's event names. */
enum pfm_event_name_group {
	PFM_NAME_HARDWARE,
	PFM_NAME_CACHE,
	PFM_NAME_TOPDOWN,
	PFM_NAME_SOFTWARE,
};

/* Bits of struct pfm_event_name.flags. */
#define PFM_NAMEF_HERE		0x1	/* this machine has such an event, and implements it */
#define PFM_NAMEF_PERF_ONLY	0x2	/* only the counters of the kernel's perf have it */

/**
 * struct pfm_event_name - an event name that is the same on every machine
 * @name: the name
 * @alias: another name of the same event, or NULL
 * @desc: what it counts
 * @is: what it stands for on this machine, as an event string: an event of the processor, or a
 *	register of the kernel; "" if the machine has no such event
 * @code: code of the event, and on a machine whose counters have none the PMD
 * @extra: value of the second register that the event needs, or 0
 * @group: PFM_NAME_*
 * @flags: PFM_NAMEF_*
 * @reserved: zero
 */
struct pfm_event_name {
	const char *name;
	const char *alias;
	const char *desc;
	const char *is;
	uint64_t code;
	uint64_t extra;
	uint16_t group;
	uint16_t flags;
	uint32_t reserved[3];
};

/**
 * pfm_event_for_each_name - visit the event names that are the same on every machine
 * @map: the map
 * @visit: called for each name, those included that this machine does not have; @name is
 *	valid during the call only.  A result other than 0 ends the walk
 * @arg: passed to @visit
 *
 * The names are those of perf.  On each processor they stand for the events that the kernel's
 * driver programs for them.  Order: hardware, caches, slots of the pipeline, software.
 *
 * Returns 0, the last result of @visit, or -ENOMEM.
 */
PFM_API int pfm_event_for_each_name(const struct pfm_reg_map *map,
				    int (*visit)(const struct pfm_event_name *name,
						 void *arg),
				    void *arg);

/**
 * pfm_event_search - visit the events that words describe
 * @map: the map, as for pfm_event_for_each()
 * @words: words, separated by blanks: each of them is part of the event's name, another name
 *	of it, its table, its description, or the name or description of one of its unit
 *	masks.  Case does not matter; - and _ and . are the same
 * @visit: called for each event, as by pfm_event_for_each()
 * @arg: passed to @visit
 *
 * Returns 0, also if there is none, the last result of @visit, -EINVAL if there is no word, or
 * -ENOMEM.
 */
PFM_API int pfm_event_search(const struct pfm_reg_map *map, const char *words,
			     int (*visit)(const struct pfm_event_desc *desc,
					  void *arg),
			     void *arg);

/**
 * pfm_event_table - name of the table that hardware events come from
 * @map: the map
 *
 * Returns libpfm4's name of the PMU ("arm_n1"); when libpfm4 does not know the processor, the name
 * of a table made from files of the vendor ("graniterapids"), or of the architecture
 * ("armv8_pmuv3"); "" without a PMU.
 */
PFM_API const char *pfm_event_table(const struct pfm_reg_map *map);

/**
 * pfm_event_source - what a table of events was made from
 * @map: the map; may be NULL
 * @table: the member pmu of struct pfm_event_desc
 *
 * Returns the vendor's file and its version; "libpfm4"; "the architecture"; "" for "".  The string
 * lives as long as the library.
 */
PFM_API const char *pfm_event_source(const struct pfm_reg_map *map,
				     const char *table);

/* Assignment of events to registers (assignment/). */

/* Most events in one assignment. */
#define PFM_ASSIGN_MAX		256

/* Why an assignment failed. */
enum pfm_assign_error {
	PFM_ASSIGN_OK,
	PFM_ASSIGN_TOO_MANY,	/* more hardware events than counters */
	PFM_ASSIGN_NO_COUNTER,	/* no counter of this PMU counts the event */
	PFM_ASSIGN_NO_PMU,	/* hardware event, but no PMU that this library knows */
	PFM_ASSIGN_NO_REGISTER,	/* event of a register that does not exist */
	PFM_ASSIGN_CODE,	/* the PMU's register does not take the code */
	PFM_ASSIGN_LEVEL,	/* no level, or one that the PMU cannot select */
	PFM_ASSIGN_LIMIT,	/* more than PFM_ASSIGN_MAX events */
	PFM_ASSIGN_SHARED,	/* two events need different values in one register */
};

/**
 * struct pfm_assignment - registers for a list of events
 * @error: PFM_ASSIGN_OK, or why there is no assignment; then the counts of
 *	registers are zero
 * @failed: index of the first event that does not fit
 * @counters: number of hardware counters of the PMU
 * @cycle_counters: how many of them count cycles only
 * @hardware: number of hardware events in the list, those of IBS left out
 * @fit: number of hardware events that can be counted together
 * @num_pmcs: number of elements of @pmcs
 * @num_pmds: number of elements of @pmds
 * @num_writable: number of elements at the beginning of @pmds that can be written;
 *	the others are read-only registers
 * @fixed_counters: how many of @counters count one event each, those for cycles
 *	included
 * @usable: TOO_MANY, NO_COUNTER: how many of @counters can count the failed event
 * @detail: for pfm_assign_strerror()
 * @reserved: zero
 * @pmcs: for pfm_ctx_write_pmcs(); in set 0
 * @pmds: for pfm_ctx_write_pmds() (the first @num_writable, with value 0) and for
 *	pfm_ctx_read_pmds() (all); each register once; in set 0
 * @pmd: register of each event; events of the same virtual register share it
 * @index: index of that register in @pmds
 */
struct pfm_assignment {
	enum pfm_assign_error error;
	unsigned int failed;
	unsigned int counters;
	unsigned int cycle_counters;
	unsigned int hardware;
	unsigned int fit;
	unsigned int num_pmcs;
	unsigned int num_pmds;
	unsigned int num_writable;
	unsigned int fixed_counters;
	unsigned int usable;
	unsigned int detail;
	unsigned int reserved[4];
	struct pfm_reg pmcs[PFM_ASSIGN_MAX];
	struct pfm_reg pmds[PFM_ASSIGN_MAX];
	uint16_t pmd[PFM_ASSIGN_MAX];
	uint16_t index[PFM_ASSIGN_MAX];
};

/**
 * pfm_assign_registers - choose registers for events
 * @map: the map
 * @events: the events; an event that is there several times gets several counters
 * @count: number of elements of @events, 0 to PFM_ASSIGN_MAX
 * @out: out: the assignment; written also when there is an error
 *
 * The same events in the same order always get the same registers.
 *
 *   -ENOSPC	TOO_MANY, SHARED
 *   -ENODEV	NO_PMU, NO_REGISTER
 *   -EINVAL	NO_COUNTER, CODE, LEVEL
 *   -E2BIG	LIMIT
 */
PFM_API int pfm_assign_registers(const struct pfm_reg_map *map,
				 const struct pfm_event *events,
				 unsigned int count,
				 struct pfm_assignment *out);

/**
 * pfm_assign_strerror - describe why events do not fit
 * @out: what pfm_assign_registers() wrote
 * @events: the events that it was given
 * @buf: out: a phrase without a final dot, which names the event
 * @size: bytes of @buf; 512 are enough for any phrase
 *
 * Returns @buf.
 */
PFM_API const char *pfm_assign_strerror(const struct pfm_assignment *out,
					const struct pfm_event *events,
					char *buf, size_t size);

/* Distribution of events over event sets (assignment/). */

/* Most events in one distribution. */
#define PFM_ASSIGN_SETS_MAX 1024

/**
 * pfm_assign_sets - choose event sets for events that need not fit together
 * @map: the map
 * @events: the events
 * @groups: for each event the number of its group; the events of a group get the
 *	same set.  NULL: each event is a group
 * @count: number of elements of @events, of @groups and of @set, 0 to
 *	PFM_ASSIGN_SETS_MAX
 * @set: out: the set of each event; pfm_assign_registers() then finds registers for the events
 *	of each set
 * @failed: out: when no set can hold the events of a group, index of the first event
 *	that does not fit beside the others of the group; may be NULL
 *
 * The number of sets is the smallest possible.  With many groups of different sizes,
 * for which the search would take too long, it is close to that.  The same arguments
 * always give the same sets, numbered from 0 in the order of the events.
 *
 * Returns the number of sets, at least 1; the errors of pfm_assign_registers(), and
 *   -E2BIG	too many events, or more than PFM_ASSIGN_MAX in a group
 *   -ENOMEM
 */
PFM_API int pfm_assign_sets(const struct pfm_reg_map *map,
			    const struct pfm_event *events,
			    const unsigned int *groups, unsigned int count,
			    uint16_t *set, unsigned int *failed);

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_PERFMON_H */
