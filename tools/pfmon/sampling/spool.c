// SPDX-License-Identifier: GPL-2.0-only
/*
 * A temporary file of samples.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "sampling/spool.h"

/**
 * struct spool_index - a sample in the file
 */
struct spool_index {
	uint64_t time;
	uint64_t offset;
};

static int tell(const char *what)
{
	say_error("cannot %s the temporary file of samples: %s", what,
		  strerror(errno ? errno : EIO));
	return -1;
}

int spool_open(struct spool *spool)
{
	memset(spool, 0, sizeof(*spool));
	spool->file = tmpfile();
	return spool->file ? 0 : tell("make");
}

static int make_room(struct spool *spool)
{
	if (!array_reserve(&spool->index, sizeof(*spool->index), &spool->room,
			   spool->count + 1))
		return 0;
	say_error("out of memory for the samples");
	return -1;
}

/* Addresses that are kept beside the places: none where ip is the only one. */
static uint32_t num_frames(const struct spooled *spooled)
{
	if (!spooled->sample.nkernel && !spooled->sample.nuser)
		return 0;
	return spooled->num_places;
}

static size_t tail_size(const struct spooled *spooled)
{
	return (spooled->sample.nvals + num_frames(spooled)) *
		       sizeof(uint64_t) +
	       spooled->sample.nbranches * sizeof(struct pfm_branch) +
	       spooled->num_places * sizeof(uint32_t);
}

/* A list without elements may be NULL, which fwrite() must not get. */
static int put(struct spool *spool, const void *list, size_t size, size_t count)
{
	return count && fwrite(list, size, count, spool->file) != count ? -1
									: 0;
}

int spool_add(struct spool *spool, const struct spooled *spooled,
	      const uint32_t *places)
{
	const struct sample *sample = &spooled->sample;
	struct spool_index *index;

	if (make_room(spool))
		return -1;
	index = &spool->index[spool->count];
	index->time = sample->tstamp;
	index->offset = ftello(spool->file);
	errno = 0;
	if (fwrite(spooled, sizeof(*spooled), 1, spool->file) != 1 ||
	    put(spool, sample->vals, sizeof(uint64_t), sample->nvals) ||
	    put(spool, sample->frames, sizeof(uint64_t), num_frames(spooled)) ||
	    put(spool, sample->branches, sizeof(struct pfm_branch),
		sample->nbranches) ||
	    put(spool, places, sizeof(uint32_t), spooled->num_places))
		return tell("write");
	spool->count++;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct spool_index *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void spool_sort(struct spool *spool)
{
	if (spool->count)
		qsort(spool->index, spool->count, sizeof(*spool->index),
		      by_time);
	/* After this, reading sees everything that was written. */
	rewind(spool->file);
}

int spool_read(struct spool *spool, size_t i, struct spooled *spooled,
	       const uint32_t **places)
{
	uint64_t offset = spool->index[i].offset;
	const uint64_t *frames;
	size_t size;

	errno = 0;
	/*
	 * A seek discards the stream's buffer, so avoid it: most samples follow
	 * each other.
	 */
	if (ftello(spool->file) != (off_t)offset &&
	    fseeko(spool->file, offset, SEEK_SET))
		return tell("read");
	if (fread(spooled, sizeof(*spooled), 1, spool->file) != 1)
		return tell("read");
	size = tail_size(spooled);
	/* One byte at least: places in a buffer that is NULL would be undefined. */
	if (array_reserve(&spool->buffer, 1, &spool->buffer_size, size + 1))
		return tell("read");
	if (size && fread(spool->buffer, 1, size, spool->file) != size)
		return tell("read");
	spooled->sample.vals = (const uint64_t *)spool->buffer;
	frames = spooled->sample.vals + spooled->sample.nvals;
	spooled->sample.frames = num_frames(spooled) ? frames : NULL;
	spooled->sample.branches =
		(const struct pfm_branch *)(frames + num_frames(spooled));
	*places = (const uint32_t *)(spooled->sample.branches +
				     spooled->sample.nbranches);
	return 0;
}

void spool_close(struct spool *spool)
{
	if (spool->file)
		fclose(spool->file);
	free(spool->index);
	free(spool->buffer);
	memset(spool, 0, sizeof(*spool));
}
