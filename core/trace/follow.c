// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Running bpf/follow.bpf.c. Needed only with a command. */
#include "core/trace/follow.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "core/base/log.h"
#include "core/kernel/environment.h"
#include "core/trace/small_types.h"
#include "follow.skel.h"

static int start(struct follow_bpf *follow, uint32_t pid)
{
	const __u64 first = 0;
	int err = follow_bpf__load(follow);

	if (!err)
		err = bpf_map_update_elem(follow_fd(follow), &pid, &first, BPF_ANY);
	if (err) {
		environment_explain("cannot load", "follow", err);
		return err;
	}
	err = follow_bpf__attach(follow);
	if (err)
		environment_explain("cannot attach", "follow", err);
	return err;
}

struct follow_bpf *follow_open(uint32_t pid, const char *btf_path)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	struct follow_bpf *follow;
	struct small_types types;
	int err;

	if (small_types_open(&types, btf_path))
		return NULL;
	opts.btf_custom_path = types.btf_path;
	follow = follow_bpf__open_opts(&opts);
	if (!follow)
		log_error("cannot open the BPF program: %s", strerror(errno));
	err = follow ? small_types_read(&types, follow->obj, "follow the command") : -EINVAL;
	err = err ?: start(follow, pid);
	small_types_close(&types);
	if (!err)
		return follow;
	follow_bpf__destroy(follow);
	return NULL;
}

void follow_close(struct follow_bpf *follow)
{
	if (follow && follow->bss->lost)
		log_warning("did not follow %llu processes: too many at a time",
			    (unsigned long long)follow->bss->lost);
	follow_bpf__destroy(follow);
}

int follow_fd(const struct follow_bpf *follow)
{
	return bpf_map__fd(follow->maps.followed);
}
