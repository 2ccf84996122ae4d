// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling formats with AMD's instruction-based sampling: the buffer of the format "ibs", and
 * what another format may ask for.  Needs root and the emulator with a processor of AMD.
 */
#include "context.h"
#include "cpu.h"
#include "ibs_copy.h"
#include "module.h"
#include "notification.h"
#include "sampling.h"
#include "modules/fmt_test.h"

#include <perfmon/perfmon.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "ibs_fixture.h"

/* A buffer for two samples: what finds no room is counted, exactly. */
TEST_F(ibs, lost)
{
	const struct pfm_nway_hdr *hdr;
	struct pfm_config cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, 5003,
					    PFM_IBS_DROP, 2));
	hdr = buffer_map(self->ibs.fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	copy(400);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LT(4, hdr->lost);
	EXPECT_EQ(cfg.overflows, hdr->samples + hdr->lost);
	EXPECT_EQ(0, cfg.fmt_errors);
	for (uint64_t seq = 1; seq <= 2; seq++) {
		const struct pfm_nway_part *part =
			(const void *)((const char *)hdr + hdr->part_offs +
				       (seq - 1) * hdr->part_size);
		const struct pfm_ibs_entry *entry = (const void *)(part + 1);

		ASSERT_LE(1, part->count);
		EXPECT_EQ(self->ibs.num == OP ? PFM_IBS_KIND_OP
					      : PFM_IBS_KIND_FETCH,
			  entry->kind);
		EXPECT_EQ((uint32_t)getpid(), entry->pid);
		EXPECT_EQ(0, entry->cpu);
		EXPECT_NE(0, entry->tsc);
	}
}

/* RESTART with the format's argument: the last part to release */
static int release_to(int fd, uint64_t last)
{
	const struct pfm_restart arg = { .arg = last };

	return call(fd, PFM_IOC_RESTART, &arg);
}

/*
 * RESET_BUFFER and GET_LOST of the toolkit: what there is is left out, and only what is lost later
 * is told.
 */
TEST_F(ibs, resets)
{
	const struct pfm_ibs_entry *entry;
	const struct pfm_nway_hdr *hdr;
	uint64_t reset, read = 0, told = 0;
	struct pfm_sample_parts parts;
	struct pfm_config before, cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, 5003,
					    PFM_IBS_DROP, 16));
	hdr = buffer_map(self->ibs.fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, config_get(self->ibs.fd, &before));
	ASSERT_EQ(0, pfm_sample_ibs_begin(&parts, hdr, before.buffer_size));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	copy(400);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_LT(10, pfm_sample_parts_lost(&parts, &told));
	ASSERT_EQ(0, pfm_sample_ibs_skip(&parts));
	ASSERT_EQ(0, release_to(self->ibs.fd, pfm_sample_parts_done(&parts)));
	reset = time_ns(CLOCK_MONOTONIC);
	EXPECT_EQ(0, pfm_sample_ibs_next(&parts, UINT64_MAX, &entry));
	EXPECT_EQ(0, pfm_sample_parts_lost(&parts, &told));
	ASSERT_EQ(0, config_get(self->ibs.fd, &before));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	copy(400);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	while (pfm_sample_ibs_next(&parts, UINT64_MAX, &entry) > 0) {
		ASSERT_LT(reset, entry->tstamp);
		read++;
	}
	EXPECT_LE(30, read);
	EXPECT_EQ(cfg.overflows - before.overflows,
		  read + pfm_sample_parts_lost(&parts, &told));
	EXPECT_EQ(0, pfm_sample_parts_lost(&parts, &told));
	munmap((void *)hdr, cfg.buffer_size);
}

static int available(int fd)
{
	int entries = -1;

	return ioctl(fd, FIONREAD, &entries) ? -errno : entries;
}

/*
 * Requests as the drivers of others make them: the current count, the period, how many samples
 * wait, how many must wait before the consumer is told, how many were lost; that a stopped
 * engine leaves its samples readable; and that a restart empties the buffer.
 */
