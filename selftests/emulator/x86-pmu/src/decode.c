// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: what an instruction does with memory, for samples of it.
 *
 * The decoder knows the loads, stores and branches that compilers make for programs without
 * vector arithmetic, in 64-bit mode. Of any other instruction it knows nothing, and a sample of
 * it has no valid address. Facts are from AMD's manual, volume 3: the opcode maps of appendix A,
 * and section 1.4, "Summary of Registers and Data Types", for ModRM, SIB and prefixes.
 */

#include "pmu.h"

/* The use that an opcode makes of its memory operand, and what follows its ModRM byte */
#define MODRM  BIT(0)
#define LOAD   BIT(1)
#define STORE  BIT(2)
#define MODIFY (LOAD | STORE)
#define BYTE   BIT(3) /* the operand is a byte */
#define WORD   BIT(4)
#define LONG   BIT(5)
#define QUAD   BIT(6)
#define OCTO   BIT(7) /* 16 bytes */
#define IMM8   BIT(8)
#define IMM    BIT(9) /* 2 or 4 bytes */
#define BRANCH BIT(10)
#define PUSH   BIT(11)
#define POP    BIT(12)
#define RETURN BIT(13)
#define HINT   BIT(14) /* a prefetch */
#define KNOWN  BIT(15)
#define STREAM BIT(16) /* a store past the caches */

/* Register numbers that mean something else in ModRM and SIB */
enum { RM_SIB = 4, RM_NO_BASE = 5 };

struct cursor {
	const uint8_t *at, *end;
	bool cut; /* the instruction has more bytes than there are */
};

struct prefixes {
	bool size16, rep, repne, lock;
	int segment; /* R_FS or R_GS, or -1 */
	uint8_t rex;
};

static uint8_t next_byte(struct cursor *c)
{
	if (c->at < c->end)
		return *c->at++;
	c->cut = true;
	return 0;
}

static int64_t next_signed(struct cursor *c, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)next_byte(c) << 8 * i;
	return sextract64(value, 0, 8 * bytes);
}

static uint8_t read_prefixes(struct cursor *c, struct prefixes *p)
{
	uint8_t byte;

	*p = (struct prefixes){ .segment = -1 };
	for (;;) {
		byte = next_byte(c);
		switch (byte) {
		case 0x66:
			p->size16 = true;
			continue;
		case 0xf0:
			p->lock = true;
			continue;
		case 0xf2:
			p->repne = true;
			continue;
		case 0xf3:
			p->rep = true;
			continue;
		case 0x64:
			p->segment = R_FS;
			continue;
		case 0x65:
			p->segment = R_GS;
			continue;
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x26:
			continue;
		}
		break;
	}
	if ((byte & 0xf0) == 0x40) {
		p->rex = byte;
		byte = next_byte(c);
	}
	return byte;
}

/* ADD, OR, ADC, SBB, AND, SUB, XOR and CMP have eight opcodes each. */
static unsigned int arithmetic(uint8_t op)
{
	bool compare = op >= 0x38;

	switch (op & 7) {
	case 0:
		return MODRM | BYTE | (compare ? LOAD : MODIFY);
	case 1:
		return MODRM | (compare ? LOAD : MODIFY);
	case 2:
		return MODRM | BYTE | LOAD;
	case 3:
		return MODRM | LOAD;
	case 4:
		return IMM8;
	case 5:
		return IMM;
	}
	return 0;
}

static unsigned int one_byte(uint8_t op)
{
	if (op < 0x40 && (op & 7) < 6)
		return KNOWN | arithmetic(op);
	switch (op) {
	case 0x50 ... 0x57:
		return KNOWN | PUSH;
	case 0x58 ... 0x5f:
		return KNOWN | POP;
	case 0x63:
		return KNOWN | MODRM | LOAD | LONG;
	case 0x68:
		return KNOWN | PUSH | IMM;
	case 0x69:
		return KNOWN | MODRM | LOAD | IMM;
	case 0x6a:
		return KNOWN | PUSH | IMM8;
	case 0x6b:
		return KNOWN | MODRM | LOAD | IMM8;
	case 0x70 ... 0x7f:
	case 0xe0 ... 0xe3:
	case 0xeb:
		return KNOWN | BRANCH | IMM8;
	case 0x84:
		return KNOWN | MODRM | LOAD | BYTE;
	case 0x85:
		return KNOWN | MODRM | LOAD;
	case 0x86:
		return KNOWN | MODRM | MODIFY | BYTE;
	case 0x87:
		return KNOWN | MODRM | MODIFY;
	case 0x88:
		return KNOWN | MODRM | STORE | BYTE;
	case 0x89:
		return KNOWN | MODRM | STORE;
	case 0x8a:
		return KNOWN | MODRM | LOAD | BYTE;
	case 0x8b:
		return KNOWN | MODRM | LOAD;
	case 0x8d:
		return KNOWN | MODRM;
	case 0x90 ... 0x99:
		return KNOWN;
	case 0xa8:
		return KNOWN | IMM8;
	case 0xa9:
		return KNOWN | IMM;
	case 0xb0 ... 0xb7:
		return KNOWN | IMM8;
	case 0xb8 ... 0xbf:
		return KNOWN | IMM;
	case 0xc2:
	case 0xc3:
		return KNOWN | BRANCH | RETURN | POP;
	case 0xc6:
		return KNOWN | MODRM | STORE | BYTE | IMM8;
	case 0xc7:
		return KNOWN | MODRM | STORE | IMM;
	case 0xc9:
		return 0; /* LEAVE loads from where RBP points to */
	case 0xe8:
		return KNOWN | BRANCH | PUSH | IMM;
	case 0xe9:
		return KNOWN | BRANCH | IMM;
	}
	return 0;
}

