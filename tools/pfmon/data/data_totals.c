// SPDX-License-Identifier: GPL-2.0-only
/*
 * Totals of the samples of pfmon.data, and how they are called there.
 */
#include <jansson.h>
#include <string.h>

#include "data/data_info.h"

const struct data_member data_members[] = {
	{ "written", offsetof(struct data_totals, written) },
	{ "dropped", offsetof(struct data_totals, dropped) },
	{ "taken", offsetof(struct data_totals, losses.taken) },
	{ "lost", offsetof(struct data_totals, losses.lost) },
	{ "skipped", offsetof(struct data_totals, losses.skipped) },
	{ "refused", offsetof(struct data_totals, losses.errors) },
	{ "stackless", offsetof(struct data_totals, losses.stackless) },
	{ "throttled", offsetof(struct data_totals, losses.throttled) },
	{ "throttled_ns", offsetof(struct data_totals, losses.throttled_ns) },
	{ "escapes", offsetof(struct data_totals, losses.escapes) },
	{ "escaped_ns", offsetof(struct data_totals, losses.escaped_ns) },
	{ "lost_mappings", offsetof(struct data_totals, losses.maps) },
	{ "masked_ns", offsetof(struct data_totals, losses.masked_ns) },
	{ "fills", offsetof(struct data_totals, losses.fills) },
	{ "running_ns", offsetof(struct data_totals, losses.running_ns) },
	{ "waiting_ns", offsetof(struct data_totals, losses.waiting_ns) },
	{ NULL, 0 },
};

int data_totals_read(struct data_totals *totals, const char *text, size_t size)
{
	json_t *root = json_loadb(text, size, 0, NULL);
	char *to = (char *)totals;
	const struct data_member *member = data_members;
	json_int_t value;

	if (!root)
		return -1;
	memset(totals, 0, sizeof(*totals));
	for (; member->name; member++) {
		value = json_integer_value(json_object_get(root, member->name));
		*(uint64_t *)(to + member->offset) = value > 0 ? value : 0;
	}
	json_decref(root);
	return 0;
}
