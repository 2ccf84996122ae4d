// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check for CPUs whose PMU has less than the others'.
 *
 * Tasks are not counted there, and only a task that came there makes pfmon say so.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "check/doctor_checks.h"
#include "check/findings.h"

#define CHECK  "CPUs"
#define FOLDER "/sys/kernel/perfmon/pmu/"
#define FILES  FOLDER "*/barred_cpus"

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
