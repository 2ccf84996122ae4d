/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Events that are given by number: as the code of an event, or the value of a register.
 */
#ifndef PERFMON_EVENTS_EVENT_H
#define PERFMON_EVENTS_EVENT_H

#include "base/words.h"

#include <stdbool.h>
#include <stdint.h>

/* True if the text is a raw code, r1b or 0x1b. */
bool pfmi_raw(const char *text, uint64_t *code);

/* True if the words are the value of a whole register, raw:0x41010e. */
bool pfmi_raw_register(const struct pfmi_words *words, uint64_t *value);

#endif
