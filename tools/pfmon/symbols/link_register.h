/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the link register of arm64 tells the caller of the innermost function.
 *
 * A function that calls none keeps its return address there, and so does any function in
 * its first and last instructions.  A function that has stored it on the stack has a
 * frame, and the register holds what its last call has left there.  The unwind table tells
 * which it is.
 */
#ifndef PFMON_SYMBOLS_LINK_REGISTER_H
#define PFMON_SYMBOLS_LINK_REGISTER_H

#include <stdint.h>

#include "symbols/images.h"

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
