/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The functions of libIBS, of AMD's research toolkit, on today's kernel modules, for
 * existing programs.  New programs use <perfmon/perfmon.h>.
 *
 * A program includes this header in place of ibs.h and ibs-uapi.h, and is linked with
 * -lperfmon.  Names, values and layouts are those of libIBS, so the entries of a file
 * that the program writes are those of structure version 1.
 *
 * A function that fails returns -1, sets errno, and writes a line to stderr that names the
 * CPU and what would mend it, as libIBS did.  The functions are not thread-safe.
 *
 * Differences from the original:
 *
 *  - Options that shape the contexts (IBS_OP, IBS_FETCH, IBS_MAX_CNT, IBS_CPU_LIST,
 *    IBS_POLL_NUM_SAMPLES) cannot change between ibs_initialize() and ibs_finalize():
 *    EBUSY.  IBS_CPU_LIST can be set before ibs_initialize().
 *  - ibs_initialize() without IBS_OP and without IBS_FETCH is refused (EINVAL).
 *  - When no CPU samples any more, ibs_sample() returns what is left without waiting.
 *  - A period below the shortest of the hardware is refused (EINVAL).
 *  - The daemon is not implemented, and refused with ENOSYS, never ignored: daemonize, and the
 *    options IBS_DAEMON_*.
 *  - cr3 is 0.  kern_mode says of the sampled instruction whether it is the kernel's, not of
 *    the interrupted one.  op_rip is 0 where the processor says that it is not valid.
 *  - The caller needs the right to monitor CPUs, see rights.rst: the toolkit's devices were
 *    open to everybody.
 *  - ibs_lost() is new.
 */
#ifndef PERFMON_IBS_COMPAT_H
#define PERFMON_IBS_COMPAT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PFM_COMPAT_API
#define PFM_COMPAT_API	__attribute__((visibility("default")))
#endif

#define IBS_OP_STRUCT_VERSION		1
#define IBS_FETCH_STRUCT_VERSION	1

/* Registers of a sample, see AMD's Processor Programming References */

/* MSR C001_1033 */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_op_max_cnt : 16; /* sixteenths of the period, low bits */
		uint16_t reserved_1 : 1;
		uint16_t ibs_op_en : 1;
		uint16_t ibs_op_val : 1;
		uint16_t ibs_op_cnt_ctl : 1;
		uint16_t ibs_op_max_cnt_upper : 7;
		uint16_t reserved_2 : 5;
		uint32_t ibs_op_cur_cnt : 27;
		uint32_t reserved_3 : 5;
	} reg;
} ibs_op_ctl_t;

/* C001_1035 */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_comp_to_ret_ctr;
		uint16_t ibs_tag_to_ret_ctr;
		uint8_t ibs_op_brn_resync : 1;
		uint8_t ibs_op_misp_return : 1;
		uint8_t ibs_op_return : 1;
		uint8_t ibs_op_brn_taken : 1;
		uint8_t ibs_op_brn_misp : 1;
		uint8_t ibs_op_brn_ret : 1;
		uint8_t ibs_rip_invalid : 1;
		uint8_t ibs_op_brn_fuse : 1;
		uint8_t ibs_op_microcode : 1;
		uint32_t reserved : 23;
	} reg;
} ibs_op_data1_t;

/* C001_1036 */
typedef union {
	uint64_t val;
	struct {
		uint8_t ibs_nb_req_src : 3;
		uint8_t reserved_1 : 1;
		uint8_t ibs_nb_req_dst_node : 1;
		uint8_t ibs_nb_req_cache_hit_st : 1;
		uint64_t reserved_2 : 58;
	} reg;
} ibs_op_data2_t;

/* C001_1037 */
typedef union {
	uint64_t val;
	struct {
		uint8_t ibs_ld_op : 1;
		uint8_t ibs_st_op : 1;
		uint8_t ibs_dc_l1_tlb_miss : 1;
		uint8_t ibs_dc_l2_tlb_miss : 1;
		uint8_t ibs_dc_l1_tlb_hit_2m : 1;
		uint8_t ibs_dc_l1_tlb_hit_1g : 1;
		uint8_t ibs_dc_l2_tlb_hit_2m : 1;
		uint8_t ibs_dc_miss : 1;
		uint8_t ibs_dc_miss_acc : 1;
		uint8_t ibs_dc_ld_bank_con : 1;
		uint8_t ibs_dc_st_bank_con : 1;
		uint8_t ibs_dc_st_to_ld_fwd : 1;
		uint8_t ibs_dc_st_to_ld_can : 1;
		uint8_t ibs_dc_wc_mem_acc : 1;
		uint8_t ibs_dc_uc_mem_acc : 1;
		uint8_t ibs_dc_locked_op : 1;
		uint16_t ibs_dc_no_mab_alloc : 1;
		uint16_t ibs_lin_addr_valid : 1;
		uint16_t ibs_phy_addr_valid : 1;
		uint16_t ibs_dc_l2_tlb_hit_1g : 1;
		uint16_t ibs_l2_miss : 1;
		uint16_t ibs_sw_pf : 1;
		uint16_t ibs_op_mem_width : 4;
		uint16_t ibs_op_dc_miss_open_mem_reqs : 6;
		uint16_t ibs_dc_miss_lat;
		uint16_t ibs_tlb_refill_lat;
	} reg;
} ibs_op_data3_t;

