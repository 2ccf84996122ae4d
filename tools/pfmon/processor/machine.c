// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfmon knows of the machine.
 */
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "processor/machine.h"

int machine_read_registers(struct machine *machine, int fd)
{
	int err;

	if (machine->map)
		return 0;
	err = pfm_regmap_from_ctx(fd, &machine->map);
	if (!err)
		return 0;
	machine->map = NULL;
	say_error("cannot read the registers' descriptions: %s",
		  strerror(-err));
	return -1;
}

void machine_free(struct machine *machine)
{
	pfm_regmap_free(machine->map);
	memset(machine, 0, sizeof(*machine));
}
