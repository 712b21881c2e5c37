/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * fstrace doctor: what works on this machine. Each applet is run as a user would run it, beside a
 * process that carries out a known number of operations, which the applet must count.
 */
#ifndef FSTRACE_CORE_CLI_DOCTOR_H
#define FSTRACE_CORE_CLI_DOCTOR_H

/* doctor [--json] [APPLET...]; argv[0] is the command. Returns EXIT_..., EXIT_DONE if all work. */
int doctor_run(int argc, char **argv);

#endif
