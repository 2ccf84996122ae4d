// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of kernel, modules and counters.
 */
#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check/doctor_checks.h"
#include "check/environment.h"
#include "check/findings.h"
#include "check/holders.h"
#include "check/remedies.h"
#include "processor/machine.h"

#define DEVICE "/dev/perfmon"
#define SYSFS  "/sys/kernel/perfmon"

/* True if the first word of a line in the file starts with @begin. */
static bool find_line(const char *name, const char *begin)
{
	char line[512];
	bool found = false;
	FILE *file;

	file = fopen(name, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, begin, strlen(begin));
	if (file)
		fclose(file);
	return found;
}

static bool module_loaded(const char *name)
{
	char begin[64];

	snprintf(begin, sizeof(begin), "%s ", name);
	return find_line("/proc/modules", begin);
}

/* True if modprobe would find the module. */
static bool module_installed(const struct utsname *uts, const char *name)
{
	char path[320], line[4096], file_name[64];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep",
		 uts->release);
	snprintf(file_name, sizeof(file_name), "/%s.ko", name);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, ":")] = '\0';
		found = strstr(line, file_name);
	}
	if (file)
		fclose(file);
	return found;
}

static void check_modules(struct findings *findings, const struct utsname *uts,
			  const char *container)
{
	static const char *const names[] = {
		"perfmon",	 "perfmon_soft",       "perfmon_armv8",
		"perfmon_intel", "perfmon_amd",	       "perfmon_ibs",
		"perfmon_perf",	 "perfmon_nway",       "perfmon_callstack",
		"perfmon_trace", "perfmon_format_ibs",
	};
	char loaded[256] = "", rest[256] = "", *list;
	bool core = !access(SYSFS, F_OK);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		list = module_loaded(names[i])		 ? loaded
		       : module_installed(uts, names[i]) ? rest
							 : NULL;
		if (!list)
			continue;
		if (*list)
			strcat(list, ", ");
		strcat(list, names[i]);
	}
	if (core) {
		findings_add(findings, FINDING_OK, "modules", "%s%s%s",
			     *loaded ? loaded : "built into the kernel",
			     *rest ? "; not loaded: " : "", rest);
		return;
	}
	findings_add(findings, FINDING_FAILED, "modules",
		     "the kernel modules are not loaded");
	if (container)
		findings_fix(
			findings,
			"a container cannot load modules: run 'sudo modprobe perfmon' on its host, then start the container with '--device " DEVICE
			"'");
	else if (module_installed(uts, "perfmon"))
		findings_fix(
			findings, "run 'sudo modprobe perfmon'%s",
			environment_locked_down("integrity") ||
					environment_locked_down(
						"confidentiality")
				? "; the kernel is locked down (Secure Boot), so they must be signed with a key that it knows: see mokutil(1)"
				: "");
	else
		findings_fix(
			findings,
			"build and install them for %s with 'make && sudo make install && sudo depmod', then run 'sudo modprobe perfmon'",
			uts->release);
}

static void check_version(struct findings *findings)
{
	unsigned int major = 0, minor = 0;
	FILE *file = fopen(SYSFS "/version", "re");

	if (!file)
		return;
	if (fscanf(file, "%u.%u", &major, &minor) != 2)
		major = 0;
	fclose(file);
	if (major == PFM_ABI_VERSION >> 16) {
		findings_add(findings, FINDING_OK, "interface", "%u.%u", major,
			     minor);
		return;
	}
	findings_add(findings, FINDING_FAILED, "interface",
		     "the modules have version %u.%u, pfmon has %u.%u", major,
		     minor, PFM_ABI_VERSION >> 16, PFM_ABI_VERSION & 0xffff);
	findings_fix(
		findings,
		"install modules and pfmon of the same release, then run 'sudo modprobe -r perfmon && sudo modprobe perfmon'");
}

/* Reports what differs from a real machine. */
static void check_environment(struct findings *findings, const char *container)
{
	const char *machine = environment_machine();

	if (container)
		findings_add(findings, FINDING_OK, "container", "%s",
			     container);
	if (machine)
		findings_add(findings, FINDING_OK, "machine", "virtual (%s)",
			     machine);
}

/* Reports why the processor's counters are not available. */
static void tell_no_pmu(struct findings *findings)
{
	struct no_pmu no_pmu;

	no_pmu_explain(&no_pmu);
	findings_add(findings, FINDING_LIMITED, "PMU",
		     "none: only virtual events can be counted; %s",
		     no_pmu.why);
	findings_fix(findings, "%s", no_pmu.fix);
}

/* True if the processor implements the event: others would count 0. */
static bool can_count(const struct pfm_reg_map *map, const char *name)
{
	struct pfm_event event;

	return !pfm_event_parse(map, name, PFM_PLM_USER, &event) &&
	       pfm_event_implemented(map, event.code) != PFM_IMPLEMENTED_NO;
}