/* C001_103D */
typedef union {
	uint64_t val;
	struct {
		uint8_t ibs_op_ld_resync : 1;
		uint64_t reserved : 63;
	} reg;
} ibs_op_data4_t;

/* C001_1039 */
typedef union {
	uint64_t val;
	struct {
		uint64_t ibs_dc_phys_addr : 48;
		uint64_t reserved : 16;
	} reg;
} ibs_op_dc_phys_addr_t;

/* C001_1030 */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_fetch_max_cnt;
		uint16_t ibs_fetch_cnt;
		uint16_t ibs_fetch_lat;
		uint8_t ibs_fetch_en : 1;
		uint8_t ibs_fetch_val : 1;
		uint8_t ibs_fetch_comp : 1;
		uint8_t ibs_ic_miss : 1;
		uint8_t ibs_phy_addr_valid : 1;
		uint8_t ibs_l1_tlb_pg_sz : 2;
		uint8_t ibs_l1_tlb_miss : 1;
		uint8_t ibs_l2_tlb_miss : 1;
		uint8_t ibs_rand_en : 1;
		uint8_t ibs_fetch_l2_miss : 1;
		uint8_t reserved : 5;
	} reg;
} ibs_fetch_ctl_t;

/* C001_1032 */
typedef union {
	uint64_t val;
	struct {
		uint64_t ibs_fetch_phy_addr : 48;
		uint64_t reserved : 16;
	} reg;
} ibs_fetch_phys_addr;

/* C001_103C */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_itlb_refill_lat;
		uint64_t reserved : 48;
	} reg;
} ibs_fetch_extd_ctl;

/**
 * struct ibs_op - a sample of an op
 * @op_ctl: the control register when the sample was taken
 * @op_rip: address of the instruction
 * @op_data: what became of it
 * @op_data2: where its data came from
 * @op_data3: caches and TLBs that it used
 * @op_data4: 0 where the processor does not have it
 * @dc_lin_ad: virtual address of its data
 * @dc_phys_ad: physical address of its data
 * @br_target: where it branched to; 0 where the processor does not have it
 * @tsc: time stamp counter when the interrupt came
 * @cr3: 0
 * @tid: thread id
 * @pid: process id
 * @cpu: CPU
 * @kern_mode: 1: the instruction is the kernel's
 */
typedef struct ibs_op {
	ibs_op_ctl_t op_ctl;
	uint64_t op_rip;
	ibs_op_data1_t op_data;
	ibs_op_data2_t op_data2;
	ibs_op_data3_t op_data3;
	ibs_op_data4_t op_data4;
	uint64_t dc_lin_ad;
	ibs_op_dc_phys_addr_t dc_phys_ad;
	uint64_t br_target;
	uint64_t tsc;
	uint64_t cr3;
	int tid;
	int pid;
	int cpu;
	int kern_mode;
} ibs_op_t;
typedef ibs_op_t ibs_op_v1_t;

/**
 * struct ibs_fetch - a sample of an instruction fetch
 * @fetch_ctl: the control register when the sample was taken
 * @fetch_ctl_extd: 0 where the processor does not have it
 * @fetch_lin_ad: virtual address that was fetched from
 * @fetch_phys_ad: physical address
 * @tsc: as in struct ibs_op, and so are the others
 * @cr3: 0
 * @tid: thread id
 * @pid: process id
 * @cpu: CPU
 * @kern_mode: 1: the instruction is the kernel's
 */
typedef struct ibs_fetch {
	ibs_fetch_ctl_t fetch_ctl;
	ibs_fetch_extd_ctl fetch_ctl_extd;
	uint64_t fetch_lin_ad;
	ibs_fetch_phys_addr fetch_phys_ad;
	uint64_t tsc;
	uint64_t cr3;
	int tid;
	int pid;
	int cpu;
	int kern_mode;
} ibs_fetch_t;
typedef ibs_fetch_t ibs_fetch_v1_t;

/* Options */

typedef uint64_t word_t;

#define DEFAULT_IBS_DEBUG		0
#define DEFAULT_IBS_OP			0
#define DEFAULT_IBS_FETCH		0
#define DEFAULT_IBS_AGGRESSIVE_READ	0
#define DEFAULT_IBS_READ_ON_TIMEOUT	1
#define DEFAULT_IBS_POLL_TIMEOUT	1000
#define DEFAULT_IBS_POLL_NUM_SAMPLES	4096
#define DEFAULT_IBS_MAX_CNT		0x3fff
#define DEFAULT_IBS_CPU_LIST		((word_t)-1)

