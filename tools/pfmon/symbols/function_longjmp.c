// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the end of longjmp in a C library: the jump behind the instruction that sets the stack pointer.
 *
 * longjmp calls the function of its library that does so, which is local: it may have no symbol.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/disassembly.h"
#include "symbols/functions.h"
#include "symbols/image_code.h"

/* Bytes that are read of each of the two functions, at most. */
#define CODE_MAX 512

/**
 * struct words - how instructions begin
 * @call: a call of a function
 * @stack: what sets the stack pointer to a register
 * @stack_end: end of the same
 * @jumps: what never goes on to the next instruction
 */
struct words {
	const char *call;
	const char *stack;
	const char *stack_end;
	const char *jumps[3];
};

static const struct words arm64 = { "bl ",
				    "mov sp, x",
				    "",
				    { "br ", "ret", "bra" } };
static const struct words x86 = { "call",
				  "mov",
				  ", %rsp",
				  { "jmp", "ret", "notrack jmp" } };

static const struct words *words_of(unsigned int machine)
{
	switch (machine) {
	case EM_AARCH64:
		return &arm64;
	case EM_X86_64:
		return &x86;
	default:
		return NULL;
	}
}

/* Instructions from an address on, for free(). */
static struct instruction *read_code(struct images *images, uint32_t number,
				     uint64_t address, size_t *count,
				     const struct words **words)
{
	unsigned int machine;
	const uint8_t *code;
	size_t got;

	code = image_code_read(images, number, address, CODE_MAX, &got,
			       &machine);
	*words = code ? words_of(machine) : NULL;
	return *words ? disassemble(code, got, address, machine, count) : NULL;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool ends(const char *text, const char *with)
{
	const size_t length = strlen(text), part = strlen(with);

	return length >= part && !strcmp(text + length - part, with);
}

static bool sets_stack(const struct words *words, const char *text)
{
	return begins(text, words->stack) && ends(text, words->stack_end) &&
	       /* Of x86: from a register, and not from memory or by a constant. */
	       !strpbrk(text, "($");
}

static bool is_jump(const struct words *words, const char *text)
{
	size_t i;

	for (i = 0; i < 3; i++)
		if (begins(text, words->jumps[i]))
			return true;
	return false;
}

/* The address of the first jump behind what sets the stack pointer. */
static bool find_end(struct images *images, uint32_t number, uint64_t address,
		     uint64_t *end)
{
	const struct words *words;
	struct instruction *list;
	bool set = false, found = false;
	size_t count, i;

	list = read_code(images, number, address, &count, &words);
	for (i = 0; list && i < count && !found; i++) {
		set = set || sets_stack(words, list[i].text);
		if (!is_jump(words, list[i].text))
			continue;
		/* What follows a jump that comes before is another function. */
		if (!set)
			break;
		*end = list[i].address;
		found = true;
	}
	free(list);
	return found;
}

/* The address that an instruction names. */
static uint64_t target_of(const char *text)
{
	const char *at = strrchr(text, ' ');

	return at ? strtoull(at + strspn(at, " #"), NULL, 0) : 0;
}

bool functions_longjmp(struct images *images, uint32_t number, uint64_t *offset)
{
	struct function function;
	const struct words *words;
	struct instruction *list;
	const char *like;
	uint64_t size, end;
	size_t count, i;
	bool chosen, found = false;

	if (!functions_find(images, number, "siglongjmp", &function, 1, &like,
			    &chosen))
		return false;
	size = image_code_size(images, number, function.address);
	list = read_code(images, number, function.address, &count, &words);
	for (i = 0; list && i < count && !found; i++) {
		if (list[i].address - function.address >= size)
			break;
		found = begins(list[i].text, words->call) &&
			find_end(images, number, target_of(list[i].text),
				 &end) &&
			functions_offset(images, number, end, offset);
	}
	free(list);
	return found;
}
