// SPDX-License-Identifier: GPL-2.0-only
/*
 * The columns of ops, in the order of the toolkit's decoder.
 */
#include "ibs/ibs_access.h"
#include "ibs/ibs_column.h"

/* The first family whose columns are not named after the northbridge. */
#define FAMILY_17H 0x17

IBS_CONDITION(brn_resync)
IBS_CONDITION(misp_return)
IBS_CONDITION(br_target)
IBS_CONDITION(op_cnt_ext)
IBS_CONDITION(rip_invalid)
IBS_CONDITION(brn_fuse)
IBS_CONDITION(data4)
IBS_CONDITION(microcode)
IBS_CONDITION(ld_bank_con)
IBS_CONDITION(st_bank_con)
IBS_CONDITION(st_to_ld_fwd)
IBS_CONDITION(st_to_ld_can)
IBS_CONDITION(l2)

static bool has_short_count(const struct ibs_format *format)
{
	return !format->features.op_cnt_ext;
}

static bool is_old(const struct ibs_format *format)
{
	return format->processor.family < FAMILY_17H;
}

static bool is_new(const struct ibs_format *format)
{
	return !is_old(format);
}

static bool is_old_node(const struct ibs_format *format)
{
	return format->features.node && is_old(format);
}

static bool is_new_node(const struct ibs_format *format)
{
	return format->features.node && is_new(format);
}

static bool is_mab_hit(const struct ibs_format *format)
{
	return format->quirks.mab_hit;
}

static bool is_no_mab(const struct ibs_format *format)
{
	return !format->quirks.mab_hit;
}

/* A bit of IBS_OP_DATA3. */
static bool data3(const struct ibs_sample *sample, struct ibs_field field)
{
	return ibs_field(sample->data3, field);
}

static void rip(struct ibs_row *row, const struct ibs_format *format,
		const struct ibs_sample *sample)
{
	ibs_print_address(row, format, sample->address);
}

static void max_cnt(struct ibs_row *row, const struct ibs_format *format,
		    const struct ibs_sample *sample)
{
	uint64_t count = ibs_field(sample->ctl, IBS_OP_MAX_CNT) << 4;

	if (format->features.op_cnt_ext)
		count += ibs_field(sample->ctl, IBS_OP_MAX_CNT_EXT) << 20;
	ibs_row_number(row, count);
}

static void source(struct ibs_row *row, const struct ibs_format *format,
		   const struct ibs_sample *sample)
{
	unsigned int code = ibs_access_source(format, sample);
	const char *name = ibs_access_source_name(format, code);

	if (code == IBS_SOURCE_NONE)
		ibs_row_none(row);
	else if (name)
		ibs_row_text(row, name);
	else
		ibs_row_reserved(row, code);
}

static void node(struct ibs_row *row, const struct ibs_format *format,
		 const struct ibs_sample *sample)
{
	if (ibs_access_source(format, sample) == IBS_SOURCE_NONE)
		ibs_row_none(row);
	else if (ibs_field(sample->data2, IBS_OP_REMOTE_NODE))
		ibs_row_text(row, "other_node");
	else
		ibs_row_text(row, "same_node");
}

/* The state of the line in the cache that supplied it: modified or owned. */
static void hit_state(struct ibs_row *row, const struct ibs_format *format,
		      const struct ibs_sample *sample)
{
	if (!format->quirks.hit_state ||
	    !ibs_access_is_cache(format, ibs_access_source(format, sample)))
		ibs_row_none(row);
	else if (ibs_field(sample->data2, IBS_OP_HIT_STATE))
		ibs_row_text(row, "O");
	else
		ibs_row_text(row, "M");
}

static void dc_miss(struct ibs_row *row, const struct ibs_format *format,
		    const struct ibs_sample *sample)
{
	if (ibs_access_uncached(format, sample))
		ibs_row_none(row);
	else
		ibs_row_number(row, data3(sample, IBS_OP_DC_MISS));
}

/* Erratum 717: the bit of an earlier op may remain. */
static void mab(struct ibs_row *row, const struct ibs_format *format,
		const struct ibs_sample *sample)
{
	if (format->quirks.mab_needs_miss && !data3(sample, IBS_OP_DC_MISS))
		ibs_row_number(row, 0);
	else
		ibs_row_number(row, data3(sample, IBS_OP_MAB));
}

static void l2_miss(struct ibs_row *row, const struct ibs_format *format,
		    const struct ibs_sample *sample)
{
	bool miss = data3(sample, IBS_OP_L2_MISS);

	if (ibs_access_uncached(format, sample) ||
	    (!miss && ibs_access_vague(format, sample)))
		ibs_row_none(row);
	else
		ibs_row_number(row, miss);
}

/* Bytes are powers of two, and 0 for an op that does not access memory. */
static void mem_width(struct ibs_row *row, const struct ibs_format *format,
		      const struct ibs_sample *sample)
{
	uint64_t code = ibs_field(sample->data3, IBS_OP_MEM_WIDTH);
	uint64_t max = format->quirks.wide_access ? 7 : 5;

	if (code > max)
		ibs_row_reserved(row, code);
	else
		ibs_row_number(row, 1ULL << code >> 1);
}

static void dc_miss_latency(struct ibs_row *row,
			    const struct ibs_format *format,
			    const struct ibs_sample *sample)
{
	if (ibs_access_uncached(format, sample))
		ibs_row_none(row);
	else
		ibs_row_number(row,
			       ibs_field(sample->data3, IBS_OP_DC_MISS_LAT));
}

static void dc_linad(struct ibs_row *row, const struct ibs_format *format,
		     const struct ibs_sample *sample)
{
	if (data3(sample, IBS_OP_LINAD_VALID))
		ibs_print_address(row, format, sample->dc_linad);
	else
		ibs_row_none(row);
}

