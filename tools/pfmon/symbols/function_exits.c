// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the instructions at which a function ends: its returns, and its jumps to other functions.
 *
 * The code of a function is one stretch, and perhaps a second one that the compiler has put elsewhere
 * because it is rarely executed (NAME.cold).
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/disassembly.h"
#include "symbols/functions.h"
#include "symbols/image_code.h"

/* Of each function there may be one that is rarely executed. */
#define STRETCHES 2

/**
 * struct body - the code of a function
 * @images: the files
 * @number: number of the file
 * @from: for each stretch, its first address
 * @to: the one behind its last
 * @count: stretches
 */
struct body {
	struct images *images;
	uint32_t number;
	uint64_t from[STRETCHES];
	uint64_t to[STRETCHES];
	unsigned int count;
};

/**
 * enum way - where an instruction leads
 * @WAY_ON: to the next one, or into a function that comes back
 * @WAY_JUMP: to an address, always
 * @WAY_BRANCH: to an address, or to the next one
 * @WAY_RETURN: to the caller
 * @WAY_UNKNOWN: to an address that is not in the instruction
 */
enum way {
	WAY_ON,
	WAY_JUMP,
	WAY_BRANCH,
	WAY_RETURN,
	WAY_UNKNOWN,
};

static bool is_word(const char *text, const char *word)
{
	const size_t length = strlen(word);

	return !strncmp(text, word, length) &&
	       (!text[length] || text[length] == ' ');
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (is_word(text, *words))
			return true;
	return false;
}

/* Words before the name of an instruction of x86. */
static const char *skip_prefixes(const char *text)
{
	static const char *const prefixes[] = { "bnd",	"notrack", "rep",
						"repz", "repe",	   NULL };

	while (is_one_of(text, prefixes) && strchr(text, ' '))
		text = strchr(text, ' ') + 1;
	return text;
}

static enum way way_of_x86(const char *text)
{
	static const char *const returns[] = { "ret", "retq", "iretq", NULL };
	static const char *const jumps[] = { "jmp", "jmpq", NULL };
	const bool indirect = strchr(text, '*');

	if (is_one_of(text, returns))
		return WAY_RETURN;
	if (is_one_of(text, jumps))
		return indirect ? WAY_UNKNOWN : WAY_JUMP;
	/* The names of all conditional ones, and of no other instruction, begin so. */
	if (*text == 'j' || !strncmp(text, "loop", 4))
		return WAY_BRANCH;
	return WAY_ON;
}

static enum way way_of_arm64(const char *text)
{
	static const char *const branches[] = { "cbz", "cbnz", "tbz", "tbnz",
						NULL };

	if (!strncmp(text, "ret", 3) || is_word(text, "eret"))
		return WAY_RETURN;
	if (is_word(text, "b"))
		return WAY_JUMP;
	if (!strncmp(text, "b.", 2) || is_one_of(text, branches))
		return WAY_BRANCH;
	if (is_word(text, "br") || !strncmp(text, "bra", 3))
		return WAY_UNKNOWN;
	return WAY_ON;
}

/* The address that is the last operand.  False if there is none. */
static bool target_of(const char *text, uint64_t *target)
{
	const char *at = strrchr(text, ' ');
	char *end;

	if (!at)
		return false;
	at += strspn(at, " #");
	*target = strtoull(at, &end, 0);
	return end != at && !*end;
}

static bool is_within(const struct body *body, uint64_t address)
{
	unsigned int i;

	for (i = 0; i < body->count; i++)
		if (address >= body->from[i] && address < body->to[i])
			return true;
	return false;
}

static bool ends_with(const char *name, const char *end)
{
	const size_t length = strlen(name), part = strlen(end);

	return length > part && !strcmp(name + length - part, end);
}

/* Adds the stretch that is rarely executed, if an address is in it. */
static bool add_cold(struct body *body, uint64_t address)
{
	struct image_symbol symbol;
	uint64_t offset, size;

	if (body->count == STRETCHES ||
	    !functions_offset(body->images, body->number, address, &offset))
		return false;
	images_lookup(body->images, body->number, offset, &symbol);
	if (!symbol.name || !ends_with(symbol.name, ".cold"))
		return false;
	size = image_code_size(body->images, body->number, address);
	body->from[body->count] = symbol.address - symbol.offset;
	body->to[body->count] = symbol.address - symbol.offset + size;
	body->count++;
	return size > symbol.offset;
}

/**
 * struct exits - what was found
 * @list: result
 * @room: elements that fit in it
 * @count: elements of it
 */
struct exits {
	uint64_t *list;
	size_t room;
	size_t count;
};

static bool add_exit(struct exits *exits, const struct body *body,
		     uint64_t address)
{
	/* Nobody could tell whether the function begins or ends there. */
	if (exits->count == exits->room || address == body->from[0])
		return false;
	return functions_offset(body->images, body->number, address,
				&exits->list[exits->count++]);
}

/* False if it cannot be told whether the function ends at an instruction. */
static bool take(struct exits *exits, struct body *body,
		 const struct instruction *instruction, bool arm64)
{
	const char *text = arm64 ? instruction->text
				 : skip_prefixes(instruction->text);
	const enum way way = arm64 ? way_of_arm64(text) : way_of_x86(text);
	uint64_t target;

	switch (way) {
	case WAY_ON:
		return strcmp(text, "(bad)");
	case WAY_RETURN:
		return add_exit(exits, body, instruction->address);
	case WAY_UNKNOWN:
		return false;
	default:
		break;
	}
	if (!target_of(text, &target))
		return false;
	if (is_within(body, target) || add_cold(body, target))
		return true;
	return way == WAY_JUMP && add_exit(exits, body, instruction->address);
}

/* Reads a stretch of the code. */
static bool read_stretch(struct exits *exits, struct body *body,
			 unsigned int stretch)
{
	const uint64_t from = body->from[stretch];
	const size_t size = body->to[stretch] - from;
	struct instruction *list;
	unsigned int machine;
	const uint8_t *code;
	size_t got, count, i;
	bool known = true;

	code = image_code_read(body->images, body->number, from, size, &got,
			       &machine);
	if (!code || got != size)
		return false;
	list = disassemble(code, size, from, machine, &count);
	if (!list)
		return false;
	for (i = 0; known && i < count; i++)
		known = take(exits, body, &list[i], machine == EM_AARCH64);
	free(list);
	return known;
}

size_t functions_exits(struct images *images, uint32_t number, uint64_t address,
		       uint64_t *list, size_t room)
{
	struct body body = { images, number, { address }, { 0 }, 1 };
	struct exits exits = { .list = list, .room = room };
	const uint64_t size = image_code_size(images, number, address);
	unsigned int i;

	if (!size || size > FUNCTIONS_SIZE_MAX)
		return 0;
	body.to[0] = address + size;
	/* The second one is found in the first one. */
	for (i = 0; i < body.count; i++)
		if (!read_stretch(&exits, &body, i))
			return 0;
	return exits.count;
}
