// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_options.h"

#include "base/array.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "ibs_error.h"

/* Bits of a period in the control register of ops: 26:4 */
#define MAX_CNT_MAX 0x7fffff

/* The shortest period of ops, 144 */
#define OP_MAX_CNT_MIN 9

#define NUM_SAMPLES_MAX (1 << 20)

/* No array begins below this address, so it is a number. */
#define ADDRESS_MIN 0x10000

const struct pfmi_ibs_options pfmi_ibs_defaults = {
	.debug = DEFAULT_IBS_DEBUG,
	.op = DEFAULT_IBS_OP,
	.fetch = DEFAULT_IBS_FETCH,
	.aggressive_read = DEFAULT_IBS_AGGRESSIVE_READ,
	.read_on_timeout = DEFAULT_IBS_READ_ON_TIMEOUT,
	.poll_timeout = DEFAULT_IBS_POLL_TIMEOUT,
	.poll_num_samples = DEFAULT_IBS_POLL_NUM_SAMPLES,
	.max_cnt = DEFAULT_IBS_MAX_CNT,
	.all_cpus = true,
};

/**
 * struct range - an option whose value is a number
 * @name: its name
 * @min: smallest value
 * @max: largest value
 * @shapes: the context of a CPU depends on it
 */
struct range {
	const char *name;
	intptr_t min;
	intptr_t max;
	bool shapes;
};

/* By number; IBS_CPU_LIST is an array. */
static const struct range ranges[] = {
	[IBS_DEBUG] = { "IBS_DEBUG", 0, 1, false },
	[IBS_OP] = { "IBS_OP", 0, 1, true },
	[IBS_FETCH] = { "IBS_FETCH", 0, 1, true },
	[IBS_AGGRESSIVE_READ] = { "IBS_AGGRESSIVE_READ", 0, 1, false },
	[IBS_READ_ON_TIMEOUT] = { "IBS_READ_ON_TIMEOUT", 0, 1, false },
	[IBS_POLL_TIMEOUT] = { "IBS_POLL_TIMEOUT", -1, INT_MAX, false },
	[IBS_POLL_NUM_SAMPLES] = { "IBS_POLL_NUM_SAMPLES", 1, NUM_SAMPLES_MAX,
				   true },
	[IBS_MAX_CNT] = { "IBS_MAX_CNT", 1, MAX_CNT_MAX, true },
	[IBS_CPU_LIST] = { "IBS_CPU_LIST", INTPTR_MIN, INTPTR_MAX, true },
};

/* Number of CPUs that have a byte in IBS_CPU_LIST: those that the machine may have. */
static int bytes_of_list(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return cpus < PFMI_IBS_LISTED ? cpus : PFMI_IBS_LISTED;
}

static int check_list(intptr_t value)
{
	const char *list = (const char *)value;
	int cpu;

	if ((word_t)value == DEFAULT_IBS_CPU_LIST || value == -1)
		return 0;
	if (value >= 0 && value < ADDRESS_MIN)
		return pfmi_ibs_refuse(
			EINVAL,
			"IBS_CPU_LIST is an array with a byte for each CPU, not the number %lld",
			(long long)value);
	for (cpu = 0; cpu < bytes_of_list(); cpu++)
		if (list[cpu])
			return 0;
	return pfmi_ibs_refuse(EINVAL, "IBS_CPU_LIST has no CPU");
}

static void set_list(struct pfmi_ibs_options *options, intptr_t value)
{
	const char *list = (const char *)value;
	int cpu;

	memset(options->cpus, 0, sizeof(options->cpus));
	options->all_cpus = (word_t)value == DEFAULT_IBS_CPU_LIST ||
			    value == -1;
	for (cpu = 0; !options->all_cpus && cpu < bytes_of_list(); cpu++)
		if (list[cpu])
			options->cpus[cpu / 64] |= (word_t)1 << cpu % 64;
}

/* Refuse a value that the option cannot have, now or ever. */
static int check_value(ibs_option_t option, intptr_t value, bool enabled)
{
	const struct range *range;

	if (option >= IBS_DAEMON_MAX_SAMPLES &&
	    option <= IBS_DAEMON_FETCH_WRITE)
		return pfmi_ibs_refuse(
			ENOSYS,
			"option %d is one of libIBS's daemon, which perfmon does not have; 'pfmon --smpl-module=ibs' records to a file",
			option);
	if ((unsigned int)option >= ARRAY_SIZE(ranges))
		return pfmi_ibs_refuse(EINVAL, "there is no option %d", option);
	range = &ranges[option];
	if (value < range->min || value > range->max)
		return pfmi_ibs_refuse(
			EINVAL,
			"%s is a number from %lld to %lld, not %lld; the value of an option is the number, not a pointer to it",
			range->name, (long long)range->min,
			(long long)range->max, (long long)value);
	if (option == IBS_CPU_LIST && check_list(value))
		return -EINVAL;
	if (enabled && range->shapes)
		return pfmi_ibs_refuse(
			EBUSY,
			"%s cannot change while a CPU is enabled; call ibs_disable_all() before",
			range->name);
	return 0;
}

int pfmi_ibs_set(struct pfmi_ibs_options *options, ibs_option_t option,
		 ibs_val_t value, bool enabled)
{
	const intptr_t number = (intptr_t)value;
	const int ret = check_value(option, number, enabled);

	if (ret)
		return ret;
	switch (option) {
	case IBS_DEBUG:
		options->debug = number;
		break;
	case IBS_OP:
		options->op = number;
		break;
	case IBS_FETCH:
		options->fetch = number;
		break;
	case IBS_AGGRESSIVE_READ:
		options->aggressive_read = number;
		break;
	case IBS_READ_ON_TIMEOUT:
		options->read_on_timeout = number;
		break;
	case IBS_POLL_TIMEOUT:
		options->poll_timeout = number;
		break;
	case IBS_POLL_NUM_SAMPLES:
		options->poll_num_samples = number;
		break;
	case IBS_MAX_CNT:
		options->max_cnt = number;
		break;
	default: /* IBS_CPU_LIST */
		set_list(options, number);
	}
	return 0;
}

int pfmi_ibs_check_period(const struct pfmi_ibs_options *options)
{
	if (!options->op || options->max_cnt >= OP_MAX_CNT_MIN)
		return 0;
	return pfmi_ibs_refuse(
		EINVAL,
		"IBS_MAX_CNT is %u, and has to be at least %d with IBS_OP: the shortest period of ops is %d",
		options->max_cnt, OP_MAX_CNT_MIN,
		OP_MAX_CNT_MIN << PFMI_IBS_PERIOD_SHIFT);
}

bool pfmi_ibs_is_listed(const struct pfmi_ibs_options *options, int cpu)
{
	if (options->all_cpus)
		return true;
	return cpu < PFMI_IBS_LISTED && options->cpus[cpu / 64] >> cpu % 64 & 1;
}
