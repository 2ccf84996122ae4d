/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kind of an x86 processor, decoded from CPUID.
 */
#ifndef PFMON_PROCESSOR_X86_CPU_H
#define PFMON_PROCESSOR_X86_CPU_H

#include <stdbool.h>

struct cpuid;

/**
 * enum x86_maker - whose rules the counters follow
 */
enum x86_maker {
	X86_OTHER,
	X86_INTEL,
	X86_AMD, /* also Hygon, whose processors are made after AMD's */
};

/**
 * enum x86_core - types of cores in a hybrid processor
 */
enum x86_core {
	X86_CORE_ONLY, /* the processor is not hybrid */
	X86_CORE_EFFICIENT, /* Intel Atom */
	X86_CORE_PERFORMANCE, /* Intel Core */
	X86_CORE_UNKNOWN,
};

/**
 * struct x86_cpu - a CPU
 * @maker: how to decode its counters
 * @vendor: as the processor writes it, for instance "GenuineIntel"
 * @name: name of the product; empty if it has none
 * @family: with the extension that later processors have
 * @model: with that extension
 * @stepping: revision of the model
 * @core: type of the core
 * @hypervisor: the CPU is one of a virtual machine
 * @hypervisor_id: as the hypervisor writes it, for instance "KVMKVMKVM"; may be empty
 */
struct x86_cpu {
	enum x86_maker maker;
	char vendor[13];
	char name[49];
	unsigned int family;
	unsigned int model;
	unsigned int stepping;
	enum x86_core core;
	bool hypervisor;
	char hypervisor_id[13];
};

/* Returns 0, or -1 if CPUID does not even have the leaves 0 and 1. */
int x86_cpu_decode(const struct cpuid *cpuid, struct x86_cpu *cpu);

#endif