static void check_pmu(struct findings *findings, const struct pfm_reg_map *map)
{
	unsigned int counters, cycles;

	counters = pfm_reg_map_counters(map, &cycles);
	findings->events = !counters ? "task-clock,context-switches"
			   : can_count(map, "instructions")
				   ? "cycles,instructions"
				   : "cycles";
	if (!counters)
		tell_no_pmu(findings);
	else
		findings_add(
			findings, FINDING_OK, "PMU",
			"%s: %u counters, %u of them for cycles only; events of %s",
			pfm_reg_map_pmu(map), counters, cycles,
			*pfm_event_table(map) ? pfm_event_table(map)
					      : "no table");
}

/* Other contexts may have counters, so those that are left have to prove that counting works. */
static void check_held(struct findings *findings, struct pfm_reg_map *map,
		       int fd)
{
	struct pfm_held held = { .cpu = PFM_CPU_NONE };
	unsigned int count, left;
	char who[256];

	/* Older modules do not know. */
	if (pfm_ctx_getinfo_held(fd, &held))
		return;
	count = pfm_reg_map_leave_out(map, &held);
	if (!count)
		return;
	left = pfm_reg_map_counters(map, NULL);
	if (!left)
		findings->events = "task-clock,context-switches";
	findings_add(findings, FINDING_LIMITED, "counters",
		     "%u are held by contexts of CPUs, or reserved for them; %u are left",
		     count, left);
	findings_fix(findings, "%s",
		     holders_tell(HOLDERS_CPUS, 0, who, sizeof(who)));
}

/* Number of a counter of the processor; -1 if there is none. */
static int find_counter(const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *info = NULL;

	while (map && (info = pfm_reg_map_next_pmd(map, info)))
		if (info->num < PFM_REG_VIRT_BASE &&
		    (info->flags & PFM_REGI_COUNTER))
			return info->num;
	return -1;
}

/*
 * The proof that counting works: a context on the calling thread.  It uses a
 * counter if there is one, because virtual registers work even while perf owns
 * the PMU.
 */
static void check_counting(struct findings *findings,
			   const struct pfm_reg_map *map, int fd)
{
	struct pfm_reg regs[2] = { { .num = PFM_REG_VIRT_BASE } };
	int counter = find_counter(map), err;
	char who[256];

	regs[1].num = counter < 0 ? 0 : counter;
	err = pfm_ctx_write_pmds(fd, regs, counter < 0 ? 1 : 2, NULL);
	if (!err)
		err = pfm_ctx_load(fd, 0, NULL);
	if (!err)
		err = pfm_ctx_start(fd, NULL);
	if (!err) {
		findings_add(findings, FINDING_OK, "counting",
			     "works on a task of this user");
		pfm_ctx_unload(fd);
		return;
	}
	if (err == -EBUSY && holders_none()) {
		findings_add(findings, FINDING_FAILED, "counting",
			     "perf uses the PMU");
		findings_fix(findings, "%s", rights_end_perf());
		return;
	}
	if (err == -EBUSY) {
		findings_add(
			findings, FINDING_FAILED, "counting",
			"contexts of CPUs hold a register that is needed");
		findings_fix(findings, "%s",
			     holders_tell(HOLDERS_CPUS, 0, who, sizeof(who)));
		return;
	}
	findings_add(findings, FINDING_FAILED, "counting",
		     "does not work on a task of this user: %s",
		     pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, err));
	if (err == -ENXIO)
		findings_fix(findings, "run 'sudo modprobe perfmon_soft'");
	else if (err == -EPERM)
		findings_fix(
			findings,
			"see the check 'tasks'; /sys/kernel/perfmon/policy/task_group names a group");
}

void doctor_check_machine(struct findings *findings, struct machine *machine)
{
	const char *container = environment_container();
	struct utsname uts = { 0 };
	int fd;

	uname(&uts);
	findings_add(findings, FINDING_OK, "kernel",
		     "%s %s on %s, %ld CPUs online", uts.sysname, uts.release,
		     uts.machine, sysconf(_SC_NPROCESSORS_ONLN));
	check_environment(findings, container);
	check_modules(findings, &uts, container);
	check_version(findings);
	doctor_check_device(findings, container);
	fd = pfm_ctx_create(NULL);
	if (fd >= 0) {
		if (!machine_find_registers(machine, fd)) {
			check_pmu(findings, machine->map);
			check_held(findings, machine->map, fd);
		}
		check_counting(findings, machine->map, fd);
		close(fd);
		return;
	}
	findings_add(findings, FINDING_FAILED, "context",
		     "none can be created: %s",
		     pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, fd));
	if (fd == -ENODEV)
		findings_fix(findings, "run 'sudo modprobe perfmon_soft'");
}
