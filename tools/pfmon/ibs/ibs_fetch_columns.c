// SPDX-License-Identifier: GPL-2.0-only
/*
 * The columns of fetches, in the order of the toolkit's decoder, and what Zen 4 adds.
 */
#include "ibs/ibs_column.h"

#define FIELD(name, present, field) IBS_FIELD_COLUMN(name, present, ctl, field)
#define PRINT(name, present, print) IBS_PRINT_COLUMN(name, present, print)

IBS_CONDITION(fetch_extd)

static bool has_l2(const struct ibs_format *format)
{
	return format->quirks.fetch_l2;
}

/* The toolkit's files keep the toolkit's columns. */
static bool has_l3(const struct ibs_format *format)
{
	return format->quirks.fetch_l3 && ibs_is_perfmon(format);
}

static void linad(struct ibs_row *row, const struct ibs_format *format,
		  const struct ibs_sample *sample)
{
	if (!sample->address && format->quirks.zero_fetch)
		ibs_row_none(row);
	else
		ibs_print_address(row, format, sample->address);
}

static void physad(struct ibs_row *row, const struct ibs_format *format,
		   const struct ibs_sample *sample)
{
	if (ibs_field(sample->ctl, IBS_FETCH_PHYSAD_VALID))
		ibs_print_physad(row, format, sample);
	else
		ibs_row_none(row);
}

static void max_cnt(struct ibs_row *row, const struct ibs_format *format,
		    const struct ibs_sample *sample)
{
	(void)format;
	ibs_row_number(row, ibs_field(sample->ctl, IBS_FETCH_MAX_CNT) << 4);
}

/* The size is that of the translation, so it is as valid as the physical address. */
static void page_size(struct ibs_row *row, const struct ibs_format *format,
		      const struct ibs_sample *sample)
{
	static const char *const sizes[] = { "4 KB", "2 MB", "1 GB", "16 KB" };
	uint64_t code = ibs_field(sample->ctl, IBS_FETCH_L1_TLB_PG_SZ);

	if (!ibs_field(sample->ctl, IBS_FETCH_PHYSAD_VALID))
		ibs_row_none(row);
	else if (code == 3 && !format->quirks.page_16k)
		ibs_row_reserved(row, code);
	else
		ibs_row_text(row, sizes[code]);
}

static void itlb_latency(struct ibs_row *row, const struct ibs_format *format,
			 const struct ibs_sample *sample)
{
	(void)format;
	if (ibs_field(sample->ctl, IBS_FETCH_COMP))
		ibs_row_number(row,
			       ibs_field(sample->extd, IBS_FETCH_ITLB_LAT));
	else
		ibs_row_none(row);
}

/* clang-format off */
const struct ibs_column ibs_fetch_columns[] = {
	FIELD("IbsPhyAddrValid", NULL, IBS_FETCH_PHYSAD_VALID),
	PRINT("IbsFetchLinAd", NULL, linad),
	PRINT("IbsFetchPhysAd", NULL, physad),
	PRINT("IbsFetchMaxCnt[19:0]", NULL, max_cnt),
	FIELD("IbsFetchLat", NULL, IBS_FETCH_LAT),
	FIELD("IbsFetchComp", NULL, IBS_FETCH_COMP),
	FIELD("IbsIcMiss", NULL, IBS_FETCH_IC_MISS),
	PRINT("IbsL1TlbPgSz", NULL, page_size),
	FIELD("IbsL1TlbMiss", NULL, IBS_FETCH_L1_TLB_MISS),
	FIELD("IbsL2TlbMiss", NULL, IBS_FETCH_L2_TLB_MISS),
	FIELD("IbsFetchL2Miss", has_l2, IBS_FETCH_L2_MISS),
	PRINT("IbsItlbRefillLat", has_fetch_extd, itlb_latency),
	FIELD("IbsFetchOcMiss", has_l3, IBS_FETCH_OC_MISS),
	FIELD("IbsFetchL3Miss", has_l3, IBS_FETCH_L3_MISS),
	{},
};
/* clang-format on */
