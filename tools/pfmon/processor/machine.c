// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfmon knows of the machine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "processor/machine.h"

int machine_find_registers(struct machine *machine, int fd)
{
	int err;

	if (machine->map)
		return 0;
	err = pfm_reg_map_from_ctx(fd, &machine->map);
	if (err)
		machine->map = NULL;
	return err;
}

int machine_read_registers(struct machine *machine, int fd)
{
	int err = machine_find_registers(machine, fd);

	if (!err)
		return 0;
	say_error("cannot read the registers' descriptions: %s",
		  strerror(-err));
	return -1;
}

const struct cpu_list *machine_online(struct machine *machine)
{
	if (!machine->online_read && cpu_list_online(&machine->online))
		return NULL;
	machine->online_read = true;
	return &machine->online;
}

int machine_read_cpu(struct machine *machine, unsigned int number,
		     struct cpu_identity *identity)
{
	unsigned int count = machine->num_cpus;
	struct machine_cpu *cpu;

	if (number >= count) {
		cpu = realloc(machine->cpus, (number + 1) * sizeof(*cpu));
		if (!cpu)
			return -ENOMEM;
		memset(&cpu[count], 0, (number + 1 - count) * sizeof(*cpu));
		machine->cpus = cpu;
		machine->num_cpus = number + 1;
	}
	cpu = &machine->cpus[number];
	if (!cpu->read)
		cpu->err = cpu_identity_read(number, &cpu->identity);
	cpu->read = true;
	*identity = cpu->identity;
	return cpu->err;
}

void machine_free(struct machine *machine)
{
	free(machine->cpus);
	pfm_reg_map_free(machine->map);
	memset(machine, 0, sizeof(*machine));
}
