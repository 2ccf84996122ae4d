// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Event names that are the same on every machine.
 */
#include "pmu/generic.h"

const struct pfmi_generic pfmi_generics[PFMI_GENERICS] = {
	[PFMI_GENERIC_CYCLES] = { "cycles", "Processor cycles" },
	[PFMI_GENERIC_INSTRUCTIONS] = { "instructions", "Instructions executed" },
	[PFMI_GENERIC_REF_CYCLES] = {
		"ref-cycles",
		"Processor cycles at a constant frequency, while not halted" },
	[PFMI_GENERIC_BRANCHES] = { "branches", "Branch instructions executed" },
	[PFMI_GENERIC_BRANCH_MISSES] = {
		"branch-misses", "Branch instructions executed that were mispredicted" },
	[PFMI_GENERIC_CACHE_REFERENCES] = {
		"cache-references",
		"Accesses to a cache, on most processors the last one" },
	[PFMI_GENERIC_CACHE_MISSES] = {
		"cache-misses", "Accesses to that cache that missed" },
	[PFMI_GENERIC_SLOTS] = {
		"slots", "Slots of the pipeline for micro-operations" },
	[PFMI_GENERIC_TOPDOWN_RETIRING] = {
		"topdown-retiring", "Slots of micro-operations that retired" },
	[PFMI_GENERIC_TOPDOWN_BAD_SPEC] = {
		"topdown-bad-spec", "Slots lost to wrong speculation" },
	[PFMI_GENERIC_TOPDOWN_FE_BOUND] = {
		"topdown-fe-bound",
		"Slots to which the front end delivered nothing" },
	[PFMI_GENERIC_TOPDOWN_BE_BOUND] = {
		"topdown-be-bound",
		"Slots for which the back end had no room" },
	[PFMI_GENERIC_TOPDOWN_HEAVY_OPS] = {
		"topdown-heavy-ops",
		"Slots of instructions of several micro-operations that retired" },
	[PFMI_GENERIC_TOPDOWN_BR_MISPREDICT] = {
		"topdown-br-mispredict", "Slots lost to mispredicted branches" },
	[PFMI_GENERIC_TOPDOWN_FETCH_LAT] = {
		"topdown-fetch-lat",
		"Slots of cycles in which the front end delivered nothing" },
	[PFMI_GENERIC_TOPDOWN_MEM_BOUND] = {
		"topdown-mem-bound", "Slots lost to loads and stores" },
};
