// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine: its registers, its processor and its CPUs, each read once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "base/array.h"
#include "base/message.h"
#include "processor/machine.h"

static bool has_bit(const __u64 *bits, unsigned int num)
{
	return bits[num / 64] >> num % 64 & 1;
}

/*
 * The first counter that a context must get from others and that no context of perfmon's holds; NULL
 * if there is none.
 */
static const struct pfm_reg_info *first_counter(const struct pfm_reg_map *map,
						int fd)
{
	struct pfm_held held = { .cpu = PFM_CPU_NONE };
	const struct pfm_reg_info *info = NULL;

	if (pfm_ctx_getinfo_held(fd, &held))
		memset(&held, 0, sizeof(held));
	while ((info = pfm_reg_map_next_pmd(map, info)))
		if (info->ctl != PFM_REG_NONE && !has_bit(held.pmds, info->num))
			break;
	return info;
}

/* Returns true if somebody else has the counters, so that a context cannot be loaded. */
static bool is_busy(const struct pfm_reg_map *map, int with)
{
	const struct pfm_reg_info *info = first_counter(map, with);
	struct pfm_reg pmc, pmd;
	bool busy;
	int fd;

	if (!info)
		return false;
	pmd = (struct pfm_reg){ .num = info->num };
	pmc = (struct pfm_reg){ .num = info->ctl };
	pmc.value = pfm_reg_map_pmc(map, info->ctl)->dfl;
	fd = pfm_ctx_create(NULL);
	if (fd < 0)
		return false;
	busy = !pfm_ctx_write_pmcs(fd, &pmc, 1, NULL) &&
	       !pfm_ctx_write_pmds(fd, &pmd, 1, NULL) &&
	       pfm_ctx_load(fd, 0, NULL) == -EBUSY;
	close(fd);
	return busy;
}

/* Use perf's counters, if the processor's cannot be had and perf's can. */
static void try_perf(struct machine *machine, int fd)
{
	struct pfm_reg_map *perf;

	if (pfm_reg_map_from_driver(fd, PFM_DRIVER_PERF, &perf))
		return;
	if (!is_busy(machine->map, fd)) {
		pfm_reg_map_free(perf);
		return;
	}
	pfm_reg_map_free(machine->map);
	machine->map = perf;
	say_note("the processor's counters are in use, so events are counted by perf's (--pmu-driver=perf); the kernel log says who uses them");
}

static int read_map(struct machine *machine, int fd)
{
	int err = pfm_reg_map_from_driver(fd, machine->driver, &machine->map);

	if (err || machine->driver != PFM_DRIVER_ANY)
		return err;
	if (!strcmp(pfm_reg_map_pmu(machine->map), "perf"))
		say_note("no module has this processor's counters, so events are counted by perf's (--pmu-driver=perf)");
	else if (*pfm_reg_map_pmu(machine->map) && !machine->samples)
		try_perf(machine, fd);
	return 0;
}

int machine_find_registers(struct machine *machine, int fd)
{
	int err;

	if (machine->map)
		return 0;
	err = read_map(machine, fd);
	if (err)
		machine->map = NULL;
	return err;
}

int machine_read_registers(struct machine *machine, int fd)
{
	int err = machine_find_registers(machine, fd);

	if (!err)
		return 0;
	if (err == -ENODEV) {
		say_error("--pmu-driver: the module is not loaded: 'modprobe %s'",
			  machine->driver == PFM_DRIVER_PERF ? "perfmon_perf" :
							       "perfmon");
		return -1;
	}
	say_error("cannot read the registers' descriptions: %s",
		  strerror(-err));
	return -1;
}

/* Add the registers that are held on a CPU, and who holds one of them, if the kernel tells. */
static void add_held(int fd, uint32_t cpu, struct pfm_held *all)
{
	struct pfm_held held = { .cpu = cpu };
	unsigned int i;

	/* Older modules do not know: LOAD_CONTEXT says that it is refused. */
	if (pfm_ctx_getinfo_held(fd, &held))
		return;
	for (i = 0; i < PFM_BV_WORDS; i++) {
		all->pmcs[i] |= held.pmcs[i];
		all->pmds[i] |= held.pmds[i];
	}
	if (!*all->comm) {
		memcpy(all->comm, held.comm, sizeof(all->comm));
		all->pid = held.pid;
		all->uid = held.uid;
	}
}

static void tell_held(const struct pfm_held *held, unsigned int count,
		      unsigned int left)
{
	char who[160];

	if (*held->comm)
		snprintf(who, sizeof(who), "'%s' (process %u, user %u)",
			 held->comm, held->pid, held->uid);
	else
		snprintf(
			who, sizeof(who),
			"another user ('sudo cat /sys/kernel/perfmon/holders' names it), or reserved for CPUs (policy/reserved)");
	if (left)
		say_note(
			"%u counters are held by %s; events are counted by the other %u",
			count, who, left);
	else
		say_note(
			"all %u counters are held by %s (/sys/kernel/perfmon/holders); events that need one cannot be counted until it ends, or are counted by perf's: --pmu-driver=perf; --take takes them from users without CAP_PERFMON",
			count, who);
}

void machine_leave_out_held(struct machine *machine, int fd,
			    const struct cpu_list *cpus)
{
	struct pfm_held held = { 0 };
	unsigned int cpu, count;

	if (!cpus)
		add_held(fd, PFM_CPU_NONE, &held);
	for (cpu = 0; cpus && cpu < CPUS_MAX; cpu++)
		if (cpu_list_has(cpus, cpu))
			add_held(fd, cpu, &held);
	count = pfm_reg_map_leave_out(machine->map, &held);
	if (count)
		tell_held(&held, count,
			  pfm_reg_map_counters(machine->map, NULL));
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
		if (array_reserve(&machine->cpus, sizeof(*machine->cpus),
				  &machine->room, (size_t)number + 1))
			return -ENOMEM;
		memset(&machine->cpus[count], 0,
		       (number + 1 - count) * sizeof(*machine->cpus));
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
