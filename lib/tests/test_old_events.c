// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions of libpfm 3 on tables of libpfm4, with register maps made by hand.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "forced.h"
#include "machine.h"

#include "../compat/include/perfmon2-compat/perfmon/pfmlib.h"
#include "../compat/include/perfmon2-compat/perfmon/pfmlib_amd64.h"
#include "../compat/include/perfmon2-compat/perfmon/pfmlib_core.h"

/* The linker has the library call these: the kernel modules of the machine. */
static struct pfm_reg_map *machine;

int __wrap_pfm_ctx_create(const void *opts);
int __wrap_pfm_reg_map_from_ctx(int fd, struct pfm_reg_map **map);

int __wrap_pfm_ctx_create(const void *opts)
{
	(void)opts;
	return machine ? open("/dev/null", O_RDONLY) : -1;
}

int __wrap_pfm_reg_map_from_ctx(int fd, struct pfm_reg_map **map)
{
	(void)fd;
	*map = machine;
	return 0;
}

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

static int dispatch(const char *first, const char *second, unsigned int plm)
{
	memset(&in, 0, sizeof(in));
	memset(&out, 0, sizeof(out));
	in.pfp_dfl_plm = plm;
	if (pfm_find_full_event(first, &in.pfp_events[0]))
		return 1;
	in.pfp_event_count = 1;
	if (second && pfm_find_full_event(second, &in.pfp_events[1]))
		return 2;
	in.pfp_event_count += !!second;
	return pfm_dispatch_events(&in, NULL, &out, NULL);
}

static uint64_t value_of(unsigned int num)
{
	unsigned int i;

	for (i = 0; i < out.pfp_pmc_count; i++)
		if (out.pfp_pmcs[i].reg_num == num)
			return out.pfp_pmcs[i].reg_value;
	return ~0ULL;
}

static void test_before(void)
{
	pfmlib_event_t event;
	unsigned int num;

	is_num(pfm_find_event("X", &num), PFMLIB_ERR_NOINIT,
	       "find before initialize");
	is_num(pfm_get_num_events(&num), PFMLIB_ERR_NOINIT, "number of events");
	is_num(pfm_get_num_pmds(&num), PFMLIB_ERR_NOINIT, "number of PMDs");
	is_num(pfm_get_cycle_event(&event), PFMLIB_ERR_NOINIT, "cycle event");
	is_num(pfm_dispatch_events(&in, NULL, &out, NULL), PFMLIB_ERR_NOINIT,
	       "dispatch");
	is_text(pfm_strerror(PFMLIB_ERR_NOTFOUND), "no such event",
		"text of an error");
	is_text(pfm_strerror(-99), "unknown error", "text of no error");
	is_text(pfm_strerror(1), "unknown error", "text of a positive number");
}

static void test_names(const char *name)
{
	unsigned int desc, again, mask, count, i;
	char text[256], *copy;
	pfmlib_event_t event;
	size_t length;
	int code;

	is_num(pfm_find_event(name, &desc), 0, "an event with masks is found");
	is_num(pfm_find_event(name, &event), 0,
	       "as libpfm 2 does, by an event");
	is_num(event.event, desc, "which is the same");
	is_num(pfm_get_event_name(desc, text, sizeof(text)), 0, "its name");
	is_text(text, name, "is what was asked for");
	is_num(pfm_get_event_name(desc, text, strlen(name)), PFMLIB_ERR_FULL,
	       "a buffer without room for the zero byte");
	is_num(pfm_get_event_code(desc, &code), 0, "its code");
	is_num(pfm_find_event_bycode(code, &again), 0, "is found");
	while (again != desc &&
	       !pfm_find_event_bycode_next(again, code, &again))
		;
	is_num(again, desc, "and leads to the event");
	is_num(pfm_get_event_description(desc, &copy), 0, "its description");
	ok(strlen(copy) > 0, "is a text");
	free(copy);
	is_num(pfm_get_num_event_masks(desc, &count), 0, "its unit masks");
	ok(count > 0, "there are some");
	pfm_get_max_event_name_len(&length);
	for (i = 0; i < count; i++) {
		char full[512];

		if (pfm_get_event_mask_name(desc, i, text, sizeof(text)) ||
		    pfm_find_event_mask(desc, text, &mask) || mask != i ||
		    pfm_get_event_mask_code(desc, i, &mask) ||
		    pfm_get_event_mask_description(desc, i, &copy))
			break;
		free(copy);
		snprintf(full, sizeof(full), "%s:%s", name, text);
		if (pfm_find_full_event(full, &event) || event.num_masks != 1 ||
		    event.unit_masks[0] != i ||
		    pfm_get_full_event_name(&event, text, sizeof(text)) ||
		    strcmp(text, full) || strlen(full) > length)
			break;
	}
	is_num(i, count, "each has a name that is found");
	snprintf(text, sizeof(text), "%s:NOSUCHMASK", name);
	is_num(pfm_find_full_event(text, &event), PFMLIB_ERR_UMASK,
	       "unknown mask");
	is_num(pfm_find_event("NOSUCHEVENT", &desc), PFMLIB_ERR_NOTFOUND,
	       "unknown event");
	is_num(pfm_get_event_name(1U << 30, text, sizeof(text)),
	       PFMLIB_ERR_INVAL, "no descriptor");
	pfm_get_num_events(&count);
	for (i = 0, code = pfm_get_first_event(); code >= 0; i++)
		code = pfm_get_next_event(code);
	is_num(i, count, "libpfm 2's walk visits each event");
}

