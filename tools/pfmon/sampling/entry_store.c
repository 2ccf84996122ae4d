// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries of formats that describe themselves, kept until the end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "sampling/described.h"
#include "sampling/entry_store.h"

/**
 * struct entry_index - where an entry is
 * @time: its time
 * @count: samples that it stands for, of a histogram; 0 otherwise
 * @offset: its place in the file, or the order in which it was added
 * @sum: the entry, if it is one of a histogram; NULL: it is in the file
 */
struct entry_index {
	uint64_t time;
	uint64_t count;
	uint64_t offset;
	struct stored_entry *sum;
};

static int no_memory(void)
{
	say_error("out of memory for the entries of the sampling format");
	return -1;
}

static int tell(const char *what)
{
	say_error("cannot %s the temporary file of entries: %s", what,
		  strerror(errno ? errno : EIO));
	return -1;
}

const void *stored_entry_bytes(const struct stored_entry *entry)
{
	return entry + 1;
}

const uint32_t *stored_entry_places(const struct stored_entry *entry)
{
	return (const uint32_t *)((const char *)(entry + 1) + entry->size);
}

/* Bytes behind the head: an entry has a multiple of 8. */
static size_t tail_size(const struct stored_entry *head)
{
	return head->size + head->num_places * sizeof(uint32_t);
}

static const struct pfm_format_field *field_of(const struct entry_store *store,
					       uint32_t type, unsigned int i)
{
	return pfm_format_field(store->described->format, type, i);
}

/* True if a field adds up, or says when: then it does not tell entries apart. */
static bool is_sum(const struct pfm_format_field *field)
{
	return field->kind == PFM_FORMAT_COUNT ||
	       field->kind == PFM_FORMAT_PERIOD ||
	       field->kind == PFM_FORMAT_TIME;
}

/* Clears these fields in a copy of the bytes. */
static void clear_sums(const struct entry_store *store, uint32_t type,
		       unsigned char *bytes)
{
	const struct pfm_format_field *field;
	unsigned int i;

	for (i = 0; (field = field_of(store, type, i)); i++)
		if (is_sum(field))
			memset(bytes + field->offset, 0, field->size);
}

static uint64_t hash_bytes(const unsigned char *bytes, size_t size)
{
	uint64_t hash = 0, word;
	size_t i;

	for (i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		hash = hash_mix(hash, word);
	}
	return hash;
}

static void store_value(const struct pfm_format_field *field, void *base,
			uint64_t value)
{
	unsigned char *at = (unsigned char *)base + field->offset;
	const uint32_t v4 = value;
	const uint16_t v2 = value;

	if (field->size == 8)
		memcpy(at, &value, 8);
	else if (field->size == 4)
		memcpy(at, &v4, 4);
	else if (field->size == 2)
		memcpy(at, &v2, 2);
	else
		*at = value;
}

/* Adds the sums of an entry to those of an equal one; of times the earlier one counts. */
static void add_up(const struct entry_store *store, struct entry_index *to,
		   const struct stored_entry *head, const void *bytes)
{
	unsigned char *sum = (unsigned char *)(to->sum + 1);
	const struct pfm_format_field *field;
	unsigned int i;

	for (i = 0; (field = field_of(store, head->type, i)); i++) {
		const uint64_t a = pfm_format_value(field, sum);
		const uint64_t b = pfm_format_value(field, bytes);

		if (field->kind == PFM_FORMAT_TIME)
			store_value(field, sum, a < b ? a : b);
		else if (is_sum(field))
			store_value(field, sum, a + b);
	}
	to->sum->count += head->count;
	to->count += head->count;
	if (head->time < to->time) {
		to->time = head->time;
		to->sum->time = head->time;
	}
}

/* A copy of the bytes without sums, in the buffer.  NULL without memory. */
static unsigned char *make_key(struct entry_store *store,
			       const struct stored_entry *head,
			       const void *bytes, size_t part)
{
	if (array_reserve(&store->buffer, 1, &store->buffer_room,
			  2 * head->size))
		return NULL;
	memcpy(store->buffer + part * head->size, bytes, head->size);
	clear_sums(store, head->type, store->buffer + part * head->size);
	return store->buffer + part * head->size;
}

