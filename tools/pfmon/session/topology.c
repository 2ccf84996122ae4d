// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cores, sockets and nodes of CPUs, from /sys/devices/system/cpu.
 */
#include <dirent.h>
#include <stdio.h>

#include "session/topology.h"

#define FOLDER "/sys/devices/system/cpu"

static int read_number(unsigned int cpu, const char *what)
{
	int number = -1;
	char name[96];
	FILE *file;

	snprintf(name, sizeof(name), FOLDER "/cpu%u/topology/%s", cpu, what);
	file = fopen(name, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

/* The folder of a CPU has a link that is named like its node. */
static int find_node(unsigned int cpu)
{
	struct dirent *entry;
	unsigned int number;
	char name[64];
	int node = -1;
	DIR *folder;

	snprintf(name, sizeof(name), FOLDER "/cpu%u", cpu);
	folder = opendir(name);
	if (!folder)
		return -1;
	while (node < 0 && (entry = readdir(folder)))
		if (sscanf(entry->d_name, "node%u", &number) == 1)
			node = number;
	closedir(folder);
	return node;
}

void cpu_place_read(unsigned int cpu, struct cpu_place *place)
{
	place->core = read_number(cpu, "core_id");
	place->socket = read_number(cpu, "physical_package_id");
	place->node = find_node(cpu);
}

bool cpu_place_together(const struct cpu_place *a, const struct cpu_place *b,
			enum topology topology)
{
	switch (topology) {
	case TOPOLOGY_CORE:
		return a->core == b->core && a->socket == b->socket;
	case TOPOLOGY_SOCKET:
		return a->socket == b->socket;
	case TOPOLOGY_NODE:
		return a->node == b->node;
	default:
		return false;
	}
}

bool cpu_place_known(const struct cpu_place *place, enum topology topology)
{
	switch (topology) {
	case TOPOLOGY_CORE:
		return place->core >= 0;
	case TOPOLOGY_SOCKET:
		return place->socket >= 0;
	default:
		return place->node >= 0;
	}
}
