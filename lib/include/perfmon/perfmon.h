/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libperfmon: contexts, event strings and the choice of registers.
 *
 * Rules that hold for every function:
 *
 *  - The result is zero or positive, or a negative errno value.  errno itself is
 *    never changed on purpose and nothing is ever printed.
 *  - Functions that fill a caller's buffer with text end it with a zero byte
 *    and cut what does not fit.
 *  - Everything may be called from several threads, as long as they do not
 *    write to the same object.
 *
 * libpfm4 supplies the event tables.  Its names (pfm_initialize, pfm_get_...,
 * pfm_find_event, pfm_strerror ...) stay free: both headers can be included and
 * both libraries linked.
 *
 * The kernel's interface (<linux/perfmon.h>) says what each call does and lists
 * the errors it gives; below are only those that the library adds.
 */
#ifndef PERFMON_PERFMON_H
#define PERFMON_PERFMON_H

#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>
#include <linux/perfmon_callstack.h>
#include <linux/perfmon_default.h>
#include <linux/perfmon_nway.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFM_API		__attribute__((visibility("default")))

/* Version of this header: major << 16 | minor << 8 | patch. */
#define PFM_LIB_VERSION	0x00010000

/* Version of the library that runs, in the form of PFM_LIB_VERSION. */
PFM_API int pfm_lib_version(void);

/* Version of libpfm4 that runs: major << 16 | minor. */
PFM_API int pfm_lib_tables_version(void);

/*
 * Contexts (ctx.c).  @fd is a context's descriptor everywhere.
 *
 * @failed may be NULL; when a vector is refused it gets the index of the
 * element, or the number of elements when the error is not about one.
 */

/*
 * Option structures.  A function whose arguments may grow takes them in a
 * structure that begins with its own size, so that a program and a library of
 * different versions understand each other:
 *
 *  - NULL stands for a structure in which all options are zero, the defaults.
 *  - A structure that is shorter than the library's comes from an older header:
 *    the options that it lacks are zero.
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
 * PFM_OPTS(pfm_load_opts, opts, .set = 1) declares a structure opts of which sz
 * and set are set and the rest is zero.
 */
#define PFM_OPTS(type, name, ...) \
	struct type name = { .sz = sizeof(struct type), __VA_ARGS__ }

/**
 * struct pfm_create_opts - options of pfm_ctx_create()
 * @sz: size of this structure
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
 * @opts: NULL: no flags, no sampling format
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
 * @sz: size of this structure
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
 * @tid: thread id, 0 is the calling thread; of a context with
 *	PFM_CTX_SYSTEM_WIDE the number of a CPU
 * @opts: NULL: set 0, no flags
 */
PFM_API int pfm_ctx_load(int fd, uint32_t tid,
			 const struct pfm_load_opts *opts);
PFM_API int pfm_ctx_unload(int fd);

/**
 * struct pfm_start_opts - options of pfm_ctx_start()
 * @sz: size of this structure
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
 * @opts: NULL: with set 0, no flags
 */
PFM_API int pfm_ctx_start(int fd, const struct pfm_start_opts *opts);
PFM_API int pfm_ctx_stop(int fd);

/*
 * Event sets (set.c).
 */

/* New event sets, or new descriptions of sets that exist. */
PFM_API int pfm_ctx_create_sets(int fd, const struct pfm_set_desc *sets,
				unsigned int count, unsigned int *failed);

/* Only set of each element of @sets is looked at. */
PFM_API int pfm_ctx_delete_sets(int fd, const struct pfm_set_desc *sets,
				unsigned int count, unsigned int *failed);

/* The caller sets set of each element of @info and zeroes the rest. */
PFM_API int pfm_ctx_getinfo_sets(int fd, struct pfm_set_info *info,
				 unsigned int count, unsigned int *failed);

/* The caller sets num of each element of @info and zeroes the rest. */
PFM_API int pfm_ctx_getinfo_pmcs(int fd, struct pfm_reg_info *info,
				 unsigned int count, unsigned int *failed);
