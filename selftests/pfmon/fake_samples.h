/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling buffers of the made-up kernel, with the samples of FAKE_SAMPLES or the entries in the file
 * FAKE_ENTRIES, and the mappings of FAKE_IMAGE.
 *
 * A part of fake_kernel.c, which has the context.
 */
#ifndef FAKE_SAMPLES_H
#define FAKE_SAMPLES_H

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/*
 * The branches of a loop of 16 bytes at the address: back to its start, which every other sample has
 * mispredicted, in 7 cycles, and the call that led to it.
 */
static uint64_t *add_branches(struct pfm_default_entry *entry, uint64_t *to,
			      uint64_t address)
{
	static bool mispredicted;
	const uint64_t info = PFM_BRANCH_INFO_TIMED | 7 |
			      (uint64_t)PFM_BRANCH_IS_COND
				      << PFM_BRANCH_INFO_KIND_SHIFT;
	struct pfm_branch branches[] = {
		{ address + 16, address,
		  info | (mispredicted ? PFM_BRANCH_INFO_MISPREDICTED
				       : PFM_BRANCH_INFO_PREDICTED) },
		{ address + 16, address, info | PFM_BRANCH_INFO_PREDICTED },
		{ address + 32, address,
		  (uint64_t)PFM_BRANCH_IS_CALL << PFM_BRANCH_INFO_KIND_SHIFT },
	};

	mispredicted = !mispredicted;
	entry->nr_branches = 3;
	memcpy(to, branches, sizeof(branches));
	return to + sizeof(branches) / sizeof(*to);
}

/* @hdr: the lane, or a part of it, which has the same layout. */
static void add_sample(struct context *ctx, struct pfm_default_hdr *hdr,
		       uint64_t address)
{
	struct pfm_default_entry *entry = (void *)((char *)hdr + hdr->hdr_cur_offs);
	const struct pfm_pmd_attr *attr = &ctx->attrs[hdr->hdr_count % ctx->num_attrs];
	uint64_t *value = (uint64_t *)(entry + 1);
	unsigned int i, k;

	entry->tid = ctx->pid;
	entry->pid = ctx->pid;
	entry->cpu = ctx->cpu >= 0 ? ctx->cpu : 0;
	entry->ovfl_pmd = attr->num;
	entry->last_reset_val = attr->short_reset;
	entry->ip = address;
	entry->tstamp = 1000 * ++hdr->hdr_count;
	if (ctx->cpu >= 0 && getenv("FAKE_PID")) {
		entry->pid = atoi(getenv("FAKE_PID"));
		entry->tid = entry->pid;
		entry->tstamp += now();
	}
	for (i = 0; i < PFM_BV_WORDS; i++)
		for (k = 0; k < 64; k++)
			if (attr->smpl_pmds[i] >> k & 1)
				*value++ = 64 * i + k + 0x1000;
	if (branch_filter)
		value = add_branches(entry, value, address);
	hdr->hdr_cur_offs = (char *)value - (char *)hdr;
}

static void add_stack(struct context *ctx, uint64_t address)
{
	struct pfm_callstack_hdr *hdr = (void *)ctx->lane;
	struct pfm_nway_part *part = (void *)(ctx->lane + sizeof(*hdr));
	struct pfm_callstack_entry *entry =
		(void *)((char *)part + part->cur_offs);
	uint64_t *frames = (uint64_t *)(entry + 1);

	*entry = (struct pfm_callstack_entry){
		.tid = ctx->pid,
		.pid = ctx->pid,
		.ovfl_pmd = ctx->attrs[0].num,
		.last_reset_val = ctx->attrs[0].short_reset,
		.ip = address,
		.tstamp = 1000 * ++part->count,
		.nr_user = 2,
	};
	frames[0] = address;
	frames[1] = address + 0x20;
	part->cur_offs += sizeof(*entry) + 2 * sizeof(*frames);
	hdr->nway.samples++;
}

/* The parts are not read while they are filled, so a sample that finds no room is lost. */
static void add_to_part(struct context *ctx, uint64_t address)
{
	struct pfm_nway_hdr *hdr = (void *)ctx->lane;
	struct pfm_nway_part *part;

	if (hdr->filled == hdr->parts) {
		hdr->lost++;
		return;
	}
	part = sets_part(ctx->lane, hdr->filled + 1);
	part->seq = hdr->filled + 1;
	add_sample(ctx, (void *)part, address);
	hdr->samples++;
	if (part->cur_offs + part->min_space <= part->size)
		return;
	part->overflows = 1;
	hdr->filled++;
}

/* A reservoir whose slots are filled in turn. */
static void add_to_reservoir(struct context *ctx, uint64_t address)
{
	struct reservoir_hdr *hdr = (void *)ctx->lane;
	struct reservoir_entry *entries = (void *)(hdr + 1);

	entries[hdr->seen % hdr->slots] = (struct reservoir_entry){
		.number = hdr->seen + 1,
		.ip = address,
		.tstamp = 1000 * (hdr->seen + 1),
		.last_reset = ctx->attrs[0].short_reset,
		.pid = ctx->pid,
		.tid = ctx->pid,
		.pmd = ctx->attrs[0].num,
	};
	hdr->seen++;
	if (hdr->entries < hdr->slots)
		hdr->entries++;
}

