// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options that set fields of the registers of Intel and AMD: which event string, and which
 * code, or which refusal, comes out.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/perfmon.h>

#include "../../lib/tests/machine.h"
#include "../../lib/tests/tap.h"
#include "events/event_names.h"
#include "events/evtsel.h"

#define I EVTSEL_INTEL
#define A EVTSEL_AMD
#define X EVTSEL_OTHER

/* Options: counter, inv, edge, anythr, guest, host; the last ones may be left out. */
#define NONE_SET -1, -1, -1, -1, -1, -1
#define NONE { NONE_SET }

/**
 * struct sample - an event, and what it becomes
 * @maker: whose counters
 * @text: the event
 * @result: the event in the library's form; with @refused a part of the reason
 * @masks: values of the options
 * @refused: it is refused
 */
struct sample {
	enum evtsel_maker maker;
	const char *text;
	const char *result;
	struct evtsel_masks masks;
	bool refused;
};

#define TAKEN(maker, text, result) { maker, text, result, { NONE }, false }
#define REFUSED(maker, text, reason) { maker, text, reason, { NONE }, true }
#define WITH(maker, text, result, ...) { maker, text, result, { { __VA_ARGS__ } }, false }
#define WITHOUT(maker, text, reason, ...) { maker, text, reason, { { __VA_ARGS__ } }, true }

static const struct sample samples[] = {
	/* The library parses events; without options they stay as they are. */
	TAKEN(I, "cpu/event=0x0e,umask=0x01,cmask=1,inv/u", "cpu/event=0x0e,umask=0x01,cmask=1,inv/u"),
	TAKEN(A, "cpu/event=0xc0/GH", "cpu/event=0xc0/GH"),
	TAKEN(I, "cycles", "cycles"),
	TAKEN(I, "UOPS_ISSUED:ANY:c=1:u", "UOPS_ISSUED:ANY:c=1:u"),
	TAKEN(I, "raw:0x41010E", "raw:0x41010E"),
	TAKEN(X, "r1b", "r1b"),
	TAKEN(X, "cpu_cycles:k", "cpu_cycles:k"),

	REFUSED(X, "cpu/event=1/", "registers of Intel and AMD"),
	REFUSED(X, "raw:0x41010E", "registers of Intel and AMD"),
	REFUSED(X, "RAW:0x41010E", "registers of Intel and AMD"),

	/* Options add what the event does not name. */
	WITH(I, "cycles", "cycles:c=1:i", 1, 1, -1, -1, -1, -1),
	WITH(I, "cycles:u", "cycles:u:e:t", -1, -1, 1, 1, -1, -1),
	WITH(A, "cycles", "cycles:guest", -1, -1, -1, -1, 1, -1),
	WITH(A, "cycles", "cycles:c=255:i:e:host", 255, 1, 1, -1, -1, 1),
	WITH(I, "cycles", "cycles", 0, 0, 0, 0, -1, -1),
	WITH(I, "cycles:c=2", "cycles:c=2:i", 1, 1, -1, -1, -1, -1),
	WITH(I, "cycles:C=2:I=0", "cycles:C=2:I=0", 1, 1, -1, -1, -1, -1),
	WITH(I, "cycles.i", "cycles.i", -1, 1, -1, -1, -1, -1),
	WITH(I, "skl::UOPS_ISSUED:ANY", "skl::UOPS_ISSUED:ANY:c=1", 1, -1, -1, -1, -1, -1),
	WITH(I, "X:cold", "X:cold:c=1", 1, -1, -1, -1, -1, -1),
	WITH(I, "UOPS_ISSUED:ANY", "UOPS_ISSUED:ANY:t", -1, -1, -1, 1, -1, -1),
	WITH(I, "cpu/event=0x0e,umask=1/", "cpu/event=0x0e,umask=1/:c=1:i", 1, 1, -1, -1, -1, -1),
	WITH(I, "CPU/event=0x0e,umask=1/k", "CPU/event=0x0e,umask=1/k:e:t", -1, -1, 1, 1, -1, -1),
	WITH(I, "cpu/event=0x0e,cmask=2,inv=0/", "cpu/event=0x0e,cmask=2,inv=0/", 1, 1, -1, -1, -1, -1),
	WITH(I, "cpu/any,event=0x0e,edge/", "cpu/any,event=0x0e,edge/", -1, -1, 1, 1, -1, -1),
	WITH(I, "cpu/event=0x0e/:c=2", "cpu/event=0x0e/:c=2:i", 1, 1, -1, -1, -1, -1),
	WITH(A, "cpu/event=0x76/", "cpu/event=0x76/:guest:host", -1, -1, -1, -1, 1, 1),
	WITH(A, "cpu/event=0x76/G", "cpu/event=0x76/G:host", -1, -1, -1, -1, 1, 1),
	WITH(A, "cpu/event=0x76,guest=0/kH", "cpu/event=0x76,guest=0/kH", -1, -1, -1, -1, 1, 1),
	WITH(I, "r10e", "r10e:c=1:i", 1, 1, -1, -1, -1, -1),
	WITH(I, "r200010e", "r200010e:i", 1, 1, -1, -1, -1, -1),
	WITH(I, "0X184010e:u", "0X184010e:u", 2, 1, 1, -1, -1, -1),
	WITH(I, "R3a0010e", "R3a0010e:e", 2, 1, 1, 1, -1, -1),
	WITH(A, "r10000000076", "r10000000076:host", -1, -1, -1, -1, 1, 1),
	/* Not raw codes. */
	WITH(I, "r2000zz", "r2000zz:c=1", 1, -1, -1, -1, -1, -1),
	WITH(I, "r", "r:c=1", 1, -1, -1, -1, -1, -1),
	WITH(I, "face000000", "face000000:c=1", 1, -1, -1, -1, -1, -1),
	WITH(X, "cycles", "cycles", -1, -1, -1, -1, -1, -1),

	WITHOUT(X, "cycles", "--counter-mask is about counters of Intel and AMD", 1, -1, -1, -1, -1, -1),
	WITHOUT(X, "cycles", "--inv-mask is about counters of Intel and AMD", -1, 0, -1, -1, -1, -1),
	WITHOUT(I, "cycles", "--guest-mask is about counters of AMD", -1, -1, -1, -1, 1, -1),
	WITHOUT(I, "cycles", "--host-mask is about counters of AMD", -1, -1, -1, -1, -1, 1),
	WITHOUT(A, "cycles", "--anythr-mask is about counters of Intel", -1, -1, -1, 1, -1, -1),
	WITHOUT(I, "raw:0x41010e", "value of the whole register, to which --edge-mask", -1, -1, 1, -1, -1, -1),
};

