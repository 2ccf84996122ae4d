// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptions of sampling formats, and buffers as these describe them: the bytes behind the
 * first zero byte are a lane.
 */
#include <perfmon/perfmon.h>

#include "reader.h"

#define LANE_MAX 8192

static void read_lane(const struct pfm_format *format, const uint8_t *data,
		      size_t size)
{
	static const struct pfm_pmd_attr attrs[] = {
		{ .num = 31, .smpl_pmds = { 0x3 } }, { .num = 4 }
	};
	static _Alignas(8) uint8_t lane[LANE_MAX];
	const struct pfm_format_info *info = pfm_format_info(format);
	struct pfm_format_reader reader;
	struct pfm_format_record record;
	unsigned int entries = 0;
	uint64_t sum;
	void *arg;

	arg = calloc(1, info->arg_size + 1);
	if (!arg)
		abort();
	pfm_format_arg_init(format, arg);
	if (size > LANE_MAX)
		size = LANE_MAX;
	memset(lane, 0, sizeof(lane));
	memcpy(lane, data, size);
	if (!pfm_format_begin(&reader, format, arg, attrs, 2, lane,
			      sizeof(lane))) {
		while (entries++ < LANE_MAX &&
		       pfm_format_next(&reader, UINT64_MAX, &record) > 0)
			if (record.size > sizeof(lane))
				abort();
		pfm_format_full(&reader);
		pfm_format_sum(&reader, PFM_FORMAT_LOST, &sum);
	}
	free(arg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, 0, size);
	size_t length = end ? (size_t)(end - data) : size;
	struct pfm_format *format;

	if (pfm_format_parse((const char *)data, length, &format))
		return 0;
	read_lane(format, data + length, size - length);
	pfm_format_free(format);
	return 0;
}
