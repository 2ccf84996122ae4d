// SPDX-License-Identifier: GPL-2.0-only
/*
 * Disassembles, see disassembly.h.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "symbols/disassembly.h"

/* Bytes of a word, which is also the unit of arm64's instructions. */
#define WORD 4

/**
 * struct processor_kind - how capstone calls a processor
 * @machine: number in ELF files
 * @arch: architecture
 * @mode: its mode
 * @unit: bytes that are skipped where no instruction is
 */
static const struct processor_kind {
	unsigned int machine;
	cs_arch arch;
	cs_mode mode;
	unsigned int unit;
} kinds[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64, 1 },
	{ EM_386, CS_ARCH_X86, CS_MODE_32, 1 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, WORD },
};

static const struct processor_kind *find_kind(unsigned int machine)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].machine == machine)
			return &kinds[i];
	return NULL;
}

static void take(struct instruction *to, const cs_insn *from)
{
	to->address = from->address;
	to->size = from->size;
	snprintf(to->text, sizeof(to->text), "%s%s%s", from->mnemonic,
		 *from->op_str ? " " : "", from->op_str);
}

/* Returns the bytes of what is no instruction. */
static size_t take_bad(struct instruction *to, uint64_t address, size_t size)
{
	to->address = address;
	to->size = size;
	snprintf(to->text, sizeof(to->text), "(bad)");
	return size;
}

/* The bytes in the order of memory: not all processors have the same order in a word. */
static size_t take_bytes(struct instruction *to, const uint8_t *code,
			 uint64_t address, size_t size)
{
	size_t i, length;

	to->address = address;
	to->size = size;
	length = snprintf(to->text, sizeof(to->text), ".byte");
	for (i = 0; i < size; i++)
		length += snprintf(to->text + length, sizeof(to->text) - length,
				   "%s0x%02x", i ? ", " : " ", code[i]);
	return size;
}

static void list_bytes(struct instruction *list, const uint8_t *code,
		       size_t size, uint64_t address, size_t *count)
{
	size_t done = 0;

	while (done < size)
		done += take_bytes(&list[(*count)++], code + done,
				   address + done,
				   size - done < WORD ? size - done : WORD);
}

static int list_instructions(struct instruction *list, const uint8_t *code,
			     size_t size, uint64_t address,
			     const struct processor_kind *kind, size_t *count)
{
	cs_insn *insn = NULL;
	csh handle = 0;
	size_t skipped;
	cs_err err;

	err = cs_open(kind->arch, kind->mode, &handle);
	if (!err) {
		if (kind->arch == CS_ARCH_X86)
			cs_option(handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
		insn = cs_malloc(handle);
		err = insn ? CS_ERR_OK : CS_ERR_MEM;
	}
	while (!err && size) {
		if (cs_disasm_iter(handle, &code, &size, &address, insn)) {
			take(&list[(*count)++], insn);
			continue;
		}
		skipped = take_bad(&list[(*count)++], address,
				   size < kind->unit ? size : kind->unit);
		address += skipped;
		code += skipped;
		size -= skipped;
	}
	if (insn)
		cs_free(insn, 1);
	if (handle)
		cs_close(&handle);
	/* A capstone that was built without this processor. */
	if (err == CS_ERR_ARCH || err == CS_ERR_MODE) {
		list_bytes(list, code, size, address, count);
		return 0;
	}
	if (err)
		say_error("instructions cannot be shown: %s", cs_strerror(err));
	return err ? -1 : 0;
}

struct instruction *disassemble(const uint8_t *code, size_t size,
				uint64_t address, unsigned int machine,
				size_t *count)
{
	struct instruction *list = calloc(size + 1, sizeof(*list));
	const struct processor_kind *kind = find_kind(machine);

	*count = 0;
	if (!list) {
		say_error("instructions cannot be shown: out of memory");
		return NULL;
	}
	if (!kind) {
		list_bytes(list, code, size, address, count);
		return list;
	}
	if (!list_instructions(list, code, size, address, kind, count))
		return list;
	free(list);
	return NULL;
}
