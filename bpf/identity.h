/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Question and answer of identity.bpf.c. */
#ifndef FSTRACE_BPF_IDENTITY_H
#define FSTRACE_BPF_IDENTITY_H

#include <linux/types.h>

enum identity_question {
	IDENTITY_PROC,		/* of the folder /proc: its namespace, and who we are */
	IDENTITY_FOLDER,	/* of a folder /proc/PID: its process */
	IDENTITY_PIDFD,		/* of a pidfd: its process */
};

struct identity {
	__u32 level, inum;	/* IDENTITY_PROC: the PID namespace */
	__u32 pid;		/* the process, in the initial namespace */
	__u32 own_pid;		/* ... in the one we are in; 0: it has no number there */
};

#endif
