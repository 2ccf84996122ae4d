// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Ops and data cache misses of each process, on all CPUs for some seconds: a program for
 * libIBS, the library of AMD's Research IBS Toolkit, as it runs on perfmon.  Sampling CPUs
 * needs CAP_PERFMON.
 *
 *     ibs_misses [SECONDS [PERIOD]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <perfmon/ibs-compat.h>

#define SAMPLES	  4096
#define PROCESSES 1024

static ibs_sample_t samples[SAMPLES];

static struct {
	int pid;
	unsigned long ops, loads, misses;
} processes[PROCESSES];

static void check(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, ibs_error());
	exit(1);
}

static void add(const ibs_op_t *op)
{
	size_t i = 0;

	/* A slot is free while it has no samples; pid 0 is what idles. */
	while (i < PROCESSES && processes[i].ops && processes[i].pid != op->pid)
		i++;
	if (i == PROCESSES)
		return;
	processes[i].pid = op->pid;
	processes[i].ops++;
	processes[i].loads += op->op_data3.reg.ibs_ld_op;
	processes[i].misses += op->op_data3.reg.ibs_dc_miss;
}

/* Take what there is, or what comes until the timeout.  Returns the number of samples. */
static int take(void)
{
	int i, n;

	n = ibs_sample(SAMPLES, IBS_OP_SAMPLE, samples, NULL);
	check(n, "ibs_sample");
	for (i = 0; i < n; i++)
		add(&samples[i].ibs_sample.op);
	return n;
}

int main(int argc, char **argv)
{
	const time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 5);
	const uint64_t period = argc > 2 ? strtoull(argv[2], NULL, 0) : 262144;
	ibs_option_list_t options[] = {
		{ IBS_OP, (ibs_val_t)1 },
		/* In units of 16. */
		{ IBS_MAX_CNT, (ibs_val_t)(period / 16) },
		{ IBS_POLL_NUM_SAMPLES, (ibs_val_t)256 },
	};
	size_t i;

	check(ibs_initialize(options, 3, 0), "ibs_initialize");
	/* Milliseconds.  Options can be set later as well. */
	check(ibs_set_option(IBS_POLL_TIMEOUT, (ibs_val_t)500),
	      "ibs_set_option");
	check(ibs_enable_all(), "ibs_enable_all");
	while (time(NULL) < end)
		take();
	ibs_disable_all();
	/* This reads the samples of before, and waits for none. */
	check(ibs_set_option(IBS_POLL_TIMEOUT, (ibs_val_t)0), "ibs_set_option");
	while (take())
		;
	printf("%10s %10s %10s %10s\n", "process", "ops", "loads", "misses");
	for (i = 0; i < PROCESSES && processes[i].ops; i++)
		printf("%10d %10lu %10lu %10lu\n", processes[i].pid,
		       processes[i].ops, processes[i].loads,
		       processes[i].misses);
	printf("%llu samples were lost\n", (unsigned long long)ibs_lost());
	ibs_finalize();
	return 0;
}
