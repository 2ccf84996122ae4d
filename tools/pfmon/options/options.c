// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions about the command line that several parts of pfmon ask.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <perfmon/perfmon.h>

#include "base/array.h"
#include "options/options.h"

#define NS_PER_MS	1e6

/* One hour; a longer time is most likely a mistake. */
#define TIMEOUT_MAX	3600e9

/* The field of the register has 8 bits. */
#define COUNTER_MASK_MAX 255

const char *const scope_topology_names[] = {
	[TOPOLOGY_CORE] = "core",
	[TOPOLOGY_SOCKET] = "socket",
	[TOPOLOGY_NODE] = "node",
};

const char *const grouping_names[] = {
	[GROUPING_NONE] = "none",	[GROUPING_PROGRAM] = "program",
	[GROUPING_PROCESS] = "process", [GROUPING_THREAD] = "thread",
	[GROUPING_CPU] = "cpu",
};

const char *const smpl_module_names[] = {
	[MODULE_INST_HIST] = "inst-hist",
	[MODULE_DETAILED] = "detailed",
	[MODULE_DETAILED_OLD] = "detailed-old",
	[MODULE_COMPACT] = "compact",
	[MODULE_RAW] = "raw",
	[MODULE_CALLSTACK] = "callstack",
	[MODULE_IBS] = "ibs",
};

const char *const driver_names[] = {
	[PFM_DRIVER_ANY] = "auto",
	[PFM_DRIVER_NATIVE] = "native",
	[PFM_DRIVER_PERF] = "perf",
};

const char *const smpl_output_names[] = {
	[SMPL_OUTPUT_TEXT] = "text",
	[SMPL_OUTPUT_FOLDED] = "folded",
	[SMPL_OUTPUT_SPEEDSCOPE] = "speedscope",
	[SMPL_OUTPUT_PPROF] = "pprof",
	[SMPL_OUTPUT_PERF_SCRIPT] = "perf-script",
	[SMPL_OUTPUT_FIREFOX] = "firefox",
	[SMPL_OUTPUT_CSV] = "csv",
	[SMPL_OUTPUT_JSON] = "json",
	[SMPL_OUTPUT_COMPACT] = "compact",
	[SMPL_OUTPUT_DETAILED] = "detailed",
	[SMPL_OUTPUT_DETAILED_OLD] = "detailed-old",
	[SMPL_OUTPUT_RAW] = "raw",
};

int options_levels(const char *text, unsigned int length)
{
	int plm = 0;
	unsigned int i;

	for (i = 0; i < length; i++) {
		switch (text[i]) {
		case 'k':
		case '0':
			plm |= PFM_PLM_KERNEL;
			break;
		case '1':
			plm |= PLM_1;
			break;
		case '2':
			plm |= PLM_2;
			break;
		case 'u':
		case '3':
			plm |= PFM_PLM_USER;
			break;
		default:
			return -1;
		}
	}
	return plm;
}

int options_mask(enum event_mask mask, const char *text, size_t length)
{
	int value = 0;
	size_t i;

	if (!length)
		return OPTIONS_MASK_EMPTY;
	if (mask != EVENT_MASK_COUNTER) {
		if (length != 1 || (*text != 'y' && *text != 'n'))
			return OPTIONS_MASK_WRONG;
		return *text == 'y';
	}
	for (i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return OPTIONS_MASK_WRONG;
		value = 10 * value + text[i] - '0';
		if (value > COUNTER_MASK_MAX)
			return OPTIONS_MASK_WRONG;
	}
	return value;
}

size_t options_event_length(const char *text)
{
	static const char *const prefixes[] = { "cpu/", "ibs_op/",
						"ibs_fetch/" };
	const char *at = text + strspn(text, "{");
	size_t length, i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		length = strlen(prefixes[i]);
		if (strncasecmp(at, prefixes[i], length))
			continue;
		at = strchrnul(at + length, '/');
		break;
	}
	return at - text + strcspn(at, ",");
}

bool options_select(const struct options *options, const char *path,
		    size_t length)
{
	char text[PFM_PATH_MAX + 1];

	if (!options->have_only && !options->have_except)
		return true;
	if (length > PFM_PATH_MAX)
		length = PFM_PATH_MAX;
	memcpy(text, path, length);
	text[length] = '\0';
	if (options->have_only && regexec(&options->only, text, 0, NULL, 0))
		return false;
	return !options->have_except ||
	       regexec(&options->except, text, 0, NULL, 0);
}

