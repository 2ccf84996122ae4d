/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the metrics of a processor.
 */
#ifndef PFMON_METRICS_MODEL_FIND_H
#define PFMON_METRICS_MODEL_FIND_H

#include <stdbool.h>

struct cpu_list;
struct machine;
struct metric_model;

/*
 * Reads the model of that name, or if @name is NULL the one of this machine's CPUs, or
 * of those in @cpus if that is not NULL, which must all be of one.  @file: a file of the user, searched
 * first; if @name is NULL, it is the model; NULL if none.  @here: this machine will be measured, so
 * a model of another processor gets a warning.  The caller frees the model.  NULL after a message.
 */
struct metric_model *model_find(struct machine *machine, const char *name,
				const char *file, bool here,
				const struct cpu_list *cpus);

/*
 * Divides the CPUs that are online by their models: @types, of @room elements, gets those of each
 * model.  Returns the number of types.  It is 0 if all are of one, if there are more than @room, or
 * if a CPU has no model: then model_find() says what is wrong.
 */
unsigned int model_find_types(struct machine *machine, struct cpu_list *types,
			      unsigned int room);

#endif
