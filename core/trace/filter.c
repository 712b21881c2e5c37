// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Handing the filter to the kernel side. */
#include "core/trace/filter.h"

#include "core/kernel/environment.h"
#include "core/trace/setting.h"

int filter_apply(const struct filter *filter, struct bpf_object *object)
{
	uint64_t dev = 0, ino = 0;
	const struct setting settings[] = {
		SETTING("filter_pid", &filter->pid),
		SETTING("filter_pidns_dev", &dev),
		SETTING("filter_pidns_ino", &ino),
		{ 0 }
	};

	environment_pid_namespace(&dev, &ino);
	return setting_apply(object, settings);
}
