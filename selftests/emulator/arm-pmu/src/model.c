// SPDX-License-Identifier: GPL-2.0-only
/*
 * A model of caches, translation and branches for QEMU's TCG. It is as simple as a tutorial of
 * top-down analysis allows: it follows from each access and branch of the program, but its sizes
 * and costs are round numbers, near those of a large core.
 *
 * The front end passes on WIDTH operations a cycle, one for each instruction, unless
 *  - the back end waits for an access: nothing overlaps with that;
 *  - a branch was mispredicted: operations of the wrong path take all slots until it is known,
 *    then the front end has nothing until the right path arrives.
 * So each slot has one fate, and the slots are WIDTH times the cycles.
 *
 * The caches are looked up by virtual address, without the process: a run is then the same
 * whatever pages it gets.
 */

#include "pmu.h"
#include "cache.h"
#include "model.h"
#include "exec/helper-proto.h"

#define WIDTH ARM_MODEL_WIDTH

#define LINE_SHIFT  6
#define PAGE_SHIFT  12
#define L1_SETS	    256 /* 64 KiB */
#define L1_WAYS	    4
#define L2_SETS	    2048 /* 1 MiB */
#define L2_WAYS	    8
#define TLB1_WAYS   48
#define TLB2_SETS   256
#define TLB2_WAYS   8
#define ADDRESS_TAG 56 /* from this bit on it is no part of the address */

#define PREDICTIONS   16384 /* of two bits */
#define HISTORY_MASK  0xff /* of conditional branches */
#define TAKEN_AT      2 /* of 0 to 3 */
#define PREDICTED_MAX 3

/* In cycles. A miss of the second level costs what one of the first does, and this. */
#define COST_TLB1 5
#define COST_TLB2 25
#define COST_L1	  10
#define COST_L2	  80

/* Operations of the wrong path until the branch is known, then none: the formulas have that */
#define COST_RESOLVE 6
#define COST_REFETCH 4

enum total {
	ACCESSES,
	LOADS,
	STORES,
	TLB1_REFILLS,
	TLB2_REFILLS,
	L1_REFILLS,
	L2_REFILLS,
	BRANCHES,
	DIRECT,
	INDIRECT,
	FLOATING_POINT,
	SIMD,
	SVE,
	MISPREDICTED,
	WRONG_PATH, /* slots, as all below */
	FRONTEND,
	BACKEND,
	STALLED, /* FRONTEND + BACKEND */
	SPENT, /* STALLED + WRONG_PATH */
	NOT_INTEGER, /* operations */
	NOTHING, /* always 0 */
	TOTALS,
};

/* An event is a total, alone or with the instructions. */
enum with {
	ALONE,
	ADDED, /* to the instructions */
	TAKEN_AWAY, /* from the instructions */
};

struct event {
	uint16_t code;
	enum total total;
	enum with instructions;
	bool cycles; /* It counts cycles, and the total slots. */
};

static const struct event events[] = {
	{ 0x03, L1_REFILLS }, /* L1D_CACHE_REFILL */
	{ 0x04, ACCESSES }, /* L1D_CACHE */
	{ 0x05, TLB1_REFILLS }, /* L1D_TLB_REFILL */
	{ 0x10, MISPREDICTED }, /* BR_MIS_PRED */
	{ 0x11, SPENT, ADDED, true }, /* CPU_CYCLES */
	{ 0x12, BRANCHES }, /* BR_PRED */
	{ 0x16, L1_REFILLS }, /* L2D_CACHE */
	{ 0x17, L2_REFILLS }, /* L2D_CACHE_REFILL */
	{ 0x1b, WRONG_PATH, ADDED }, /* INST_SPEC */
	{ 0x21, BRANCHES }, /* BR_RETIRED */
	{ 0x22, MISPREDICTED }, /* BR_MIS_PRED_RETIRED */
	{ 0x23, FRONTEND, ALONE, true }, /* STALL_FRONTEND */
	{ 0x24, BACKEND, ALONE, true }, /* STALL_BACKEND */
	{ 0x25, ACCESSES }, /* L1D_TLB */
	{ 0x2d, TLB2_REFILLS }, /* L2D_TLB_REFILL */
	{ 0x2f, TLB1_REFILLS }, /* L2D_TLB */
	{ 0x34, TLB2_REFILLS }, /* DTLB_WALK */
	{ 0x3a, NOTHING, ADDED }, /* OP_RETIRED */
	{ 0x3b, WRONG_PATH, ADDED }, /* OP_SPEC */
	{ 0x3c, STALLED, ALONE, true }, /* STALL */
	{ 0x3d, BACKEND }, /* STALL_SLOT_BACKEND */
	{ 0x3e, FRONTEND }, /* STALL_SLOT_FRONTEND */
	{ 0x3f, STALLED }, /* STALL_SLOT */
	{ 0x70, LOADS }, /* LD_SPEC */
	{ 0x71, STORES }, /* ST_SPEC */
	{ 0x73, NOT_INTEGER, TAKEN_AWAY }, /* DP_SPEC */
	{ 0x74, SIMD }, /* ASE_SPEC */
	{ 0x75, FLOATING_POINT }, /* VFP_SPEC */
	{ 0x78, DIRECT }, /* BR_IMMED_SPEC */
	{ 0x7a, INDIRECT }, /* BR_INDIRECT_SPEC */
	{ 0x8006, SVE }, /* SVE_INST_SPEC */
};

