// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/trace/command.c: what runs when, as whom, and which exit status is passed on. BPF is left
 * out; processes are real.
 */
#include "test.h"

#include <fcntl.h>
#include <poll.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/trace/command.h"

static struct stop stop;
static int followed;

struct follow_bpf *__wrap_follow_open(uint32_t pid, const char *btf_path);
struct follow_bpf *__wrap_follow_open(uint32_t pid, const char *btf_path)
{
	(void)btf_path;
	assert_true(pid > 0);
	followed++;
	return (struct follow_bpf *)&followed;
}

void __wrap_follow_close(struct follow_bpf *follow);
void __wrap_follow_close(struct follow_bpf *follow)
{
	followed -= follow == (struct follow_bpf *)&followed;
}

int __wrap_follow_fd(const struct follow_bpf *follow);
int __wrap_follow_fd(const struct follow_bpf *follow)
{
	assert_ptr_equal(follow, &followed);
	return 1000;
}

/* In the order of a run: the command is held before signals are ours. */
static struct command *hold_words(char *const *words)
{
	struct command *command;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	command = command_hold(words);
	assert_non_null(command);
	assert_int_equal(stop_open(&stop), 0);
	return command;
}

static struct command *hold(const char *script)
{
	return hold_words((char *[]){ "sh", "-c", (char *)script, NULL });
}

static int end(struct command *command, int status)
{
	status = command_end(command, status);
	stop_close(&stop);
	return status;
}

/* Runs it to its end; the status of the applet is `status`. */
static int run(const char *script, int status)
{
	struct command *command = hold(script);

	assert_int_equal(command_go(command, &stop), 0);
	return end(command, status);
}

static void its_exit_status_is_passed_on(void **state)
{
	(void)state;
	assert_int_equal(run("exit 0", EXIT_DONE), 0);
	assert_int_equal(run("exit 7", EXIT_DONE), 7);
	assert_int_equal(run("kill -TERM $$", EXIT_DONE), 128 + SIGTERM);
	assert_int_equal(run("kill -KILL $$", EXIT_DONE), 128 + SIGKILL);
}

static void a_failure_of_our_own_is_told_apart(void **state)
{
	(void)state;
	assert_int_equal(run("exit 0", EXIT_FAILED), EXIT_OWN);
	assert_int_equal(run("exit 7", EXIT_FAILED), EXIT_OWN);
}

static void one_that_is_not_let_go_does_not_run(void **state)
{
	char path[] = "/tmp/command_test.XXXXXX", script[64];
	int fd = mkstemp(path);

	(void)state;
	snprintf(script, sizeof(script), "echo ran >%s", path);
	assert_int_equal(end(hold(script), EXIT_FAILED), EXIT_OWN);
	assert_int_equal(end(hold(script), EXIT_DONE), EXIT_OWN);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	assert_int_equal(run(script, EXIT_DONE), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 4);
	close(fd);
	unlink(path);
}

static void its_end_is_seen_at_the_descriptor(void **state)
{
	struct command *command = hold("exit 3");
	struct pollfd ended = { .fd = command_fd(command), .events = POLLIN };

	(void)state;
	assert_int_equal(poll(&ended, 1, 0), 0);
	assert_int_equal(command_go(command, &stop), 0);
	assert_int_equal(poll(&ended, 1, 60 * 1000), 1);
	assert_int_equal(end(command, EXIT_DONE), 3);
}

/* Several tracers share what follows it. */
static void it_is_followed_once(void **state)
{
	struct command *command = hold("exit 0");

	(void)state;
	assert_true(command_pid(command) > 0);
	assert_int_equal(command_follow(command, command_pid(command), NULL), 1000);
	assert_int_equal(command_follow(command, command_pid(command), NULL), 1000);
	assert_int_equal(followed, 1);
	assert_int_equal(end(command, EXIT_DONE), EXIT_OWN);
	assert_int_equal(followed, 0);
}

