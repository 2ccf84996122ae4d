// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPUs of a session.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/system_wide.h"

void cpu_free(struct cpu *cpu)
{
	if (cpu->fd >= 0)
		close(cpu->fd);
	free(cpu->counts);
	free(cpu->before);
	memset(cpu, 0, sizeof(*cpu));
	cpu->fd = -1;
}

void system_free(struct system *system)
{
	size_t i;

	if (!system)
		return;
	for (i = 0; i < system->count; i++)
		cpu_free(&system->list[i]);
	free(system->list);
	free(system);
}
