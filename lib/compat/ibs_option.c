// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions of libIBS: its options, and its errors.
 */
#include "ibs_option.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ranges of IBS_MAX_CNT, by kind */
static const struct {
	unsigned long min;
	unsigned long max;
} counts[PFMI_IBS_KINDS] = {
	[PFMI_IBS_OPS] = { 9, (1UL << 23) - 1 },
	[PFMI_IBS_FETCHES] = { 1, (1UL << 16) - 1 },
};

struct pfmi_ibs_options pfmi_ibs_options = {
	.debug = DEFAULT_IBS_DEBUG,
	.kinds = { DEFAULT_IBS_OP, DEFAULT_IBS_FETCH },
	.is_aggressive = DEFAULT_IBS_AGGRESSIVE_READ,
	.reads_on_timeout = DEFAULT_IBS_READ_ON_TIMEOUT,
	.timeout = DEFAULT_IBS_POLL_TIMEOUT,
	.enough = DEFAULT_IBS_POLL_NUM_SAMPLES,
	.max_cnt = DEFAULT_IBS_MAX_CNT,
};

int pfmi_ibs_fail(int err, const char *format, ...)
{
	va_list args;

	fputs("IBS: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	errno = -err;
	return -1;
}

unsigned int pfmi_ibs_configured(void)
{
	const long count = sysconf(_SC_NPROCESSORS_CONF);

	return count > 0 ? count : 1;
}

static int set_list(const char *list)
{
	const unsigned int count = pfmi_ibs_configured();
	char *copy = NULL;

	if (list && (uintptr_t)list != UINTPTR_MAX) {
		copy = malloc(count);
		if (!copy)
			return pfmi_ibs_fail(-ENOMEM,
					     "no memory for IBS_CPU_LIST");
		memcpy(copy, list, count);
	}
	free(pfmi_ibs_options.listed);
	pfmi_ibs_options.listed = copy;
	return 0;
}

/* Options that shape the contexts. */
static int set_shape(ibs_option_t option, ibs_val_t value)
{
	const unsigned long number = (unsigned long)value;

	if (pfmi_ibs_options.is_fixed)
		return pfmi_ibs_fail(
			-EBUSY, "option %d cannot change until ibs_finalize()",
			option);
	switch (option) {
	case IBS_OP:
		pfmi_ibs_options.kinds[PFMI_IBS_OPS] = number;
		return 0;
	case IBS_FETCH:
		pfmi_ibs_options.kinds[PFMI_IBS_FETCHES] = number;
		return 0;
	case IBS_POLL_NUM_SAMPLES:
		pfmi_ibs_options.enough = number;
		return 0;
	case IBS_MAX_CNT:
		pfmi_ibs_options.max_cnt = number;
		return 0;
	default:
		return set_list(value);
	}
}

int ibs_set_option(ibs_option_t option, ibs_val_t value)
{
	const unsigned long number = (unsigned long)value;

	switch (option) {
	case IBS_OP:
	case IBS_FETCH:
	case IBS_POLL_NUM_SAMPLES:
	case IBS_MAX_CNT:
	case IBS_CPU_LIST:
		return set_shape(option, value);
	case IBS_DEBUG:
		pfmi_ibs_options.debug = number;
		return 0;
	case IBS_AGGRESSIVE_READ:
		pfmi_ibs_options.is_aggressive = number;
		return 0;
	case IBS_READ_ON_TIMEOUT:
		pfmi_ibs_options.reads_on_timeout = number;
		return 0;
	case IBS_POLL_TIMEOUT:
		pfmi_ibs_options.timeout = number;
		return 0;
	case IBS_DAEMON_MAX_SAMPLES:
	case IBS_DAEMON_CPU_LIST:
	case IBS_DAEMON_OP_FILE:
	case IBS_DAEMON_FETCH_FILE:
	case IBS_DAEMON_OP_WRITE:
	case IBS_DAEMON_FETCH_WRITE:
		return pfmi_ibs_fail(
			-ENOSYS,
			"option %d: there is no daemon; use 'pfmon ibs'",
			option);
	}
	return pfmi_ibs_fail(-EINVAL, "there is no option %d", option);
}

static int check_kind(const struct pfmi_ibs_plan *plan, unsigned int kind)
{
	const char *const name = kind == PFMI_IBS_OPS ? "ops" : "fetches";

	if (!(plan->kinds & 1U << kind))
		return 0;
	if (pfmi_ibs_options.max_cnt < counts[kind].min ||
	    pfmi_ibs_options.max_cnt > counts[kind].max)
		return pfmi_ibs_fail(
			-EINVAL, "IBS_MAX_CNT is %lu; of %s it is %lu to %lu",
			pfmi_ibs_options.max_cnt, name, counts[kind].min,
			counts[kind].max);
	if (!pfmi_ibs_options.enough ||
	    pfmi_ibs_options.enough >= pfmi_ibs_capacity(kind))
		return pfmi_ibs_fail(
			-EINVAL,
			"IBS_POLL_NUM_SAMPLES is %lu; of %s it is 1 to %u",
			pfmi_ibs_options.enough, name,
			pfmi_ibs_capacity(kind) - 1);
	return 0;
}

int pfmi_ibs_plan_make(struct pfmi_ibs_plan *plan)
{
	unsigned int kind;
	int ret = 0;

	*plan = (struct pfmi_ibs_plan){
		.period = 16 * pfmi_ibs_options.max_cnt,
		.enough = pfmi_ibs_options.enough,
	};
	for (kind = 0; kind < PFMI_IBS_KINDS; kind++)
		plan->kinds |= pfmi_ibs_options.kinds[kind] ? 1U << kind : 0;
	if (!plan->kinds)
		return pfmi_ibs_fail(-EINVAL,
				     "neither IBS_OP nor IBS_FETCH is set");
	for (kind = 0; kind < PFMI_IBS_KINDS && !ret; kind++)
		ret = check_kind(plan, kind);
	return ret;
}