static void what_cannot_be_run_is_told(void **state)
{
	static const struct {
		char *word;
		int status;
		const char *message;
	} cases[] = {
		{ "/none/such", EXIT_NOT_FOUND,
		  "fstrace: cannot run '/none/such': No such file or directory\n" },
		{ "no-such-command-in-path", EXIT_NOT_FOUND,
		  "fstrace: cannot run 'no-such-command-in-path': No such file or directory\n" },
		{ "/dev/null", EXIT_NOT_EXECUTABLE,
		  "fstrace: cannot run '/dev/null': Permission denied\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char *words[] = { cases[i].word, NULL }, *message;
		struct command *command = hold_words(words);
		struct capture capture;

		capture = capture_begin(STDERR_FILENO);
		assert_true(command_go(command, &stop) < 0);
		message = capture_end(&capture);
		assert_string_equal(message, cases[i].message);
		free(message);
		assert_int_equal(end(command, EXIT_FAILED), cases[i].status);
	}
}

/* A signal that is sent to us alone ends the command, not the run. */
static void signals_are_passed_on(void **state)
{
	char ready[] = "/tmp/command_test.XXXXXX", script[200];
	struct command *command;
	int fd = mkstemp(ready);

	(void)state;
	snprintf(script, sizeof(script), "trap 'exit 9' TERM; echo >%s; while :; do sleep 0.1; done",
		 ready);
	command = hold(script);
	assert_int_equal(command_go(command, &stop), 0);
	while (!lseek(fd, 0, SEEK_END))
		stop_wait(&stop, -1, now_ns() + NS_PER_SECOND / 100);
	close(fd);
	unlink(ready);
	kill(getpid(), SIGTERM);
	assert_int_equal(stop_wait(&stop, command_fd(command), now_ns() + 60 * NS_PER_SECOND),
			 WAIT_EVENT);
	assert_int_equal(end(command, EXIT_DONE), 9);
}

/* ... also when the run has ended before. */
static void signals_are_passed_on_after_the_run(void **state)
{
	(void)state;
	assert_int_equal(run("sleep 0.5; kill -TERM $PPID; exec sleep 60", EXIT_DONE), 128 + SIGTERM);
}

/* In a session of its own, whose terminal is `terminal`. */
static int in_terminal(const char *terminal, const char *script)
{
	int fd;

	setsid();
	fd = open(terminal, O_RDWR);	/* becomes the session's */
	if (fd < 0)
		return 99;
	signal(SIGINT, SIG_DFL);	/* a shell's background jobs ignore it */
	return run(script, EXIT_DONE);
}

/* Ctrl-C reaches the command once: by the terminal, and not by us as well. */
static void a_key_reaches_the_command_once(void **state)
{
	char ready[] = "/tmp/command_test.XXXXXX", script[200], name[64];
	int fd = mkstemp(ready), keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status;
	pid_t pid;

	(void)state;
	assert_true(fd >= 0 && keyboard >= 0 && !grantpt(keyboard) && !unlockpt(keyboard) &&
		    !ptsname_r(keyboard, name, sizeof(name)));
	snprintf(script, sizeof(script), "n=3; trap 'n=$((n+1))' INT; echo >%s; sleep 5; sleep 0.5; "
		 "exit $n", ready);
	pid = child_fork();
	if (!pid)
		_exit(in_terminal(name, script));
	while (!lseek(fd, 0, SEEK_END))
		usleep(10000);
	usleep(300000);			/* it sleeps */
	assert_int_equal(write(keyboard, "\003", 1), 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 4);
	close(keyboard);
	close(fd);
	unlink(ready);
}

/* Neither our mask nor what stop_open() ignores. */
static void signals_are_as_we_were_started_with(void **state)
{
	(void)state;
	assert_int_equal(run("kill -PIPE $$", EXIT_DONE), 128 + SIGPIPE);
	assert_int_equal(run("grep -q '^SigBlk:.0*$' /proc/self/status", EXIT_DONE), 0);
}

/* Through sudo, as the user who called it. */
static void it_is_the_invoking_users(void **state)
{
	char *words[] = { "sh", "-c", "test \"$(id -u) $(id -g) $(id -G)\" = '65534 4 4' && "
			  "test -z \"$SUDO_UID$SUDO_COMMAND$MAIL\" && test \"$USER\" = \"$LOGNAME\" && "
			  "test -n \"$USER\" && test \"$HOME\" != /root && test -n \"$OTHER\"", NULL };
	struct command *command;

	(void)state;
	if (geteuid())
		skip();
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "4", 1);
	setenv("SUDO_USER", "nobody", 1);
	setenv("SUDO_COMMAND", "x", 1);
	setenv("MAIL", "/var/mail/root", 1);
	setenv("OTHER", "stays", 1);
	command = hold_words(words);
	unsetenv("SUDO_UID");
	assert_int_equal(command_go(command, &stop), 0);
	assert_int_equal(end(command, EXIT_DONE), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_exit_status_is_passed_on),
		cmocka_unit_test(a_failure_of_our_own_is_told_apart),
		cmocka_unit_test(one_that_is_not_let_go_does_not_run),
		cmocka_unit_test(its_end_is_seen_at_the_descriptor),
		cmocka_unit_test(it_is_followed_once),
		cmocka_unit_test(what_cannot_be_run_is_told),
		cmocka_unit_test(signals_are_passed_on),
		cmocka_unit_test(signals_are_passed_on_after_the_run),
		cmocka_unit_test(a_key_reaches_the_command_once),
		cmocka_unit_test(signals_are_as_we_were_started_with),
		cmocka_unit_test(it_is_the_invoking_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
