// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes notes, see ibs_note.h.
 */
#include <string.h>

#include "ibs/ibs_note.h"

_Static_assert(sizeof(struct ibs_note) == 64, "what files have");

void ibs_note_write(FILE *out, struct ibs_note *note, const char *text)
{
	static const char zeros[8];
	size_t length = strnlen(text, IBS_NOTE_TEXT_MAX);
	size_t padding = -length % sizeof(zeros);

	note->kind = IBS_NOTE_KIND;
	note->length = length;
	note->size = sizeof(*note) + length + padding;
	fwrite(note, sizeof(*note), 1, out);
	fwrite(text, 1, length, out);
	fwrite(zeros, 1, padding, out);
}