PFM_API int pfm_ctx_getinfo_pmds(int fd, struct pfm_reg_info *info,
				 unsigned int count, unsigned int *failed);

/* The caller sets first of each element of @info and zeroes the rest. */
PFM_API int pfm_ctx_getinfo_events(int fd, struct pfm_event_info *info,
				   unsigned int count, unsigned int *failed);

PFM_API int pfm_ctx_get_config(int fd, struct pfm_config *config);
PFM_API int pfm_ctx_set_config(int fd, const struct pfm_config *config);

/**
 * pfm_ctx_read_records - take finished task records, without waiting
 * @buf: buffer, aligned to 8 bytes
 * @size: its bytes; what exceeds 4 GiB is not used
 * @count: number of records taken, may be NULL
 * @used: bytes that they take in @buf, may be NULL
 *
 * Returns 0, also when there are none; then *@used is 0.  A buffer of
 * PFM_RECORD_SIZE_MAX bytes holds any record.
 */
PFM_API int pfm_ctx_read_records(int fd, void *buf, size_t size,
				 unsigned int *count, size_t *used);

#define PFM_RECORD_SIZE_MAX	(sizeof(struct pfm_record) + PFM_PATH_MAX + 8 + \
				 PFM_REGS_MAX * sizeof(struct pfm_reg))

/**
 * pfm_ctx_read_msg - take one message
 *
 * Returns 1 when @msg was filled, 0 after the END message was taken.
 *   -EAGAIN	none, and the descriptor has O_NONBLOCK
 *   -EINTR	a signal came while waiting
 *   -EIO	what came is not a message
 */
PFM_API int pfm_ctx_read_msg(int fd, union pfm_msg *msg);

/**
 * pfm_ctx_strerror - what an error of a context's call means
 * @request: PFM_IOC_* of the call; PFM_IOC_CREATE_CONTEXT also for the errors of
 *	opening the device
 * @err: the negative errno value
 *
 * Returns a phrase without final dot that a user understands, and can act on
 * where there is something to do.  Never NULL; valid for ever, except that
 * errors which the call does not document get strerrordesc_np(3)'s text.
 */
PFM_API const char *pfm_ctx_strerror(unsigned long request, int err);

/*
 * Reading registers of the own thread without a system call (user_page.c).
 */
struct pfm_user_page_map;

/**
 * pfm_user_page_open - choose registers that the calling thread will read often
 * @regs: num and set of each
 * @count: elements of @regs, 1 to PFM_REGS_MAX
 * @page: gets what the calls below take; free it with pfm_user_page_close()
 *
 * The context may be loaded and started before or after.  It should monitor the
 * calling thread; where that is not so, or the kernel or the processor cannot do
 * it, reads are done by the call, with the same values.
 *
 *   -EINVAL	@count out of range
 */
PFM_API int pfm_user_page_open(int fd, const struct pfm_reg *regs,
			       unsigned int count,
			       struct pfm_user_page_map **page);

/**
 * pfm_user_page_read - read the registers
 * @vals: gets the values, in the order of pfm_user_page_open()
 *
 * Returns 0 when they were read in user mode, 1 when by the call, or the call's
 * error.  Values are read one after the other; a processor may execute
 * neighbouring instructions earlier or later than the reads, unless the caller
 * places barriers (isb).  Of several threads, each opens a page of its own.  A
 * signal handler may interrupt a read and read as well, from a page of its own.
 */
PFM_API int pfm_user_page_read(struct pfm_user_page_map *page, uint64_t *vals);

/* PFM_USER_PAGE_VALID, or why a read would be done by the call: PFM_USER_PAGE_*. */
PFM_API int pfm_user_page_state(struct pfm_user_page_map *page);

/* States that the kernel does not know. */
#define PFM_USER_PAGE_NOT_MAPPED 64
#define PFM_USER_PAGE_THREAD	 65
#define PFM_USER_PAGE_REGISTER	 66

/* What a state means: a phrase without final dot, valid for ever. */
PFM_API const char *pfm_user_page_reason(int state);

/* NULL is accepted. */
PFM_API void pfm_user_page_close(struct pfm_user_page_map *page);