typedef enum {
	IBS_DEBUG, /* not 0: say on stderr what happens */
	IBS_OP, /* not 0: sample ops */
	IBS_FETCH, /* not 0: sample fetches */
	IBS_AGGRESSIVE_READ, /* not 0: one CPU with enough samples: read all CPUs */
	IBS_READ_ON_TIMEOUT, /* not 0: after the timeout, read what there is */
	IBS_POLL_TIMEOUT, /* ms that ibs_sample() waits at most */
	IBS_POLL_NUM_SAMPLES, /* samples of a CPU and kind that are enough */
	IBS_MAX_CNT, /* sixteenths of the period: ops 9 to 2^23 - 1, fetches 1 to 2^16 - 1 */
	IBS_CPU_LIST, /* char for each configured CPU, not 0: this CPU; NULL: all that are online */
	IBS_DAEMON_MAX_SAMPLES, /* this and the others of the daemon: ENOSYS */
	IBS_DAEMON_CPU_LIST,
	IBS_DAEMON_OP_FILE,
	IBS_DAEMON_FETCH_FILE,
	IBS_DAEMON_OP_WRITE,
	IBS_DAEMON_FETCH_WRITE,
} ibs_option_t;

/* A number, cast to a pointer; IBS_CPU_LIST: const char * */
typedef void *ibs_val_t;

typedef struct ibs_option_list {
	ibs_option_t opt;
	ibs_val_t val;
} ibs_option_list_t;

typedef enum {
	IBS_OP_SAMPLE = 0x1,
	IBS_FETCH_SAMPLE = 0x2
} ibs_sample_type_t;

typedef struct ibs_sample {
	union {
		struct ibs_op op;
		struct ibs_fetch fetch;
	} ibs_sample;
} ibs_sample_t;

/**
 * ibs_initialize - create a context for each CPU
 * @options: options, applied in this order; they stay for later calls
 * @count: their number
 * @daemonize: 0
 *
 * Return: 0, or -1 and errno:
 *   EINVAL	a wrong option; neither IBS_OP nor IBS_FETCH; a period or a number of samples
 *		out of range
 *   EBUSY	initialized already; or perf, or another context, uses IBS on a CPU
 *   ENOSYS	@daemonize, or an option of the daemon
 *   ENODEV	the processor has no IBS, the module perfmon_ibs is not loaded, or a listed CPU
 *		is offline
 *   EPERM, EACCES	no right to monitor CPUs
 *   ENOMEM, ENOBUFS	no memory for the buffers
 * All contexts are closed again after an error.
 */
PFM_COMPAT_API int ibs_initialize(ibs_option_list_t *options, int count,
				  int daemonize);

/* Stop and close everything.  Options stay as they are. */
PFM_COMPAT_API void ibs_finalize(void);

/* Set one option.  Errors as those of ibs_initialize() for options. */
PFM_COMPAT_API int ibs_set_option(ibs_option_t option, ibs_val_t value);

/*
 * Begin to sample on a CPU, or on all that were initialized; if one of these fails, none
 * samples.  EINVAL: the CPU was not initialized, or does not exist.
 */
PFM_COMPAT_API int ibs_enable_cpu(int cpu);
PFM_COMPAT_API int ibs_enable_all(void);

/* Stop sampling.  Samples that were taken stay readable. */
PFM_COMPAT_API void ibs_disable_cpu(int cpu);
PFM_COMPAT_API void ibs_disable_all(void);

/**
 * ibs_sample - take samples
 * @max_samples: most that are wanted
 * @sample_flags: IBS_OP_SAMPLE, IBS_FETCH_SAMPLE
 * @samples: out: the samples
 * @sample_types: out: the kind of each
 *
 * Waits until a CPU has IBS_POLL_NUM_SAMPLES of a kind that is wanted, for IBS_POLL_TIMEOUT ms at
 * most.  With a small IBS_POLL_NUM_SAMPLES it may wait longer than until there are as many, but
 * not beyond the timeout: the kernel reports samples by the eighth of a buffer.
 *
 * Return: the number of samples, 0 after a timeout; or -1 and errno:
 *   EINVAL	not initialized; @max_samples or @sample_flags wrong
 *   EINTR	a signal came while the call waited
 *   EBADMSG	a buffer is malformed
 */
PFM_COMPAT_API int ibs_sample(int max_samples, int sample_flags,
			      struct ibs_sample *samples,
			      ibs_sample_type_t *sample_types);

/* Samples of all CPUs that found a full buffer since ibs_initialize(). */
PFM_COMPAT_API uint64_t ibs_lost(void);

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_IBS_COMPAT_H */
