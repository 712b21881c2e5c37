// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel's own measure of BPF programs (run_cnt and run_time_ns, since 5.1 and 5.8). */
#include "core/trace/overhead.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "core/base/clock.h"
#include "core/base/log.h"

int overhead_begin(struct overhead *overhead)
{
	overhead->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (overhead->stats_fd < 0) {
		int err = -errno;

		log_error("cannot measure the overhead: %s", strerror(-err));
		if (err == -EPERM)
			log_hint("BPF statistics need CAP_SYS_ADMIN");
		return err;
	}
	overhead->start_ns = now_ns();
	return 0;
}

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec + used.tv_nsec / 1e9;
}

void overhead_tell(const struct overhead *overhead, const struct overhead_program *programs,
		   size_t count, uint64_t events)
{
	double seconds = (now_ns() - overhead->start_ns) / 1e9, probes = 0;

	if (overhead->stats_fd < 0)
		return;
	log_text("\n%-32s %12s %8s\n", "PROGRAM", "RUNS", "ns/RUN");
	for (size_t i = 0; i < count; i++) {
		struct bpf_prog_info info = { 0 };
		__u32 size = sizeof(info);

		if (bpf_obj_get_info_by_fd(programs[i].fd, &info, &size))
			continue;
		log_text("%-32s %12llu %8.0f\n", programs[i].name,
			 (unsigned long long)info.run_cnt,
			 info.run_cnt ? (double)info.run_time_ns / info.run_cnt : 0);
		probes += info.run_time_ns / 1e9;
	}
	log_text("%.1f s: %llu events (%.0f/s), probes %.2f %% of one CPU, "
		 "fstrace itself %.2f %%\n", seconds, (unsigned long long)events, events / seconds,
		 100 * probes / seconds, 100 * cpu_seconds() / seconds);
}

void overhead_end(struct overhead *overhead)
{
	if (overhead->stats_fd >= 0)
		close(overhead->stats_fd);
	overhead->stats_fd = -1;
}
