// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters and events of an Armv8 CPU, from the register map of perfmon's module, or
 * from the files of perf's PMU in /sys/bus/event_source.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/cpu_list.h"
#include "processor/armv8_pmu.h"

#define DEVICES "/sys/bus/event_source/devices"
#define PREFIX	"armv8_"

/**
 * struct walk - state of a walk over the events that the library knows
 */
struct walk {
	const struct pfm_reg_map *map;
	struct armv8_pmu *pmu;
};

static void add_event(struct armv8_pmu *pmu, unsigned int code,
		      const char *name, bool available)
{
	struct armv8_event *event = &pmu->events[pmu->num_events];
	unsigned int i;

	/* Two tables may have the same event under different names. */
	for (i = 0; i < pmu->num_events; i++)
		if (pmu->events[i].code == code)
			return;
	if (pmu->num_events == ARMV8_EVENTS_MAX)
		return;
	event->code = code;
	event->available = available;
	snprintf(event->name, sizeof(event->name), "%.39s", name);
	pmu->num_events++;
}

static int add_known(const struct pfm_event_desc *desc, void *arg)
{
	struct walk *walk = arg;
	int implemented;

	if (desc->kind != PFM_EVENT_HARDWARE ||
	    desc->flags & PFM_EVENTF_GENERIC)
		return 0;
	implemented = pfm_event_implemented(walk->map, desc->code);
	if (implemented != PFM_IMPLEMENTED_UNKNOWN)
		add_event(walk->pmu, desc->code, desc->name,
			  implemented == PFM_IMPLEMENTED_YES);
	return 0;
}

static void read_map(const struct pfm_reg_map *map, struct armv8_pmu *pmu)
{
	struct walk walk = { .map = map, .pmu = pmu };
	const struct pfm_reg_info *info = NULL;

	if (!map ||
	    strncmp(pfm_reg_map_pmu(map), PREFIX, sizeof(PREFIX) - 1) != 0)
		return;
	pmu->source = ARMV8_PERFMON;
	while ((info = pfm_reg_map_next_pmd(map, info))) {
		if (info->flags & PFM_REGI_VIRTUAL ||
		    !(info->flags & PFM_REGI_COUNTER))
			continue;
		if (info->flags & PFM_REGI_CYCLES) {
			pmu->cycle_width = info->width;
		} else {
			pmu->counters++;
			pmu->width = info->width;
		}
	}
	pfm_event_for_each(map, add_known, &walk);
}

/* First line of a file of perf's PMU.  0, or -1. */
static int read_file(const char *device, const char *name, char *line,
		     size_t size)
{
	char path[768];
	bool done;
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", device, name);
	file = fopen(path, "re");
	if (!file)
		return -1;
	done = fgets(line, size, file);
	fclose(file);
	return done ? 0 : -1;
}

static bool serves(const char *device, unsigned int cpu)
{
	struct cpu_list cpus = { 0 };
	char line[4096], why[256];

	return !strncmp(device, PREFIX, sizeof(PREFIX) - 1) &&
	       !read_file(device, "cpus", line, sizeof(line)) &&
	       !cpu_list_parse(line, &cpus, why, sizeof(why)) &&
	       cpu_list_has(&cpus, cpu);
}

/* Finds perf's PMU for a CPU: a processor may have several types of cores. */
static bool find_device(unsigned int cpu, char *device, size_t size)
{
	struct dirent *entry;
	bool found = false;
	DIR *folder;

	folder = opendir(DEVICES);
	if (!folder)
		return false;
	while (!found && (entry = readdir(folder))) {
		found = serves(entry->d_name, cpu);
		if (found)
			snprintf(device, size, "%s", entry->d_name);
	}
	closedir(folder);
	return found;
}

/* Each event has a file with its code; those not implemented have none. */
static void read_perf(unsigned int cpu, struct armv8_pmu *pmu)
{
	char device[256], name[384], line[64];
	struct dirent *entry;
	unsigned int code;
	DIR *folder;

	if (!find_device(cpu, device, sizeof(device)))
		return;
	pmu->source = ARMV8_PERF;
	if (!read_file(device, "caps/slots", line, sizeof(line)))
		pmu->slots = strtoul(line, NULL, 0);
	snprintf(name, sizeof(name), DEVICES "/%s/events", device);
	folder = opendir(name);
	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		snprintf(name, sizeof(name), "events/%s", entry->d_name);
		if (!read_file(device, name, line, sizeof(line)) &&
		    sscanf(line, "event=%x", &code) == 1)
			add_event(pmu, code, entry->d_name, true);
	}
	closedir(folder);
}

static int compare(const void *a, const void *b)
{
	const struct armv8_event *left = a, *right = b;

	return (left->code > right->code) - (left->code < right->code);
}

void armv8_pmu_read(unsigned int cpu, const struct pfm_reg_map *map,
		    struct armv8_pmu *pmu)
{
	memset(pmu, 0, sizeof(*pmu));
	read_map(map, pmu);
	if (pmu->source == ARMV8_NOBODY)
		read_perf(cpu, pmu);
	qsort(pmu->events, pmu->num_events, sizeof(pmu->events[0]), compare);
}