/*
 * Sampling (sample.c).
 */

PFM_API int pfm_ctx_write_pmdattrs(int fd, const struct pfm_pmd_attr *attrs,
				   unsigned int count, unsigned int *failed);
/* The caller sets num and set of each element and zeroes the rest. */
PFM_API int pfm_ctx_read_pmdattrs(int fd, struct pfm_pmd_attr *attrs,
				  unsigned int count, unsigned int *failed);

/**
 * pfm_ctx_restart - the reader has dealt with a notification
 * @lane: lane that it is done with, PFM_LANE_ALL for all of them
 * @arg: for the format
 */
PFM_API int pfm_ctx_restart(int fd, uint32_t lane, uint64_t arg);

/* As pfm_ctx_read_records(), for mappings (PFM_CTX_MAPS). */
PFM_API int pfm_ctx_read_maps(int fd, void *buf, size_t size,
			      unsigned int *count, size_t *used);

#define PFM_MAP_SIZE_MAX	(sizeof(struct pfm_map) + 4096 + 8)

/**
 * pfm_map_next - walk over the mappings in a buffer
 *
 * As pfm_record_next().  Of @path only path_len bytes may be read.
 */
PFM_API const struct pfm_map *pfm_map_next(const void *buf, size_t used,
					   size_t *offset);

/**
 * struct pfm_buffer - a mapped sampling buffer
 * @base: its first byte; NULL not mapped
 * @size: its bytes
 * @lane_size: bytes of a lane
 * @lanes: number of lanes
 */
struct pfm_buffer {
	const void *base;
	size_t size;
	size_t lane_size;
	unsigned int lanes;
};

/**
 * pfm_buffer_map - map the sampling buffer of a context, read-only
 *
 * The mapping stays when the context is closed, until pfm_buffer_unmap().
 *
 *   -ENXIO	the context has no buffer
 */
PFM_API int pfm_buffer_map(int fd, struct pfm_buffer *buffer);
PFM_API void pfm_buffer_unmap(struct pfm_buffer *buffer);

/* First byte of a lane, which has @lane_size of them; NULL: no such lane. */
PFM_API const void *pfm_buffer_lane(const struct pfm_buffer *buffer,
				    unsigned int lane);

/**
 * struct pfm_sample - one sample, in the buffer
 * @entry: the entry
 * @vals: values of the registers in smpl_pmds, in ascending order
 * @nvals: elements of @vals
 *
 * Valid until the lane is restarted or the buffer unmapped.
 */
struct pfm_sample {
	const struct pfm_default_entry *entry;
	const uint64_t *vals;
	unsigned int nvals;
};

/**
 * pfm_entry_next - walk over entries of the default format's form
 * @area: where they are, aligned to 8 bytes
 * @size: bytes that entries take there
 * @offset: where the next one begins; moved past it
 * @attrs: what was written with pfm_ctx_write_pmdattrs(): it says how many
 *	values follow an entry
 * @count: elements of @attrs
 * @sample: the entry
 *
 * Returns 1.  Nothing outside @area is read, whatever it holds.
 *   -EBADMSG	no whole entry of a register in @attrs is there
 */
PFM_API int pfm_entry_next(const void *area, size_t size, size_t *offset,
			   const struct pfm_pmd_attr *attrs,
			   unsigned int count, struct pfm_sample *sample);

/**
 * struct pfm_consumer - how far a lane of the default format was read
 * @lane: the lane
 * @size: its bytes
 * @offset: where the next entry begins
 * @done: entries that were read since the last restart
 */
struct pfm_consumer {
	const void *lane;
	size_t size;
	size_t offset;
	uint64_t done;
};

/**
 * pfm_default_begin - begin to read a lane of the default format
 * @lane: from pfm_buffer_lane()
 * @size: bytes of a lane
 *
 *   -EPROTO	the kernel's format is of another major version
 *   -EBADMSG	this is no such lane
 */
PFM_API int pfm_default_begin(struct pfm_consumer *consumer, const void *lane,
			      size_t size);

