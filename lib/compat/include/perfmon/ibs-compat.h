/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The functions of libIBS, the library of AMD's Research IBS Toolkit, on perfmon's
 * kernel modules, for existing programs.  New programs use <perfmon/perfmon.h> and the
 * format "ibs" (<linux/perfmon_ibs.h>).
 *
 * AMD's instruction-based sampling (IBS) tags an op or an instruction fetch each time that
 * a period has been counted, and records what becomes of it.  A program is compiled with
 * this header in the place of libIBS's, and linked with -lperfmon-compat.  It goes through these
 * steps:
 *
 *  1. ibs_initialize() with options: at least IBS_OP or IBS_FETCH.
 *  2. ibs_enable_cpu() or ibs_enable_all(): CPUs take samples of whatever they run.
 *  3. ibs_sample(), as often as wanted.
 *  4. ibs_disable_cpu() or ibs_disable_all(); samples that were taken before can still be
 *     read.
 *  5. ibs_finalize().
 *
 * Monitoring a CPU needs CAP_PERFMON, or what /sys/kernel/perfmon/policy allows.
 *
 * A function that fails returns -1, sets errno, and changes nothing; ibs_error() returns
 * a text for users.  Errors of the kernel keep their errno value.  The functions work on
 * one state for the whole process: threads must not call them at the same time.
 *
 * The names of libIBS leave some behaviour open.  This header defines it, and
 * Documentation/use/ibs.rst lists it.  Known differences:
 *
 *  - perfmon has no daemon: the calls and options for it fail with ENOSYS.  "pfmon --smpl-module=ibs" records to
 *    a file, and "pfmon ibs decode" makes CSV of it.
 *  - cr3 is 0: perfmon does not tell it.
 *  - kern_mode says whether the sampled instruction is the kernel's.  The toolkit's driver
 *    says whether the interrupted one is.
 *  - Samples that were lost are counted: ibs_lost() is an addition, as are ibs_paused()
 *    and ibs_error().
 */
#ifndef PERFMON_IBS_COMPAT_H
#define PERFMON_IBS_COMPAT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFM_IBS_COMPAT_API __attribute__((visibility("default")))

/*
 * Registers of a sample.  Sources of the fields: AMD's Processor Programming References and
 * BIOS and Kernel Developer's Guides, MSR C001_1030 to C001_103D.  A field that a
 * processor does not have is 0 or undefined, as its manual says.  Bits that came later
 * have no name here; val has all bits.
 */

#define IBS_OP_STRUCT_VERSION	 1
#define IBS_FETCH_STRUCT_VERSION 1

/* IBS_OP_CTL, MSR C001_1033.  Periods are in ops or cycles (ibs_op_cnt_ctl 1 or 0) / 16. */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_op_max_cnt : 16; /* period, bits 19:4 */
		uint16_t reserved_1 : 1;
		uint16_t ibs_op_en : 1;
		uint16_t ibs_op_val : 1;
		uint16_t ibs_op_cnt_ctl : 1;
		uint16_t ibs_op_max_cnt_upper : 7; /* period, bits 26:20 */
		uint16_t reserved_2 : 5;
		uint32_t ibs_op_cur_cnt : 27;
		uint32_t reserved_3 : 5;
	} reg;
} ibs_op_ctl_t;

/* IBS_OP_DATA, MSR C001_1035: how the op ended.  Times in cycles. */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_comp_to_ret_ctr; /* from completion to retirement */
		uint16_t ibs_tag_to_ret_ctr; /* from the tagging to retirement */
		uint8_t ibs_op_brn_resync : 1;
		uint8_t ibs_op_misp_return : 1;
		uint8_t ibs_op_return : 1;
		uint8_t ibs_op_brn_taken : 1;
		uint8_t ibs_op_brn_misp : 1;
		uint8_t ibs_op_brn_ret : 1; /* a branch, and it retired */
		uint8_t ibs_rip_invalid : 1;
		uint8_t ibs_op_brn_fuse : 1;
		uint8_t ibs_op_microcode : 1;
		uint32_t reserved : 23;
	} reg;
} ibs_op_data1_t;

/* IBS_OP_DATA2, MSR C001_1036: where the data of a load came from. */
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

/* IBS_OP_DATA3, MSR C001_1037: access to memory.  Latencies in cycles. */
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
		uint8_t ibs_dc_miss_acc : 1; /* the access was misaligned */
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
		uint16_t ibs_op_mem_width : 4; /* n: 2^(n - 1) bytes; 0: none */
		uint16_t ibs_op_dc_miss_open_mem_reqs : 6;
		uint16_t ibs_dc_miss_lat;
		uint16_t ibs_tlb_refill_lat;
	} reg;
} ibs_op_data3_t;

