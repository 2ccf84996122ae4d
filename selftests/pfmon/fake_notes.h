/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notes of what contexts of the made-up kernel are asked for, by the names of the interface: lines of
 * FAKE_CALLS, with the word "tell".
 *
 * A part of fake_kernel.c, which has the context.
 */
#ifndef FAKE_NOTES_H
#define FAKE_NOTES_H

#define NOTE_FLAG(flags, flag)                         \
	do {                                           \
		if ((flags) & (flag))                  \
			add_line("FAKE_CALLS", #flag); \
	} while (0)

static void note_create(const struct pfm_create *arg)
{
	const struct pfm_default_arg *buffer = (void *)(uintptr_t)arg->fmt_arg;
	char line[64];

	if (arg->fmt_arg_size == sizeof(*buffer)) {
		snprintf(line, sizeof(line), "buf_size %llu",
			 (unsigned long long)buffer->buf_size);
		add_line("FAKE_CALLS", line);
	}
	NOTE_FLAG(arg->flags, PFM_CTX_NOTIFY_BLOCK);
	NOTE_FLAG(arg->flags, PFM_CTX_SYSTEM_WIDE);
	NOTE_FLAG(arg->flags, PFM_CTX_AGGREGATE);
	NOTE_FLAG(arg->flags, PFM_CTX_FOLLOW_FORK);
	NOTE_FLAG(arg->flags, PFM_CTX_FOLLOW_VFORK);
	NOTE_FLAG(arg->flags, PFM_CTX_FOLLOW_CLONE);
	NOTE_FLAG(arg->flags, PFM_CTX_FOLLOW_EXEC);
}

static void note_bits(const char *what, const __u64 *bits)
{
	char line[64];
	unsigned int i;

	for (i = 0; i < 64 * PFM_BV_WORDS; i++) {
		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		snprintf(line, sizeof(line), "%s %u", what, i);
		add_line("FAKE_CALLS", line);
	}
}

static void note_attrs(const struct pfm_regs *arg)
{
	const struct pfm_pmd_attr *attr = (void *)(uintptr_t)arg->regs;
	unsigned int i;
	char line[128];

	for (i = 0; i < arg->count; i++, attr++) {
		snprintf(line, sizeof(line), "long_reset %lld short_reset %lld",
			 (long long)attr->long_reset,
			 (long long)attr->short_reset);
		add_line("FAKE_CALLS", line);
		NOTE_FLAG(attr->flags, PFM_PMDF_NOTIFY);
		NOTE_FLAG(attr->flags, PFM_PMDF_RANDOM);
		NOTE_FLAG(attr->flags, PFM_PMDF_FREQUENCY);
		note_bits("smpl_pmds", attr->smpl_pmds);
		note_bits("reset_pmds", attr->reset_pmds);
	}
}

static void note_sets(const struct pfm_regs *arg)
{
	const struct pfm_set_desc *desc = (void *)(uintptr_t)arg->regs;
	unsigned int i;

	for (i = 0; i < arg->count; i++, desc++) {
		NOTE_FLAG(desc->flags, PFM_SETFL_EXCL_INTR);
		NOTE_FLAG(desc->flags, PFM_SETFL_INTR_ONLY);
	}
}

static void note_asked(unsigned long request, const void *arg)
{
	if (request == PFM_IOC_CREATE_CONTEXT)
		note_create(arg);
	if (request == PFM_IOC_WRITE_PMDATTRS)
		note_attrs(arg);
	if (request == PFM_IOC_CREATE_EVTSET)
		note_sets(arg);
	if (request == PFM_IOC_START)
		add_line("FAKE_CALLS", "PFM_IOC_START");
}

#endif