static void dc_physad(struct ibs_row *row, const struct ibs_format *format,
		      const struct ibs_sample *sample)
{
	if (data3(sample, IBS_OP_PHYSAD_VALID))
		ibs_print_physad(row, format, sample);
	else
		ibs_row_none(row);
}

static void br_target(struct ibs_row *row, const struct ibs_format *format,
		      const struct ibs_sample *sample)
{
	if (ibs_field(sample->data, IBS_OP_BRN_RET))
		ibs_print_address(row, format, sample->br_target);
	else
		ibs_row_none(row);
}

#define FIELD(name, present, register, field) \
	IBS_FIELD_COLUMN(name, present, register, field)
#define PRINT(name, present, print) IBS_PRINT_COLUMN(name, present, print)

/* clang-format off */
const struct ibs_column ibs_op_columns[] = {
	PRINT("IbsOpRip", NULL, rip),
	PRINT("IbsOpMaxCnt[26:0]", has_op_cnt_ext, max_cnt),
	PRINT("IbsOpMaxCnt[19:0]", has_short_count, max_cnt),
	FIELD("IbsCompToRetCtr", NULL, data, IBS_OP_COMP_TO_RET),
	FIELD("IbsTagToRetCtr", NULL, data, IBS_OP_TAG_TO_RET),
	FIELD("IbsOpBrnResync", has_brn_resync, data, IBS_OP_BRN_RESYNC),
	FIELD("IbsOpMispReturn", has_misp_return, data, IBS_OP_MISP_RETURN),
	FIELD("IbsOpReturn", NULL, data, IBS_OP_RETURN),
	FIELD("IbsOpBrnTaken", NULL, data, IBS_OP_BRN_TAKEN),
	FIELD("IbsOpBrnMisp", NULL, data, IBS_OP_BRN_MISP),
	FIELD("IbsOpBrnRet", NULL, data, IBS_OP_BRN_RET),
	FIELD("IbsRipInvalid", has_rip_invalid, data, IBS_OP_RIP_INVALID),
	FIELD("IbsOpBrnFuse", has_brn_fuse, data, IBS_OP_BRN_FUSE),
	FIELD("IbsOpMicrocode", has_microcode, data, IBS_OP_MICROCODE),
	PRINT("NbIbsReqSrc", is_old, source),
	PRINT("DataSrc", is_new, source),
	PRINT("NbIbsReqDstNode", is_old_node, node),
	PRINT("NbIbsReqCacheHitSt", is_old_node, hit_state),
	PRINT("RmtNode", is_new_node, node),
	PRINT("CacheHitSt", is_new_node, hit_state),
	FIELD("IbsLdOp", NULL, data3, IBS_OP_LOAD),
	FIELD("IbsStOp", NULL, data3, IBS_OP_STORE),
	FIELD("IbsDcL1tlbMiss", NULL, data3, IBS_OP_L1_TLB_MISS),
	FIELD("IbsDcL2TlbMiss", NULL, data3, IBS_OP_L2_TLB_MISS),
	FIELD("IbsDcL1TlbHit2M", NULL, data3, IBS_OP_L1_TLB_HIT_2M),
	FIELD("IbsDcL1TlbHit1G", NULL, data3, IBS_OP_L1_TLB_HIT_1G),
	FIELD("IbsDcL2tlbHit2M", NULL, data3, IBS_OP_L2_TLB_HIT_2M),
	PRINT("IbsDcMiss", NULL, dc_miss),
	FIELD("IbsDcMissAcc", NULL, data3, IBS_OP_MISALIGNED),
	FIELD("IbsDcLdBnkCon", has_ld_bank_con, data3, IBS_OP_LD_BANK_CON),
	FIELD("IbsDcStBnkCon", has_st_bank_con, data3, IBS_OP_ST_BANK_CON),
	FIELD("IbsDcStToLdFwd", has_st_to_ld_fwd, data3, IBS_OP_ST_TO_LD_FWD),
	FIELD("IbsDcStToLdCan", has_st_to_ld_can, data3, IBS_OP_ST_TO_LD_CAN),
	FIELD("IbsDcWcMemAcc", NULL, data3, IBS_OP_WC),
	FIELD("IbsDcUcMemAcc", NULL, data3, IBS_OP_UC),
	FIELD("IbsDcLockedOp", NULL, data3, IBS_OP_LOCKED),
	PRINT("IbsDcMabHit", is_mab_hit, mab),
	PRINT("DcMissNoMabAlloc", is_no_mab, mab),
	FIELD("IbsDcLinAddrValid", NULL, data3, IBS_OP_LINAD_VALID),
	FIELD("IbsDcPhyAddrValid", NULL, data3, IBS_OP_PHYSAD_VALID),
	FIELD("IbsDcL2tlbHit1G", NULL, data3, IBS_OP_L2_TLB_HIT_1G),
	PRINT("IbsL2Miss", has_l2, l2_miss),
	FIELD("IbsSwPf", has_l2, data3, IBS_OP_SW_PREFETCH),
	PRINT("IbsOpMemWidth", has_l2, mem_width),
	FIELD("IbsOpDcMissOpenMemReqs", has_l2, data3, IBS_OP_OPEN_MEM_REQS),
	PRINT("IbsDcMissLat", NULL, dc_miss_latency),
	FIELD("IbstlbRefillLat", has_l2, data3, IBS_OP_TLB_REFILL_LAT),
	PRINT("IbsDcLinAd", NULL, dc_linad),
	PRINT("IbsDcPhysAd", NULL, dc_physad),
	PRINT("IbsBrnTarget", has_br_target, br_target),
	FIELD("IbsOpLdResync", has_data4, data4, IBS_OP_LD_RESYNC),
	{},
};
/* clang-format on */
