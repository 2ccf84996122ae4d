// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's counters: what differs between models and CPUID does not tell.
 *
 * Sources: Intel SDM, volume 4 (registers) and volume 3, chapter "Performance
 * Monitoring"; Intel's specification updates (errata); Linux,
 * arch/x86/events/intel/core.c, for the moment of unmasking and for bits that fault.
 */
#include "intel_models.h"

#include <linux/array_size.h>
#include <linux/init.h>

/*
 * MSR_OFFCORE_RSP_0, _1, MSR_PEBS_FRONTEND.  MSR_PEBS_LD_LAT_THRESHOLD is not here: the
 * processor times loads for PEBS only.
 */
#define EXTRA(rsp_0, rsp_1, frontend) .valid = { rsp_0, rsp_1, frontend }

#define FRONTEND     0x7fff17ULL
#define FRONTEND_GLC 0x7fff1fULL
#define RSP_SNB	     0x3f807f8fffULL
#define RSP_SNB_X    0x3fffff8fffULL
#define RSP_ICL	     0x3fffffbfffULL
#define RSP_GLC	     0x3fffffffffULL

static const struct intel_model early __initconst = {
	.unmask = X86_UNMASK_EARLY,
};

static const struct intel_model late __initconst = {
	.unmask = X86_UNMASK_LATE,
};

static const struct intel_model nehalem __initconst = {
	.unmask = X86_UNMASK_EARLY,
	.flags = INTEL_MAGIC_CODES | INTEL_SHARED_RSP | INTEL_PERIOD_32,
	EXTRA(0xffff, 0, 0),
};

static const struct intel_model westmere __initconst = {
	.unmask = X86_UNMASK_EARLY,
	.flags = INTEL_MAGIC_CODES | INTEL_SHARED_RSP | INTEL_PERIOD_32,
	EXTRA(0xffff, 0xffff, 0),
};

static const struct intel_model sandybridge __initconst = {
	.unmask = X86_UNMASK_EARLY,
	.flags = INTEL_THREADS_BUG,
	EXTRA(RSP_SNB, RSP_SNB, 0),
};

static const struct intel_model sandybridge_x __initconst = {
	.unmask = X86_UNMASK_EARLY,
	.flags = INTEL_THREADS_BUG,
	EXTRA(RSP_SNB_X, RSP_SNB_X, 0),
};

static const struct intel_model haswell __initconst = {
	.unmask = X86_UNMASK_LATE,
	.flags = INTEL_THREADS_BUG | INTEL_PERIOD_32 | INTEL_PREC_DIST_128,
	EXTRA(RSP_SNB_X, RSP_SNB_X, 0),
};

static const struct intel_model broadwell __initconst = {
	.unmask = X86_UNMASK_LATE,
	.flags = INTEL_PREC_DIST_128,
	EXTRA(RSP_SNB_X, RSP_SNB_X, 0),
};

static const struct intel_model skylake __initconst = {
	.unmask = X86_UNMASK_LATE,
	EXTRA(RSP_SNB_X, RSP_SNB_X, FRONTEND),
};

static const struct intel_model icelake __initconst = {
	.unmask = X86_UNMASK_LATE,
	EXTRA(RSP_ICL, RSP_ICL, FRONTEND),
};

static const struct intel_model golden_cove __initconst = {
	.unmask = X86_UNMASK_LATE,
	EXTRA(RSP_GLC, RSP_GLC, FRONTEND_GLC),
};

static const struct intel_model silvermont __initconst = {
	.unmask = X86_UNMASK_EARLY,
	EXTRA(0x768005ffffULL, 0x368005ffffULL, 0),
};

static const struct intel_model goldmont __initconst = {
	.unmask = X86_UNMASK_EARLY,
	EXTRA(0x760005ffbfULL, 0x360005ffbfULL, 0),
};

static const struct intel_model tremont __initconst = {
	.unmask = X86_UNMASK_LATE,
	EXTRA(0x800ff0ffffff9fffULL, 0xff0ffffff9fffULL, 0),
};

