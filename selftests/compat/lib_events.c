// SPDX-License-Identifier: GPL-2.0-only
/*
 * libpfm 3: walks over all events and unit masks, and over the registers.
 */
#include "style.h"

int main(void)
{
	unsigned int count, i, masks, k, wrong = 0, num, found;
	pfmlib_regmask_t pmds, counters;
	char name[256], pmu[64];
	pfmlib_event_t event;

	if (pfm_initialize() || pfm_get_num_events(&count))
		die("pfm_initialize");
	for (i = 0; i < count; i++) {
		if (pfm_get_event_name(i, name, sizeof(name)) ||
		    pfm_find_event(name, &found) || found != i ||
		    pfm_get_num_event_masks(i, &masks)) {
			wrong++;
			continue;
		}
		for (k = 0; k < masks; k++)
			if (pfm_get_event_mask_name(i, k, name, sizeof(name)))
				wrong++;
	}
	show("some_events", count > 5);
	show("wrong", wrong);
	if (pfm_get_pmu_name(pmu, sizeof(pmu)) || pfm_get_impl_pmds(&pmds) ||
	    pfm_get_impl_counters(&counters) || pfm_get_num_counters(&num))
		die("registers");
	pfm_regmask_weight(&counters, &k);
	show("counters", k == num && num > 0);
	pfm_regmask_and(&pmds, &pmds, &counters);
	show("counters_are_pmds", pfm_regmask_eq(&pmds, &counters) != 0);
	show("cycle_event",
	     !pfm_get_cycle_event(&event) &&
		     !pfm_get_full_event_name(&event, name, sizeof(name)));
	return 0;
}