/* IBS_OP_DATA4, MSR C001_103D. */
typedef union {
	uint64_t val;
	struct {
		uint8_t ibs_op_ld_resync : 1;
		uint64_t reserved : 63;
	} reg;
} ibs_op_data4_t;

/* IBS_DC_PHYSAD, MSR C001_1039. */
typedef union {
	uint64_t val;
	struct {
		uint64_t ibs_dc_phys_addr : 48;
		uint64_t reserved : 16;
	} reg;
} ibs_op_dc_phys_addr_t;

/* IBS_FETCH_CTL, MSR C001_1030.  Counts in fetches / 16, latency in cycles. */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_fetch_max_cnt; /* period, bits 19:4 */
		uint16_t ibs_fetch_cnt;
		uint16_t ibs_fetch_lat;
		uint8_t ibs_fetch_en : 1;
		uint8_t ibs_fetch_val : 1;
		uint8_t ibs_fetch_comp : 1;
		uint8_t ibs_ic_miss : 1;
		uint8_t ibs_phy_addr_valid : 1;
		uint8_t ibs_l1_tlb_pg_sz : 2; /* 0: 4 KiB, 1: 2 MiB, 2: 1 GiB */
		uint8_t ibs_l1_tlb_miss : 1;
		uint8_t ibs_l2_tlb_miss : 1;
		uint8_t ibs_rand_en : 1;
		uint8_t ibs_fetch_l2_miss : 1;
		uint8_t reserved : 5;
	} reg;
} ibs_fetch_ctl_t;

/* IBS_FETCH_PHYSAD, MSR C001_1032. */
typedef union {
	uint64_t val;
	struct {
		uint64_t ibs_fetch_phy_addr : 48;
		uint64_t reserved : 16;
	} reg;
} ibs_fetch_phys_addr;

/* IC_IBS_EXTD_CTL, MSR C001_103C.  Latency in cycles. */
typedef union {
	uint64_t val;
	struct {
		uint16_t ibs_itlb_refill_lat;
		uint64_t reserved : 48;
	} reg;
} ibs_fetch_extd_ctl;

/**
 * struct ibs_op - a sample of an op, 104 bytes
 * @op_ctl: IBS_OP_CTL
 * @op_rip: address of the sampled instruction; 0 if the caller may not see it, or if it is
 *	not valid
 * @op_data: IBS_OP_DATA
 * @op_data2: IBS_OP_DATA2, bits 15:0
 * @op_data3: IBS_OP_DATA3
 * @op_data4: IBS_OP_DATA4, bits 15:0; 0 if the processor does not have it
 * @dc_lin_ad: linear address of the data, if ibs_lin_addr_valid
 * @dc_phys_ad: physical address of the data, if ibs_phy_addr_valid
 * @br_target: target of the branch; 0 if the processor does not tell
 * @tsc: time stamp counter when the interrupt came
 * @cr3: 0
 * @tid: thread that ran when the interrupt came; 0: the idle task, -1: a thread that has no
 *	id in the caller's pid namespace
 * @pid: its process, by the same rules
 * @cpu: CPU
 * @kern_mode: 1 if the sampled instruction is the kernel's, otherwise 0
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
 * struct ibs_fetch - a sample of an instruction fetch, 64 bytes
 * @fetch_ctl: IBS_FETCH_CTL
 * @fetch_ctl_extd: IC_IBS_EXTD_CTL, bits 31:0; 0 if the processor does not have it
 * @fetch_lin_ad: linear address; 0 if the caller may not see it
 * @fetch_phys_ad: physical address, if ibs_phy_addr_valid
 * @tsc: as in struct ibs_op, and so are the following
 * @cr3: 0
 * @tid: thread
 * @pid: process
 * @cpu: CPU
 * @kern_mode: 1 if the fetched code is the kernel's
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

/* A word of a bitmap of CPUs. */
typedef uint64_t word_t;

/* Values of the options that the program does not set. */
#define DEFAULT_IBS_DEBUG	     0
#define DEFAULT_IBS_OP		     0
#define DEFAULT_IBS_FETCH	     0
#define DEFAULT_IBS_AGGRESSIVE_READ  0
#define DEFAULT_IBS_READ_ON_TIMEOUT  1
#define DEFAULT_IBS_POLL_TIMEOUT     1000
#define DEFAULT_IBS_POLL_NUM_SAMPLES 4096
#define DEFAULT_IBS_MAX_CNT	     0x3fff
#define DEFAULT_IBS_CPU_LIST	     ((word_t)-1)

