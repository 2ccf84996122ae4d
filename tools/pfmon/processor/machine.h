/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that pfmon measures.
 */
#ifndef PFMON_PROCESSOR_MACHINE_H
#define PFMON_PROCESSOR_MACHINE_H

struct pfm_regmap;

/**
 * struct machine - what pfmon knows of the machine; each part is read once
 * @map: the registers, and the events that are implemented; NULL if they were not read
 */
struct machine {
	struct pfm_regmap *map;
};

/*
 * Reads the registers, by context @fd, if they were not read before.  Returns 0, or -1 after a
 * message.
 */
int machine_read_registers(struct machine *machine, int fd);

void machine_free(struct machine *machine);

#endif
