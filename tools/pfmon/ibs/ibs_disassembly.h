/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions of x86 as text, by capstone.
 */
#ifndef PFMON_IBS_IBS_DISASSEMBLY_H
#define PFMON_IBS_IBS_DISASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IBS_INSTRUCTION_ROOM 224

/**
 * struct ibs_instruction - an instruction
 * @address: its first byte
 * @size: bytes
 * @text: mnemonic and operands, in the syntax of objdump(1)
 */
struct ibs_instruction {
	uint64_t address;
	unsigned int size;
	char text[IBS_INSTRUCTION_ROOM];
};

/**
 * ibs_disassemble() - disassemble code
 * @code: its bytes
 * @size: how many
 * @address: of the first one
 * @wide: 64-bit code, not 32-bit code
 * @count: result: elements of the list
 *
 * A byte that begins no instruction becomes "(bad)", one at a time, so that the list covers
 * all of @code.
 *
 * Return: the instructions by rising address, for free(); NULL after a message.
 */
struct ibs_instruction *ibs_disassemble(const uint8_t *code, size_t size,
					uint64_t address, bool wide,
					size_t *count);

#endif
