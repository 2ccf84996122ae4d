/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions as text, by capstone.
 */
#ifndef PFMON_SYMBOLS_DISASSEMBLY_H
#define PFMON_SYMBOLS_DISASSEMBLY_H

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

#endif