/* The opcodes that the reg field of ModRM extends */
static unsigned int group(uint8_t op, unsigned int reg)
{
	switch (op) {
	case 0x80:
		return KNOWN | MODRM | BYTE | IMM8 | (reg == 7 ? LOAD : MODIFY);
	case 0x81:
		return KNOWN | MODRM | IMM | (reg == 7 ? LOAD : MODIFY);
	case 0x83:
		return KNOWN | MODRM | IMM8 | (reg == 7 ? LOAD : MODIFY);
	case 0xc0:
		return KNOWN | MODRM | MODIFY | BYTE | IMM8;
	case 0xc1:
		return KNOWN | MODRM | MODIFY | IMM8;
	case 0xd0:
	case 0xd2:
		return KNOWN | MODRM | MODIFY | BYTE;
	case 0xd1:
	case 0xd3:
		return KNOWN | MODRM | MODIFY;
	case 0xf6:
		return KNOWN | MODRM | BYTE | (reg < 2 ? LOAD | IMM8 : 0) |
		       (reg == 2 || reg == 3 ? MODIFY : LOAD);
	case 0xf7:
		return KNOWN | MODRM | (reg < 2 ? LOAD | IMM : 0) |
		       (reg == 2 || reg == 3 ? MODIFY : LOAD);
	case 0xfe:
		return reg < 2 ? KNOWN | MODRM | MODIFY | BYTE : 0;
	case 0xff:
		if (reg < 2)
			return KNOWN | MODRM | MODIFY;
		/* A call pushes as well: two addresses, of which one can be recorded. */
		if (reg == 2 || reg == 4)
			return KNOWN | MODRM | LOAD | QUAD | BRANCH;
	}
	return 0;
}

static bool is_group(uint8_t op)
{
	return op == 0x80 || op == 0x81 || op == 0x83 ||
	       (op >= 0xc0 && op <= 0xc1) || (op >= 0xd0 && op <= 0xd3) ||
	       op == 0xf6 || op == 0xf7 || op == 0xfe || op == 0xff;
}

/* Moves of SSE registers: the prefix decides what they move. */
static unsigned int sse_move(uint8_t op, const struct prefixes *p)
{
	unsigned int what = KNOWN | MODRM | (op & 1 ? STORE : LOAD);

	switch (op) {
	case 0x10:
	case 0x11:
		return what | (p->rep ? LONG : p->repne ? QUAD : OCTO);
	case 0x28:
	case 0x29:
		return what | OCTO;
	case 0x6f:
	case 0x7f:
		return what | (p->rep || p->size16 ? OCTO : QUAD);
	case 0x6e:
		return KNOWN | MODRM | LOAD | (p->rex & 8 ? QUAD : LONG);
	case 0x7e:
		if (p->rep)
			return KNOWN | MODRM | LOAD | QUAD;
		return KNOWN | MODRM | STORE | (p->rex & 8 ? QUAD : LONG);
	case 0x2b:
		return KNOWN | MODRM | STORE | STREAM | OCTO;
	case 0xe7:
		return KNOWN | MODRM | STORE | STREAM |
		       (p->size16 ? OCTO : QUAD);
	case 0xd6:
		return p->size16 ? KNOWN | MODRM | STORE | QUAD : 0;
	}
	return 0;
}

static unsigned int two_bytes(uint8_t op, const struct prefixes *p)
{
	switch (op) {
	case 0x0d:
	case 0x18:
		return KNOWN | MODRM | LOAD | HINT | BYTE;
	case 0x1f:
		return KNOWN | MODRM;
	case 0x40 ... 0x4f:
		return KNOWN | MODRM | LOAD;
	case 0x80 ... 0x8f:
		return KNOWN | BRANCH | IMM;
	case 0x90 ... 0x9f:
		return KNOWN | MODRM | STORE | BYTE;
	case 0xa3:
		return 0; /* BT with a register reaches beyond its operand */
	case 0xaf:
	case 0xbc:
	case 0xbd:
		return KNOWN | MODRM | LOAD;
	case 0xb0:
	case 0xc0:
		return KNOWN | MODRM | MODIFY | BYTE;
	case 0xb1:
	case 0xc1:
		return KNOWN | MODRM | MODIFY;
	case 0xc3:
		return KNOWN | MODRM | STORE | STREAM;
	case 0xb6:
	case 0xbe:
		return KNOWN | MODRM | LOAD | BYTE;
	case 0xb7:
	case 0xbf:
		return KNOWN | MODRM | LOAD | WORD;
	}
	return sse_move(op, p);
}

