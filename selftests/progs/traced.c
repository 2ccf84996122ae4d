// SPDX-License-Identifier: GPL-2.0-only
/*
 * traced N PERIOD: samples itself every PERIOD ns of CPU time with the format trace
 * until there were N overflows, and says how many there were:
 * "OVERFLOWS PID PMD PERIOD".
 */
#include "context.h"
#include "sampling.h"

static const uint8_t uuid[PFM_UUID_LEN] = {
	0x7f, 0x87, 0x75, 0x6c, 0xc0, 0x76, 0x43, 0x09,
	0xa2, 0x2e, 0x47, 0xd4, 0x9f, 0x79, 0x36, 0x3b,
};

static int sample(int fd, uint64_t n, uint64_t period, struct pfm_config *cfg)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -period,
		.short_reset = -period,
	};
	int ret;

	ret = pmd_write(fd, CPU_TIME_NS, -period);
	if (!ret)
		ret = attr_write(fd, &attr);
	if (!ret)
		ret = context_load(fd, 0);
	if (!ret)
		ret = context_start(fd, 0);
	do {
		if (!ret)
			ret = config_get(fd, cfg);
	} while (!ret && cfg->overflows < n);
	if (!ret)
		ret = context_stop(fd);
	return ret ? ret : config_get(fd, cfg);
}

int main(int argc, char **argv)
{
	const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 0) : 100;
	const uint64_t period = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000000;
	struct pfm_config cfg;
	int fd, ret;

	fd = format_open(0, uuid, NULL, 0);
	ret = fd < 0 ? fd : sample(fd, n, period, &cfg);
	if (ret) {
		fprintf(stderr, "traced: %s\n", strerror(-ret));
		return 1;
	}
	printf("%llu %d %d %llu\n", (unsigned long long)cfg.overflows, getpid(),
	       CPU_TIME_NS, (unsigned long long)period);
	return 0;
}
