// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Holds a process back, lets it go, and passes signals and its exit status on. */
#include "core/trace/command.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/number.h"
#include "core/base/stop.h"
#include "core/kernel/user.h"
#include "core/trace/follow.h"

struct command {
	const char *name;
	pid_t pid;
	int pid_fd;			/* -1 while there is no process */
	int go_fd;			/* a byte lets it go; its end: never */
	int report_fd;			/* a struct report, or the end: it has been executed */
	bool is_running;		/* has been let go */
	int status;			/* EXIT_... if it could not be executed */
	struct stop *stop;
	struct follow_bpf *follow;
};

/* Why the held process could not become the command. */
struct report {
	int err;
	bool as_user;			/* not even the user */
};

#define GROUPS_MAX 1024

/* The number in a variable of sudo's, if it is one. */
static bool sudo_number(const char *variable, uint32_t *number)
{
	const char *word = getenv(variable);
	uint64_t value;

	if (!word || parse_uint(word, 0, UINT32_MAX - 1, &value))
		return false;
	*number = value;
	return true;
}

static void set_or_unset(const char *variable, const char *value)
{
	if (*value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

/* The variables that name the user, as sudo sets them for the one whom it runs a command as. */
static void clean_environment(const struct user *user)
{
	static const char *const own[] = { "SUDO_COMMAND", "SUDO_GID", "SUDO_HOME", "SUDO_TTY",
					   "SUDO_UID", "SUDO_USER", "MAIL", "USERNAME", NULL };

	set_or_unset("HOME", user->home);
	set_or_unset("USER", user->name);
	set_or_unset("LOGNAME", user->name);
	set_or_unset("SHELL", user->shell);
	for (const char *const *variable = own; *variable; variable++)
		unsetenv(*variable);
}

/* The user who has called sudo; if there is none, nothing changes. Returns 0 or -errno. */
static int become_user(void)
{
	gid_t groups[GROUPS_MAX];
	struct user user = { 0 };
	uint32_t uid, gid;
	size_t count;

	if (geteuid() || !sudo_number("SUDO_UID", &uid) || !sudo_number("SUDO_GID", &gid))
		return 0;
	if (user_by_uid(uid, &user))	/* sudo may know users from elsewhere */
		snprintf(user.name, sizeof(user.name), "%s", getenv("SUDO_USER") ?: "");
	user.gid = gid;
	count = user_groups(&user, groups, GROUPS_MAX);
	if (count > GROUPS_MAX)
		return -E2BIG;
	if (setgroups(count, groups) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		return -errno;
	clean_environment(&user);
	return 0;
}

/* The held process, from fork to exec. */
static void hold(char *const *words, int go_fd, int report_fd)
{
	struct report report = { .err = become_user(), .as_user = true };
	ssize_t got;
	char go;

	if (!report.err) {
		do
			got = read(go_fd, &go, 1);
		while (got < 0 && errno == EINTR);
		if (got != 1)
			_exit(EXIT_OWN);
		execvp(*words, words);
		report = (struct report){ .err = -errno };
	}
	(void)!write(report_fd, &report, sizeof(report));
	_exit(EXIT_OWN);
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void command_free(struct command *command)
{
	close_if_open(command->pid_fd);
	close_if_open(command->go_fd);
	close_if_open(command->report_fd);
	follow_close(command->follow);
	free(command);
}

/* Returns 0 or -errno. */
static int start(struct command *command, char *const *words)
{
	int go[2], report[2];

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	command->go_fd = go[1];
	if (pipe2(report, O_CLOEXEC)) {
		close(go[0]);
		return -errno;
	}
	command->report_fd = report[0];
	command->pid = fork();
	if (!command->pid) {
		/* Else it would never read that the other end is closed. */
		close(go[1]);
		hold(words, go[0], report[1]);
	}
	close(go[0]);
	close(report[1]);
	if (command->pid < 0)
		return -errno;
	command->pid_fd = syscall(SYS_pidfd_open, command->pid, 0);
	return command->pid_fd < 0 ? -errno : 0;
}

struct command *command_hold(char *const *words)
{
	struct command *command = calloc(1, sizeof(*command));
	int err = -ENOMEM;

	if (command) {
		*command = (struct command){ .name = *words, .pid_fd = -1, .go_fd = -1,
					     .report_fd = -1 };
		err = start(command, words);
		if (!err)
			return command;
		command_free(command);
	}
	log_error("cannot start '%s': %s", *words, strerror(-err));
	return NULL;
}

uint32_t command_pid(const struct command *command)
{
	return command->pid;
}

int command_fd(const struct command *command)
{
	return command->pid_fd;
}

int command_follow(struct command *command, uint32_t pid, const char *btf_path)
{
	if (!command->follow)
		command->follow = follow_open(pid, btf_path);
	return command->follow ? follow_fd(command->follow) : -EIO;
}

/*
 * Passes a signal on. From a terminal (SI_KERNEL), it has reached the command, too, which is in our
 * process group.
 */
static void pass_on(void *context, int signal_fd)
{
	const struct command *command = context;
	struct signalfd_siginfo info;

	while (read(signal_fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_code != SI_KERNEL)
			syscall(SYS_pidfd_send_signal, command->pid_fd, info.ssi_signo, NULL, 0);
}

/* Waits until it has been executed. Returns 0, or -errno after a message. */
static int executed(struct command *command)
{
	struct report report = { 0 };
	ssize_t got;

	do
		got = read(command->report_fd, &report, sizeof(report));
	while (got < 0 && errno == EINTR);
	if (got != sizeof(report))
		return 0;
	command->status = report.as_user ? EXIT_OWN :
			  report.err == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	log_error("cannot %s '%s': %s", report.as_user ? "become the user that runs" : "run",
		  command->name, strerror(-report.err));
	return report.err;
}

int command_go(struct command *command, struct stop *stop)
{
	if (command->is_running)
		return 0;
	command->is_running = true;
	command->stop = stop;
	stop_pass_signals(stop, pass_on, command);
	/* If it has been killed, this fails, and its end is seen like any other. */
	(void)!write(command->go_fd, "", 1);
	return executed(command);
}

/* Signals are still blocked: those that arrive now are passed on, too. */
static void wait_for(struct command *command)
{
	struct pollfd fds[] = {
		{ .fd = command->pid_fd, .events = POLLIN },
		{ .fd = command->stop ? command->stop->signal_fd : -1, .events = POLLIN },
	};

	while (!fds[0].revents) {
		if (poll(fds, 2, -1) < 0) {
			fds[0].revents = fds[1].revents = 0;
			if (errno != EINTR)
				return;
		}
		if (fds[1].revents)
			pass_on(command, fds[1].fd);
	}
}

int command_end(struct command *command, int status)
{
	int ended = 0;

	close(command->go_fd);
	command->go_fd = -1;
	wait_for(command);
	while (waitpid(command->pid, &ended, 0) < 0 && errno == EINTR)
		;
	if (command->status)
		status = command->status;
	else if (WIFSIGNALED(ended))
		status = 128 + WTERMSIG(ended);
	else if (status != EXIT_DONE || !command->is_running)
		status = EXIT_OWN;
	else
		status = WEXITSTATUS(ended);
	command_free(command);
	return status;
}