static void test_nehalem(const char *table)
{
	pfmlib_core_input_param_t model;
	pfmlib_regmask_t mask;
	pfmlib_event_t event;
	unsigned int num, i;
	char text[64];
	int type;

	(void)table;
	machine = intel_machine(4, 3, 1);
	test_before();
	is_num(pfm_initialize(), 0, "Nehalem");
	pfm_get_pmu_type(&type);
	is_num(type, PFMLIB_INTEL_NHM_PMU, "its type");
	pfm_get_pmu_name(text, sizeof(text));
	is_text(text, "Intel Nehalem", "its name");
	is_num(pfm_force_pmu(PFMLIB_AMD64_PMU), PFMLIB_ERR_NOTSUPP,
	       "another type");
	pfm_get_num_counters(&num);
	is_num(num, 7, "counters");
	pfm_get_num_pmcs(&num);
	is_num(num, 6, "PMCs: one for the fixed counters, and OFFCORE_RSP");
	pfm_get_impl_pmds(&mask);
	ok(pfm_regmask_isset(&mask, 3) && pfm_regmask_isset(&mask, 16) &&
		   pfm_regmask_isset(&mask, 18) &&
		   !pfm_regmask_isset(&mask, 19) &&
		   !pfm_regmask_isset(&mask, 32),
	   "fixed counters are PMD16 to PMD18");
	pfm_get_hw_counter_width(&num);
	is_num(num, 48, "width");
	test_names("MEM_INST_RETIRED");

	is_num(dispatch("UNHALTED_CORE_CYCLES", "INSTRUCTIONS_RETIRED",
			PFM_PLM3),
	       0, "cycles and instructions");
	is_num(out.pfp_pmd_count, 2, "two PMDs");
	is_num(out.pfp_pmds[0].reg_num, 17, "cycles in PMD17");
	is_num(out.pfp_pmds[1].reg_num, 16, "instructions in PMD16");
	is_num(out.pfp_pmc_count, 1, "one PMC");
	is_num(value_of(16), 0xaa, "PMC16: user, with interrupt");
	is_num(dispatch("UNHALTED_REFERENCE_CYCLES", NULL, PFM_PLM0 | PFM_PLM3),
	       0, "reference cycles");
	is_num(out.pfp_pmds[0].reg_num, 18, "in PMD18");
	is_num(value_of(16), 0xb00, "PMC16: kernel and user");
	is_num(dispatch("MEM_INST_RETIRED:LOADS", NULL, PFM_PLM3), 0, "loads");
	ok(out.pfp_pmds[0].reg_num < 4, "in a general counter");
	is_num(value_of(out.pfp_pmds[0].reg_num), 0x51010b, "its value");
	is_num(dispatch("MEM_INST_RETIRED", NULL, PFM_PLM3), PFMLIB_ERR_UMASK,
	       "a unit mask is missing");
	is_num(dispatch("MEM_INST_RETIRED:LOADS", NULL, 0), PFMLIB_ERR_INVAL,
	       "no level");

	dispatch("UNHALTED_CORE_CYCLES", NULL, PFM_PLM3);
	pfm_regmask_set(&in.pfp_unavail_pmcs, 16);
	is_num(pfm_dispatch_events(&in, NULL, &out, NULL), 0,
	       "without the fixed counters");
	ok(out.pfp_pmds[0].reg_num < 4, "a general one counts");
	is_num(value_of(out.pfp_pmds[0].reg_num), 0x51003c, "cycles");
	for (i = 0; i < 4; i++)
		pfm_regmask_set(&in.pfp_unavail_pmcs, i);
	is_num(pfm_dispatch_events(&in, NULL, &out, NULL), PFMLIB_ERR_NOASSIGN,
	       "without any counter");

	memset(&model, 0, sizeof(model));
	dispatch("INSTRUCTIONS_RETIRED", NULL, PFM_PLM3);
	model.pfp_core_counters[0].cnt_mask = 2;
	model.pfp_core_counters[0].flags = PFMLIB_CORE_SEL_INV;
	is_num(pfm_dispatch_events(&in, &model, &out, NULL), 0, "threshold");
	is_num(value_of(out.pfp_pmds[0].reg_num), 0x2d100c0, "in the register");
	model.pfp_core_pebs.pebs_used = 1;
	is_num(pfm_dispatch_events(&in, &model, &out, NULL), PFMLIB_ERR_NOTSUPP,
	       "PEBS");
	is_num(pfm_dispatch_events(&in, NULL, &out), 0,
	       "three arguments, as in the slides");

	is_num(dispatch("INSTRUCTIONS_RETIRED", NULL, PFM_PLM3), 0,
	       "one event");
	for (in.pfp_event_count = 0; in.pfp_event_count < 8;
	     in.pfp_event_count++)
		in.pfp_events[in.pfp_event_count] = in.pfp_events[0];
	is_num(pfm_dispatch_events(&in, NULL, &out, NULL), PFMLIB_ERR_TOOMANY,
	       "eight events on seven counters");
	is_num(pfm_get_cycle_event(&event), 0, "cycle event");
	pfm_get_full_event_name(&event, text, sizeof(text));
	is_text(text, "UNHALTED_CORE_CYCLES", "its name");
	is_num(pfm_get_event_counters(event.event, &mask), 0, "its counters");
	ok(pfm_regmask_isset(&mask, 0) && pfm_regmask_isset(&mask, 17) &&
		   !pfm_regmask_isset(&mask, 16),
	   "are the general ones and PMD17");
	is_num(pfm_get_inst_retired_event(&event), 0, "instructions");
}