TEST_F(ibs, controls)
{
	struct pfm_pmd_attr attr;
	struct pfm_config cfg;
	const struct pfm_nway_part *part;
	const struct pfm_nway_hdr *hdr;
	uint64_t first, second;
	char info[80];

	NEED_IBS();
	/* The calls to the kernel take 10000 ops, too. */
	ASSERT_EQ(0,
		  ibs_sampler_open_parts(&self->ibs, variant->ctl | USER_ONLY,
					 10000, 0, 16));
	hdr = buffer_map(self->ibs.fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, attr_read(self->ibs.fd, self->ibs.num, &attr));
	EXPECT_EQ(-10000ULL, attr.long_reset);
	/* The count begins where it is told to: 20 periods early. */
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -200000));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(20000);
	ASSERT_EQ(0, pmd_read(self->ibs.fd, self->ibs.num, &first));
	spin(20000);
	ASSERT_EQ(0, pmd_read(self->ibs.fd, self->ibs.num, &second));
	if (is_readable(self->ibs.num)) {
		EXPECT_LT(-200000LL + 20000, (int64_t)first);
		EXPECT_LT((int64_t)first + 20000, (int64_t)second);
	} else {
		EXPECT_EQ(-200000ULL, first);
		EXPECT_EQ(-200000ULL, second);
	}
	EXPECT_EQ(0, available(self->ibs.fd));
	EXPECT_EQ(0, readable(self->ibs.fd, 0));
	/* The consumer is told when a part is full, and not before. */
	while (!available(self->ibs.fd))
		spin(5000);
	EXPECT_EQ(0, readable(self->ibs.fd, 0));
	while (available(self->ibs.fd) < 16)
		spin(5000);
	EXPECT_EQ(POLLIN, readable(self->ibs.fd, 0) & POLLIN);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	first = available(self->ibs.fd);
	EXPECT_LE(16, first);
	EXPECT_EQ(first, hdr->samples);
	part = (const void *)((const char *)hdr + hdr->part_offs);
	/* A part is full when an op's entry, the largest, has no room. */
	EXPECT_LE(15, part->count);
	first -= part->count;
	ASSERT_EQ(0, context_restart(self->ibs.fd, 0));
	EXPECT_EQ(first, (uint64_t)available(self->ibs.fd));
	ASSERT_EQ(0, context_unload(self->ibs.fd));
	EXPECT_EQ(first, (uint64_t)available(self->ibs.fd));
	EXPECT_EQ(0, hdr->lost);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	snprintf(info, sizeof(info), "pfm_overflows:\t%llu\n",
		 (unsigned long long)cfg.overflows);
	EXPECT_EQ(true, fdinfo_has(self->ibs.fd, info));
	munmap((void *)hdr, cfg.buffer_size);
}

/* GET_POLL_SIZE and GET_BUFFER_SIZE: the mapped header and the context tell what was asked for. */
TEST_F(ibs, sizes)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	const uint64_t entry = self->ibs.num == OP
				       ? sizeof(struct pfm_ibs_op)
				       : sizeof(struct pfm_ibs_fetch);
	const struct pfm_nway_hdr *hdr;
	struct pfm_config cfg;
	uint64_t bytes;

	NEED_IBS();
	for (unsigned int entries = 16; entries < 2000; entries *= 5) {
		ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl,
						    10000, 0, entries));
		ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
		hdr = buffer_map(self->ibs.fd);
		ASSERT_NE(NULL, hdr);
		EXPECT_EQ(2, hdr->parts);
		EXPECT_EQ(sizeof(struct pfm_nway_part) + entries * entry,
			  hdr->part_size);
		bytes = hdr->part_offs + hdr->parts * hdr->part_size;
		EXPECT_EQ((bytes + page - 1) / page * page, cfg.buffer_size);
		munmap((void *)hdr, cfg.buffer_size);
		close(self->ibs.fd);
		self->ibs.fd = -1;
	}
}

/*
 * A full buffer masks the context, and the virtual clock, whose timer runs, stops with it.  That
 * is not done in the NMI, as timers have locks: the debug kernel would complain.
 */
TEST_F(ibs, masked_with_clock)
{
	struct pfm_config cfg = {};
	uint64_t clock;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, 100000, 0,
					    16));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, CPU_TIME_NS, 1ULL << 63));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	for (int i = 0; i < 1000 && cfg.state != PFM_STATE_MASKED; i++) {
		spin(1000000);
		ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	}
	EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
	clock = pmd_value(self->ibs.fd, CPU_TIME_NS);
	EXPECT_LE(1ULL << 63, clock);
	spin(1000000);
	EXPECT_EQ(clock, pmd_value(self->ibs.fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_stop(self->ibs.fd));
}

/*
 * A value that the format does not have reset goes on, and passes a million of its periods until
 * the next sample.  They have none, and are not gone through one by one.
 */
TEST_F(ibs, unreset)
{
	const uint8_t uuid[PFM_UUID_LEN] = FMT_TEST_UUID;
	const struct fmt_test_arg arg = {
		.size = 4096,
		.handler_ret = FMT_TEST_RESET,
		.every = 2,
		.every_ret = FMT_TEST_NOTIFY | FMT_TEST_MASK,
	};
	const struct pfm_pmd_attr attr = {
		.num = self->ibs.num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -1,
		.short_reset = -1,
	};
	struct pfm_config cfg;
	uint64_t begin;

	NEED_IBS();
	LOAD_OR_SKIP("fmt_test");
	self->ibs.fd = format_open(PFM_CTX_NO_MSG, uuid, &arg, sizeof(arg));
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0, pmc_write(self->ibs.fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -1000));
	ASSERT_EQ(0, attr_write(self->ibs.fd, &attr));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	/* Nothing else answers the second overflow. */
	while (context_restart(self->ibs.fd, 0) == -EBUSY)
		spin(1000);
	begin = time_ns(CLOCK_MONOTONIC);
	spin(2000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	/* An instruction is a nanosecond. */
	EXPECT_GT(begin + 100 * 1000000, time_ns(CLOCK_MONOTONIC));
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_EQ(0, cfg.skipped);
	close(self->ibs.fd);
	self->ibs.fd = -1;
	while (syscall(SYS_delete_module, "fmt_test", O_NONBLOCK) &&
	       errno == EWOULDBLOCK)
		usleep(1000);
}

TEST_HARNESS_MAIN
