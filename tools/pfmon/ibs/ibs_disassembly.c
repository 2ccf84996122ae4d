// SPDX-License-Identifier: GPL-2.0-only
/*
 * Disassembles, see ibs_disassembly.h.
 */
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "ibs/ibs_disassembly.h"

static void take(struct ibs_instruction *to, const cs_insn *from)
{
	to->address = from->address;
	to->size = from->size;
	snprintf(to->text, sizeof(to->text), "%s%s%s", from->mnemonic,
		 *from->op_str ? " " : "", from->op_str);
}

/* One byte of what capstone does not know. */
static void take_bad(struct ibs_instruction *to, uint64_t address)
{
	to->address = address;
	to->size = 1;
	snprintf(to->text, sizeof(to->text), "(bad)");
}

struct ibs_instruction *ibs_disassemble(const uint8_t *code, size_t size,
					uint64_t address, bool wide,
					size_t *count)
{
	struct ibs_instruction *list = calloc(size + 1, sizeof(*list));
	cs_insn *insn = NULL;
	csh handle = 0;
	cs_err err;

	*count = 0;
	err = cs_open(CS_ARCH_X86, wide ? CS_MODE_64 : CS_MODE_32, &handle);
	if (!err) {
		cs_option(handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
		insn = cs_malloc(handle);
	}
	while (list && insn && size) {
		if (cs_disasm_iter(handle, &code, &size, &address, insn)) {
			take(&list[(*count)++], insn);
			continue;
		}
		take_bad(&list[(*count)++], address);
		address++;
		code++;
		size--;
	}
	if (!list || !insn) {
		say_error("instructions cannot be shown: %s",
			  err ? cs_strerror(err) : "out of memory");
		free(list);
		list = NULL;
	}
	if (insn)
		cs_free(insn, 1);
	if (handle)
		cs_close(&handle);
	return list;
}
