// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_cpus.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibs_error.h"

#define ONLINE "/sys/devices/system/cpu/online"

struct pfmi_ibs_cpu *pfmi_ibs_cpus_find(const struct pfmi_ibs_cpus *cpus,
					int number)
{
	unsigned int i;

	for (i = 0; i < cpus->count; i++)
		if (cpus->cpus[i]->cpu == number)
			return cpus->cpus[i];
	return NULL;
}

/* Add a CPU, which is not enabled.  NULL: no memory. */
static struct pfmi_ibs_cpu *add(struct pfmi_ibs_cpus *cpus, int number)
{
	const size_t count = cpus->count + 1;
	struct pfmi_ibs_cpu **list, *new;
	struct pollfd *fds;

	list = reallocarray(cpus->cpus, count, sizeof(struct pfmi_ibs_cpu *));
	if (!list)
		return NULL;
	cpus->cpus = list;
	fds = reallocarray(cpus->fds, count, sizeof(*fds));
	if (!fds)
		return NULL;
	cpus->fds = fds;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->cpu = number;
	new->fd = -1;
	list[cpus->count++] = new;
	return new;
}

int pfmi_ibs_cpus_enable(struct pfmi_ibs_cpus *cpus,
			 const struct pfmi_ibs_options *options, int number)
{
	struct pfmi_ibs_cpu *cpu = pfmi_ibs_cpus_find(cpus, number);
	int ret;

	if (cpu && cpu->fd >= 0)
		return 0;
	if (!cpu)
		cpu = add(cpus, number);
	if (!cpu)
		return pfmi_ibs_refuse(ENOMEM, "CPU %d: no memory", number);
	ret = pfmi_ibs_cpu_enable(cpu, options);
	cpu->is_new = !ret;
	return ret;
}

/**
 * struct range - CPUs with consecutive numbers
 * @first: lowest number
 * @last: highest number
 */
struct range {
	int first;
	int last;
};

/* Read the next range of a list like 0-3,5.  False at its end. */
static bool next_range(FILE *file, struct range *range)
{
	char mark = 0;

	if (fscanf(file, "%d%c", &range->first, &mark) < 1)
		return false;
	range->last = range->first;
	return mark != '-' || fscanf(file, "%d%*c", &range->last) == 1;
}

/* Enable the CPUs that are online.  One that is not any more is left out. */
static int enable_online(struct pfmi_ibs_cpus *cpus,
			 const struct pfmi_ibs_options *options)
{
	FILE *file = fopen(ONLINE, "re");
	int cpu, ret = 0, missing = 0;
	struct range range;

	if (!file)
		return pfmi_ibs_refuse(
			errno, "cannot read which CPUs are online: %s: %s",
			ONLINE, strerror(errno));
	while (!ret && next_range(file, &range)) {
		for (cpu = range.first; !ret && cpu <= range.last; cpu++) {
			ret = pfmi_ibs_cpus_enable(cpus, options, cpu);
			if (ret != -ENODEV)
				continue;
			missing = ret;
			ret = 0;
		}
	}
	fclose(file);
	return ret || pfmi_ibs_cpus_enabled(cpus) ? ret : missing;
}

static int enable_listed(struct pfmi_ibs_cpus *cpus,
			 const struct pfmi_ibs_options *options)
{
	int cpu, ret = 0;

	for (cpu = 0; !ret && cpu < PFMI_IBS_LISTED; cpu++)
		if (pfmi_ibs_is_listed(options, cpu))
			ret = pfmi_ibs_cpus_enable(cpus, options, cpu);
	return ret;
}

int pfmi_ibs_cpus_enable_all(struct pfmi_ibs_cpus *cpus,
			     const struct pfmi_ibs_options *options)
{
	unsigned int i;
	int ret;

	for (i = 0; i < cpus->count; i++)
		cpus->cpus[i]->is_new = false;
	if (options->all_cpus)
		ret = enable_online(cpus, options);
	else
		ret = enable_listed(cpus, options);
	for (i = 0; ret && i < cpus->count; i++)
		if (cpus->cpus[i]->is_new)
			pfmi_ibs_cpu_disable(cpus->cpus[i]);
	return ret;
}

bool pfmi_ibs_cpus_enabled(const struct pfmi_ibs_cpus *cpus)
{
	unsigned int i;

	for (i = 0; i < cpus->count; i++)
		if (cpus->cpus[i]->fd >= 0)
			return true;
	return false;
}

void pfmi_ibs_cpus_free(struct pfmi_ibs_cpus *cpus)
{
	unsigned int i;

	for (i = 0; i < cpus->count; i++) {
		pfmi_ibs_cpu_free(cpus->cpus[i]);
		free(cpus->cpus[i]);
	}
	free(cpus->cpus);
	free(cpus->fds);
	memset(cpus, 0, sizeof(*cpus));
}