static void check(const struct sample *sample)
{
	char event[160] = "", why[512] = "";
	int err = evtsel_translate(sample->text, sample->maker, &sample->masks,
				   event, sizeof(event), why, sizeof(why));
	bool right = sample->refused ? err && strstr(why, sample->result) :
				       !err && !strcmp(event, sample->result);

	if (!ok(right, "%d '%s'", sample->maker, sample->text))
		printf("# %d '%s' %s\n", err, event, why);
}

/**
 * struct whole - an event with options, and the code and levels that it becomes
 * @maker: whose counters
 * @text: the event
 * @code: the code; 0 it is refused
 * @plm: the levels
 * @reason: a part of the reason
 * @masks: values of the options
 */
struct whole {
	enum evtsel_maker maker;
	const char *text;
	uint64_t code;
	uint32_t plm;
	const char *reason;
	struct evtsel_masks masks;
};

#define CODE(maker, text, code, plm, ...) { maker, text, code, plm, NULL, { { __VA_ARGS__ } } }
#define NO_CODE(maker, text, reason, ...) { maker, text, 0, 0, reason, { { __VA_ARGS__ } } }

static const struct whole wholes[] = {
	CODE(I, "cpu/event=0x0e,umask=0x01,cmask=1,inv/", 0x0180010e, PFM_PLM_USER, NONE_SET),
	CODE(I, "cpu/inv,cmask=1,umask=1,event=14/k", 0x0180010e, PFM_PLM_KERNEL, NONE_SET),
	CODE(I, "cpu/event=0x0e,umask=1/k", 0x0180010e, PFM_PLM_KERNEL, 1, 1, -1, -1, -1, -1),
	CODE(I, "cpu/event=0x0e,umask=1,cmask=2/", 0x0284010e, PFM_PLM_USER, 1, 1, 1, -1, -1, -1),
	CODE(I, "cycles", 0x0120003c, PFM_PLM_USER, 1, -1, -1, 1, -1, -1),
	CODE(I, "r200010e", 0x0280010e, PFM_PLM_USER, 1, 1, -1, -1, -1, -1),
	CODE(I, "r10e:c=3", 0x0380010e, PFM_PLM_USER, 1, 1, -1, -1, -1, -1),
	CODE(A, "cpu/event=0x1d0,umask=2/G", 0x301000002d0, PFM_PLM_USER, -1, -1, -1, -1, 1, 1),
	NO_CODE(I, "cpu/umask=1/", "event 'cpu/umask=1/': the term 'event' is missing", NONE_SET),
	NO_CODE(I, "cpu/umask=1/", "the term 'event' is missing", 1, -1, -1, -1, -1, -1),
	NO_CODE(I, "cpu/event=1,event=2/", "'event' is given twice", NONE_SET),
	NO_CODE(A, "cpu/event=1/", "--anythr-mask is about counters of Intel", -1, -1, -1, 1, -1, -1),
#if defined(__x86_64__) || defined(__i386__)
	NO_CODE(I, "UOPS_ISSUED:ANY",
		"--anythr-mask: 'UOPS_ISSUED:ANY' does not have it on this processor",
		-1, -1, -1, 1, -1, -1),
	NO_CODE(I, "UOPS_ISSUED:NONE", "event 'UOPS_ISSUED:NONE:t': UOPS_ISSUED has no unit mask",
		-1, -1, -1, 1, -1, -1),
#endif
	NO_CODE(I, "task-clock", "--inv-mask: 'task-clock' is kept by software", -1, 1, -1, -1, -1, -1),
};

