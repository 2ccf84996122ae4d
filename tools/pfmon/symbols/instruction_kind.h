/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kind of an instruction: its class, and how it accesses memory.
 *
 * Documentation/use/pfmon-report.1.rst says what belongs to each class.
 */
#ifndef PFMON_SYMBOLS_INSTRUCTION_KIND_H
#define PFMON_SYMBOLS_INSTRUCTION_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/disassembly.h"

/**
 * enum instruction_class - what an instruction does; an instruction has one class
 *
 * CLASS_LOAD to CLASS_LOAD_STORE only move data between memory and general registers: an addition
 * of memory is CLASS_INTEGER.  The two last ones are of code that cannot be read, and of bytes that
 * cannot be decoded.
 */
enum instruction_class {
	CLASS_LOAD,
	CLASS_STORE,
	CLASS_LOAD_STORE,
	CLASS_BRANCH_CONDITIONAL,
	CLASS_BRANCH_DIRECT,
	CLASS_BRANCH_INDIRECT,
	CLASS_CALL,
	CLASS_RETURN,
	CLASS_INTEGER,
	CLASS_FLOAT,
	CLASS_VECTOR_64,
	CLASS_VECTOR_128,
	CLASS_VECTOR_256,
	CLASS_VECTOR_512,
	CLASS_VECTOR_SCALABLE,
	CLASS_ATOMIC,
	CLASS_BARRIER,
	CLASS_SYSTEM,
	CLASS_NOP,
	CLASS_OTHER,
	CLASS_NO_CODE,
	CLASS_NOT_DECODED,
	NUM_CLASSES,
};

extern const char *const instruction_class_names[NUM_CLASSES];

/**
 * enum memory_access - what an instruction does with memory; ACCESS_LOAD and ACCESS_STORE are bits
 */
enum memory_access {
	ACCESS_NONE,
	ACCESS_LOAD = 1,
	ACCESS_STORE = 2,
	ACCESS_BOTH = ACCESS_LOAD | ACCESS_STORE,
	ACCESS_UNKNOWN,
	NUM_ACCESSES,
};

/**
 * struct instruction_kind - an instruction
 * @opcode: mnemonic; the name of the class if the code cannot be read or decoded
 * @class: what it does
 * @access: what it does with memory
 */
struct instruction_kind {
	char opcode[OPERATION_ROOM];
	enum instruction_class class;
	enum memory_access access;
};

/* Text of what an instruction does with memory. */
const char *instruction_access_name(const struct instruction_kind *kind);

/* The kind of the first instruction of code, as decoder_read(); without code, @size is 0. */
struct instruction_kind instruction_kind_of(struct decoder *decoder,
					    const uint8_t *code, size_t size,
					    unsigned int machine);

/* x86_kind.c: class and access of an instruction of x86. */
void x86_kind(struct instruction_kind *kind, const struct operation *operation);

/*
 * x86_kind.c: the class of an instruction of 64 bits' mode that capstone does not know, if its
 * prefix tells that: what it does with memory is then unknown.  Returns false if it does not.
 */
bool x86_kind_of_prefix(struct instruction_kind *kind, const uint8_t *code,
			size_t size);

/*
 * arm64_kind.c: class and access of an instruction of arm64, of its encoding.  Returns false if
 * that is of no instruction.
 */
bool arm64_kind(struct instruction_kind *kind, uint32_t word);

#endif
