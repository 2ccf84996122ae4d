/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 PMU for QEMU's TCG: what QEMU's own files call. hooks.patch adds the calls.
 *
 * All of it but options, realize and reset runs in the thread that executes the CPUs. The
 * functions that take an env must be called where the instruction counter is exact: from the
 * helper of an instruction that ends its translation block, or between blocks.
 */
#ifndef X86_PMU_HOOKS_H
#define X86_PMU_HOOKS_H

enum x86_pmu_access {
	X86_PMU_NOT_MINE, /* no register of the PMU */
	X86_PMU_DONE,
	X86_PMU_FAULT, /* the guest gets #GP */
};

/*
 * What kind of branch an instruction is. While the CPU records branches, translation blocks have
 * the flag, one instruction each, and x86_pmu_insn() is called before each of these with its
 * branch and, above that, its length in bytes.
 */
enum x86_pmu_branch {
	X86_PMU_BRANCH_NONE,
	X86_PMU_BRANCH_CONDITIONAL,
	X86_PMU_BRANCH_JUMP,
	X86_PMU_BRANCH_JUMP_INDIRECT,
	X86_PMU_BRANCH_CALL,
	X86_PMU_BRANCH_CALL_INDIRECT,
	X86_PMU_BRANCH_RETURN,
	X86_PMU_BRANCH_FAR,
};
#define X86_PMU_BRANCH_BITS 4
#define X86_PMU_CF_BRANCHES 0x00800000

/* The CPU options pmu-... */
void x86_pmu_class_init(ObjectClass *oc);

/* A CPU with the option pmu=on gets its PMU. */
bool x86_pmu_realize(X86CPU *cpu, Error **errp);

/* The CPU goes on executing after it may have been halted, or reset. */
void x86_pmu_exec_enter(X86CPU *cpu);

/* The CPU's turn ends, or it has executed up to its icount_stop, or it has halted. */
void x86_pmu_exec_exit(X86CPU *cpu);

/* The CPL becomes cpl; called before it does, at every load of SS. */
void x86_pmu_cpl_change(CPUX86State *env, int cpl);

/* The CPU is about to enter or leave the guest mode of SVM. */
void x86_pmu_guest_change(CPUX86State *env, bool guest);

/* An NMI is taken; called when the next one is blocked. */
void x86_pmu_nmi_taken(CPUX86State *env);

/* An IRET has ended, which unblocks NMIs; called before it does. */
void x86_pmu_nmi_unblocked(CPUX86State *env);

/* An interrupt (of the hardware) or a fault is about to be delivered. */
void x86_pmu_vectoring(CPUX86State *env, bool interrupt);

/* An interrupt or a fault was delivered: its handler is what the CPU executes next. */
void x86_pmu_vectored(CPUX86State *env);

/* Bits of the local APIC's version register */
uint32_t x86_pmu_apic_version(X86CPU *cpu);
/* Registers of the local APIC that QEMU does not have, by address / 16; false: nor has the PMU */
bool x86_pmu_apic_read(X86CPU *cpu, int index, uint32_t *value);
bool x86_pmu_apic_write(X86CPU *cpu, int index, uint32_t value);

/* Changes what the processor says without this PMU; regs are EAX, EBX, ECX and EDX. */
void x86_pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf,
		   uint32_t *regs);

enum x86_pmu_access x86_pmu_rdmsr(CPUX86State *env, uint32_t msr,
				  uint64_t *value);
enum x86_pmu_access x86_pmu_wrmsr(CPUX86State *env, uint32_t msr,
				  uint64_t value);
enum x86_pmu_access x86_pmu_rdpmc(CPUX86State *env, uint32_t index,
				  uint64_t *value);

#endif /* X86_PMU_HOOKS_H */
