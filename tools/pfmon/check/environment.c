// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out whether pfmon runs in a container or in a virtual machine, and on a kernel that is
 * locked down.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/environment.h"

#define NAME_SIZE 64

/* Reads a file up to its first line break or zero byte; false if it is empty or missing. */
static bool read_name(const char *path, char *name)
{
	FILE *file = fopen(path, "re");
	size_t length = 0;

	if (!file)
		return false;
	length = fread(name, 1, NAME_SIZE - 1, file);
	fclose(file);
	name[length] = '\0';
	name[strcspn(name, "\n")] = '\0';
	return *name;
}

/*
 * Managers put "container=NAME" into the environment of the container's first process.  Only root
 * and that process's user can read it.
 */
static bool read_first_process(char *name)
{
	static const char variable[] = "container=";
	char entry[sizeof(variable) - 1 + NAME_SIZE];
	size_t length = 0;
	bool found = false;
	FILE *file;
	int c = 0;

	file = fopen("/proc/1/environ", "re");
	while (file && !found && c != EOF) {
		c = fgetc(file);
		if (c != EOF && c) {
			if (length < sizeof(entry) - 1)
				entry[length++] = c;
			continue;
		}
		entry[length] = '\0';
		length = 0;
		if (strncmp(entry, variable, strlen(variable)))
			continue;
		snprintf(name, NAME_SIZE, "%s", entry + strlen(variable));
		found = *name;
	}
	if (file)
		fclose(file);
	return found;
}

const char *environment_container(void)
{
	static char name[NAME_SIZE];

	if (read_name("/run/systemd/container", name))
		return name;
	if (!access("/run/.containerenv", F_OK))
		return "podman";
	if (!access("/.dockerenv", F_OK))
		return "docker";
	return read_first_process(name) ? name : NULL;
}

/* True if a flag of the first CPU says that there is a hypervisor; x86 only. */
static bool has_hypervisor_flag(void)
{
	char line[8192];
	bool found = false;
	FILE *file;

	file = fopen("/proc/cpuinfo", "re");
	while (file && !found && fgets(line, sizeof(line), file) &&
	       *line != '\n')
		found = !strncmp(line, "flags", 5) &&
			strstr(line, " hypervisor");
	if (file)
		fclose(file);
	return found;
}

/* True if the maker named by the firmware makes virtual machines only. */
static bool makes_virtual(const char *maker)
{
	static const char *const makers[] = {
		"QEMU",		"KVM",	      "VMware", "Xen",
		"innotek GmbH", "Parallels",  "Bochs",	"OpenStack",
		"Red Hat",	"Amazon EC2", "Google",
	};
	size_t i;

	for (i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (!strncmp(maker, makers[i], strlen(makers[i])))
			return true;
	return false;
}

const char *environment_machine(void)
{
	static char name[NAME_SIZE];
	const bool flag = has_hypervisor_flag();

	if (read_name("/sys/class/dmi/id/sys_vendor", name) &&
	    (flag || makes_virtual(name)))
		return name;
	if (flag)
		return "unknown";
	/* QEMU's "virt" machines of Arm, without firmware. */
	if (read_name("/sys/firmware/devicetree/base/compatible", name) &&
	    !strcmp(name, "linux,dummy-virt"))
		return "QEMU";
	return NULL;
}

bool environment_locked_down(const char *level)
{
	char line[128] = "", word[32];
	FILE *file;

	file = fopen("/sys/kernel/security/lockdown", "re");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	snprintf(word, sizeof(word), "[%s]", level);
	return strstr(line, word);
}