/* The entries of a buffer of the default format that is in a file; the header keeps its own sizes. */
static void load_entries(struct context *ctx, const char *name)
{
	struct pfm_default_hdr *hdr = (void *)ctx->lane, from;
	FILE *file = fopen(name, "re");

	if (!file)
		return;
	if (fread(&from, sizeof(from), 1, file) == 1 &&
	    fread(hdr + 1, 1, LANE_SIZE - sizeof(*hdr), file) + sizeof(*hdr) ==
		    from.hdr_cur_offs) {
		hdr->hdr_count = from.hdr_count;
		hdr->hdr_cur_offs = from.hdr_cur_offs;
		ctx->overflows += from.hdr_count;
	}
	fclose(file);
}

static void fill_buffer(struct context *ctx)
{
	const char *list = getenv("FAKE_SAMPLES");
	struct pfm_default_hdr *hdr = (void *)ctx->lane;
	unsigned long address, count;
	char *end;

	while (list && *list) {
		address = strtoul(list, &end, 0);
		count = *end == ':' ? strtoul(end + 1, &end, 0) : 1;
		ctx->overflows += count;
		while (count-- && ctx->lane)
			if (ctx->reservoir)
				add_to_reservoir(ctx, address);
			else if (ctx->stacks)
				add_stack(ctx, address);
			else if (ctx->logs)
				add_to_part(ctx, address);
			else
				add_sample(ctx, hdr, address);
		list = *end ? end + 1 : end;
	}
	if (mode("malformed") && ctx->reservoir)
		((struct reservoir_hdr *)ctx->lane)->entries = 1 << 24;
	if (ctx->stacks || ctx->logs || ctx->reservoir || !ctx->lane)
		return;
	if (getenv("FAKE_ENTRIES"))
		load_entries(ctx, getenv("FAKE_ENTRIES"));
	hdr->hdr_lost = mode("lost") ? 25 : 0;
	if (mode("malformed"))
		hdr->hdr_count += 1000;
}

static void make_buffer(struct context *ctx, const struct pfm_create *arg)
{
	const struct pfm_default_arg *def = (void *)(uintptr_t)arg->fmt_arg;
	struct pfm_default_hdr *hdr = (void *)ctx->lane;

	hdr->hdr_version = PFM_DEFAULT_VERSION;
	hdr->hdr_buf_size = def->buf_size;
	hdr->hdr_cur_offs = sizeof(*hdr);
	hdr->hdr_min_buf_space = sizeof(struct pfm_default_entry);
}

static void make_stacks(struct context *ctx)
{
	struct pfm_callstack_hdr *hdr = (void *)ctx->lane;
	struct pfm_nway_part *part = (void *)(ctx->lane + sizeof(*hdr));

	hdr->nway.version = PFM_NWAY_VERSION;
	hdr->nway.parts = 2;
	hdr->nway.part_offs = sizeof(*hdr);
	hdr->nway.part_size = (LANE_SIZE - sizeof(*hdr)) / 16 * 8;
	hdr->nway.part_room = hdr->nway.part_size;
	part->seq = 1;
	part->cur_offs = sizeof(*part);
}

static void make_lane(struct context *ctx, const struct pfm_create *arg)
{
	ctx->lane = (void *)syscall(SYS_mmap, NULL, LANE_SIZE,
				    PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ctx->logs = arg->fmt_arg_size == sizeof(struct pfm_nway_arg) &&
		    arg->fmt_uuid[0] == 0x2d;
	ctx->stacks = arg->fmt_uuid[0] == 0x6a;
	ctx->reservoir = !memcmp(arg->fmt_uuid, reservoir_uuid, PFM_UUID_LEN);
	if (ctx->reservoir)
		((struct reservoir_hdr *)ctx->lane)->slots =
			((struct reservoir_arg *)(uintptr_t)arg->fmt_arg)->slots;
	else if (ctx->logs)
		sets_make_lane(ctx->lane, (void *)(uintptr_t)arg->fmt_arg);
	else if (ctx->stacks)
		make_stacks(ctx);
	else
		make_buffer(ctx, arg);
}

static void read_maps(struct context *ctx, struct pfm_read_records *arg)
{
	struct pfm_map *map = (void *)(uintptr_t)arg->buf;
	const char *image = getenv("FAKE_IMAGE");

	arg->count = 0;
	arg->used = 0;
	if (ctx->maps_taken || !image)
		return;
	ctx->maps_taken = true;
	memset(map, 0, sizeof(*map));
	map->pid = ctx->pid;
	map->start = IMAGE_BASE;
	map->end = 2 * IMAGE_BASE;
	map->path_len = strlen(image);
	map->size = (sizeof(*map) + map->path_len + 8) & ~7U;
	memcpy(map->path, image, map->path_len);
	arg->count = 1;
	arg->used = map->size;
}

#endif