static unsigned int bytes_of(unsigned int what, const struct prefixes *p)
{
	if (what & BYTE)
		return 1;
	if (what & WORD)
		return 2;
	if (what & LONG)
		return 4;
	if (what & QUAD)
		return 8;
	if (what & OCTO)
		return 16;
	return p->rex & 8 ? 8 : p->size16 ? 2 : 4;
}

struct operand {
	bool memory;
	bool of_ip; /* relative to the next instruction */
	uint64_t address;
};

/* The effective address, but for what is relative to the next instruction */
static struct operand read_operand(CPUX86State *env, struct cursor *c,
				   const struct prefixes *p, uint8_t modrm)
{
	unsigned int mod = modrm >> 6, rm = modrm & 7;
	struct operand operand = { .memory = mod != 3 };
	unsigned int base = rm | (p->rex & 1) << 3;
	bool no_base = mod == 0 && rm == RM_NO_BASE;

	if (!operand.memory)
		return operand;
	operand.of_ip = no_base;
	if (rm == RM_SIB) {
		uint8_t sib = next_byte(c);
		unsigned int index = (sib >> 3 & 7) | (p->rex & 2) << 2;

		base = (sib & 7) | (p->rex & 1) << 3;
		no_base = mod == 0 && (sib & 7) == RM_NO_BASE;
		if (index != RM_SIB)
			operand.address += env->regs[index] << (sib >> 6);
	}
	if (!no_base)
		operand.address += env->regs[base];
	if (mod == 1)
		operand.address += next_signed(c, 1);
	else if (mod == 2 || no_base)
		operand.address += next_signed(c, 4);
	if (p->segment >= 0)
		operand.address += env->segs[p->segment].base;
	return operand;
}

static unsigned int immediate_bytes(unsigned int what, uint8_t op,
				    const struct prefixes *p)
{
	if (what & IMM8)
		return 1;
	if (op == 0xc2)
		return 2;
	if (!(what & IMM))
		return 0;
	/* MOV of an immediate value to a register is the only one with 8 bytes. */
	if (op >= 0xb8 && op <= 0xbf && p->rex & 8)
		return 8;
	return p->size16 && !(what & BRANCH) ? 2 : 4;
}

static void set_memory(struct x86_pmu_insn *insn, unsigned int what,
		       const struct prefixes *p, uint64_t address)
{
	insn->load = what & LOAD;
	insn->store = what & STORE;
	insn->hint = what & HINT;
	insn->streaming = what & STREAM;
	insn->bytes = bytes_of(what, p);
	insn->address = address;
	insn->has_address = true;
}

static void set_stack(CPUX86State *env, struct x86_pmu_insn *insn,
		      unsigned int what)
{
	insn->load = what & POP;
	insn->store = what & PUSH;
	insn->bytes = 8;
	insn->address = env->regs[R_ESP] - (what & PUSH ? 8 : 0);
	insn->has_address = true;
}

void x86_pmu_decode(CPUX86State *env, uint64_t rip, const uint8_t *bytes,
		    size_t nbytes, struct x86_pmu_insn *insn)
{
	struct cursor c = { .at = bytes, .end = bytes + nbytes };
	struct operand operand = {};
	unsigned int what, imm;
	struct prefixes p;
	uint8_t op, modrm = 0;
	bool two;

	*insn = (struct x86_pmu_insn){};
	if (!(env->hflags & HF_CS64_MASK))
		return;
	op = read_prefixes(&c, &p);
	two = op == 0x0f;
	if (two)
		op = next_byte(&c);
	if (!two && is_group(op))
		what = c.at < c.end ? group(op, *c.at >> 3 & 7) : 0;
	else
		what = two ? two_bytes(op, &p) : one_byte(op);
	if (!(what & KNOWN))
		return;
	if (what & MODRM) {
		modrm = next_byte(&c);
		operand = read_operand(env, &c, &p, modrm);
	}
	imm = immediate_bytes(what, two ? 0 : op, &p);
	if (imm)
		next_signed(&c, imm);
	if (c.cut)
		return;
	insn->known = true;
	insn->length = c.at - bytes;
	insn->branch = what & BRANCH;
	insn->returns = what & RETURN;
	insn->locked = p.lock;
	if (operand.of_ip)
		operand.address += rip + insn->length;
	if (operand.memory && what & (LOAD | STORE))
		set_memory(insn, what, &p, operand.address);
	else if (what & (PUSH | POP))
		set_stack(env, insn, what);
}
