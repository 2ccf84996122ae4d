/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions as text, and what their operands are, by capstone.
 */
#ifndef PFMON_SYMBOLS_DISASSEMBLY_H
#define PFMON_SYMBOLS_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTRUCTION_ROOM 224

/* The longest instruction of all processors, bytes: that of x86. */
#define INSTRUCTION_MAX 15

/**
 * struct instruction - an instruction
 * @address: its first byte
 * @size: bytes
 * @text: mnemonic and operands, in the syntax of objdump(1)
 */
struct instruction {
	uint64_t address;
	unsigned int size;
	char text[INSTRUCTION_ROOM];
};

/**
 * disassemble() - disassemble code
 * @code: its bytes
 * @size: how many
 * @address: of the first one
 * @machine: processor that the code is for, EM_* of elf.h
 * @count: result: elements of the list
 *
 * Bytes that are no instruction become "(bad)": one of x86, four of arm64.  So the list covers all
 * of @code.  Code for a processor that is not known here becomes words of four bytes.
 *
 * Return: the instructions by rising address, for free(); NULL after a message.
 */
struct instruction *disassemble(const uint8_t *code, size_t size,
				uint64_t address, unsigned int machine,
				size_t *count);

#define OPERATION_ROOM 32

/**
 * struct operation - an instruction and its operands
 * @name: mnemonic as in the text of struct instruction, with a prefix of x86 as "lock"
 * @base: of x86 the mnemonic in Intel's manuals, without prefix and without the letter of the size
 * @size: bytes
 * @lock: of x86: it has the prefix "lock"
 * @operands: number of its operands; of this and what follows only that of x86 is set
 * @memory: operands that are memory
 * @into_memory: its destination is memory
 * @reads: capstone says that it reads memory
 * @writes: capstone says that it writes memory; it does not say so of all that do
 * @immediate: its only operand is in the instruction, as the target of a direct branch
 * @vector: bits of the widest vector register among the operands; 0 if there is none
 * @mask: a mask register of AVX-512 is among them
 * @control: a control or debug register is among them
 */
struct operation {
	char name[OPERATION_ROOM];
	char base[OPERATION_ROOM];
	unsigned int size;
	bool lock;
	unsigned int operands;
	unsigned int memory;
	bool into_memory;
	bool reads;
	bool writes;
	bool immediate;
	unsigned int vector;
	bool mask;
	bool control;
};

struct cs_insn;

/**
 * struct decoder - decodes single instructions
 * @machine: processor that it is open for, EM_* of elf.h; 0 if it is not open
 * @handle: capstone's; 0 if that has no such processor
 * @insn: what was decoded last
 *
 * A zeroed decoder is not open.
 */
struct decoder {
	unsigned int machine;
	size_t handle;
	struct cs_insn *insn;
};

/**
 * decoder_read() - decode the first instruction of code
 * @decoder: decoder; it is opened for another processor when that changes
 * @code: bytes of the code
 * @size: how many
 * @machine: processor that the code is for
 * @operation: result
 *
 * Return: true if it was decoded; false if the bytes are no instruction that capstone knows, or the
 * processor is none of its.
 */
bool decoder_read(struct decoder *decoder, const uint8_t *code, size_t size,
		  unsigned int machine, struct operation *operation);
void decoder_close(struct decoder *decoder);

#endif