static void test_barcelona(const char *table)
{
	pfmlib_amd64_input_param_t model;
	unsigned int num;
	int type;

	(void)table;
	machine = amd_machine(4);
	is_num(pfm_initialize(), 0, "Barcelona");
	pfm_get_pmu_type(&type);
	is_num(type, PFMLIB_AMD64_PMU, "its type");
	pfm_get_num_counters(&num);
	is_num(num, 4, "counters");
	is_num(dispatch("CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS", PFM_PLM3),
	       0, "cycles and instructions");
	is_num(value_of(out.pfp_pmds[0].reg_num), 0x510076, "cycles");
	is_num(value_of(out.pfp_pmds[1].reg_num), 0x5100c0, "instructions");
	is_num(dispatch("UNHALTED_CORE_CYCLES", NULL, PFM_PLM3), 0,
	       "Intel's name of cycles");
	is_num(value_of(out.pfp_pmds[0].reg_num), 0x510076,
	       "is the same event");
	memset(&model, 0, sizeof(model));
	model.pfp_amd64_counters[0].cnt_mask = 3;
	model.pfp_amd64_counters[0].flags = PFM_AMD64_SEL_EDGE;
	is_num(pfm_dispatch_events(&in, &model, &out, NULL), 0, "threshold");
	is_num(value_of(out.pfp_pmds[0].reg_num), 0x3550076, "in the register");
}

