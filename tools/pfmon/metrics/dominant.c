// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows a top-down tree to where most of the time went.
 *
 * Level 1 has a node for time that is not lost, retiring.  It is dominant like any other if
 * its share is the largest: then there is little to gain but by executing fewer instructions.
 */
#include <stddef.h>

#include "metrics/evaluate.h"
#include "metrics/model.h"
#include "metrics/selection.h"
#include "metrics/tree.h"

/* The node below @parent with the largest value; NULL if there is none. */
static const struct metric *largest(const struct metric_selection *selection,
				    const struct metric_value *values,
				    const struct metric *parent)
{
	const struct metric *found = NULL;
	double most = 0;
	unsigned int i, k;

	for (i = 0; i < selection->count; i++) {
		const struct metric_unit *unit = &selection->units[i];

		for (k = 0; k < unit->count; k++) {
			const struct metric *metric = unit->metrics[k];
			const struct metric_value *value =
				&values[unit->first + k];

			if (!metric->level || metric->parent != parent ||
			    !value->known || value->value <= most)
				continue;
			most = value->value;
			found = metric;
		}
	}
	return found;
}

void dominant_find(struct dominant *dominant,
		   const struct metric_selection *selection,
		   const struct metric_value *values)
{
	const struct metric *node = NULL;

	dominant->length = 0;
	while (dominant->length < TREE_LEVELS_MAX &&
	       (node = largest(selection, values, node)))
		dominant->path[dominant->length++] = node;
}
