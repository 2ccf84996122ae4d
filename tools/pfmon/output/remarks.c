// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stands behind the count of an event in text output.
 */
#include <stdlib.h>

#include "events/event_list.h"
#include "events/implemented.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/metric_values.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/value.h"
#include "session/session.h"

static void print_all(FILE *out, const struct counts_of *counts, size_t event,
		      const struct count *count)
{
	implemented_print(out, &counts->outcome->events->list[event]);
	print_trust(out, count);
	derived_print(out, counts, event);
}

void remarks_print(FILE *out, const struct counts_of *counts, size_t event,
		   const struct count *count, int pad)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	/* Without memory the remarks are not aligned. */
	if (!memory) {
		print_all(out, counts, event, count);
		return;
	}
	print_all(memory, counts, event, count);
	if (!fclose(memory) && size)
		fprintf(out, "%*s%s", pad, "", text);
	free(text);
}
