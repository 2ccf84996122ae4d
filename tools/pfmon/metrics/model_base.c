// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merges a metric file into that which it extends.
 *
 * Objects are merged member by member, where null removes a member, as a JSON merge patch (RFC 7396)
 * does.  Groups and metrics are merged by their names: those that the base lacks are added behind its
 * own, and an element with "removed" takes the base's away.  What a file removes has to be there,
 * because otherwise it is misspelled.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "metrics/model_files.h"

/* A base may have one itself, but nobody can read a file that is spread over more than this. */
#define FILES_MAX 8

/**
 * struct chain - a file and its bases
 * @files: all files
 * @at: numbers of the files, that which extends another one before it
 * @length: elements of @at
 */
struct chain {
	const struct model_files *files;
	size_t at[FILES_MAX];
	unsigned int length;
};

__attribute__((format(printf, 3, 4))) static void
refuse(const struct chain *chain, unsigned int place, const char *format, ...)
{
	char what[400];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	say_error("%s: %s", chain->files->names[chain->at[place]], what);
}

static const json_t *document(const struct chain *chain, unsigned int place)
{
	return chain->files->documents[chain->at[place]];
}

/*
 * Number of the file that file number @from extends.  A user's file may have the name of the model
 * that it extends.
 */
static bool find_base(const struct model_files *files, size_t from,
		      const char *name, size_t *base)
{
	const json_t *model;
	size_t i;

	for (i = 0; i < files->count; i++) {
		model = json_object_get(files->documents[i], "model");
		if (i != from && json_is_string(model) &&
		    !strcmp(json_string_value(model), name)) {
			*base = i;
			return true;
		}
	}
	return false;
}

static bool has_file(const struct chain *chain, size_t file)
{
	unsigned int i;

	for (i = 0; i < chain->length; i++)
		if (chain->at[i] == file)
			return true;
	return false;
}

/* Finds all bases of the first file of the chain.  Returns 0, or -1 after a message. */
static int find_bases(struct chain *chain)
{
	const json_t *extends;
	const char *name;
	size_t base;

	for (;;) {
		unsigned int last = chain->length - 1;

		extends = json_object_get(document(chain, last), "extends");
		if (!extends)
			return 0;
		name = json_string_value(extends);
		if (!name) {
			refuse(chain, last,
			       "'extends' is not the name of a model");
			return -1;
		}
		if (!find_base(chain->files, chain->at[last], name, &base)) {
			refuse(chain, last,
			       "it extends '%s', but there is no metric file of that model",
			       name);
			return -1;
		}
		if (has_file(chain, base)) {
			refuse(chain, last,
			       "it extends '%s', which extends it: one of them has to be whole",
			       name);
			return -1;
		}
		if (chain->length == FILES_MAX) {
			refuse(chain, last,
			       "it extends '%s', but more than %d files that extend each other are not read",
			       name, FILES_MAX);
			return -1;
		}
		chain->at[chain->length++] = base;
	}
}

static int remove_member(const struct chain *chain, unsigned int place,
			 json_t *object, const char *key)
{
	if (!json_object_del(object, key))
		return 0;
	refuse(chain, place, "it removes '%s', which its base does not have",
	       key);
	return -1;
}

static int set_member(const struct chain *chain, unsigned int place,
		      json_t *object, const char *key, const json_t *value)
{
	if (!json_object_set_new(object, key, json_deep_copy(value)))
		return 0;
	refuse(chain, place, "out of memory");
	return -1;
}

/*
 * Changes @object, what the base has, by @patch, what the file at @place has of the same name.
 * Returns 0, or -1 after a message.
 */
static int merge_object(const struct chain *chain, unsigned int place,
			json_t *object, const json_t *patch)
{
	json_t *value, *old;
	const char *key;
	int err;

	json_object_foreach((json_t *)patch, key, value)
	{
		old = json_object_get(object, key);
		if (json_is_object(value) && json_is_object(old))
			err = merge_object(chain, place, old, value);
		else if (json_is_null(value))
			err = remove_member(chain, place, object, key);
		else
			err = set_member(chain, place, object, key, value);
		if (err)
			return -1;
	}
	return 0;
}

static const char *name_of(const json_t *element)
{
	return json_string_value(json_object_get(element, "name"));
}

static long find_element(const json_t *list, const char *name)
{
	json_t *element;
	size_t i;

	json_array_foreach((json_t *)list, i, element)
	{
		if (name_of(element) && !strcmp(name_of(element), name))
			return i;
	}
	return -1;
}

static int merge_element(const struct chain *chain, unsigned int place,
			 json_t *list, const json_t *patch)
{
	const char *name = name_of(patch);
	long old = name ? find_element(list, name) : -1;

	/* An element without a name is refused when the whole is read. */
	if (json_is_true(json_object_get(patch, "removed"))) {
		if (old >= 0)
			return json_array_remove(list, old);
		refuse(chain, place,
		       "it removes '%s', which its base does not have",
		       name ? name : "");
		return -1;
	}
	if (old >= 0)
		return merge_object(chain, place, json_array_get(list, old),
				    patch);
	if (!json_array_append_new(list, json_deep_copy(patch)))
		return 0;
	refuse(chain, place, "out of memory");
	return -1;
}

static int merge_list(const struct chain *chain, unsigned int place,
		      json_t *list, const json_t *patch)
{
	json_t *element;
	size_t i;

	json_array_foreach((json_t *)patch, i, element)
	{
		if (merge_element(chain, place, list, element))
			return -1;
	}
	return 0;
}

/* The keys that say which processor a file is for; each file has its own. */
static bool is_own(const char *key)
{
	static const char *const own[] = { "schema",  "model",	"title",
					   "pmu",     "source", "match",
					   "generic", "extends" };
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strcmp(key, own[i]))
			return true;
	return false;
}

/* Puts the file at @place over @whole, what its bases have. */
static int merge_file(const struct chain *chain, unsigned int place,
		      json_t *whole)
{
	json_t *value, *old;
	const char *key;
	void *next;
	int err = 0;

	json_object_foreach_safe(whole, next, key, value)
	{
		if (is_own(key))
			json_object_del(whole, key);
	}
	json_object_foreach((json_t *)document(chain, place), key, value)
	{
		old = json_object_get(whole, key);
		if (!strcmp(key, "extends"))
			continue;
		if (json_is_object(value) && json_is_object(old))
			err = merge_object(chain, place, old, value);
		else if (json_is_array(value) && json_is_array(old))
			err = merge_list(chain, place, old, value);
		else if (json_is_null(value))
			err = remove_member(chain, place, whole, key);
		else
			err = set_member(chain, place, whole, key, value);
		if (err)
			return -1;
	}
	return 0;
}

json_t *model_base_merge(const struct model_files *files, size_t file)
{
	struct chain chain = { .files = files, .at = { file }, .length = 1 };
	unsigned int place;
	json_t *whole;

	if (find_bases(&chain))
		return NULL;
	if (chain.length == 1)
		return json_incref(files->documents[file]);
	place = chain.length - 1;
	whole = json_deep_copy(document(&chain, place));
	while (whole && place--) {
		if (!merge_file(&chain, place, whole))
			continue;
		json_decref(whole);
		return NULL;
	}
	if (!whole)
		refuse(&chain, 0, "out of memory");
	return whole;
}
