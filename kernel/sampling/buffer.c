// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling buffers: memory that the kernel writes and the consumer maps.
 *
 * A buffer lives until the context and all mappings are gone, in any order.  Until then
 * it is charged to the locked memory of the user who created the context, as io_uring and
 * perf do.  Its pages are also charged to the creator's memory control group, until the
 * last page is freed.
 */
#include "sampling/buffer.h"

#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include "compat.h"

/**
 * struct pfm_buffer - a sampling buffer
 * @ref: references of the context and of each mapping
 * @size: size in bytes, a multiple of the page size; constant
 * @mem: the memory; constant
 * @cred: credentials of the creator, whose user is charged; a reference; constant
 */
struct pfm_buffer {
	refcount_t ref;
	size_t size;
	void *mem;
	const struct cred *cred;
};

/* Sum of the sizes of all buffers, in bytes. */
static atomic64_t total;

/* Charge pages to a user, up to RLIMIT_MEMLOCK of the current process. */
static int charge(struct user_struct *user, unsigned long pages)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	long old = atomic_long_read(&user->locked_vm);

	do {
		if (old + pages > limit && !capable(CAP_IPC_LOCK))
			return -ENOBUFS;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &old, old + pages));
	return 0;
}

static void uncharge(struct user_struct *user, unsigned long pages)
{
	atomic_long_sub(pages, &user->locked_vm);
}

/**
 * pfm_buffer_create - create a sampling buffer
 * @size: size in bytes, a multiple of the page size, at most PFM_BUFFER_MAX
 *
 * Context: process; may sleep.
 * Return: the buffer, filled with zeros; error pointer -ENOBUFS when the caller may not
 * lock that much memory, -ENOMEM.
 */
struct pfm_buffer *pfm_buffer_create(size_t size)
{
	struct pfm_buffer *buffer;
	int ret;

	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	/* free_uid() is not exported by all kernels, so the credentials keep the user. */
	buffer->cred = get_current_cred();
	ret = charge(buffer->cred->user, size >> PAGE_SHIFT);
	if (ret)
		goto out_free;
	ret = -ENOMEM;
	/*
	 * Asking for too much is the caller's mistake and does not belong in the
	 * kernel's log, hence __GFP_NOWARN and not vmalloc_user().
	 */
	buffer->mem =
		__vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN);
	if (!buffer->mem)
		goto out_uncharge;
	refcount_set(&buffer->ref, 1);
	buffer->size = size;
	atomic64_add(size, &total);
	return buffer;

out_uncharge:
	uncharge(buffer->cred->user, size >> PAGE_SHIFT);
out_free:
	put_cred(buffer->cred);
	kfree(buffer);
	return ERR_PTR(ret);
}

/**
 * pfm_buffer_put - drop a reference to a buffer
 * @buffer: the buffer
 *
 * Context: process; may sleep.
 */
void pfm_buffer_put(struct pfm_buffer *buffer)
{
	if (!refcount_dec_and_test(&buffer->ref))
		return;
	uncharge(buffer->cred->user, buffer->size >> PAGE_SHIFT);
	put_cred(buffer->cred);
	atomic64_sub(buffer->size, &total);
	vfree(buffer->mem);
	kfree(buffer);
}

/**
 * pfm_buffer_at - translate an offset to an address
 * @buffer: the buffer
 * @offset: offset in bytes from the beginning of the buffer
 *
 * Return: the kernel's address.
 */
void *pfm_buffer_at(const struct pfm_buffer *buffer, size_t offset)
{
	return buffer->mem + offset;
}

/* Map the pages of a buffer.  Each page then has references of its own. */
static int insert_pages(const struct pfm_buffer *buffer,
			struct vm_area_struct *vma)
{
	unsigned long size = vma->vm_end - vma->vm_start;
	unsigned long at;
	int ret = 0;

	for (at = 0; at < size && !ret; at += PAGE_SIZE)
		ret = vm_insert_page(vma, vma->vm_start + at,
				     vmalloc_to_page(buffer->mem + at));
	return ret;
}

static void open_vma(struct vm_area_struct *vma)
{
	struct pfm_buffer *buffer = vma->vm_private_data;

	refcount_inc(&buffer->ref);
}

static void close_vma(struct vm_area_struct *vma)
{
	pfm_buffer_put(vma->vm_private_data);
}

static const struct vm_operations_struct vma_ops = {
	.open = open_vma,
	.close = close_vma,
};

/**
 * pfm_buffer_map - map a buffer (mmap(2))
 * @buffer: the buffer
 * @vma: the mapping
 *
 * The mapping is read-only for good: without VM_MAYWRITE mprotect(2) refuses to make it
 * writable, and a debugger cannot force a write.
 *
 * Context: process; may sleep.
 * Return: 0; -EACCES for a mapping that is writable or executable; -EINVAL beyond the
 * end of the buffer; -ENOMEM.
 */
int pfm_buffer_map(struct pfm_buffer *buffer, struct vm_area_struct *vma)
{
	unsigned long size = vma->vm_end - vma->vm_start;
	int ret;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	if (vma->vm_pgoff || size > buffer->size)
		return -EINVAL;
	pfm_vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
			 VM_MAYWRITE | VM_MAYEXEC);
	ret = insert_pages(buffer, vma);
	if (ret)
		return ret;
	vma->vm_private_data = buffer;
	vma->vm_ops = &vma_ops;
	open_vma(vma);
	return 0;
}

static ssize_t smpl_buffer_mem_cur_show(struct kobject *kobj,
					struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", atomic64_read(&total));
}

static struct kobj_attribute buffer_mem_attr = __ATTR_RO(smpl_buffer_mem_cur);

static struct attribute *buffer_attrs[] = {
	&buffer_mem_attr.attr,
	NULL,
};

const struct attribute_group pfm_buffer_group = { .attrs = buffer_attrs };