bool scope_options_many(const struct scope_options *options)
{
	return options->scope == SCOPE_CGROUP || options->num_tasks > 1;
}

bool scope_options_each_cpu(const struct options *options)
{
	return !options->aggregate &&
	       (options->scope.topology != TOPOLOGY_CGROUP ||
		options->stat.by == GROUPING_CPU);
}

const char *scope_topology_name(enum topology topology)
{
	return topology == TOPOLOGY_CGROUP ? "cgroup"
					   : scope_topology_names[topology];
}

int set_options_take_timeout(const char **text, uint64_t *ns)
{
	double value;
	char *end;

	errno = 0;
	value = strtod(*text, &end) * NS_PER_MS;
	if (end == *text || (*end && *end != ',') || errno || !isfinite(value) ||
	    value < PFM_SET_TIMEOUT_MIN || value > TIMEOUT_MAX)
		return -1;
	*ns = llround(value);
	*text = end;
	return 0;
}

uint64_t set_options_timeout(const struct set_options *options,
			     unsigned int index)
{
	const char *text = options->timeouts;
	uint64_t ns = SWITCH_TIMEOUT_DFL;

	if (!text)
		return ns;
	while (!set_options_take_timeout(&text, &ns) && *text && index--)
		text++;
	return ns;
}

unsigned int set_options_num_timeouts(const struct set_options *options)
{
	const char *text = options->timeouts;
	unsigned int count = text ? 1 : 0;

	while (text && (text = strchr(text, ','))) {
		count++;
		text++;
	}
	return count;
}

int set_options_trigger(const char **text, char **event, uint64_t *count)
{
	size_t length = options_event_length(*text);
	const char *colon;
	char *end;

	if (!**text)
		return 0;
	colon = memrchr(*text, ':', length);
	if (!colon || colon == *text || colon[1] < '0' || colon[1] > '9')
		return -1;
	errno = 0;
	*count = strtoull(colon + 1, &end, 10);
	if (errno || end != *text + length || !*count || *count > INT64_MAX)
		return -1;
	if (*end == ',' && !end[1])
		return -1;
	*event = strndup(*text, colon - *text);
	if (!*event)
		return -1;
	*text = *end ? end + 1 : end;
	return 1;
}

bool set_options_has_triggers(const struct set_options *options)
{
	unsigned int i;

	for (i = 0; i < options->count; i++)
		if (options->triggers[i])
			return true;
	return options->common;
}

bool set_options_may_repeat(const struct options *options)
{
	const struct set_options *sets = &options->sets;

	return options->scope.scope == SCOPE_COMMAND && !options->dont_start &&
	       !sets->exclusive && !sets->timeouts &&
	       !set_options_has_triggers(sets);
}

bool smpl_options_on(const struct smpl_options *options)
{
	return options->long_periods || options->short_periods ||
	       options->period || options->frequency;
}

bool smpl_options_need_symbols(const struct smpl_options *options)
{
	return options->resolve || (options->output != SMPL_OUTPUT_TEXT &&
				    options->module != MODULE_FORMAT);
}

bool smpl_output_lists(enum smpl_output output)
{
	return output == SMPL_OUTPUT_PERF_SCRIPT ||
	       output == SMPL_OUTPUT_FIREFOX;
}

bool smpl_options_may_block(const struct options *options)
{
	enum scope scope = options->scope.scope;

	return !options->follow && !options->smpl.saturate &&
	       (scope == SCOPE_COMMAND ||
		(scope == SCOPE_TASK && options->scope.one_thread));
}

int set_options_add(struct set_options *options, const char *list)
{
	if (array_reserve(&options->lists, sizeof(*options->lists),
			  &options->room, options->count + 1) ||
	    array_reserve(&options->triggers, sizeof(*options->triggers),
			  &options->room_triggers, options->count + 1))
		return -1;
	options->lists[options->count] = list;
	options->triggers[options->count++] = NULL;
	return 0;
}

unsigned int metric_options_level(const char *text)
{
	char *end;
	unsigned long level = strtoul(text, &end, 10);

	return *text < '0' || *text > '9' || *end || level > 16 ? 0 : level;
}
