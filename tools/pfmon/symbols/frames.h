/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where frames of stacks begin.
 */
#ifndef PFMON_SYMBOLS_FRAMES_H
#define PFMON_SYMBOLS_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/images.h"

/* function_start.c */

/*
 * The first address of the function that an address of a file is in, as objdump(1) shows both.
 * False: the file has no table, or the table no such function.
 */
bool function_start(struct images *images, uint32_t number, uint64_t address,
		    uint64_t *start);

/* link_register.c */

/**
 * enum link_register - what the link register is
 * @LINK_REGISTER_UNKNOWN: the program has no unwind table for that place
 * @LINK_REGISTER_CALLER: the return address of the innermost function
 * @LINK_REGISTER_STALE: no frame
 */
enum link_register {
	LINK_REGISTER_UNKNOWN,
	LINK_REGISTER_CALLER,
	LINK_REGISTER_STALE,
};

/* At the instruction at an address in the file, as objdump(1) shows it. */
enum link_register link_register_at(struct images *images, uint32_t number,
				    uint64_t address);

#endif