struct arm_model {
	uint64_t totals[TOTALS];
	/* Overflows are looked for when a total has reached this. */
	uint64_t limits[TOTALS];
	bool due, asked;

	struct arm_cache tlb1, tlb2, l1, l2;
	uint64_t history;
	uint8_t predictions[PREDICTIONS];
};

static void no_limits(struct arm_model *model)
{
	for (int n = 0; n < TOTALS; n++)
		model->limits[n] = UINT64_MAX;
}

struct arm_model *arm_model_new(void)
{
	struct arm_model *model = g_new0(struct arm_model, 1);

	no_limits(model);
	model->tlb1 = arm_cache_new(1, TLB1_WAYS);
	model->tlb2 = arm_cache_new(TLB2_SETS, TLB2_WAYS);
	model->l1 = arm_cache_new(L1_SETS, L1_WAYS);
	model->l2 = arm_cache_new(L2_SETS, L2_WAYS);
	return model;
}

const uint16_t *arm_model_events(unsigned int *n)
{
	static uint16_t codes[ARRAY_SIZE(events)];

	*n = ARRAY_SIZE(events);
	for (unsigned int i = 0; i < *n; i++)
		codes[i] = events[i].code;
	return codes;
}

static const struct event *find_event(uint16_t code)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].code == code)
			return &events[i];
	return NULL;
}

bool arm_model_has(uint16_t event)
{
	return find_event(event);
}

/* How many parts of an event make it happen once */
static unsigned int divisor_of(const struct event *event)
{
	return event->cycles ? WIDTH : 1;
}

static uint64_t parts_of(const struct arm_model *model,
			 const struct event *event, uint64_t instructions)
{
	uint64_t total = model->totals[event->total];

	switch (event->instructions) {
	case ADDED:
		return instructions + total;
	case TAKEN_AWAY:
		return instructions - total;
	default:
		return total;
	}
}

uint64_t arm_model_count(const struct arm_model *model, uint16_t code,
			 uint64_t instructions)
{
	const struct event *event = find_event(code);

	return parts_of(model, event, instructions) / divisor_of(event);
}

uint64_t arm_model_look_after(struct arm_model *model, uint16_t code,
			      uint64_t instructions, uint64_t left)
{
	const struct event *event = find_event(code);
	uint64_t parts = parts_of(model, event, instructions);
	unsigned int divisor = divisor_of(event);
	uint64_t need = (parts / divisor + left + 1) * divisor - parts;
	uint64_t *limit = &model->limits[event->total];

	if (event->instructions == TAKEN_AWAY)
		return need;
	/* Neither half alone reaches it, and after either half it is near. */
	if (event->instructions == ADDED)
		need = (need + 1) / 2;
	*limit = MIN(*limit, model->totals[event->total] + need);
	return event->instructions == ADDED ? need : 0;
}

static void add(struct arm_model *model, enum total total, uint64_t n)
{
	model->totals[total] += n;
	if (model->totals[total] >= model->limits[total])
		model->due = true;
}

static void stall(struct arm_model *model, enum total why, unsigned int cycles)
{
	add(model, why, cycles * WIDTH);
	add(model, STALLED, cycles * WIDTH);
	add(model, SPENT, cycles * WIDTH);
}

