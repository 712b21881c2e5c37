/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What every unit test includes first: cmocka with the headers it wants before it, random bytes
 * that are the same in every run, and two ways to see what was written: by a function of this
 * process, and by another program.
 */
#ifndef FSTRACE_TEST_UNIT_TEST_H
#define FSTRACE_TEST_UNIT_TEST_H

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* xorshift32; the seed must not be 0. */
static inline uint32_t random_next(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* All that was written to a file, ended by a zero, for the caller to free; closes it. */
static inline char *read_all_of(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = malloc(size + 1);

	assert_non_null(text);
	assert_int_equal(pread(fd, text, size, 0), size);
	text[size] = '\0';
	if (len)
		*len = size;
	close(fd);
	return text;
}

/* What this process writes to `fd` from here on goes to a file in memory. */
struct capture {
	int fd, saved, file;
};

static inline struct capture capture_begin(int fd)
{
	struct capture capture = { fd, dup(fd), memfd_create("capture", MFD_CLOEXEC) };

	assert_true(capture.saved >= 0 && capture.file >= 0);
	fflush(NULL);
	dup2(capture.file, fd);
	return capture;
}

/* The text, for the caller to free. Asserting before this would hide what cmocka has to say. */
static inline char *capture_end(const struct capture *capture)
{
	fflush(NULL);
	dup2(capture->saved, capture->fd);
	close(capture->saved);
	return read_all_of(capture->file, NULL);
}

/* What a program did. */
struct outcome {
	int status;		/* of exit(); 128 + the signal that ended it */
	char *out, *err;
};

/* fork(); the child does not outlive a test that fails, whose output ctest would wait for. */
static inline pid_t child_fork(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/*
 * Runs the program that is open as `program` (-1: the one that $PATH has for argv[0]) with stdin
 * from `in` (-1: empty). As nobody, if that is asked for and we are root.
 */
static inline struct outcome run_program(int program, char *const argv[], int in, bool as_nobody)
{
	struct outcome outcome;
	int out = memfd_create("stdout", MFD_CLOEXEC), err = memfd_create("stderr", MFD_CLOEXEC);
	int status, nothing = memfd_create("stdin", MFD_CLOEXEC);
	pid_t pid;

	assert_true(out >= 0 && err >= 0 && nothing >= 0);
	pid = child_fork();
	if (!pid) {
		dup2(in < 0 ? nothing : in, STDIN_FILENO);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		if (as_nobody && !getuid() && (setgid(65534) || setuid(65534)))
			_exit(126);
		if (program < 0)
			execvp(argv[0], argv);
		else
			fexecve(program, argv, environ);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	outcome.out = read_all_of(out, NULL);
	outcome.err = read_all_of(err, NULL);
	close(nothing);
	return outcome;
}

static inline void outcome_free(struct outcome *outcome)
{
	free(outcome->out);
	free(outcome->err);
}

/* How many lines; an unended one counts. */
static inline size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n' || !text[1];
	return lines;
}

#endif
