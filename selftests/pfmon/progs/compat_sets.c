// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets by the calls of perfmon v2.82: two sets that count the CPU's time,
 * one left after a time, the other after two overflows.  Exit status 0, or the
 * number of the first check that failed.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <perfmon/perfmon2.h>

#define CPU_TIME	256
#define PERIOD		100000

#define CHECK(what)							\
	do {								\
		checks++;						\
		if (!(what)) {						\
			fprintf(stderr, "check %d: %s (errno %d)\n",	\
				checks, #what, errno);			\
			return checks;					\
		}							\
	} while (0)

int main(void)
{
	pfarg_setdesc_t descs[2] = {
		{ .set_id = 0, .set_flags = PFM_SETFL_TIME_SWITCH,
		  .set_timeout = 200000 },
		{ .set_id = 7, .set_flags = PFM_SETFL_OVFL_SWITCH },
	};
	pfarg_pmd_t pmds[2] = {
		{ .reg_num = CPU_TIME },
		{ .reg_num = CPU_TIME, .reg_set = 7, .reg_value = -PERIOD,
		  .reg_long_reset = -PERIOD, .reg_short_reset = -PERIOD,
		  .reg_ovfl_switch_cnt = 2 },
	};
	pfarg_setinfo_t infos[2] = { { .set_id = 0 }, { .set_id = 7 } };
	pfarg_load_t load = { .load_pid = getpid() };
	volatile unsigned long i;
	pfarg_ctx_t ctx = { 0 };
	uint64_t runs[2];
	int fd, checks = 0;

	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	CHECK(fd >= 0);
	CHECK(pfm_create_evtsets(fd, descs, 2) == 0);
	CHECK(pfm_write_pmds(fd, pmds, 2) == 0);
	CHECK(pfm_getinfo_evtsets(fd, infos, 2) == 0);
	CHECK(infos[0].set_timeout == 200000 && !infos[0].set_runs);
	CHECK(infos[1].set_flags == PFM_SETFL_OVFL_SWITCH);
	CHECK(infos[1].set_avail_pmds[4] & 1);
	CHECK(pfm_load_context(fd, &load) == 0);
	CHECK(pfm_create_evtsets(fd, descs, 2) == -1 && errno == EBUSY);
	CHECK(pfm_start(fd, NULL) == 0);
	for (i = 0; i < 2000000; i++)
		;
	CHECK(pfm_stop(fd) == 0);
	CHECK(pfm_getinfo_evtsets(fd, infos, 2) == 0);
	runs[0] = infos[0].set_runs;
	runs[1] = infos[1].set_runs;
	fprintf(stderr, "runs %llu and %llu, active %llu and %llu ns\n",
		(unsigned long long)runs[0], (unsigned long long)runs[1],
		(unsigned long long)infos[0].set_act_duration,
		(unsigned long long)infos[1].set_act_duration);
	/* Their time slices alternate; each lasts 0.2 ms. */
	CHECK(runs[0] >= 2 && runs[0] - runs[1] <= 1);
	CHECK(infos[1].set_act_duration >= 2 * PERIOD * (runs[1] - 1));
	CHECK(pfm_read_pmds(fd, pmds, 2) == 0);
	CHECK(pmds[0].reg_value > 0);
	CHECK(pmds[1].reg_ovfl_switch_cnt >= 1 &&
	      pmds[1].reg_ovfl_switch_cnt <= 2);
	CHECK(pmds[1].reg_last_reset_val == (uint64_t)-PERIOD);
	CHECK(pfm_unload_context(fd) == 0);
	CHECK(pfm_delete_evtsets(fd, &descs[1], 1) == 0);
	CHECK(pfm_delete_evtsets(fd, &descs[1], 1) == -1 && errno == EINVAL);
	CHECK(pfm_delete_evtsets(fd, &descs[0], 1) == -1 && errno == EINVAL);
	CHECK(pfm_getinfo_evtsets(fd, infos, 2) == -1 && errno == EINVAL);
	descs[0].set_timeout = 0;
	CHECK(pfm_create_evtsets(fd, descs, 1) == -1 && errno == EINVAL);
	descs[0].set_flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_OVFL_SWITCH;
	CHECK(pfm_create_evtsets(fd, descs, 1) == -1 && errno == EINVAL);
	return 0;
}
