// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Contexts of perfmon v2.2, whose sampling format is a UUID in the context's structure.
 */
#include "compat.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "include/perfmon2-compat/perfmon/perfmon_dfl_smpl.h"

static bool is_default(const pfm_uuid_t id)
{
	/* Programs name the format by the UUID of v2.0, too. */
	static const pfm_uuid_t v20 = PFM_DEFAULT_UUID, v22 = PFM_DFL_SMPL_UUID;

	return !memcmp(id, v20, sizeof(v20)) || !memcmp(id, v22, sizeof(v22));
}

int pfm_create_context_v22(pfarg_ctx_t *ctx, void *fmt_arg, size_t fmt_arg_size)
{
	static const pfm_uuid_t none;
	const pfm_dfl_smpl_arg_t *arg = fmt_arg;
	struct pfmi_v2_format format;
	struct pfm_config config;
	bool samples;
	int fd, ret;

	if (!ctx)
		return pfmi_v2_result(-EINVAL);
	samples = memcmp(ctx->ctx_smpl_buf_id, none, sizeof(none));
	if (samples ? !is_default(ctx->ctx_smpl_buf_id) || !arg ||
			      fmt_arg_size != sizeof(*arg)
		    : fmt_arg_size)
		return pfmi_v2_result(-EINVAL);
	if (samples) {
		format.buf_size = arg->buf_size;
		format.buf_flags = arg->buf_flags;
	}
	fd = pfmi_v2_create(PFMI_V22, ctx->ctx_flags, samples ? &format : NULL);
	if (fd >= 0 && samples) {
		ret = pfm_ctx_get_config(fd, &config);
		if (ret) {
			close(fd);
			fd = ret;
		} else {
			ctx->ctx_smpl_buf_size = config.buffer_size;
		}
	}
	if (fd < 0)
		return pfmi_v2_result(fd);
	ctx->ctx_fd = fd;
	return fd;
}
