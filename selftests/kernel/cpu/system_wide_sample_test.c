// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of whatever runs on a CPU.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "system_wide.h"

/* Samples of a process, or with 0 of the idle task. */
static unsigned int samples_of(const struct pfm_default_hdr *hdr, pid_t pid)
{
	unsigned int n = 0;
	uint64_t i;

	for (i = 0; i < hdr->hdr_count; i++)
		n += entry_at(hdr, i, 0)->pid == (uint32_t)pid;
	return n;
}

TEST_F(system_wide, idle_left_out_of_samples)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -MS,
		.short_reset = -MS,
	};
	const int cpu = cpus_online() - 1;
	const struct pfm_default_hdr *hdr;
	const int fd = default_open(PFM_CTX_SYSTEM_WIDE, buffer_bytes(1000, 0));
	unsigned int mine = 0;
	uint64_t i;
	pid_t pid;
	int ret;

	ASSERT_LE(0, fd);
	ret = set_describe(fd, 0, PFM_SETFL_EXCL_IDLE);
	if (ret == -ENOTTY)
		SKIP(return, "no event sets in this kernel");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, -MS));
	ASSERT_EQ(0, attr_write(fd, &attr));
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, cpu));
	ASSERT_EQ(0, context_start(fd, 0));
	usleep(50000);
	pid = child_spin_on(cpu);
	/* An emulator may let many milliseconds pass between two of them. */
	while (samples_of(hdr, pid) <= 50)
		usleep(10000);
	ASSERT_EQ(0, context_stop(fd));
	child_kill(pid);
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		EXPECT_NE(0, entry->pid);
		mine += entry->pid == (uint32_t)pid;
	}
	EXPECT_LT(50, mine);
	close(fd);
}

static int sampling_open(uint64_t period, uint64_t entries)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -period,
		.short_reset = -period,
	};
	const int fd =
		default_open(PFM_CTX_SYSTEM_WIDE, buffer_bytes(entries, 0));

	if (fd < 0)
		return fd;
	if (pmd_write(fd, CPU_TIME_NS, -period) || attr_write(fd, &attr))
		return -EPROTO;
	return fd;
}

TEST_F(system_wide, samples_of_tasks_and_idle)
{
	unsigned int mine = 0, idle = 0, others = 0, late = 0;
	const int cpu = cpus_online() - 1;
	const struct pfm_default_hdr *hdr;
	const int fd = sampling_open(MS, 1000);
	uint64_t i;
	pid_t pid;

	ASSERT_LE(0, fd);
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, cpu));
	ASSERT_EQ(0, context_start(fd, 0));
	while (samples_of(hdr, 0) <= 20)
		usleep(10000);
	pid = child_spin_on(cpu);
	while (samples_of(hdr, pid) <= 80)
		usleep(10000);
	ASSERT_EQ(0, context_stop(fd));
	child_kill(pid);
	EXPECT_LT(100, hdr->hdr_count);
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		EXPECT_EQ(cpu, entry->cpu);
		EXPECT_EQ(CPU_TIME_NS, entry->ovfl_pmd);
		if (entry->pid == (uint32_t)pid) {
			EXPECT_EQ((uint32_t)pid, entry->tid);
			/* 0: found late, when the counters were stopped. */
			late += !entry->ip;
			mine++;
		} else if (!entry->pid) {
			EXPECT_EQ(0, entry->tid);
			idle++;
		} else {
			others++;
		}
	}
	TH_LOG("samples: %u of the spinner, %u idle, %u of others", mine, idle,
	       others);
	EXPECT_LT(50, mine);
	EXPECT_GE(mine / 10, late);
	EXPECT_LT(20, idle);
	close(fd);
}

TEST_F(system_wide, notification_masks_and_restart_goes_on)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -2 * MS,
		.short_reset = -2 * MS,
	};
	struct pfm_config cfg;
	union pfm_msg msg;
	int i;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -2 * MS));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, cpus_online() - 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		EXPECT_EQ(cpus_online() - 1, msg.ovfl.cpu);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
		ASSERT_EQ(0, context_restart(self->fd, PFM_LANE_ALL));
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_LE(5, cfg.overflows);
}

TEST_HARNESS_MAIN
