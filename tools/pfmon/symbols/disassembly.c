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

/* Opens capstone; the handle is 0 after an error. */
static cs_err open_kind(const struct processor_kind *kind, csh *handle,
			cs_insn **insn)
{
	cs_err err = cs_open(kind->arch, kind->mode, handle);

	*insn = NULL;
	if (err) {
		*handle = 0;
		return err;
	}
	if (kind->arch == CS_ARCH_X86)
		cs_option(*handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	*insn = cs_malloc(*handle);
	return *insn ? CS_ERR_OK : CS_ERR_MEM;
}

static void close_kind(csh *handle, cs_insn *insn)
{
	if (insn)
		cs_free(insn, 1);
	if (*handle)
		cs_close(handle);
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

	err = open_kind(kind, &handle, &insn);
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
	close_kind(&handle, insn);
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

void decoder_close(struct decoder *decoder)
{
	csh handle = decoder->handle;

	close_kind(&handle, decoder->insn);
	*decoder = (struct decoder){ 0 };
}

/* Memory is allocated for details only if they are asked for first. */
static void open_decoder(struct decoder *decoder, unsigned int machine)
{
	const struct processor_kind *kind = find_kind(machine);
	csh handle = 0;

	decoder_close(decoder);
	decoder->machine = machine;
	if (!kind)
		return;
	if (open_kind(kind, &handle, &decoder->insn)) {
		close_kind(&handle, decoder->insn);
		decoder->insn = NULL;
		return;
	}
	if (kind->arch == CS_ARCH_X86) {
		cs_free(decoder->insn, 1);
		cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
		decoder->insn = cs_malloc(handle);
	}
	decoder->handle = handle;
}

static bool is_within(unsigned int reg, unsigned int first, unsigned int last)
{
	return reg >= first && reg <= last;
}

static void take_register(struct operation *operation, unsigned int reg)
{
	unsigned int bits = 0;

	if (is_within(reg, X86_REG_ZMM0, X86_REG_ZMM31))
		bits = 512;
	else if (is_within(reg, X86_REG_YMM0, X86_REG_YMM31))
		bits = 256;
	else if (is_within(reg, X86_REG_XMM0, X86_REG_XMM31))
		bits = 128;
	else if (is_within(reg, X86_REG_MM0, X86_REG_MM7))
		bits = 64;
	if (bits > operation->vector)
		operation->vector = bits;
	operation->control |= is_within(reg, X86_REG_CR0, X86_REG_CR15) ||
			      is_within(reg, X86_REG_DR0, X86_REG_DR15);
	operation->mask |= is_within(reg, X86_REG_K0, X86_REG_K7);
}

/* The destination is the last operand in this syntax. */
static void take_operands(struct operation *operation, const cs_x86 *x86)
{
	unsigned int i;

	operation->lock = x86->prefix[0] == X86_PREFIX_LOCK;
	operation->operands = x86->op_count;
	for (i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type == X86_OP_REG)
			take_register(operation, operand->reg);
		operation->immediate = x86->op_count == 1 &&
				       operand->type == X86_OP_IMM;
		operation->into_memory = operand->type == X86_OP_MEM;
		if (operand->type != X86_OP_MEM)
			continue;
		operation->memory++;
		operation->reads |= !!(operand->access & CS_AC_READ);
		operation->writes |= !!(operand->access & CS_AC_WRITE);
	}
}

bool decoder_read(struct decoder *decoder, const uint8_t *code, size_t size,
		  unsigned int machine, struct operation *operation)
{
	const char *base;
	uint64_t address = 0;

	*operation = (struct operation){ 0 };
	if (!decoder->machine || decoder->machine != machine)
		open_decoder(decoder, machine);
	if (!decoder->handle || !decoder->insn ||
	    !cs_disasm_iter(decoder->handle, &code, &size, &address,
			    decoder->insn))
		return false;
	operation->size = decoder->insn->size;
	snprintf(operation->name, sizeof(operation->name), "%s",
		 decoder->insn->mnemonic);
	base = cs_insn_name(decoder->handle, decoder->insn->id);
	snprintf(operation->base, sizeof(operation->base), "%s",
		 base ? base : "");
	if (machine != EM_AARCH64)
		take_operands(operation, &decoder->insn->detail->x86);
	return true;
}