/**
 * enum ibs_option_t - options
 * @IBS_DEBUG: 1: each function that fails writes the text of ibs_error() to the standard
 *	error output
 * @IBS_OP: 1: take samples of ops
 * @IBS_FETCH: 1: take samples of fetches
 * @IBS_AGGRESSIVE_READ: 1: when a CPU has enough samples, ibs_sample() takes those of
 *	all CPUs; 0: it takes those of the CPUs that have enough
 * @IBS_READ_ON_TIMEOUT: 1: when no CPU has enough samples in time, ibs_sample() takes
 *	those that there are; 0: it takes none
 * @IBS_POLL_TIMEOUT: milliseconds that ibs_sample() waits at most, 0 to INT_MAX; -1: it
 *	waits without a limit
 * @IBS_POLL_NUM_SAMPLES: number of samples of a CPU that are enough, 1 to 2^20.  A CPU's
 *	buffer has room for four times this number, and for at least 4096.  With both
 *	kinds, ops and fetches count together
 * @IBS_MAX_CNT: period of both kinds, in units of 16 ops or fetches, 1 to 0x7fffff; at
 *	least 9 with IBS_OP
 * @IBS_CPU_LIST: CPUs that may be enabled: a char * to an array with a byte for each CPU that
 *	the machine may have (_SC_NPROCESSORS_CONF), not 0 for those of the list.  The library
 *	copies it.  (ibs_val_t)-1, the default: all CPUs
 * @IBS_DAEMON_MAX_SAMPLES: refused, as all options of the daemon
 * @IBS_DAEMON_CPU_LIST: refused
 * @IBS_DAEMON_OP_FILE: refused
 * @IBS_DAEMON_FETCH_FILE: refused
 * @IBS_DAEMON_OP_WRITE: refused
 * @IBS_DAEMON_FETCH_WRITE: refused
 *
 * The value of any other option is the number itself, converted to a pointer: (ibs_val_t)1.
 */
typedef enum {
	IBS_DEBUG,
	IBS_OP,
	IBS_FETCH,
	IBS_AGGRESSIVE_READ,
	IBS_READ_ON_TIMEOUT,
	IBS_POLL_TIMEOUT,
	IBS_POLL_NUM_SAMPLES,
	IBS_MAX_CNT,
	IBS_CPU_LIST,
	IBS_DAEMON_MAX_SAMPLES,
	IBS_DAEMON_CPU_LIST,
	IBS_DAEMON_OP_FILE,
	IBS_DAEMON_FETCH_FILE,
	IBS_DAEMON_OP_WRITE,
	IBS_DAEMON_FETCH_WRITE,
} ibs_option_t;

typedef void *ibs_val_t;

/**
 * struct ibs_option_list - an option with its value
 * @opt: the option
 * @val: its value
 */
typedef struct ibs_option_list {
	ibs_option_t opt;
	ibs_val_t val;
} ibs_option_list_t;

/* Kinds of samples. */
typedef enum { IBS_OP_SAMPLE = 0x1, IBS_FETCH_SAMPLE = 0x2 } ibs_sample_type_t;

/**
 * struct ibs_sample - a sample of either kind
 * @ibs_sample: the sample
 */
typedef struct ibs_sample {
	union {
		struct ibs_op op;
		struct ibs_fetch fetch;
	} ibs_sample;
} ibs_sample_t;

/**
 * ibs_initialize - begin to use the library
 * @options: options, which are set in this order; may be NULL when @count is 0
 * @count: number of elements of @options
 * @daemonize: 0
 *
 * Options that ibs_set_option() has set before keep their values.  Nothing is sampled
 * before a CPU is enabled.
 *
 * Return: 0, or -1 with errno:
 *   EINVAL	an unknown option, or a value out of its range; @count is negative;
 *		IBS_MAX_CNT is below 9 with IBS_OP
 *   ENOSYS	@daemonize is not 0, or an option of the daemon
 *   EBUSY	the library is in use already
 *   ENOENT	/dev/perfmon does not exist: the module is not loaded; or the kernel has
 *		no sampling format "ibs"
 *   ENODEV	no IBS: another processor, or the module perfmon_ibs is not loaded
 *   EACCES	no right to open /dev/perfmon
 *   EPERM	no right to count the kernel
 *   other	errors of PFM_IOC_CREATE_CONTEXT (<linux/perfmon.h>)
 */
PFM_IBS_COMPAT_API int ibs_initialize(ibs_option_list_t *options, int count,
				      int daemonize);

/*
 * End the use of the library: disables all CPUs, drops samples that were not read, and sets
 * all options to their defaults.  May be called at any time.
 */
PFM_IBS_COMPAT_API void ibs_finalize(void);