/* With the library, which parses what comes out. */
static void check_whole(const struct pfm_reg_map *map,
			const struct whole *whole)
{
	struct pfm_event event = { 0 };
	char why[1024] = "";
	int err = event_string_parse(map, whole->text, PFM_PLM_USER, &whole->masks,
				     &event, why, sizeof(why));
	bool right = whole->code ? !err && event.code == whole->code &&
					   event.plm == whole->plm :
				   err && strstr(why, whole->reason);

	if (!ok(right, "parsed: %d '%s'", whole->maker, whole->text))
		printf("# %d 0x%llx %s\n", err, (unsigned long long)event.code, why);
}

static void check_wholes(void)
{
	struct pfm_reg_map *intel = intel_machine(4, 3, 0),
			   *amd = amd_machine(6);
	size_t i;

	for (i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++)
		check_whole(wholes[i].maker == I ? intel : amd, &wholes[i]);
	pfm_reg_map_free(intel);
	pfm_reg_map_free(amd);
}

/* Whatever the room, nothing is written past it, and nothing is cut silently. */
static void test_room(const char *text)
{
	const struct evtsel_masks masks = { { 255, 1, 1, -1, -1, -1 } };
	char event[64], why[512];
	size_t size, taken = 0;
	bool within = true;

	for (size = 1; size < sizeof(event); size++) {
		memset(event, '#', sizeof(event));
		if (!evtsel_translate(text, EVTSEL_INTEL, &masks, event, size,
				      why, sizeof(why)))
			taken = taken ? taken : size;
		else
			within &= taken == 0 && strstr(why, "too long");
		within &= event[size] == '#';
	}
	ok(within && taken && taken == strlen(event) + 1, "room for '%s'", text);
}

int main(void)
{
	size_t i;

	/* A processor that cannot count both threads of a core. */
	setenv("LIBPFM_FORCE_PMU", "icl", 1);
	for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		check(&samples[i]);
	check_wholes();
	test_room("cpu/event=0xcd,umask=1,ldlat=3/uk");
	test_room("UOPS_ISSUED:ANY:u");
	ok(evtsel_maker("intel") == EVTSEL_INTEL, "intel");
	ok(evtsel_maker("amd") == EVTSEL_AMD, "amd");
	ok(evtsel_maker("armv8_pmuv3") == EVTSEL_OTHER, "Arm");
	ok(evtsel_maker("") == EVTSEL_OTHER, "no PMU");
	ok(evtsel_inv_alone(EVTSEL_INTEL, 0x0080010e), "inv without a counter mask");
	ok(!evtsel_inv_alone(EVTSEL_INTEL, 0x0180010e), "inv with one");
	ok(!evtsel_inv_alone(EVTSEL_INTEL, 0x010e), "neither");
	ok(!evtsel_inv_alone(EVTSEL_OTHER, 0x0080010e), "another PMU");
	return tap_end();
}
