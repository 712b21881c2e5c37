// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whether kprobes run. */
#include "core/trace/proof.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/log.h"

#define SWITCH "/sys/kernel/debug/kprobes/enabled"
#define TRIES 100	/* a program does not run during another one, or a system call on a map */

/* fcntl(F_GETFD) calls it, few other things do. */
const struct probe proof_probe = {
	.name = "proof",
	.candidates = { { .function = "get_close_on_exec", .stem = "proof" } },
	.optional = true,
};

static char read_switch(void)
{
	FILE *file = fopen(SWITCH, "re");
	int c = file ? fgetc(file) : '?';

	if (file)
		fclose(file);
	return c;
}

bool proof_is_off(void)
{
	return read_switch() == '0';
}

int proof_check(const struct accounts *accounts)
{
	for (int i = 0; i < TRIES; i++) {
		fcntl(STDERR_FILENO, F_GETFD);
		if (accounts_proofs(accounts))
			return 0;
	}
	switch (read_switch()) {
	case '1':
		/* They are on: this kernel does not call the function. */
		log_debug("no proof that kprobes run: '%s' is not called",
			  proof_probe.candidates[0].function);
		return 0;
	case '0':
		log_error("kprobes are switched off, so no probe would fire");
		log_hint("switch them on: echo 1 >" SWITCH);
		return -ENODEV;
	}
	log_error("kprobes can be attached, but do not run");
	log_hint("they may be switched off: look into " SWITCH " (in debugfs)");
	return -ENODEV;
}
