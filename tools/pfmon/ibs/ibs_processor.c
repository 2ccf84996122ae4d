// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features and errata by family and model, see ibs_processor.h.  CPUID has no bit for
 * many of them; BKDG and PPR of each family say which fields its registers have, and its
 * revision guide lists the errata.
 */
#include <string.h>

#include "ibs/ibs_bits.h"
#include "ibs/ibs_processor.h"

#define KEY(name, member)                                   \
	{                                                   \
		name, offsetof(struct ibs_features, member) \
	}

const struct ibs_key ibs_keys[] = { KEY("IbsOpBrnResync", brn_resync),
				    KEY("IbsOpMispReturn", misp_return),
				    KEY("BrnTrgt", br_target),
				    KEY("OpCntExt", op_cnt_ext),
				    KEY("RipInvalidChk", rip_invalid),
				    KEY("OpBrnFuse", brn_fuse),
				    KEY("IbsOpData4", data4),
				    KEY("Microcode", microcode),
				    KEY("IBSOpData2_4_5", node),
				    KEY("IbsDcLdBnkCon", ld_bank_con),
				    KEY("IbsDcStBnkCon", st_bank_con),
				    KEY("IbsDcStToLdFwd", st_to_ld_fwd),
				    KEY("IbsDcStToLdCan", st_to_ld_can),
				    KEY("IbsData3_20_31_48_63", l2),
				    KEY("IbsFetchCtlExtd", fetch_extd),
				    { NULL, 0 } };

static void derive_from_caps(uint32_t caps, struct ibs_features *features)
{
	if (!(caps & IBS_CAPS_VALID))
		return;
	features->br_target = caps & IBS_CAPS_BR_TARGET;
	features->op_cnt_ext = caps & IBS_CAPS_OP_CNT_EXT;
	features->rip_invalid = caps & IBS_CAPS_RIP_INVALID;
	features->brn_fuse = caps & IBS_CAPS_BRN_FUSE;
	features->data4 = caps & IBS_CAPS_OP_DATA4;
	features->fetch_extd = caps & IBS_CAPS_FETCH_EXTD;
}

void ibs_features_derive(const struct ibs_processor *processor,
			 struct ibs_features *features)
{
	uint32_t family = processor->family, model = processor->model;
	bool bulldozer = family == 0x15 && model < 0x10;
	bool k10 = family <= 0x12;

	memset(features, 0, sizeof(*features));
	derive_from_caps(processor->caps, features);
	features->brn_resync = k10 || family == 0x14 || bulldozer;
	features->misp_return = features->brn_resync;
	features->microcode = (family == 0x15 && model >= 0x60) ||
			      family >= 0x17;
	features->node = family != 0x14 && family != 0x16;
	features->ld_bank_con = k10 || bulldozer;
	features->st_bank_con = k10;
	features->st_to_ld_fwd = k10 || family == 0x14 || family == 0x16 ||
				 bulldozer;
	features->st_to_ld_can = k10 || bulldozer;
	features->l2 = family >= 0x16 || (family == 0x15 && model >= 0x30);
}

static bool is_zen3(uint32_t family, uint32_t model)
{
	return family == 0x19 &&
	       (model < 0x10 || (model >= 0x20 && model < 0x60));
}

void ibs_quirks_derive(const struct ibs_processor *processor,
		       struct ibs_quirks *quirks)
{
	uint32_t family = processor->family, model = processor->model;
	bool zen3 = is_zen3(family, model), zen4;

	zen4 = family >= 0x19 && !zen3;
	if (processor->caps & IBS_CAPS_VALID)
		zen4 = processor->caps & IBS_CAPS_ZEN4;
	*quirks = (struct ibs_quirks){
		.mab_hit = family <= 0x12 || (family == 0x15 && model < 0x20),
		.mab_needs_miss = family == 0x15 && model <= 1,
		.wc_no_source = family == 0x14,
		.l3_source = family == 0x10 || (family == 0x15 && model < 0x10),
		.wide_source = zen4,
		.prefetch_no_source = family == 0x19 && model < 0x10,
		.hit_state = !zen3,
		.uc_no_miss = family >= 0x19,
		.zero_fetch = family == 0x19 && model < 0x10,
		.page_16k = family >= 0x17,
		.wide_access = family >= 0x19,
		.fetch_l2 = (family == 0x15 && model >= 0x60) || family >= 0x17,
		.fetch_l3 = zen4,
		.physad_bits = family >= 0x19 ? 52 : 48,
	};
}
