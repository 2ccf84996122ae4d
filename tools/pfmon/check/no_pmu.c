// SPDX-License-Identifier: GPL-2.0-only
/*
 * Explains why perfmon offers none of the processor's counters.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check/environment.h"
#include "check/remedies.h"

#define PERF_DEVICES "/sys/bus/event_source/devices"

/* True if perf has a PMU whose name begins with @begin, so that the machine has one. */
static bool perf_has(const char *begin)
{
	struct dirent *entry;
	bool found = false;
	DIR *folder;

	folder = opendir(PERF_DEVICES);
	while (folder && !found && (entry = readdir(folder)))
		found = !strncmp(entry->d_name, begin, strlen(begin));
	if (folder)
		closedir(folder);
	return found;
}

/* The module for the first CPU's maker; NULL if there is none. */
static const char *x86_module(void)
{
	const char *module = NULL;
	char line[8192];
	FILE *file;

	file = fopen("/proc/cpuinfo", "re");
	while (file && fgets(line, sizeof(line), file) && *line != '\n') {
		if (strncmp(line, "vendor_id", 9))
			continue;
		if (strstr(line, "GenuineIntel"))
			module = "perfmon_intel";
		else if (strstr(line, "AuthenticAMD") ||
			 strstr(line, "HygonGenuine"))
			module = "perfmon_amd";
	}
	if (file)
		fclose(file);
	return module;
}

/* Tells how to give a virtual machine a PMU.  @machine is the name that its firmware has. */
static const char *virtual_fix(const char *machine)
{
	static const struct {
		const char *machine;
		const char *fix;
	} fixes[] = {
		{ "VMware",
		  "add 'vpmc.enable = \"TRUE\"' to the virtual machine's .vmx file" },
		{ "Microsoft",
		  "on its host run 'Set-VMProcessor NAME -Perfmon @(\"pmu\")'" },
		{ "Xen", "boot its host with the option 'vpmu=1' of Xen" },
		{ "Amazon EC2",
		  "use an instance type that has one, such as those called metal" },
		{ "Google",
		  "set performanceMonitoringUnit to STANDARD in its advanced machine features, on a machine type that has one" },
		{ "innotek GmbH",
		  "use another hypervisor: VirtualBox has none" },
	};
	size_t i;

	for (i = 0; i < sizeof(fixes) / sizeof(fixes[0]); i++)
		if (!strncmp(machine, fixes[i].machine,
			     strlen(fixes[i].machine)))
			return fixes[i].fix;
	return "start it with QEMU's '-accel kvm -cpu host,pmu=on', or with \"<cpu mode='host-passthrough'/>\" in libvirt";
}

static void explain_virtual(struct no_pmu *no_pmu, const char *machine)
{
	snprintf(no_pmu->why, sizeof(no_pmu->why),
		 "this virtual machine (%s) has none", machine);
	snprintf(no_pmu->fix, sizeof(no_pmu->fix), "%s", virtual_fix(machine));
}

static void explain_module(struct no_pmu *no_pmu, const char *module)
{
	snprintf(no_pmu->why, sizeof(no_pmu->why),
		 "no module for one is loaded");
	snprintf(
		no_pmu->fix, sizeof(no_pmu->fix),
		"run 'sudo modprobe %s'; when that fails, 'sudo dmesg' says why",
		module);
}

static void explain_unknown(struct no_pmu *no_pmu)
{
	snprintf(no_pmu->why, sizeof(no_pmu->why),
		 "perfmon has no module for this processor");
	snprintf(
		no_pmu->fix, sizeof(no_pmu->fix),
		"run 'sudo modprobe perfmon_perf', which counts by the counters of perf, if perf has a driver for it");
}

static void explain_x86(struct no_pmu *no_pmu, const char *machine)
{
	const char *module = x86_module();

	if (machine && !perf_has("cpu"))
		explain_virtual(no_pmu, machine);
	else if (module)
		explain_module(no_pmu, module);
	else
		explain_unknown(no_pmu);
}

static void explain_armv8(struct no_pmu *no_pmu, const char *machine)
{
	if (perf_has("armv8_")) {
		snprintf(no_pmu->why, sizeof(no_pmu->why), "perf has it");
		snprintf(
			no_pmu->fix, sizeof(no_pmu->fix),
			"share it: 'echo options perfmon_armv8 takeover=1 | sudo tee /etc/modprobe.d/perfmon.conf && sudo modprobe perfmon_armv8'; or boot with initcall_blacklist=armv8_pmu_driver_init; or count by perf's counters: 'sudo modprobe perfmon_perf'");
	} else if (machine &&
		   access("/sys/firmware/devicetree/base/pmu", F_OK)) {
		explain_virtual(no_pmu, machine);
	} else {
		explain_module(no_pmu, "perfmon_armv8");
	}
}

void no_pmu_explain(struct no_pmu *no_pmu)
{
	const char *machine = environment_machine();
	struct utsname uts = { 0 };

	memset(no_pmu, 0, sizeof(*no_pmu));
	uname(&uts);
	if (!strcmp(uts.machine, "x86_64"))
		explain_x86(no_pmu, machine);
	else if (!strcmp(uts.machine, "aarch64"))
		explain_armv8(no_pmu, machine);
	else
		explain_unknown(no_pmu);
}
