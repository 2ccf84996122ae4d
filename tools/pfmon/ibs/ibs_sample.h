/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample of IBS, of whatever file.
 */
#ifndef PFMON_IBS_IBS_SAMPLE_H
#define PFMON_IBS_IBS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum ibs_kind - what was sampled
 */
enum ibs_kind {
	IBS_OP,
	IBS_FETCH,
	NUM_IBS_KINDS,
};

/**
 * struct ibs_sample - a sample
 * @kind: which of the registers are those of the sample
 * @kernel: the instruction is one of the kernel
 * @cpu: CPU
 * @tid: thread
 * @pid: process
 * @period: fetches, ops or cycles that were counted for the sample; 0 if not known
 * @tstamp: time, ns of CLOCK_MONOTONIC; 0 if not known
 * @tsc: time stamp counter when the interrupt came
 * @ctl: IBS_FETCH_CTL or IBS_OP_CTL
 * @address: IBS_FETCH_LINAD or IBS_OP_RIP
 * @physad: IBS_FETCH_PHYSAD or IBS_DC_PHYSAD
 * @extd: IC_IBS_EXTD_CTL, of fetches
 * @data: IBS_OP_DATA, and so on of ops only
 * @data2: IBS_OP_DATA2
 * @data3: IBS_OP_DATA3
 * @data4: IBS_OP_DATA4
 * @dc_linad: IBS_DC_LINAD
 * @br_target: IBS_BR_TARGET
 */
struct ibs_sample {
	enum ibs_kind kind;
	bool kernel;
	int32_t cpu;
	int32_t tid;
	int32_t pid;
	uint32_t period;
	uint64_t tstamp;
	uint64_t tsc;
	uint64_t ctl;
	uint64_t address;
	uint64_t physad;
	uint64_t extd;
	uint64_t data;
	uint64_t data2;
	uint64_t data3;
	uint64_t data4;
	uint64_t dc_linad;
	uint64_t br_target;
};

#endif
