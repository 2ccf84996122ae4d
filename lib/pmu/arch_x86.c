// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The control register of a counter, as Intel and AMD have it in common.
 */
#include "pmu/arch_x86.h"

#include "base/text.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

void pfmi_x86_cpu(struct pfmi_x86_cpu *cpu)
{
	unsigned int eax, ebx, ecx, edx;

	memset(cpu, 0, sizeof(*cpu));
	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return;
	memcpy(cpu->vendor, &ebx, 4);
	memcpy(cpu->vendor + 4, &edx, 4);
	memcpy(cpu->vendor + 8, &ecx, 4);
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	cpu->family = eax >> 8 & 0xf;
	cpu->model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	if (cpu->family == 0xf)
		cpu->family += eax >> 20 & 0xff;
}
#else
void pfmi_x86_cpu(struct pfmi_x86_cpu *cpu)
{
	memset(cpu, 0, sizeof(*cpu));
}
#endif

static const struct pfmi_x86_modifier common[] = {
	{ "e", EVTSEL_EDGE },
	{ "i", EVTSEL_INV },
	{ "c", EVTSEL_CMASK },
	{ 0 }
};

static bool is_name(const char *field, size_t length, const char *name)
{
	size_t i;

	for (i = 0; i < length && name[i]; i++)
		if (pfmi_text_lower(field[i]) != name[i])
			return false;
	return i == length && !name[i];
}

bool pfmi_x86_field(struct pfm_event *event, const char *field,
		    const struct pfmi_x86_modifier *list)
{
	size_t length = strcspn(field, "=");
	uint64_t number = 1;

	for (; list->name; list++) {
		uint64_t lowest = list->bits & -list->bits;

		if (!is_name(field, length, list->name))
			continue;
		if (field[length]) {
			if (!pfmi_text_number(field + length + 1, &number))
				return false;
		} else if (list->bits != lowest) {
			return false;
		}
		if (number > list->bits / lowest)
			return false;
		event->code = (event->code & ~list->bits) | number * lowest;
		return true;
	}
	return false;
}

bool pfmi_x86_modifier(struct pfm_event *event, const char *field,
		       const struct pfmi_x86_modifier *list)
{
	return pfmi_x86_field(event, field, common) ||
	       pfmi_x86_field(event, field, list);
}

/*
 * INT and EN are taken and left out: the kernel module sets both in every counter that
 * counts, so they do not change the event.  Values from manuals and from libpfm4 have them.
 */
bool pfmi_x86_take_register(struct pfm_event *event, uint64_t value,
			    uint64_t code_bits)
{
	if (value & EVTSEL_USR)
		event->plm |= PFM_PLM_USER;
	if (value & EVTSEL_OS)
		event->plm |= PFM_PLM_KERNEL;
	event->code = value & ~(EVTSEL_USR | EVTSEL_OS | EVTSEL_INT | EVTSEL_EN);
	return !(event->code & ~code_bits);
}

uint64_t pfmi_x86_levels(const struct pfm_event *event)
{
	uint64_t value = 0;

	if (event->plm & PFM_PLM_USER)
		value |= EVTSEL_USR;
	if (event->plm & PFM_PLM_KERNEL)
		value |= EVTSEL_OS;
	return value;
}
