/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A path as bpf/path.bpf.h writes it: its components from the last to the first, each ended by 0. */
#ifndef FSTRACE_BPF_PATH_H
#define FSTRACE_BPF_PATH_H

#include <linux/types.h>

#define PATH_BYTES 2048		/* what is longer is cut: its beginning is missing */
#define PATH_NAME_MAX 255

enum path_end {
	PATH_WHOLE,		/* up to the root of the mount namespace */
	PATH_OF_MOUNT,		/* up to the root of a file system: where that is mounted is not known */
	PATH_CUT,		/* the components before these did not fit */
};

struct path_text {
	__u16 len;
	__u8 end;		/* enum path_end */
	char bytes[PATH_BYTES + PATH_NAME_MAX + 2];
};

#endif
