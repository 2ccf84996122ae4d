// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of the classes, and the choice between processors, see instruction_kind.h.
 */
#include <elf.h>
#include <stdio.h>

#include "symbols/instruction_kind.h"

/* Bytes of an instruction of arm64. */
#define WORD 4

const char *const instruction_class_names[] = {
	[CLASS_LOAD] = "load",
	[CLASS_STORE] = "store",
	[CLASS_LOAD_STORE] = "load+store",
	[CLASS_BRANCH_CONDITIONAL] = "branch conditional",
	[CLASS_BRANCH_DIRECT] = "branch direct",
	[CLASS_BRANCH_INDIRECT] = "branch indirect",
	[CLASS_CALL] = "call",
	[CLASS_RETURN] = "return",
	[CLASS_INTEGER] = "integer",
	[CLASS_FLOAT] = "floating point",
	[CLASS_VECTOR_64] = "vector 64",
	[CLASS_VECTOR_128] = "vector 128",
	[CLASS_VECTOR_256] = "vector 256",
	[CLASS_VECTOR_512] = "vector 512",
	[CLASS_VECTOR_SCALABLE] = "vector scalable",
	[CLASS_ATOMIC] = "atomic",
	[CLASS_BARRIER] = "barrier",
	[CLASS_SYSTEM] = "system",
	[CLASS_NOP] = "nop",
	[CLASS_OTHER] = "other",
	[CLASS_NO_CODE] = "unknown: no code",
	[CLASS_NOT_DECODED] = "unknown: not decoded",
};

static const char *const access_names[] = {
	[ACCESS_NONE] = "none",
	[ACCESS_LOAD] = "load",
	[ACCESS_STORE] = "store",
	[ACCESS_BOTH] = "load+store",
	[ACCESS_UNKNOWN] = "unknown: not decoded",
};

const char *instruction_access_name(const struct instruction_kind *kind)
{
	return kind->class == CLASS_NO_CODE
		       ? instruction_class_names[CLASS_NO_CODE]
		       : access_names[kind->access];
}

static uint32_t word_of(const uint8_t *code)
{
	return code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;
}

/* Tells what the encoding says of an instruction that capstone does not know. */
static bool is_known(struct instruction_kind *kind, const uint8_t *code,
		     size_t size, unsigned int machine)
{
	if (machine == EM_AARCH64)
		return size >= WORD && arm64_kind(kind, word_of(code));
	return machine == EM_X86_64 && x86_kind_of_prefix(kind, code, size);
}

struct instruction_kind instruction_kind_of(struct decoder *decoder,
					    const uint8_t *code, size_t size,
					    unsigned int machine)
{
	struct instruction_kind kind = { .class = CLASS_NO_CODE,
					 .access = ACCESS_UNKNOWN };
	struct operation operation;
	bool decoded;

	decoded = size &&
		  decoder_read(decoder, code, size, machine, &operation);
	if (decoded && machine != EM_AARCH64) {
		x86_kind(&kind, &operation);
	} else if (size && !is_known(&kind, code, size, machine)) {
		kind.class = CLASS_NOT_DECODED;
		decoded = false;
	}
	snprintf(kind.opcode, sizeof(kind.opcode), "%s",
		 decoded ? operation.name
		 : size	 ? instruction_class_names[CLASS_NOT_DECODED]
			 : instruction_class_names[CLASS_NO_CODE]);
	return kind;
}
