// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tool that lists the registers of the processor: which there are the library says, what they are the
 * files of the kernel.  The default that a file has for a PMC can be written.
 */
#include "style.h"

#define FOLDER "/sys/kernel/perfmon/pmu_desc"

/* The first line of a file; NULL if it cannot be read. */
static const char *line_of(const char *kind, unsigned int num, const char *file)
{
	static char line[128];
	char path[128];
	FILE *stream;

	snprintf(path, sizeof(path), FOLDER "/%s%u/%s", kind, num, file);
	stream = fopen(path, "r");
	if (!stream)
		return NULL;
	if (!fgets(line, sizeof(line), stream))
		line[0] = '\0';
	fclose(stream);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static int is_number(const char *text)
{
	char *end;

	if (!text || !text[0])
		return 0;
	strtoull(text, &end, 0);
	return !*end;
}

/* 1 if all files of the register can be read. */
static int described(const char *kind, unsigned int num)
{
	const char *name = line_of(kind, num, "name");

	if (!name || !name[0])
		return 0;
	return is_number(line_of(kind, num, "addr")) &&
	       is_number(line_of(kind, num, "dfl_val")) &&
	       is_number(line_of(kind, num, "rsvd_msk")) &&
	       is_number(line_of(kind, num, "width"));
}

int main(void)
{
	pfmlib_regmask_t pmcs, pmds;
	unsigned int num, count_pmcs = 0, count_pmds = 0, missing = 0;
	unsigned int refused = 0;
	const char *default_value;
	pfarg_ctx_t ctx;
	pfarg_pmc_t pc;
	FILE *model;
	int fd;

	model = fopen(FOLDER "/model", "r");
	if (!model)
		die(FOLDER "/model");
	fclose(model);
	if (pfm_initialize() != PFMLIB_SUCCESS ||
	    pfm_get_impl_pmcs(&pmcs) != PFMLIB_SUCCESS ||
	    pfm_get_impl_pmds(&pmds) != PFMLIB_SUCCESS)
		die("libpfm");
	memset(&ctx, 0, sizeof(ctx));
	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd < 0)
		die("pfm_create_context");
	for (num = 0; num < PFMLIB_MAX_PMCS; num++) {
		if (pfm_regmask_isset(&pmcs, num)) {
			count_pmcs++;
			missing += !described("pmc", num);
			default_value = line_of("pmc", num, "dfl_val");
			memset(&pc, 0, sizeof(pc));
			pc.reg_num = num;
			if (default_value)
				pc.reg_value = strtoull(default_value, NULL, 0);
			refused += pfm_write_pmcs(fd, &pc, 1) != 0;
		}
		if (pfm_regmask_isset(&pmds, num)) {
			count_pmds++;
			missing += !described("pmd", num);
		}
	}
	show("missing", missing);
	show("refused", refused);
	show("pmcs", count_pmcs);
	show("pmds", count_pmds);
	return 0;
}