/**
 * pfm_default_next - the next sample of a lane
 * @attrs, @count: as for pfm_entry_next()
 *
 * Samples may be taken while the kernel adds to the lane, and from partly
 * filled lanes when sampling has ended.
 *
 * Returns 1, or 0 when all were taken that are there now.
 *   -EBADMSG	the lane is malformed, or does not fit @attrs
 */
PFM_API int pfm_default_next(struct pfm_consumer *consumer,
			     const struct pfm_pmd_attr *attrs,
			     unsigned int count, struct pfm_sample *sample);

/* Whether the lane is full and takes samples again only after a restart. */
PFM_API int pfm_default_full(const struct pfm_consumer *consumer);

/* To be called after pfm_ctx_restart() has succeeded for the lane. */
PFM_API void pfm_default_restarted(struct pfm_consumer *consumer);

/**
 * struct pfm_parts - how far a lane that is in parts was read (parts.c)
 * @lane: the lane
 * @size: its bytes
 * @seq: number of the part that is being read
 * @offset: where its next entry begins
 * @done: entries of it that were read
 */
struct pfm_parts {
	const void *lane;
	size_t size;
	uint64_t seq;
	size_t offset;
	uint64_t done;
};

/* Number of the last part that is full. */
PFM_API uint64_t pfm_parts_filled(const struct pfm_parts *parts);

/* As pfm_default_begin() and pfm_default_next(), for the format nway. */
PFM_API int pfm_nway_begin(struct pfm_parts *parts, const void *lane,
			   size_t size);

/* @last: parts of a higher number are left for later; UINT64_MAX none. */
PFM_API int pfm_nway_next(struct pfm_parts *parts, uint64_t last,
			  const struct pfm_pmd_attr *attrs,
			  unsigned int count, struct pfm_sample *sample);

/**
 * pfm_parts_done - the last part that is full and was read to its end
 *
 * Returns its number, the argument for pfm_ctx_restart(); 0 there is none that
 * was not released yet.
 */
PFM_API uint64_t pfm_parts_done(const struct pfm_parts *parts);

/**
 * struct pfm_stack - an entry or record of the format callstack
 * @count: samples: 1, aggregated any number
 * @weight: sum of their periods
 * @ip: interrupted instruction, 0 not known
 * @tstamp: when the first of them was taken, ns of CLOCK_MONOTONIC
 * @pid: process id
 * @tid: thread id; aggregated: @pid
 * @cpu: CPU; aggregated: 0
 * @pmd: PMD that overflowed
 * @set: event set
 * @flags: PFM_CALLSTACK_CUT_KERNEL ... PFM_CALLSTACK_OTHER
 * @exec: aggregated: number that rises with each program the process executes
 * @nkernel: frames of the kernel's stack
 * @nuser: frames of the user's stack
 * @nvals: elements of @vals
 * @reserved: zero
 * @frames: the kernel's frames, then the user's, each innermost first
 * @vals: values of the registers in smpl_pmds, in ascending order
 *
 * Points into the buffer: valid until the part is released.
 */
