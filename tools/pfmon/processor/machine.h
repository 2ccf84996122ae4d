/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that pfmon measures.
 */
#ifndef PFMON_PROCESSOR_MACHINE_H
#define PFMON_PROCESSOR_MACHINE_H

#include <stdbool.h>
#include <perfmon/perfmon.h>

#include "base/cpu_list.h"
#include "processor/cpu_identity.h"

/**
 * struct machine_cpu - what is known of a CPU
 * @read: the next two are
 * @err: a negative errno value if the machine does not tell the identity; otherwise 0
 * @identity: its identity
 */
struct machine_cpu {
	bool read;
	int err;
	struct cpu_identity identity;
};

/**
 * struct machine - what pfmon knows of the machine; each part is read once
 * @driver: whose counters are used; PFM_DRIVER_ANY: perf's if the processor's cannot be had
 * @samples: samples are to be taken, which perf's counters do not
 * @map: the registers, and the events that are implemented; NULL if they were not read
 * @online: the CPUs that were online when pfmon asked first; valid if @online_read
 * @online_read: they were read
 * @cpus: what is known of each CPU, by its number
 * @num_cpus: elements of @cpus
 * @room: elements that fit in @cpus
 */
struct machine {
	enum pfm_driver driver;
	bool samples;
	struct pfm_reg_map *map;
	struct cpu_list online;
	bool online_read;
	struct machine_cpu *cpus;
	unsigned int num_cpus;
	size_t room;
};

/*
 * Read the registers, by context @fd, if they were not read before.  The first returns 0 or a
 * negative errno value, the second 0, or -1 after a message.
 */
int machine_find_registers(struct machine *machine, int fd);
int machine_read_registers(struct machine *machine, int fd);

/*
 * Leave the registers out that other contexts hold, so that events are counted by the others: for
 * contexts of CPUs, or of tasks (@cpus is NULL).  A note says whose they are.  What was left out
 * once is never put back.
 */
void machine_leave_out_held(struct machine *machine, int fd,
			    const struct cpu_list *cpus);

/* The CPUs that are online; NULL if the kernel does not tell. */
const struct cpu_list *machine_online(struct machine *machine);

/*
 * Reads the identity of a CPU, if it was not read before.  Returns 0, or a negative errno value if
 * the machine does not tell it.
 */
int machine_read_cpu(struct machine *machine, unsigned int number,
		     struct cpu_identity *identity);

void machine_free(struct machine *machine);

#endif