static void test_ibs(bool old)
{
	static pfmlib_output_param_t all;
	pfmlib_amd64_output_param_t model_out;
	pfmlib_amd64_input_param_t model;
	pfmlib_regmask_t mask;

	is_num(pfm_initialize(), 0, "AMD with IBS");
	pfm_get_impl_pmcs(&mask);
	ok(pfm_regmask_isset(&mask, old ? 4 : 192), "PMC of IBS fetch");
	memset(&model, 0, sizeof(model));
	is_num(pfm_dispatch_events(NULL, &model, &all, NULL), PFMLIB_ERR_INVAL,
	       "neither events nor IBS");
	model.flags = PFMLIB_AMD64_USE_IBSFETCH | PFMLIB_AMD64_USE_IBSOP;
	model.ibsfetch.maxcnt = 0x10;
	model.ibsfetch.options = IBS_OPTIONS_RANDEN;
	is_num(pfm_dispatch_events(NULL, &model, &all, &model_out),
	       PFMLIB_ERR_INVAL, "op without a period");
	model.ibsop.maxcnt = 0xffff;
	dispatch("RETIRED_INSTRUCTIONS", NULL, PFM_PLM3);
	is_num(pfm_dispatch_events(&in, &model, &all, &model_out), 0,
	       "an event and both flavours");
	is_num(all.pfp_pmc_count, 3, "three PMCs");
	is_num(all.pfp_pmcs[1].reg_num, old ? 4 : 192, "fetch");
	is_num(all.pfp_pmcs[1].reg_value, 1ULL << 57 | 1ULL << 48 | 0x10,
	       "its value");
	is_num(all.pfp_pmcs[2].reg_num, old ? 5 : 193, "op");
	is_num(all.pfp_pmcs[2].reg_value, 1 << 17 | 0xffff, "its value");
	is_num(all.pfp_pmd_count, 1 + 3 + 7, "PMDs");
	is_num(model_out.ibsfetch_base, 1, "where those of fetch begin");
	is_num(model_out.ibsop_base, 4, "where those of op begin");
	is_num(all.pfp_pmds[4].reg_num, old ? 7 : 193, "first one of op");
	is_num(all.pfp_pmds[10].reg_num, old ? 13 : 214, "last one of op");
}

static void test_k10(const char *table)
{
	(void)table;
	machine = ibs_machine(4, IBS_FETCH_BITS, IBS_OP_BITS);
	test_ibs(true);
}

static void test_zen(const char *table)
{
	(void)table;
	machine = ibs_machine(6, IBS_FETCH_BITS, IBS_OP_BITS);
	test_ibs(false);
}

static void test_arm(const char *table)
{
	pfmlib_event_t event;
	unsigned int num;

	(void)table;
	machine = armv8_machine(6);
	is_num(pfm_initialize(), 0, "Arm");
	pfm_get_num_counters(&num);
	is_num(num, 7, "counters");
	is_num(pfm_get_cycle_event(&event), 0, "cycle event");
	is_num(dispatch("CPU_CYCLES", "INST_RETIRED", PFM_PLM3), 0,
	       "cycles and instructions");
	is_num(out.pfp_pmds[0].reg_num, 31, "cycles in PMD31");
	is_num(value_of(out.pfp_pmds[1].reg_num) & 0xffff, 8, "instructions");
}

static void test_masks(void)
{
	pfmlib_regmask_t a = { 0 }, b = { 0 }, c;
	unsigned int weight;

	is_num(pfm_regmask_set(&a, 511), 0, "last bit");
	is_num(pfm_regmask_set(&a, 512), PFMLIB_ERR_INVAL, "bit behind it");
	pfm_regmask_set(&a, 3);
	pfm_regmask_set(&b, 3);
	pfm_regmask_weight(&a, &weight);
	is_num(weight, 2, "weight");
	pfm_regmask_and(&c, &a, &b);
	ok(pfm_regmask_eq(&c, &b) && !pfm_regmask_eq(&c, &a), "and");
	pfm_regmask_or(&c, &c, &a);
	ok(pfm_regmask_eq(&c, &a), "or");
	pfm_regmask_clr(&a, 511);
	ok(pfm_regmask_eq(&a, &b), "clear");
	pfm_regmask_copy(&c, &a);
	ok(pfm_regmask_isset(&c, 3) && !pfm_regmask_isset(&c, 511), "copy");
}

int main(void)
{
	test_masks();
	if (has_x86_tables()) {
		with_table("nhm", test_nehalem);
		with_table("amd64_fam10h_barcelona", test_barcelona);
		with_table("amd64_fam10h_barcelona", test_k10);
		with_table("amd64_fam19h_zen4", test_zen);
	} else {
		with_table("arm_n1", test_arm);
	}
	return tap_end();
}