/**
 * ibs_set_option - set an option
 * @option: the option
 * @value: its value
 *
 * May be called before ibs_initialize().
 *
 * Return: 0, or -1 with errno:
 *   EINVAL	an unknown option, a value out of its range, or an IBS_CPU_LIST without a
 *		CPU, or that is a number
 *   ENOSYS	an option of the daemon
 *   EBUSY	IBS_OP, IBS_FETCH, IBS_POLL_NUM_SAMPLES, IBS_MAX_CNT or IBS_CPU_LIST, and a
 *		CPU is enabled
 */
PFM_IBS_COMPAT_API int ibs_set_option(ibs_option_t option, ibs_val_t value);

/**
 * ibs_enable_cpu - begin to take samples on a CPU
 * @cpu: its number
 *
 * Samples that the CPU has taken before it was last disabled can still be read.
 *
 * Return: 0, also when the CPU is enabled already; or -1 with errno:
 *   EINVAL	the library is not initialized; the CPU is not in IBS_CPU_LIST; neither
 *		IBS_OP nor IBS_FETCH is on; IBS_MAX_CNT is below 9 with IBS_OP
 *   ERANGE	no such CPU
 *   ENODEV	the CPU is offline
 *   EPERM	no right to monitor CPUs
 *   EBUSY	another context is loaded on the CPU or on threads
 *		(/sys/kernel/perfmon/holders tells by which process), or perf uses IBS
 *   ENOBUFS	the buffer is beyond the limit on locked memory
 *   ENOMEM
 *   other	as ibs_initialize()
 */
PFM_IBS_COMPAT_API int ibs_enable_cpu(int cpu);

/**
 * ibs_enable_all - begin to take samples on all CPUs of IBS_CPU_LIST
 *
 * Without a list these are the CPUs that are online now.
 *
 * Return: 0, or -1 with errno as ibs_enable_cpu(); then no CPU is enabled that was not
 * enabled before.  ENODEV also: a CPU that the list names is offline.
 */
PFM_IBS_COMPAT_API int ibs_enable_all(void);

/* Take no more samples on a CPU.  Does nothing if it is not enabled. */
PFM_IBS_COMPAT_API void ibs_disable_cpu(int cpu);
PFM_IBS_COMPAT_API void ibs_disable_all(void);

/**
 * ibs_sample - wait for samples, and take them
 * @max_samples: number of elements of @samples, 1 or more
 * @sample_flags: which kinds to take: IBS_OP_SAMPLE, IBS_FETCH_SAMPLE or both
 * @samples: out: the samples
 * @sample_types: out: kind of each sample; may be NULL when @sample_flags is one kind
 *
 * Waits until a CPU has IBS_POLL_NUM_SAMPLES samples, or @max_samples if that is less, but
 * no longer than IBS_POLL_TIMEOUT.  A CPU that is disabled has enough with one.  If no CPU
 * is enabled, and no sample is left, it does not wait.
 *
 * The samples of one CPU and kind are in the order of their time.  What finds no room in
 * @samples waits for the next call, and so do samples of the other kind, up to twice the
 * number that the CPU's buffer has room for; beyond that they count as lost.
 *
 * Return: number of samples, 0 if there are none in time; or -1 with errno:
 *   EINVAL	a wrong argument, or the library is not initialized
 *   EINTR	a signal came while the call waited
 *   EBADF	the program has closed a descriptor of the library
 *   EBADMSG	the kernel's buffer is malformed
 *   EPROTO	the kernel's format is of another major version
 */
PFM_IBS_COMPAT_API int ibs_sample(int max_samples, int sample_flags,
				  struct ibs_sample *samples,
				  ibs_sample_type_t *sample_types);

/**
 * ibs_lost - number of samples that were lost since ibs_initialize()
 *
 * These are the samples of all CPUs for which a buffer had no room.  Those that
 * ibs_finalize() drops are not among them; the number can be read after it.
 */
PFM_IBS_COMPAT_API uint64_t ibs_lost(void);

/**
 * ibs_paused - nanoseconds that were not sampled since ibs_initialize()
 *
 * The kernel stops sampling on a CPU until the end of a millisecond, when samples have
 * taken a quarter of it.  These are the pauses of all CPUs.
 */
PFM_IBS_COMPAT_API uint64_t ibs_paused(void);

/**
 * ibs_error - describe the last failure
 *
 * Return: a phrase without a final dot that says what failed and what would mend it, ""
 * when no function has failed yet.  Valid until the next call of a function of this header.
 */
PFM_IBS_COMPAT_API const char *ibs_error(void);

#ifdef __cplusplus
}
#endif

#endif /* PERFMON_IBS_COMPAT_H */
