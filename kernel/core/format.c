// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registry of sampling formats.
 */
#include "core/format.h"

#include <linux/err.h>
#include <linux/kmod.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uuid.h>

#include "core/format_desc.h"
#include "core/sysfs.h"

/* Protects the list of formats and pfm_format.users; process context. */
static DEFINE_MUTEX(formats_lock);
static LIST_HEAD(formats);

static struct pfm_format *find_uuid(const u8 *uuid)
{
	struct pfm_format *fmt;

	list_for_each_entry(fmt, &formats, node) {
		if (!memcmp(fmt->uuid, uuid, PFM_UUID_LEN))
			return fmt;
	}
	return NULL;
}

static bool name_taken(const char *name)
{
	struct pfm_format *fmt;

	list_for_each_entry(fmt, &formats, node) {
		if (!strcmp(fmt->name, name))
			return true;
	}
	return false;
}

/**
 * pfm_register_format_api - register a format: see pfm_register_format()
 * @fmt: the format
 * @api: PFM_FORMAT_API of the headers that the module was compiled with
 *
 * Context: process; may sleep.
 * Return: as pfm_register_format().
 */
int pfm_register_format_api(struct pfm_format *fmt, unsigned int api)
{
	char *text;
	int ret;

	/* Nothing is known about the fields of another structure. */
	if (api != PFM_FORMAT_API)
		return -EPROTO;
	if (!fmt->name || !*fmt->name || strchr(fmt->name, '/') ||
	    !fmt->handler || fmt->arg_size > PAGE_SIZE ||
	    !memchr_inv(fmt->uuid, 0, PFM_UUID_LEN))
		return -EINVAL;
	text = pfm_format_desc_text(fmt);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&formats_lock);
	ret = -EEXIST;
	if (find_uuid(fmt->uuid) || name_taken(fmt->name))
		goto out_unlock;
	ret = pfm_sysfs_add_format(fmt, text);
	/* The folder has the text now. */
	text = NULL;
	if (ret)
		goto out_unlock;
	fmt->users = 0;
	list_add_tail(&fmt->node, &formats);
out_unlock:
	mutex_unlock(&formats_lock);
	kfree(text);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_register_format_api);

int pfm_unregister_format(struct pfm_format *fmt)
{
	int ret = 0;

	mutex_lock(&formats_lock);
	if (find_uuid(fmt->uuid) != fmt)
		ret = -ENOENT;
	else if (fmt->users)
		ret = -EBUSY;
	if (!ret) {
		list_del(&fmt->node);
		pfm_sysfs_remove_format(fmt);
	}
	mutex_unlock(&formats_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_unregister_format);

/*
 * A module that is still being loaded may fail and go away, so its format is refused.
 */
static bool pin(const struct pfm_format *fmt)
{
	if (fmt->owner && fmt->owner->state != MODULE_STATE_LIVE)
		return false;
	return try_module_get(fmt->owner);
}

static const struct pfm_format *get_loaded(const u8 *uuid)
{
	struct pfm_format *fmt;

	mutex_lock(&formats_lock);
	fmt = find_uuid(uuid);
	if (fmt && !pin(fmt))
		fmt = NULL;
	if (fmt)
		fmt->users++;
	mutex_unlock(&formats_lock);
	return fmt;
}

/**
 * pfm_format_get - find and pin a sampling format; load its module if needed
 * @uuid: UUID from user space, PFM_UUID_LEN bytes
 *
 * Context: process; may sleep.
 * Return: the format, pinned; error pointer -ENOENT when there is no such format,
 * -ENOMEM when there was no memory for loading its module.
 */
const struct pfm_format *pfm_format_get(const u8 *uuid)
{
	const struct pfm_format *fmt = get_loaded(uuid);
	int ret;

	if (fmt)
		return fmt;
	ret = request_module("perfmon-format-%pUb", uuid);
	if (ret == -ENOMEM)
		return ERR_PTR(ret);
	if (!ret)
		fmt = get_loaded(uuid);
	return fmt ?: ERR_PTR(-ENOENT);
}

/**
 * pfm_format_put - unpin a format
 * @fmt: format from pfm_format_get()
 *
 * Context: process; may sleep.
 */
void pfm_format_put(const struct pfm_format *fmt)
{
	mutex_lock(&formats_lock);
	((struct pfm_format *)fmt)->users--;
	mutex_unlock(&formats_lock);
	module_put(fmt->owner);
}
