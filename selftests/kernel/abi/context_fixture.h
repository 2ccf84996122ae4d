/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context of its own for each test.
 */
#ifndef _SELFTESTS_CONTEXT_FIXTURE_H
#define _SELFTESTS_CONTEXT_FIXTURE_H

#include "context.h"

FIXTURE(context)
{
	int fd;
	bool has_pmcs;
};

FIXTURE_SETUP(context)
{
	struct pfm_config cfg;

	self->fd = context_open(0);
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("no context: %s", strerror(-self->fd));
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	self->has_pmcs = cfg.impl_pmcs[0];
}

FIXTURE_TEARDOWN(context)
{
	close(self->fd);
}

#define NEED_PMCS()                                                    \
	do {                                                           \
		if (!self->has_pmcs)                                   \
			SKIP(return, "this machine's PMU has no PMC"); \
	} while (0)

#endif /* _SELFTESTS_CONTEXT_FIXTURE_H */