static void look_for_overflows(CPUState *cs, run_on_cpu_data unused)
{
	CPUARMState *env = cpu_env(cs);
	struct arm_model *model = env_archcpu(env)->synthetic->model;

	model->due = false;
	model->asked = false;
	no_limits(model);
	pmu_op_start(env);
	pmu_op_finish(env);
}

/*
 * The number of instructions is not known within a block of translated code. This is called
 * behind the block.
 */
static void look_soon(CPUARMState *env, struct arm_model *model)
{
	if (!model->due || model->asked)
		return;
	model->asked = true;
	async_run_on_cpu(env_cpu(env), look_for_overflows, RUN_ON_CPU_NULL);
}

static void translate(struct arm_model *model, uint64_t page)
{
	if (arm_cache_use(&model->tlb1, page, 0))
		return;
	add(model, TLB1_REFILLS, 1);
	stall(model, BACKEND, COST_TLB1);
	if (arm_cache_use(&model->tlb2, page, 0))
		return;
	add(model, TLB2_REFILLS, 1);
	stall(model, BACKEND, COST_TLB2);
}

/* The next line of the page, which is there by the time at which it is used. */
static void prefetch(struct arm_model *model, uint64_t line)
{
	if (!(line % (1 << (PAGE_SHIFT - LINE_SHIFT))) ||
	    arm_cache_has(&model->l1, line))
		return;
	arm_cache_use(&model->l1, line, ARM_CACHE_AHEAD);
	arm_cache_use(&model->l2, line, 0);
}

/* Accesses of a kind that translate-a64.c announces, before they are done. */
void HELPER(pmu_model_access)(CPUARMState *env, uint64_t address,
			      uint32_t is_store)
{
	struct arm_model *model = env_archcpu(env)->synthetic->model;
	uint64_t line, was;

	address = extract64(address, 0, ADDRESS_TAG);
	line = address >> LINE_SHIFT;
	add(model, ACCESSES, 1);
	add(model, is_store ? STORES : LOADS, 1);
	add(model, NOT_INTEGER, 1);
	translate(model, address >> PAGE_SHIFT);
	was = arm_cache_use(&model->l1, line, 0);
	if (!was) {
		add(model, L1_REFILLS, 1);
		stall(model, BACKEND, COST_L1);
		if (!arm_cache_use(&model->l2, line, 0)) {
			add(model, L2_REFILLS, 1);
			stall(model, BACKEND, COST_L2);
		}
	}
	if (!was || was & ARM_CACHE_AHEAD)
		prefetch(model, line + 1);
	look_soon(env, model);
}

/* Branches that are always taken: all are predicted. */
static void jump(struct arm_model *model, enum total kind)
{
	add(model, BRANCHES, 1);
	add(model, kind, 1);
}

void HELPER(pmu_model_operation)(CPUARMState *env, uint32_t operation)
{
	struct arm_model *model = env_archcpu(env)->synthetic->model;

	switch ((enum arm_pmu_operation)operation) {
	case ARM_PMU_DIRECT:
		jump(model, DIRECT);
		break;
	case ARM_PMU_INDIRECT:
		jump(model, INDIRECT);
		break;
	case ARM_PMU_FLOATING_POINT:
		add(model, FLOATING_POINT, 1);
		break;
	case ARM_PMU_SIMD:
		add(model, SIMD, 1);
		break;
	case ARM_PMU_SVE:
		add(model, SVE, 1);
		break;
	}
	add(model, NOT_INTEGER, 1);
	look_soon(env, model);
}

/* Conditional branches: two bits for each address and each way that led to it. */
void HELPER(pmu_model_branch)(CPUARMState *env, uint64_t pc, uint32_t taken)
{
	struct arm_model *model = env_archcpu(env)->synthetic->model;
	uint64_t place = pc >> 2 ^ (model->history & HISTORY_MASK) << 6;
	uint8_t *prediction = &model->predictions[place % PREDICTIONS];

	add(model, BRANCHES, 1);
	add(model, DIRECT, 1);
	add(model, NOT_INTEGER, 1);
	if ((*prediction >= TAKEN_AT) != taken) {
		add(model, MISPREDICTED, 1);
		add(model, WRONG_PATH, COST_RESOLVE * WIDTH);
		add(model, SPENT, COST_RESOLVE * WIDTH);
		stall(model, FRONTEND, COST_REFETCH);
	}
	if (taken && *prediction < PREDICTED_MAX)
		++*prediction;
	else if (!taken && *prediction)
		--*prediction;
	model->history = model->history << 1 | taken;
	look_soon(env, model);
}
