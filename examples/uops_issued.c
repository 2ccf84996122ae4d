// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Counts UOPS_ISSUED.ANY (event 0x0e, unit mask 0x01) of Intel's cores around a piece of code,
 * at user level.  Beside it are the cycles in which no uop was issued, by the same event with a
 * counter mask of 1, inverted, and instructions and cycles.
 *
 * A program that writes the MSRs itself needs a batch of WRMSR in the kernel.  Here one call
 * writes all control registers and one call all counters; one START lets them count, and one
 * call reads them, with values of the same moment.  The kernel switches the registers with the
 * thread, so nothing else on the processor is counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

/*
 * The first event is the value of IA32_PERFEVTSEL<n> as the manual has it: EN, USR, unit mask
 * 0x01, event 0x0e.  The second one is written field by field.
 */
static const char *const names[] = {
	"raw:0x41010e",
	"cpu/event=0x0e,umask=0x01,cmask=1,inv/u",
	"instructions",
	"cycles",
};

#define COUNT (sizeof(names) / sizeof(names[0]))

static const char *const meanings[COUNT] = {
	"uops issued",
	"cycles without one",
	"instructions",
	"cycles",
};

/* The code to measure; two instructions a round on the processors that have the event. */
static void spin(unsigned long rounds)
{
#ifdef __x86_64__
	__asm__ volatile("1:	dec	%0\n\tjnz	1b"
			 : "+r"(rounds)
			 :
			 : "cc");
#else
	for (volatile unsigned long i = 0; i < rounds; i++)
		;
#endif
}

static void check(int ret, const char *what, unsigned long request)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, pfm_ctx_strerror(request, ret));
	exit(1);
}

/* Chooses a counter for each event, and the values of the control registers. */
static void choose(int fd, struct pfm_assignment *regs)
{
	static struct pfm_event events[COUNT];
	struct pfm_reg_map *map;
	char text[512];
	unsigned int i;
	int ret;

	check(pfm_reg_map_from_ctx(fd, &map), "register map",
	      PFM_IOC_GET_CONFIG);
	/* Elsewhere the number 0x41010e would select another event. */
	if (!pfm_reg_map_pmu(map) || strcmp(pfm_reg_map_pmu(map), "intel")) {
		fprintf(stderr,
			"UOPS_ISSUED.ANY needs the counters of an Intel processor\n");
		exit(1);
	}
	for (i = 0; i < COUNT; i++) {
		ret = pfm_event_parse(map, names[i], PFM_PLM_USER, &events[i]);
		if (ret < 0) {
			pfm_event_strerror(map, names[i], ret, text,
					   sizeof(text));
			fprintf(stderr, "%s\n", text);
			exit(1);
		}
	}
	if (pfm_assign_registers(map, events, COUNT, regs) < 0) {
		pfm_assign_strerror(regs, events, text, sizeof(text));
		fprintf(stderr, "%s\n", text);
		exit(1);
	}
	pfm_reg_map_free(map);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	static struct pfm_assignment regs;
	unsigned int i;
	int fd;

	if (!rounds) {
		fprintf(stderr, "usage: uops_issued [ROUNDS]\n");
		return 2;
	}
	fd = pfm_ctx_create(NULL);
	check(fd, "create", PFM_IOC_CREATE_CONTEXT);
	choose(fd, &regs);

	check(pfm_ctx_write_pmcs(fd, regs.pmcs, regs.num_pmcs, NULL),
	      "write PMCs", PFM_IOC_WRITE_PMCS);
	check(pfm_ctx_write_pmds(fd, regs.pmds, regs.num_writable, NULL),
	      "write PMDs", PFM_IOC_WRITE_PMDS);
	check(pfm_ctx_load(fd, 0, NULL), "load", PFM_IOC_LOAD_CONTEXT);
	check(pfm_ctx_start(fd, NULL), "start", PFM_IOC_START);

	spin(rounds);

	check(pfm_ctx_stop(fd), "stop", PFM_IOC_STOP);
	check(pfm_ctx_read_pmds(fd, regs.pmds, regs.num_pmds, NULL),
	      "read PMDs", PFM_IOC_READ_PMDS);
	for (i = 0; i < regs.num_pmcs; i++)
		printf("PMC %2u = 0x%llx\n", regs.pmcs[i].num,
		       (unsigned long long)regs.pmcs[i].value);
	for (i = 0; i < COUNT; i++)
		printf("%20llu %s\n",
		       (unsigned long long)regs.pmds[regs.index[i]].value,
		       meanings[i]);
	close(fd);
	return 0;
}
