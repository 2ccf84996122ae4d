// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Counts events of the program itself: cycles and time on the processor, or the events
 * that the command line names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

static void check(int ret, const char *what, unsigned long request)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, pfm_ctx_strerror(request, ret));
	exit(1);
}

/* Choose registers for the events; the choice can be used as often as needed. */
static void choose(int fd, char **names, unsigned int count,
		   struct pfm_event *events, struct pfm_assignment *regs)
{
	struct pfm_reg_map *map;
	char text[512];
	unsigned int i;
	int ret;

	check(pfm_reg_map_from_ctx(fd, &map), "register map",
	      PFM_IOC_GET_CONFIG);
	for (i = 0; i < count; i++) {
		ret = pfm_event_parse(map, names[i], PFM_PLM_USER, &events[i]);
		if (ret < 0) {
			pfm_event_strerror(map, names[i], ret, text, sizeof(text));
			fprintf(stderr, "%s\n", text);
			exit(1);
		}
	}
	if (pfm_assign_registers(map, events, count, regs) < 0) {
		pfm_assign_strerror(regs, events, text, sizeof(text));
		fprintf(stderr, "%s\n", text);
		exit(1);
	}
	pfm_reg_map_free(map);
}

int main(int argc, char **argv)
{
	static struct pfm_event events[PFM_ASSIGN_MAX];
	static struct pfm_assignment regs;
	static char *defaults[] = { "cycles", "task-clock" };
	char **names = argc > 1 ? argv + 1 : defaults;
	unsigned int count = argc > 1 ? argc - 1 : 2;
	unsigned int i;
	int fd;

	if (count > PFM_ASSIGN_MAX)
		return 2;
	fd = pfm_ctx_create(NULL);
	check(fd, "create", PFM_IOC_CREATE_CONTEXT);
	choose(fd, names, count, events, &regs);

	check(pfm_ctx_write_pmcs(fd, regs.pmcs, regs.num_pmcs, NULL),
	      "write PMCs", PFM_IOC_WRITE_PMCS);
	check(pfm_ctx_write_pmds(fd, regs.pmds, regs.num_writable, NULL),
	      "write PMDs", PFM_IOC_WRITE_PMDS);
	check(pfm_ctx_load(fd, 0, NULL), "load", PFM_IOC_LOAD_CONTEXT);
	check(pfm_ctx_start(fd, NULL), "start", PFM_IOC_START);

	/* The code to measure. */
	for (volatile int n = 0; n < 1000000; n++)
		;

	check(pfm_ctx_stop(fd), "stop", PFM_IOC_STOP);
	check(pfm_ctx_read_pmds(fd, regs.pmds, regs.num_pmds, NULL),
	      "read PMDs", PFM_IOC_READ_PMDS);
	for (i = 0; i < count; i++)
		printf("%20llu %s\n", regs.pmds[regs.index[i]].value,
		       events[i].name);
	close(fd);
	return 0;
}
