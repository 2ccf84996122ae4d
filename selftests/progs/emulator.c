// SPDX-License-Identifier: GPL-2.0-only
/*
 * emulator [COUNTER | ibs | clock]: what the emulator with an x86 PMU knows of each CPU that is online:
 * number of the CPU, user instructions, the kernel's, NMIs taken, those asked for by
 * overflows, those of injections alone and, with COUNTER, what this counter ever counted and
 * how often it overflowed. With 'ibs' instead: ops and fetches that IBS counted, each with the
 * samples and with those that a filter dropped; its NMIs, those lost as they were masked, and
 * samples of an unknown instruction. With 'clock' the seconds of the real-time clock, which follows the
 * host's time; all other clocks follow the guest's instructions.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/rtc.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include "emulator.h"

static void print(int cpu, int counter)
{
	struct emulated e;

	emulated_on(cpu, &e);
	printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
	       cpu, e.user, e.kernel, e.nmis, e.nmis_of_overflows,
	       e.nmis_injected);
	if (counter >= 0)
		printf(" %" PRIu64 " %" PRIu64, e.counted[counter],
		       e.wraps[counter]);
	printf("\n");
}

static void print_ibs(int cpu)
{
	struct emulated e;

	emulated_on(cpu, &e);
	printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       cpu, e.ops, e.op_samples, e.ops_dropped, e.fetches,
	       e.fetch_samples, e.fetches_dropped, e.ibs_nmis, e.ibs_masked,
	       e.ibs_unknown);
}

static int print_clock(void)
{
	const int fd = open("/dev/rtc0", O_RDONLY | O_CLOEXEC);
	struct rtc_time rtc;
	struct tm tm = {};

	if (fd < 0 || ioctl(fd, RTC_RD_TIME, &rtc)) {
		perror("emulator: /dev/rtc0");
		return 1;
	}
	tm.tm_sec = rtc.tm_sec;
	tm.tm_min = rtc.tm_min;
	tm.tm_hour = rtc.tm_hour;
	tm.tm_mday = rtc.tm_mday;
	tm.tm_mon = rtc.tm_mon;
	tm.tm_year = rtc.tm_year;
	printf("%lld\n", (long long)timegm(&tm));
	return 0;
}

int main(int argc, char **argv)
{
	const bool ibs = argc > 1 && !strcmp(argv[1], "ibs");
	const int counter = argc > 1 ? atoi(argv[1]) : -1;
	cpu_set_t online;

	if (!emulator_present()) {
		fprintf(stderr, "emulator: this CPU is none of its\n");
		return 1;
	}
	if (argc > 1 && !strcmp(argv[1], "clock"))
		return print_clock();
	if (counter >= EMULATED_COUNTERS)
		return 2;
	if (sched_getaffinity(1, sizeof(online), &online))
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &online))
			continue;
		if (ibs)
			print_ibs(cpu);
		else
			print(cpu, counter);
	}
	return 0;
}
