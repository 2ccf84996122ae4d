// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check of AMD's instruction-based sampling (IBS): whether the processor has it, the module is
 * loaded, this user may use it, and perf does not.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/doctor_checks.h"
#include "check/holders.h"
#include "check/remedies.h"

#define CHECK "IBS"

/**
 * struct cpu - what /proc/cpuinfo says of the first CPU
 * @is_amd: the vendor is AMD, or Hygon, whose processors are AMD's
 * @has_ibs: CPUID tells of IBS
 * @family: family
 * @model: model
 */
struct cpu {
	bool is_amd;
	bool has_ibs;
	unsigned int family;
	unsigned int model;
};

/* True if the line has the word, between blanks. */
static bool has_word(const char *line, const char *word)
{
	const size_t length = strlen(word);
	const char *at = line;

	while ((at = strstr(at, word))) {
		if (at > line && at[-1] == ' ' &&
		    (at[length] == ' ' || at[length] == '\n'))
			return true;
		at += length;
	}
	return false;
}

static void read_cpu(struct cpu *cpu)
{
	char line[8192];
	FILE *file;

	memset(cpu, 0, sizeof(*cpu));
	file = fopen("/proc/cpuinfo", "re");
	/* An empty line ends what it says of the first CPU. */
	while (file && fgets(line, sizeof(line), file) && *line != '\n') {
		if (!strncmp(line, "vendor_id", 9))
			cpu->is_amd = strstr(line, "AuthenticAMD") ||
				      strstr(line, "HygonGenuine");
		else if (!strncmp(line, "flags", 5))
			cpu->has_ibs = has_word(line, "ibs");
		else if (sscanf(line, "cpu family : %u", &cpu->family) != 1)
			sscanf(line, "model : %u", &cpu->model);
	}
	if (file)
		fclose(file);
}

static bool is_first_zen(const struct cpu *cpu)
{
	return cpu->family == 0x17 &&
	       (cpu->model <= 0x2f ||
		(cpu->model >= 0x50 && cpu->model <= 0x5e));
}

static void tell_no_ibs(struct findings *findings, const struct cpu *cpu)
{
	findings_add(
		findings, FINDING_LIMITED, CHECK,
		"the processor (family %xh, model %02xh) has none, or the firmware or a hypervisor hides it",
		cpu->family, cpu->model);
	if (is_first_zen(cpu))
		findings_fix(
			findings,
			"switch it on in the firmware's set-up; or run 'sudo modprobe perfmon_ibs unhide=1': ibs.rst says what that changes");
}

static void tell_no_module(struct findings *findings)
{
	findings_add(
		findings, FINDING_LIMITED, CHECK,
		"the processor has it, and the module perfmon_ibs is not loaded");
	findings_fix(
		findings,
		"run 'sudo modprobe perfmon_ibs'; when that fails, 'sudo dmesg' says why");
}

static void tell_no_right(struct findings *findings)
{
	findings_add(
		findings, FINDING_LIMITED, CHECK,
		"may not be used: it counts the kernel's code as well, which takes CAP_PERFMON");
	findings_fix(
		findings,
		"%s; or let everybody sample their own code with 'echo options perfmon_ibs unprivileged=1 | sudo tee /etc/modprobe.d/perfmon-ibs.conf' and 'sudo modprobe -r perfmon_ibs && sudo modprobe perfmon_ibs'",
		policy_remedy());
}

static void tell_busy(struct findings *findings)
{
	char who[400];

	if (holders_none()) {
		findings_add(
			findings, FINDING_LIMITED, CHECK,
			"perf's driver uses it, for ibs_op, ibs_fetch or cycles:p");
		findings_fix(findings, "%s",
			     perf_events_tell(who, sizeof(who)));
		return;
	}
	findings_add(
		findings, FINDING_LIMITED, CHECK,
		"cannot be tried: other contexts are loaded, or perf's driver uses it");
	findings_fix(findings, "%s",
		     holders_tell(HOLDERS_ALL, 0, who, sizeof(who)));
}

/* True if the machine has the register, of either flavour. */
static bool has_register(int fd, uint16_t num)
{
	struct pfm_reg_info info = { .num = num };

	return !pfm_ctx_getinfo_pmds(fd, &info, 1, NULL);
}

/* Load a context that would sample user code.  Returns 0 or the error. */
static int try_it(int fd, uint16_t num)
{
	const struct pfm_reg pmc = { .num = num,
				     .value = PFM_IBS_EXCLUDE_KERNEL };
	const struct pfm_reg pmd = { .num = num };
	int err;

	err = pfm_ctx_write_pmcs(fd, &pmc, 1, NULL);
	if (!err)
		err = pfm_ctx_write_pmds(fd, &pmd, 1, NULL);
	if (!err)
		err = pfm_ctx_load(fd, 0, NULL);
	return err;
}

static void check_use(struct findings *findings, int fd)
{
	const bool ops = has_register(fd, PFM_IBS_PMD_OP);
	const bool fetches = has_register(fd, PFM_IBS_PMD_FETCH);
	int err;

	if (!ops && !fetches) {
		tell_no_module(findings);
		return;
	}
	err = try_it(fd, ops ? PFM_IBS_PMD_OP : PFM_IBS_PMD_FETCH);
	switch (err) {
	case 0:
		findings_add(findings, FINDING_OK, CHECK, "%s can be sampled",
			     ops && fetches ? "ops and fetches"
			     : ops	    ? "ops"
					    : "fetches");
		break;
	case -EPERM:
		tell_no_right(findings);
		break;
	case -EBUSY:
		tell_busy(findings);
		break;
	default:
		findings_add(findings, FINDING_LIMITED, CHECK,
			     "cannot be used: %s",
			     pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, err));
		findings_fix(findings, "'sudo dmesg' says more");
	}
}

void doctor_check_ibs(struct findings *findings)
{
	struct cpu cpu;
	int fd;

	read_cpu(&cpu);
	if (!cpu.is_amd)
		return;
	/* A context of its own: it must not have other counters, which perf may use. */
	fd = pfm_ctx_create(NULL);
	/* The module may have made visible what the firmware hides. */
	if (!cpu.has_ibs && (fd < 0 || !has_register(fd, PFM_IBS_PMD_OP)))
		tell_no_ibs(findings, &cpu);
	else if (fd >= 0)
		check_use(findings, fd);
	else
		findings_add(
			findings, FINDING_LIMITED, CHECK,
			"the processor has it; whether it can be used shows when a context can be created");
	if (fd >= 0)
		close(fd);
}