static bool is_equal(struct entry_store *store, const struct stored_entry *a,
		     const struct stored_entry *b, const unsigned char *key)
{
	unsigned char *other;

	if (a->type != b->type || a->size != b->size || a->phase != b->phase)
		return false;
	other = make_key(store, a, stored_entry_bytes(a), 1);
	return other && !memcmp(other, key, a->size);
}

static struct entry_index *add_index(struct entry_store *store,
				     const struct stored_entry *head)
{
	struct entry_index *index;

	if (array_reserve(&store->index, sizeof(*store->index), &store->room,
			  store->count + 1))
		return NULL;
	index = &store->index[store->count];
	*index = (struct entry_index){ .time = head->time,
				       .offset = store->count };
	return index;
}

static int add_sum(struct entry_store *store, const struct stored_entry *head,
		   const void *bytes, const uint32_t *places)
{
	const unsigned char *key = make_key(store, head, bytes, 0);
	struct entry_index *index;
	uint32_t number;
	uint64_t hash;

	if (!key)
		return no_memory();
	hash = hash_bytes(key, head->size);
	for (number = hash_find(&store->sums, hash); number;
	     number = hash_next(&store->sums, number)) {
		index = &store->index[store->summed[number - 1]];
		if (!is_equal(store, index->sum, head, key))
			continue;
		add_up(store, index, head, bytes);
		return 0;
	}
	index = add_index(store, head);
	if (!index || array_reserve(&store->summed, sizeof(*store->summed),
				    &store->summed_room, store->sums.count + 1))
		return no_memory();
	index->sum = malloc(sizeof(*head) + tail_size(head));
	if (!index->sum)
		return no_memory();
	*index->sum = *head;
	memcpy(index->sum + 1, bytes, head->size);
	memcpy((char *)(index->sum + 1) + head->size, places,
	       head->num_places * sizeof(*places));
	index->count = head->count;
	store->summed[store->sums.count] = store->count++;
	return hash_add(&store->sums, hash) ? no_memory() : 0;
}

int entry_store_add(struct entry_store *store, const struct stored_entry *head,
		    const void *bytes, const uint32_t *places)
{
	struct entry_index *index;

	if (pfm_format_entry(store->described->format, head->type)->use ==
	    PFM_FORMAT_HISTOGRAM)
		return add_sum(store, head, bytes, places);
	if (!store->file)
		store->file = tmpfile();
	if (!store->file)
		return tell("make");
	index = add_index(store, head);
	if (!index)
		return no_memory();
	index->offset = ftello(store->file);
	errno = 0;
	if (fwrite(head, sizeof(*head), 1, store->file) != 1 ||
	    fwrite(bytes, 1, head->size, store->file) != head->size ||
	    fwrite(places, sizeof(*places), head->num_places, store->file) !=
		    head->num_places)
		return tell("write");
	store->count++;
	return 0;
}

static int by_order(const void *a, const void *b)
{
	const struct entry_index *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void entry_store_sort(struct entry_store *store)
{
	if (store->count)
		qsort(store->index, store->count, sizeof(*store->index),
		      by_order);
	/* After this, reading sees everything that was written. */
	if (store->file)
		rewind(store->file);
}

const struct stored_entry *entry_store_read(struct entry_store *store, size_t i)
{
	const struct entry_index *index = &store->index[i];
	struct stored_entry head;
	size_t size;

	if (index->sum)
		return index->sum;
	errno = 0;
	/* A seek discards the stream's buffer, and most entries follow each other. */
	if ((ftello(store->file) != (off_t)index->offset &&
	     fseeko(store->file, index->offset, SEEK_SET)) ||
	    fread(&head, sizeof(head), 1, store->file) != 1) {
		tell("read");
		return NULL;
	}
	size = tail_size(&head);
	if (array_reserve(&store->buffer, 1, &store->buffer_room,
			  sizeof(head) + size)) {
		no_memory();
		return NULL;
	}
	memcpy(store->buffer, &head, sizeof(head));
	if (size &&
	    fread(store->buffer + sizeof(head), 1, size, store->file) != size) {
		tell("read");
		return NULL;
	}
	return (const struct stored_entry *)store->buffer;
}

void entry_store_close(struct entry_store *store)
{
	size_t i;

	for (i = 0; i < store->count; i++)
		free(store->index[i].sum);
	if (store->file)
		fclose(store->file);
	hash_free(&store->sums);
	free(store->summed);
	free(store->index);
	free(store->buffer);
	memset(store, 0, sizeof(*store));
}