static const struct intel_model gracemont __initconst = {
	.unmask = X86_UNMASK_MIDDLE,
	EXTRA(RSP_GLC, RSP_GLC, 0),
};

static const struct intel_model crestmont __initconst = {
	.unmask = X86_UNMASK_MIDDLE,
	EXTRA(0x800ff3ffffffffffULL, 0xff3ffffffffffULL, 0),
};

static const struct intel_model knights_landing __initconst = {
	.unmask = X86_UNMASK_EARLY,
	EXTRA(0x799ffbb6e7ULL, 0x399ffbffe7ULL, 0),
};

/* Models of family 6; the kernel's names for the numbers change between versions. */
struct numbered {
	u8 number;
	const struct intel_model *model;
};

static const struct numbered models[] __initconst = {
	{ 0x1a, &nehalem },
	{ 0x1e, &nehalem },
	{ 0x1f, &nehalem },
	{ 0x2e, &nehalem },
	{ 0x25, &westmere },
	{ 0x2c, &westmere },
	{ 0x2f, &westmere },
	{ 0x2a, &sandybridge },
	{ 0x3a, &sandybridge }, /* Ivy Bridge */
	{ 0x2d, &sandybridge_x },
	{ 0x3e, &sandybridge_x }, /* Ivy Bridge-EP */
	{ 0x3c, &haswell },
	{ 0x3f, &haswell },
	{ 0x45, &haswell },
	{ 0x46, &haswell },
	{ 0x3d, &broadwell },
	{ 0x47, &broadwell },
	{ 0x4f, &broadwell },
	{ 0x56, &broadwell },
	{ 0x4e, &skylake },
	{ 0x5e, &skylake },
	{ 0x55, &skylake },
	{ 0x8e, &skylake },
	{ 0x9e, &skylake },
	{ 0xa5, &skylake },
	{ 0xa6, &skylake },
	{ 0x6a, &icelake },
	{ 0x6c, &icelake },
	{ 0x7d, &icelake },
	{ 0x7e, &icelake },
	{ 0x8c, &icelake },
	{ 0x8d, &icelake },
	{ 0xa7, &icelake },
	{ 0x8f, &golden_cove },
	{ 0xcf, &golden_cove },
	{ 0xad, &golden_cove },
	{ 0xae, &golden_cove },
	/* Alder and Raptor Lake, where all cores are of this type */
	{ 0x97, &golden_cove },
	{ 0x9a, &golden_cove },
	{ 0xb7, &golden_cove },
	{ 0xba, &golden_cove },
	{ 0xbf, &golden_cove },
	{ 0x37, &silvermont },
	{ 0x4a, &silvermont },
	{ 0x4c, &silvermont },
	{ 0x4d, &silvermont },
	{ 0x5a, &silvermont },
	{ 0x5c, &goldmont },
	{ 0x5f, &goldmont },
	{ 0x7a, &goldmont },
	{ 0x86, &tremont },
	{ 0x96, &tremont },
	{ 0x9c, &tremont },
	{ 0xbe, &gracemont },
	{ 0xaf, &crestmont }, /* Sierra Forest */
	{ 0xb6, &crestmont }, /* Grand Ridge */
	{ 0x57, &knights_landing },
	{ 0x85, &knights_landing },
};

/**
 * intel_model_find - find what is known of a model
 * @family: the processor's family
 * @model: number of the model in that family
 * @version: version of architectural performance monitoring
 *
 * Return: the model; for one that is not known, what most processors of that version
 * need.
 */
const struct intel_model *__init intel_model_find(unsigned int family,
						  unsigned int model,
						  unsigned int version)
{
	unsigned int i;

	for (i = 0; family == 6 && i < ARRAY_SIZE(models); i++) {
		if (models[i].number == model)
			return models[i].model;
	}
	return version >= 4 ? &late : &early;
}
