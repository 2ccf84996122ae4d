// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check for CPUs that do not count, because their PMU has less than the others' or because perf has no
 * counters left there.
 *
 * Only a task that came to such a CPU makes pfmon warn of it.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "check/doctor_checks.h"
#include "check/findings.h"

#define CHECK  "CPUs"
#define FOLDER "/sys/kernel/perfmon/pmu/"
/* perfmon_perf's folder in FOLDER */
#define PERF  "perf/"
#define FILES FOLDER "*/barred_cpus"

/* Adds a finding, if the file of a PMU names CPUs. */
static void check_pmu(struct findings *findings, const char *path)
{
	const char *pmu = path + strlen(FOLDER);
	char cpus[256] = "";
	FILE *file;

	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(cpus, sizeof(cpus), file))
		cpus[0] = '\0';
	fclose(file);
	cpus[strcspn(cpus, "\n")] = '\0';
	if (!cpus[0])
		return;
	if (!strncmp(pmu, PERF, strlen(PERF))) {
		findings_add(
			findings, FINDING_LIMITED, CHECK,
			"events of perf's counters are not counted on CPU %s, where perf has no counters left for them",
			cpus);
		findings_fix(
			findings,
			"end other programs that count by perf, and take that CPU offline and online again; 'sudo dmesg' says what failed");
		return;
	}
	findings_add(
		findings, FINDING_LIMITED, CHECK,
		"events of the PMU '%.*s' are not counted on CPU %s, whose PMU has less than the others' or cannot interrupt",
		(int)strcspn(pmu, "/"), pmu, cpus);
	findings_fix(
		findings,
		"keep programs off that CPU (taskset), or take it offline; 'sudo dmesg' says what it lacks");
}

void doctor_check_barred(struct findings *findings)
{
	glob_t found;
	size_t i;

	if (!glob(FILES, 0, NULL, &found))
		for (i = 0; i < found.gl_pathc; i++)
			check_pmu(findings, found.gl_pathv[i]);
	globfree(&found);
}
