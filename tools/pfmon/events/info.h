/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Information about events and the machine, as text and as a JSON document.
 */
#ifndef PFMON_EVENTS_INFO_H
#define PFMON_EVENTS_INFO_H

#include <stdbool.h>
#include <perfmon/perfmon.h>

struct json;
struct machine;
struct options;

/* info.c */

/*
 * The information options, which print on standard output and run no command.
 * Each returns 0, or -1 after a message.
 */
int info_list(const struct options *options, struct machine *machine);
int info_event(const struct options *options, struct machine *machine);
int info_machine(struct machine *machine);

/*
 * Reads the registers, and by the same context the version of the running modules, which @abi
 * keeps if it is not known; @abi may be NULL.  NULL after a note if the kernel modules are missing,
 * or this user may not use them.
 */
const struct pfm_reg_map *info_read_map(struct machine *machine,
					unsigned int *abi);

/* events_json.c */

/* True if the register can count the event. */
bool event_suits(const struct pfm_event_desc *desc,
		 const struct pfm_reg_info *info);

/* Begin and end of the document; @map is NULL without kernel modules. */
void events_json_begin(struct json *json, const struct pfm_reg_map *map);
void events_json_add(struct json *json, const struct pfm_event_desc *desc,
		     const struct pfm_reg_map *map);
void events_json_end(struct json *json);

#endif
