/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each test of instruction-based sampling runs with ops, with cycles, with fetches, and with
 * fetches of random periods.
 */
#ifndef _SELFTESTS_IBS_FIXTURE_H
#define _SELFTESTS_IBS_FIXTURE_H

#include "cpu.h"
#include "ibs_engine.h"
#include "ibs_sampler.h"

FIXTURE(ibs)
{
	struct ibs_sampler ibs;
};

FIXTURE_VARIANT(ibs)
{
	uint16_t num;
	uint64_t ctl;
};

FIXTURE_VARIANT_ADD(ibs, ops){
	.num = OP,
	.ctl = COUNT_OPS,
};

FIXTURE_VARIANT_ADD(ibs, cycles){
	.num = OP,
	.ctl = 0,
};

FIXTURE_VARIANT_ADD(ibs, fetch){
	.num = FETCH,
	.ctl = 0,
};

FIXTURE_VARIANT_ADD(ibs, fetch_random){
	.num = FETCH,
	.ctl = RANDOM,
};

FIXTURE_SETUP(ibs)
{
	ibs_sampler_init(&self->ibs, variant->num);
	pin_to(0);
}

FIXTURE_TEARDOWN(ibs)
{
	ibs_sampler_close(&self->ibs);
}

#define NEED_IBS()                                                        \
	do {                                                              \
		NEED_ENGINE(self->ibs.num);                               \
		if (variant->ctl & COUNT_OPS && !(ibs_caps() & CAP_OPS))  \
			SKIP(return, "the processor counts cycles only"); \
	} while (0)

#endif /* _SELFTESTS_IBS_FIXTURE_H */
