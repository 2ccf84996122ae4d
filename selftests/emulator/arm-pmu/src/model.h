/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of caches, translation and branches for QEMU's TCG: how many cycles a program takes, and
 * why.
 */
#ifndef ARM_PMU_MODEL_H
#define ARM_PMU_MODEL_H

#include "qemu/osdep.h"

/* Slots a cycle, which PMMIR_EL1 has to say as well */
#define ARM_MODEL_WIDTH 8

struct arm_model;

/* Empty caches, and counts of 0. It lives as long as the CPU. */
struct arm_model *arm_model_new(void);

/* The codes of its events, and how many there are. */
const uint16_t *arm_model_events(unsigned int *n);

bool arm_model_has(uint16_t event);

/*
 * How often the event has happened, at all exception levels, by the time at which the CPU has
 * executed so many instructions. The model has the event.
 */
uint64_t arm_model_count(const struct arm_model *model, uint16_t event,
			 uint64_t instructions);

/*
 * Has pmu_op_start() and pmu_op_finish() called before the event has happened more than left
 * times from now on, or as soon as it has. The caller sees to the part that only instructions
 * decide: returns the number of instructions from now on after which it must call them, or 0
 * if there is none.
 */
uint64_t arm_model_look_after(struct arm_model *model, uint16_t event,
			      uint64_t instructions, uint64_t left);

#endif /* ARM_PMU_MODEL_H */
