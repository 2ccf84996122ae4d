// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Measures each iteration of a loop by reading the program's own cycle counter, in
 * user mode where that is possible.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#define ITERATIONS 10

static void check(int ret, const char *what, unsigned long request)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, pfm_ctx_strerror(request, ret));
	exit(1);
}

/* Create a context that counts cycles in user mode; *regs gets the register. */
static int begin(struct pfm_assignment *regs)
{
	struct pfm_reg_map *map;
	struct pfm_event event;
	char text[512];
	int fd, ret;

	fd = pfm_ctx_create(NULL);
	check(fd, "create", PFM_IOC_CREATE_CONTEXT);
	check(pfm_reg_map_from_ctx(fd, &map), "register map",
	      PFM_IOC_GET_CONFIG);
	ret = pfm_event_parse(map, "cycles", PFM_PLM_USER, &event);
	if (ret >= 0)
		ret = pfm_assign_registers(map, &event, 1, regs);
	if (ret < 0) {
		pfm_event_strerror(map, "cycles", ret, text, sizeof(text));
		fprintf(stderr, "%s\n", text);
		exit(1);
	}
	pfm_reg_map_free(map);
	check(pfm_ctx_write_pmcs(fd, regs->pmcs, regs->num_pmcs, NULL),
	      "write PMCs", PFM_IOC_WRITE_PMCS);
	check(pfm_ctx_write_pmds(fd, regs->pmds, regs->num_writable, NULL),
	      "write PMDs", PFM_IOC_WRITE_PMDS);
	check(pfm_ctx_load(fd, 0, NULL), "load", PFM_IOC_LOAD_CONTEXT);
	check(pfm_ctx_start(fd, NULL), "start", PFM_IOC_START);
	return fd;
}

int main(void)
{
	static struct pfm_assignment regs;
	uint64_t vals[ITERATIONS + 1];
	struct pfm_user_page_map *page;
	unsigned int i, calls = 0;
	int fd = begin(&regs);
	int ret;

	if (pfm_user_page_open(fd, regs.pmds, 1, &page) < 0)
		return 1;
	/* The first read looks up the register on the user page. */
	pfm_user_page_read(page, vals);
	for (i = 0; i <= ITERATIONS; i++) {
		ret = pfm_user_page_read(page, &vals[i]);
		check(ret, "read PMDs", PFM_IOC_READ_PMDS);
		calls += ret;
		for (volatile int n = 0; n < 1000; n++)
			;
	}
	for (i = 0; i < ITERATIONS; i++)
		printf("%10llu cycles\n",
		       (unsigned long long)(vals[i + 1] - vals[i]));
	printf("%u of %u reads by ioctl (now: %s)\n", calls, ITERATIONS + 1,
	       pfm_user_page_reason(pfm_user_page_state(page)));
	pfm_user_page_close(page);
	close(fd);
	return 0;
}
