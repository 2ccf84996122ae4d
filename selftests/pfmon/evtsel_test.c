// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of Intel and AMD that are written field by field, and the options that set
 * fields: which code, or which refusal, comes out.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "events/evtsel.h"

#define I EVTSEL_INTEL
#define A EVTSEL_AMD
#define X EVTSEL_OTHER

/* Options: counter, inv, edge, anythr, guest, host; the last ones may be left out. */
#define NONE { -1, -1, -1, -1, -1, -1 }

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
	TAKEN(I, "cpu/event=0x0e,umask=0x01/", "r10e"),
	TAKEN(I, "cpu/event=0x0e,umask=0x01,cmask=1,inv/", "r180010e"),
	TAKEN(I, "cpu/inv,cmask=1,umask=1,event=14/", "r180010e"),
	TAKEN(I, "CPU/event=0x3c/", "r3c"),
	TAKEN(I, "cpu/event=0/", "r0"),
	TAKEN(I, "cpu/event=0x3C,umask=0xFF,cmask=255/", "rff00ff3c"),
	TAKEN(I, "cpu/event=0xc0,edge,any/", "r2400c0"),
	TAKEN(I, "cpu/event=0xc0,edge=0,any=0,inv=0/", "rc0"),
	TAKEN(I, "cpu/event=0xc0,edge=1/", "r400c0"),
	TAKEN(I, "cpu/event=0xc0,in_tx/", "r1000000c0"),
	TAKEN(I, "cpu/event=0xc0,in_tx_cp=1/", "r2000000c0"),
	TAKEN(I, "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/", "r1b7:offcore_rsp=0x10001"),
	TAKEN(I, "cpu/event=0xcd,umask=1,ldlat=3/u", "r1cd:ldlat=3:u"),
	TAKEN(I, "cpu/event=0xc0/u", "rc0:u"),
	TAKEN(I, "cpu/event=0xc0/k", "rc0:k"),
	TAKEN(I, "cpu/event=0xc0/uk", "rc0:uk"),
	TAKEN(I, "cpu/event=0xc0/:ku", "rc0:ku"),
	TAKEN(I, "cpu/event=0xc0/uuu", "rc0:u"),
	TAKEN(A, "cpu/event=0x76/", "r76"),
	TAKEN(A, "cpu/event=0x1cf,umask=2/", "r1000002cf"),
	TAKEN(A, "cpu/event=0xfff/", "rf000000ff"),
	TAKEN(A, "cpu/event=0xc0,cmask=2,inv,edge/", "r28400c0"),
	TAKEN(A, "cpu/event=0xc0/G", "r100000000c0"),
	TAKEN(A, "cpu/event=0xc0/H", "r200000000c0"),
	TAKEN(A, "cpu/event=0xc0/kGH", "r300000000c0:k"),

	/* What the library takes already stays as it is. */
	TAKEN(I, "cycles", "cycles"),
	TAKEN(I, "UOPS_ISSUED:ANY:c=1:u", "UOPS_ISSUED:ANY:c=1:u"),
	TAKEN(I, "raw:0x41010E", "raw:0x41010E"),
	TAKEN(X, "r1b", "r1b"),
	TAKEN(X, "cpu_cycles:k", "cpu_cycles:k"),

	REFUSED(I, "cpu/event=0x100/", "'event=0x100': the largest number is 255"),
	REFUSED(A, "cpu/event=0x1000/", "'event=0x1000': the largest number is 4095"),
	REFUSED(I, "cpu/event=1,umask=256/", "'umask=256': the largest number is 255"),
	REFUSED(I, "cpu/event=1,cmask=0x100/", "the largest number is 255"),
	REFUSED(I, "cpu/event=1,inv=2/", "'inv=2': the largest number is 1"),
	REFUSED(I, "cpu/event=1,umask=-1/", "'-1' is not a number"),
	REFUSED(I, "cpu/event=0x/", "'0x' is not a number"),
	REFUSED(I, "cpu/event=0xg/", "'0xg' is not a number"),
	REFUSED(I, "cpu/event=1,umask= 1/", "' 1' is not a number"),
	REFUSED(I, "cpu/event=0x10000000000000001/", "is not a number"),
	REFUSED(I, "cpu/event=99999999999999999999/", "is not a number"),
	REFUSED(I, "cpu/event=/", "'' is not a number"),
	REFUSED(I, "cpu/event/", "'event' needs a value"),
	REFUSED(I, "cpu/event=1,cmask/", "'cmask' needs a value"),
	REFUSED(I, "cpu/event=1,offcore_rsp/", "no field 'offcore_rsp'"),
	REFUSED(I, "cpu/umask=1/", "the field 'event' is missing"),
	REFUSED(I, "cpu//", "empty field"),
	REFUSED(I, "cpu/event=1,/", "empty field"),
	REFUSED(I, "cpu/event=1,event=2/", "'event' is given twice"),
	REFUSED(I, "cpu/event=1,inv,inv=0/", "'inv' is given twice"),
	REFUSED(I, "cpu/event=1,ldlat=1,frontend=2/", "'ldlat=1' and 'frontend=2' cannot be combined"),
	REFUSED(I, "cpu/event=1,pc/",
		"Intel have no field 'pc'; they have event, umask, cmask, inv, edge, any, in_tx, in_tx_cp"),
	REFUSED(A, "cpu/event=1,any/", "AMD have no field 'any'; they have event, umask, cmask, inv, edge"),
	REFUSED(A, "cpu/event=1,offcore_rsp=1/", "AMD have no field 'offcore_rsp'"),
	REFUSED(I, "cpu/event=1", "the '/' at the end is missing"),
	REFUSED(I, "cpu/event=1/p", "no modifier 'p'; the counters of Intel have u, k"),
	REFUSED(I, "cpu/event=1/uG", "no modifier 'G'"),
	REFUSED(A, "cpu/event=1/h", "no modifier 'h'; the counters of AMD have u, k, G and H"),
	REFUSED(I, "cpu/event=1/u,", "no modifier ','"),
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
	WITH(I, "cpu/event=0x0e,umask=1/", "r180010e", 1, 1, -1, -1, -1, -1),
	WITH(I, "cpu/event=0x0e,umask=1/k", "r24010e:k", -1, -1, 1, 1, -1, -1),
	WITH(I, "cpu/event=0x0e,cmask=2,inv=0/", "r200000e", 1, 1, -1, -1, -1, -1),
	WITH(A, "cpu/event=0x76/", "r30000000076", -1, -1, -1, -1, 1, 1),
	WITH(A, "cpu/event=0x76/G", "r10000000076", -1, -1, -1, -1, 1, 0),
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

	for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		check(&samples[i]);
	test_room("cpu/event=0xcd,umask=1,ldlat=3/uk");
	test_room("UOPS_ISSUED:ANY:u");
	ok(evtsel_maker("intel") == EVTSEL_INTEL, "intel");
	ok(evtsel_maker("amd") == EVTSEL_AMD, "amd");
	ok(evtsel_maker("armv8_pmuv3") == EVTSEL_OTHER, "Arm");
	ok(evtsel_maker("") == EVTSEL_OTHER, "no PMU");
	return tap_end();
}
