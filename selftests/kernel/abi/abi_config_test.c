// SPDX-License-Identifier: GPL-2.0-only
/*
 * GET_CONFIG and SET_CONFIG.
 */
#include "context.h"
#include "rights.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, get_config)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_ABI_VERSION, cfg.abi_version);
	EXPECT_EQ(0, cfg.flags);
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_EQ(0, cfg.running);
	EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	EXPECT_EQ(0, cfg.tasks);
	EXPECT_TRUE(cfg.impl_pmds[CPU_TIME_NS / 64] & 1);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
	EXPECT_EQ(0, cfg.running);
	EXPECT_EQ(1, cfg.tasks);
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(1, cfg.running);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.running);
	ASSERT_EQ(0, context_unload(self->fd));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_STATE_UNLOADED, cfg.state);
	EXPECT_EQ(0, cfg.tasks);
}

TEST_F(context, get_config_sizes)
{
	union {
		struct pfm_config cfg;
		char bytes[512];
	} arg;
	const unsigned int size = sizeof(arg.cfg);

	memset(&arg, 0, sizeof(arg));
	EXPECT_EQ(-EINVAL,
		  call(self->fd,
		       IOC_SIZED(PFM_IOC_GET_CONFIG, PFM_CONFIG_SIZE_VER0 - 1),
		       &arg));
	EXPECT_EQ(0, arg.cfg.abi_version);
	/* An older caller gets what it knows, and nothing beyond. */
	memset(&arg, 0xff, sizeof(arg));
	EXPECT_EQ(0, call(self->fd,
			  IOC_SIZED(PFM_IOC_GET_CONFIG, PFM_CONFIG_SIZE_VER0),
			  &arg));
	EXPECT_EQ(PFM_ABI_VERSION, arg.cfg.abi_version);
	EXPECT_EQ((char)0xff, arg.bytes[PFM_CONFIG_SIZE_VER0]);
	memset(&arg, 0, sizeof(arg));
	EXPECT_EQ(0, call(self->fd, IOC_SIZED(PFM_IOC_GET_CONFIG, size + 8),
			  &arg));
	EXPECT_EQ(PFM_ABI_VERSION, arg.cfg.abi_version);
	/* A newer caller finds zero in what this kernel does not know. */
	EXPECT_EQ(0, arg.bytes[size]);
	EXPECT_EQ(-EFAULT, call(self->fd, PFM_IOC_GET_CONFIG, NULL));
}

TEST_F(context, set_config_records_max)
{
	const uint32_t bad[] = { 0, PFM_RECORDS_MAX + 1, ~0U };
	const uint32_t good[] = { 1, PFM_RECORDS_MAX };
	struct pfm_config cfg;
	size_t i;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		cfg.records_max = bad[i];
		EXPECT_EQ(-ERANGE, config_set(self->fd, &cfg));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	}
	for (i = 0; i < ARRAY_LEN(good); i++) {
		cfg.records_max = good[i];
		EXPECT_EQ(0, config_set(self->fd, &cfg));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(good[i], cfg.records_max);
	}
}

TEST_F(context, set_config_unknown_flag)
{
	struct pfm_config cfg;
	int bit;

	for (bit = 0; bit < 32; bit++) {
		if ((1U << bit) & CTX_FLAGS)
			continue;
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		cfg.flags = 1U << bit;
		EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
	}
}

TEST_F(context, set_config_reserved)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.reserved = 1;
	EXPECT_EQ(-EINVAL, config_set(self->fd, &cfg));
}

TEST_F(context, set_config_follow)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.flags = PFM_CTX_FOLLOW_ALL;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_FOLLOW_ALL, cfg.flags);
	cfg.flags = PFM_CTX_FOLLOW_FORK;
	cfg.records_max = 7;
	EXPECT_EQ(-EBUSY, config_set(self->fd, &cfg));
	/* The same flags are no change; neither did the limit change before. */
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_FOLLOW_ALL, cfg.flags);
	EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	cfg.records_max = 7;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(7, cfg.records_max);
}

TEST_F(context, set_config_ignores_the_rest)
{
	struct pfm_config cfg, after;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	memset(&cfg, 0xff, sizeof(cfg));
	cfg.flags = 0;
	cfg.records_max = PFM_RECORDS_DFL;
	cfg.reserved = 0;
	cfg.reserved2 = 0;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &after));
	EXPECT_EQ(PFM_ABI_VERSION, after.abi_version);
	EXPECT_EQ(PFM_STATE_UNLOADED, after.state);
	EXPECT_EQ(0, after.running);
	EXPECT_EQ(0, after.merged);
	EXPECT_EQ(0, after.tasks);
}

TEST_F(context, set_config_records_max_unprivileged)
{
	struct pfm_config cfg;

	rights_drop();
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	cfg.records_max = PFM_RECORDS_DFL + 1;
	EXPECT_EQ(-EPERM, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_RECORDS_DFL, cfg.records_max);
	cfg.records_max = 5;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
}

/* The creator had the right to more records; the caller changes something else. */
TEST_F(context, set_config_handed_back)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.records_max = PFM_RECORDS_MAX;
	ASSERT_EQ(0, config_set(self->fd, &cfg));
	rights_drop();
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	cfg.flags = PFM_CTX_FOLLOW_FORK;
	EXPECT_EQ(0, config_set(self->fd, &cfg));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(PFM_CTX_FOLLOW_FORK, cfg.flags);
	EXPECT_EQ(PFM_RECORDS_MAX, cfg.records_max);
	cfg.records_max = PFM_RECORDS_MAX - 1;
	EXPECT_EQ(-EPERM, config_set(self->fd, &cfg));
}

TEST_HARNESS_MAIN
