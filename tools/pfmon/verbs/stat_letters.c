// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of perf stat and perf record that the verb stat does not have: what to type instead.
 */
#include <stddef.h>
#include <string.h>

#include "verbs/stat.h"

static const char sampling[] =
	"stat counts; 'pfmon record -- COMMAND' samples, and 'pfmon report' shows where";
static const char frequency[] =
	"stat counts; 'pfmon record -F HZ -- COMMAND' takes samples";
static const char stacks[] =
	"stat counts; call stacks are sampled with 'pfmon record -g -- COMMAND'";
static const char transactions[] =
	"name the events of transactions with -e; 'pfmon list tx' shows them";
static const char none[] = "count what costs no counter: -e task-clock";
static const char bpf[] =
	"nothing here is counted by BPF programs; leave it out";
static const char sync_[] =
	"run 'sync' before; with -r, as a part of COMMAND: sh -c 'sync; ...'";
static const char period[] =
	"stat counts; 'pfmon record -c PERIOD -- COMMAND' takes samples";

static const struct {
	char letter;
	const char *name;
	const char *why;
} missing[] = {
	{ 'F', "freq", frequency },
	{ 'S', "sync", sync_ },
	{ 'T', "transaction", transactions },
	{ 'b', "bpf-prog", bpf },
	{ 'c', "count", period },
	{ 'g', "call-graph", stacks },
	{ 'l', NULL, "'pfmon list' has the names of events" },
	{ 'n', "null", none },
	{ 's', "sort", sampling },
	{ 0, "frequency", frequency },
	{ 0, "long-smpl-periods", sampling },
	{ 0, "post", "run it behind COMMAND: sh -c 'COMMAND; ...'" },
	{ 0, "pre", "run it before COMMAND: sh -c '...; COMMAND'" },
	{ 0, "short-smpl-periods", sampling },
	{ 0, "smpl-module", sampling },
};

const char *stat_missing_letter(char letter)
{
	size_t i;

	for (i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (missing[i].letter == letter)
			return missing[i].why;
	return NULL;
}

const char *stat_missing_name(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (missing[i].name && strlen(missing[i].name) == length &&
		    !strncmp(missing[i].name, name, length))
			return missing[i].why;
	return NULL;
}