struct pfm_stack {
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

/* As pfm_default_begin(). */
PFM_API int pfm_callstack_begin(struct pfm_parts *parts, const void *lane,
				size_t size);

/**
 * pfm_callstack_next - the next stack of a lane
 * @last: parts of a higher number are left for later; UINT64_MAX none.  Records
 *	of a part that is not full go on counting: while the kernel writes,
 *	read aggregated stacks up to pfm_parts_filled() only
 *
 * Returns 1, or 0 when all were taken that are there now.
 *   -EBADMSG	the lane is malformed
 */
PFM_API int pfm_callstack_next(struct pfm_parts *parts, uint64_t last,
			       struct pfm_stack *stack);

/*
 * Records (record.c).
 */

/**
 * pfm_record_next - walk over the records in a buffer
 * @buf: what pfm_ctx_read_records() filled, aligned to 8 bytes
 * @used: bytes in it
 * @offset: where to look, 0 at first; moved past the record returned
 *
 * Returns NULL at the end, and also when the rest is not a whole, consistent
 * and aligned record.  *@offset equals @used in the first case only.  Nothing outside
 * @buf is read, whatever it holds.
 */
PFM_API const struct pfm_record *pfm_record_next(const void *buf, size_t used,
						 size_t *offset);

/**
 * pfm_record_path - path of the program of a record
 * @record: from pfm_record_next()
 * @length: bytes of the path, may be NULL
 *
 * Returns its first byte.  Only *@length bytes may be read: do not rely on a
 * zero byte behind them.
 */
PFM_API const char *pfm_record_path(const struct pfm_record *record,
				    size_t *length);

/**
 * pfm_record_value - value of one register of a record
 * @num: PMD
 * @set: event set
 *
 *   -ENOENT	the record does not have it
 */
PFM_API int pfm_record_value(const struct pfm_record *record, uint16_t num,
			     uint16_t set, uint64_t *value);

/*
 * Register map (regmap.c): the registers that a kernel offers.  It does not
 * change, and stays valid when the context that it was read from is closed.
 */
struct pfm_regmap;

/* Reads the map that context @fd sees.  Free it with pfm_regmap_free(). */
PFM_API int pfm_regmap_from_ctx(int fd, struct pfm_regmap **map);

/**
 * pfm_regmap_from_info - map from arrays, for instance to try out assignments
 *	for another machine
 * @pmu: name of the PMU's description, "" none
 *
 *   -EINVAL	register number out of range or given twice, name without end, or
 *		a PMD's control register is not among @pmcs
 */
PFM_API int pfm_regmap_from_info(const char *pmu,
				 const struct pfm_reg_info *pmcs,
				 unsigned int num_pmcs,
				 const struct pfm_reg_info *pmds,
				 unsigned int num_pmds,
				 struct pfm_regmap **map);

/**
 * pfm_regmap_set_events - say which event codes the processor implements
 * @info: what is known, in place of what the map has; copied
 * @count: elements of @info, 0 to PFM_REGS_MAX
 *
 * pfm_regmap_from_ctx() takes this from the kernel; it is for maps that are made
 * from arrays.
 *
 *   -EINVAL	too many elements, first is not a multiple of 64, or implemented has
 *		bits that known has not
 *   -ENOMEM
 */
PFM_API int pfm_regmap_set_events(struct pfm_regmap *map,
				  const struct pfm_event_info *info,
				  unsigned int count);

/* NULL is accepted. */
PFM_API void pfm_regmap_free(struct pfm_regmap *map);

/* Name of the PMU's description, "" when there is no hardware PMU. */
PFM_API const char *pfm_regmap_pmu(const struct pfm_regmap *map);

/* One register; NULL when the kernel does not have it. */
PFM_API const struct pfm_reg_info *
pfm_regmap_pmc(const struct pfm_regmap *map, unsigned int num);
PFM_API const struct pfm_reg_info *
pfm_regmap_pmd(const struct pfm_regmap *map, unsigned int num);

/* The register after @prev in rising order, the first for NULL; NULL at the end. */
PFM_API const struct pfm_reg_info *
pfm_regmap_next_pmc(const struct pfm_regmap *map,
		    const struct pfm_reg_info *prev);
PFM_API const struct pfm_reg_info *
pfm_regmap_next_pmd(const struct pfm_regmap *map,
		    const struct pfm_reg_info *prev);

/* PMD of that name, upper and lower case alike; NULL when there is none. */
PFM_API const struct pfm_reg_info *
pfm_regmap_find_pmd(const struct pfm_regmap *map, const char *name);

/**
 * pfm_regmap_counters - hardware counters that can be had at a time
 * @cycles: set to the number among them that count processor cycles only, may
 *	be NULL
 */
PFM_API unsigned int pfm_regmap_counters(const struct pfm_regmap *map,
					 unsigned int *cycles);

/*
 * Events (event.c, suggest.c).
 *
 * An event string is NAME[:UNITMASK...][:LEVELS] or PMU::NAME..., upper and lower
 * case alike, where NAME is, in this order of preference:
 *
 *  - a generic name: cycles, instructions; works on every hardware PMU
 *  - a virtual register by the kernel's name for it (CPU_TIME_NS), or task-clock,
 *    wall-clock, context-switches, migrations, minor-faults, major-faults,
 *    free-memory; takes neither unit masks nor levels
 *  - a raw code, r1b or 0x1b, in the PMU's own numbering
 *  - an event of libpfm4's table for the machine's PMU
 *  - an event that the PMU's architecture defines (INST_RETIRED); for processors
 *    that libpfm4 has no table for
 *
 * LEVELS are u (user), k (kernel), h or hv (hypervisor), one or several in one
 * field or in several (:uk, :u:k); u=1 and u=0 too.  Naming a level replaces
 * the caller's default; switching one off removes it from the default.
 */

/* Privilege levels; the bits of libpfm4's PFM_PLM3, PFM_PLM0 and PFM_PLMH. */
#define PFM_PLM_KERNEL		0x01
#define PFM_PLM_USER		0x08
#define PFM_PLM_HYP		0x10

#define PFM_EVENT_NAME_LEN	160

#define PFM_EVENT_HARDWARE	1	/* takes one of the PMU's counters */
#define PFM_EVENT_VIRTUAL	2	/* is a register kept by software */

#define PFM_EVENTF_CYCLES	(1U << 0)	/* processor cycles: a cycle counter can count it */
#define PFM_EVENTF_GAUGE	(1U << 1)	/* a level of the machine, not a count */
#define PFM_EVENTF_READONLY	(1U << 2)	/* its register cannot be written */
#define PFM_EVENTF_GENERIC	(1U << 3)	/* generic name or alias (desc only) */

/**
 * struct pfm_event - one event, ready for pfm_assign()
 * @name: canonical: the table or PMU that knows it, "::", the event with its
 *	unit masks, and the levels: "arm_n1::INST_RETIRED:u"; generic names and
 *	virtual registers have no table, raw codes are written r1b
 * @code: what selects it in the PMU; 0 for virtual registers
 * @plm: PFM_PLM_* that it counts at; 0 for virtual registers
 * @flags: PFM_EVENTF_*
 * @kind: PFM_EVENT_HARDWARE or PFM_EVENT_VIRTUAL
 * @pmd: virtual: its PMD; hardware: PFM_REG_NONE
 * @reserved: zero
 */
struct pfm_event {
	char name[PFM_EVENT_NAME_LEN];
	uint64_t code;
	uint32_t plm;
	uint32_t flags;
	uint16_t kind;
	uint16_t pmd;
	uint32_t reserved[5];
};

/**
 * pfm_event_parse - understand one event string
 * @text: the string
 * @dfl_plm: PFM_PLM_* for an event that names no level
 * @event: filled when 0 is returned
 *
 *   -EINVAL	not an event string, or the event has no such unit mask, lacks a
 *		unit mask, or does not take this one
 *   -ENOENT	no such event
 *   -ENODEV	a hardware event, and there is no PMU, or none known to this
 *		library
 *   -ERANGE	raw code that the PMU does not have room for
 *   -EDOM	the event would count at no level, or at one that the PMU does
 *		not tell apart
 *   -ENAMETOOLONG	longer than PFM_EVENT_NAME_LEN
 *   -ENOMEM
 */
PFM_API int pfm_event_parse(const struct pfm_regmap *map, const char *text,
			    uint32_t dfl_plm, struct pfm_event *event);

/* What pfm_event_implemented() returns. */
#define PFM_IMPLEMENTED_UNKNOWN	0	/* nobody says: codes that vendors define */
#define PFM_IMPLEMENTED_YES	1
#define PFM_IMPLEMENTED_NO	2	/* a counter of the event never moves */

/**
 * pfm_event_implemented - whether the processor implements a hardware event
 * @map: NULL: nothing is known
 * @code: code of the event, of struct pfm_event or struct pfm_event_desc
 *
 * Processors implement some of the events that their architecture defines.  On
 * a machine with several kinds of processors one that is implemented is so on
 * all of them.
 *
 * Returns PFM_IMPLEMENTED_*.
 */
PFM_API int pfm_event_implemented(const struct pfm_regmap *map, uint64_t code);

/**
 * pfm_event_strerror - say what is wrong with an event string
 * @text: the string that pfm_event_parse() refused
 * @err: what it returned
 * @buf: gets one phrase that names the event, and for an unknown name the closest
 *	known ones; no final dot
 * @size: bytes of @buf; 512 hold any message
 *
 * Returns @buf.
 */
PFM_API const char *pfm_event_strerror(const struct pfm_regmap *map,
				       const char *text, int err,
				       char *buf, size_t size);

/**
 * pfm_event_suggest - known event names that are spelled alike
 * @name: event string; levels and unit masks are left aside
 * @out: gets the names, the closest first
 * @count: elements of @out, up to 16 are used
 *
 * Returns the number of names, 0 when nothing is close, or -ENOMEM.
 */
PFM_API int pfm_event_suggest(const struct pfm_regmap *map, const char *name,
			      char out[][PFM_EVENT_NAME_LEN],
			      unsigned int count);

/**
 * struct pfm_event_umask - what can follow an event's name
 * @name: its name
 * @desc: what it selects, may be ""
 * @code: bits that it contributes
 * @is_default: taken when none is named
 * @is_modifier: not a unit mask but a setting of the counter, like edge; takes
 *	a value when @takes_value
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
 * struct pfm_event_desc - an event that exists on this machine
 * @pmu: table that it is from; "" for generic names and virtual registers
 * @name: its name, without table
 * @desc: what it counts, may be ""
 * @equiv: the same event under its other name, NULL none; for aliases what they
 *	stand for
 * @code: number of the event in the PMU; virtual: the PMD
 * @kind: PFM_EVENT_*
 * @flags: PFM_EVENTF_*
 * @plm: levels that can be told apart; 0 none
 * @num_umasks: elements of @umasks
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
 * pfm_event_for_each - visit every event that pfm_event_parse() knows here
 * @map: may be NULL: then the events of all of libpfm4's tables for a processor
 *	core that match this machine, and no virtual registers
 * @visit: called for each; what it is given is valid during the call only.  A
 *	result other than 0 ends the walk
 * @arg: passed to @visit
 *
 * Order: generic names, virtual registers, aliases, table by table, and last the
 * architecture's events that no table has.
 *
 * Returns 0, what @visit returned last, or -ENOMEM.
 */
PFM_API int pfm_event_for_each(const struct pfm_regmap *map,
			       int (*visit)(const struct pfm_event_desc *desc,
					    void *arg),
			       void *arg);

/**
 * pfm_event_describe - visit the events that an event string names
 * @text: the string.  Unit masks and levels are not looked at: that one is wrong
 *	or lacking does not matter
 * @visit: called for each; as of pfm_event_for_each()
 * @arg: passed to @visit
 *
 * These are the events that pfm_event_parse() would take, which takes the first
 * one visited.  For a raw code they are all events of that code, or one that has
 * only the code.
 *
 * Returns 0, what @visit returned last, or
 *   -ENOENT	no such event
 *   -EINVAL	not an event string
 *   -ENODEV, -ERANGE	a raw code, as of pfm_event_parse()
 *   -ENAMETOOLONG
 *   -ENOMEM
 */
PFM_API int pfm_event_describe(const struct pfm_regmap *map, const char *text,
			       int (*visit)(const struct pfm_event_desc *desc,
					    void *arg),
			       void *arg);

/**
 * pfm_event_table - name of the table that hardware events come from
 *
 * Returns libpfm4's name for the PMU ("arm_n1"), the architecture's when
 * libpfm4 does not know the processor ("armv8_pmuv3"), "" without PMU.
 */
PFM_API const char *pfm_event_table(const struct pfm_regmap *map);

/*
 * Assignment (assign.c).
 */

/* Events in one assignment. */
#define PFM_ASSIGN_MAX		256

/* Why an assignment failed. */
enum pfm_assign_error {
	PFM_ASSIGN_OK,
	PFM_ASSIGN_TOO_MANY,	/* more hardware events than counters */
	PFM_ASSIGN_NO_COUNTER,	/* no counter of this PMU counts the event */
	PFM_ASSIGN_NO_PMU,	/* hardware event, but no PMU that is known */
	PFM_ASSIGN_NO_REGISTER,	/* virtual event whose register does not exist */
	PFM_ASSIGN_CODE,	/* the PMU's register does not take the code */
	PFM_ASSIGN_LEVEL,	/* no level, or one the PMU does not tell apart */
	PFM_ASSIGN_LIMIT,	/* more than PFM_ASSIGN_MAX events */
};

/**
 * struct pfm_assignment - registers for a list of events
 * @error: PFM_ASSIGN_OK, or why there is no assignment; then the counts of
 *	registers are zero
 * @failed: index of the first event that does not fit
 * @counters: hardware counters of the PMU
 * @cycle_counters: those among them that count cycles only
 * @hardware: hardware events among the events
 * @fit: hardware events that can be counted together
 * @num_pmcs: elements of @pmcs
 * @num_pmds: elements of @pmds
 * @num_writable: elements at the head of @pmds that can be written; the others
 *	are read-only registers
 * @reserved: zero
 * @pmcs: for pfm_ctx_write_pmcs(); set 0
 * @pmds: for pfm_ctx_write_pmds() (the first @num_writable, value 0) and for
 *	pfm_ctx_read_pmds() (all); each register once; set 0
 * @pmd: register of each event; events of the same virtual register share it
 * @index: where it is in @pmds
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
	unsigned int reserved[7];
	struct pfm_reg pmcs[PFM_ASSIGN_MAX];
	struct pfm_reg pmds[PFM_ASSIGN_MAX];
	uint16_t pmd[PFM_ASSIGN_MAX];
	uint16_t index[PFM_ASSIGN_MAX];
};

/**
 * pfm_assign - choose registers for events
 * @events: the events; the same one may come several times, each then has a
 *	counter of its own
 * @count: elements of @events, 0 to PFM_ASSIGN_MAX
 * @out: filled in any case
 *
 * The same events in the same order always give the same registers.
 *
 *   -ENOSPC	TOO_MANY
 *   -ENODEV	NO_PMU, NO_REGISTER
 *   -EINVAL	NO_COUNTER, CODE, LEVEL
 *   -E2BIG	LIMIT
 */
PFM_API int pfm_assign(const struct pfm_regmap *map,
		       const struct pfm_event *events, unsigned int count,
		       struct pfm_assignment *out);

/**
 * pfm_assign_strerror - say why events do not fit
 * @out: what pfm_assign() filled
 * @events: the events it was given
 * @buf: gets one phrase that names the event; no final dot
 * @size: bytes of @buf; 512 hold any message
 *
 * Returns @buf.
 */
PFM_API const char *pfm_assign_strerror(const struct pfm_assignment *out,
					const struct pfm_event *events,
					char *buf, size_t size);

/*
 * Distribution over event sets (distribute.c).
 */

/* Events in one distribution. */
#define PFM_DISTRIBUTE_MAX	1024

/**
 * pfm_distribute - choose event sets for events that need not fit together
 * @events: the events
 * @groups: for each event the number of its group; events of one group get the
 *	same set.  NULL: each event may have any
 * @count: elements of @events, of @groups and of @set, 0 to PFM_DISTRIBUTE_MAX
 * @set: gets the set of each event; pfm_assign() then finds registers for the
 *	events of each set
 * @failed: when no set can hold the events of a group, the first event of it
 *	that does not fit beside the others; may be NULL
 *
 * The number of sets is the smallest possible; with many groups of different
 * size, for which nobody can find that in time, it is close to it.  The same
 * arguments always give the same sets, numbered from 0 in the order of events.
 *
 * Returns the number of sets, 1 at least; errors as of pfm_assign(), and
 *   -E2BIG	too many events, or more than PFM_ASSIGN_MAX in a group
 *   -ENOMEM
 */
PFM_API int pfm_distribute(const struct pfm_regmap *map,
			   const struct pfm_event *events,
			   const unsigned int *groups, unsigned int count,
			   uint16_t *set, unsigned int *failed);

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_PERFMON_H */
