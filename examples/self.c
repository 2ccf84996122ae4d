// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Counts the cycles of a piece of code in the program itself, with the functions of
 * perfmon2.
 *
 * It takes its registers from libperfmon: pfm_event_parse() and pfm_assign_registers() stand for
 * pfm_find_event() and pfm_dispatch_events() of libpfm 3.  A program that calls those two is
 * compiled as it is, with the headers of the folder perfmon2-compat.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon2.h>
#include <perfmon/pfmlib.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Choose registers that count the event, as pfm_dispatch_events() did. */
static void dispatch(const char *name, pfarg_pmc_t *pc, pfarg_pmd_t *pd)
{
	struct pfm_assignment outp;
	struct pfm_reg_map *map;
	struct pfm_event event;
	pfarg_ctx_t ctx;
	char text[512];

	if (pfm_initialize() != PFM_SUCCESS) {
		fprintf(stderr, "cannot initialize libpfm4\n");
		exit(1);
	}
	memset(&ctx, 0, sizeof(ctx));
	if (perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1))
		die("PFM_CREATE_CONTEXT");
	if (pfm_reg_map_from_ctx(ctx.ctx_fd, &map) < 0) {
		fprintf(stderr, "cannot read the register map\n");
		exit(1);
	}
	close(ctx.ctx_fd);

	int ret = pfm_event_parse(map, name, PFM_PLM3, &event);

	if (ret < 0) {
		fprintf(stderr, "%s\n",
			pfm_event_strerror(map, name, ret, text, sizeof(text)));
		exit(1);
	}
	if (pfm_assign_registers(map, &event, 1, &outp) < 0) {
		fprintf(stderr, "%s\n",
			pfm_assign_strerror(&outp, &event, text, sizeof(text)));
		exit(1);
	}
	pc->reg_num = outp.pmcs[0].num;
	pc->reg_value = outp.pmcs[0].value;
	pd->reg_num = outp.pmd[0];
	pfm_reg_map_free(map);
}

int main(void)
{
	pfarg_ctx_t ctx;
	pfarg_load_t load;
	pfarg_pmd_t pd[1];
	pfarg_pmc_t pc[1];

	memset(&ctx, 0, sizeof(ctx));
	memset(&load, 0, sizeof(load));
	memset(pd, 0, sizeof(pd));
	memset(pc, 0, sizeof(pc));

	dispatch("cycles", pc, pd);

	if (perfmonctl(0, PFM_CREATE_CONTEXT, &ctx, 1))
		die("PFM_CREATE_CONTEXT");
	if (perfmonctl(ctx.ctx_fd, PFM_WRITE_PMCS, pc, 1))
		die("PFM_WRITE_PMCS");
	if (perfmonctl(ctx.ctx_fd, PFM_WRITE_PMDS, pd, 1))
		die("PFM_WRITE_PMDS");
	load.load_pid = getpid();
	if (perfmonctl(ctx.ctx_fd, PFM_LOAD_CONTEXT, &load, 1))
		die("PFM_LOAD_CONTEXT");
	if (perfmonctl(ctx.ctx_fd, PFM_START, NULL, 0))
		die("PFM_START");

	/* The code to measure. */
	for (volatile int i = 0; i < 1000000; i++)
		;

	if (perfmonctl(ctx.ctx_fd, PFM_STOP, NULL, 0))
		die("PFM_STOP");
	if (perfmonctl(ctx.ctx_fd, PFM_READ_PMDS, pd, 1))
		die("PFM_READ_PMDS");
	printf("total cycles %" PRIu64 "\n", pd[0].reg_value);
	close(ctx.ctx_fd);
	return 0;
}
