// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Task records, as pfm_ctx_read_records() takes them from the kernel.
 */
#include <errno.h>

#include <perfmon/perfmon.h>

const struct pfm_record *pfm_record_next(const void *buf, size_t used,
					 size_t *offset)
{
	const struct pfm_record *record;
	size_t rest, need;

	if (*offset > used || ((uintptr_t)buf + *offset) % 8)
		return NULL;
	rest = used - *offset;
	if (rest < sizeof(*record))
		return NULL;
	record = (const void *)((const char *)buf + *offset);
	if (record->size < sizeof(*record) || record->size > rest ||
	    record->size % 8)
		return NULL;
	need = sizeof(*record) + record->nregs * sizeof(record->regs[0]);
	if (need > record->size || record->path_len > record->size - need)
		return NULL;
	*offset += record->size;
	return record;
}

const char *pfm_record_path(const struct pfm_record *record, size_t *length)
{
	if (length)
		*length = record->path_len;
	return (const char *)&record->regs[record->nregs];
}

int pfm_record_value(const struct pfm_record *record, uint16_t num,
		     uint16_t set, uint64_t *value)
{
	unsigned int i;

	for (i = 0; i < record->nregs; i++) {
		if (record->regs[i].num != num || record->regs[i].set != set)
			continue;
		*value = record->regs[i].value;
		return 0;
	}
	return -ENOENT;
}
