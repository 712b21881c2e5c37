/* as [-u UID] [-c CAP,...] [-l KIB] [-s] [-i SIGNAL]... [-t|-T SECONDS] [-m FILE] COMMAND ARG...: run
 * a command with the signals of a foreground process, and, if asked, as another user, with these
 * capabilities and no others, with a limit on locked memory, under a seccomp filter that forbids
 * bpf(2) as a container's does, or ignoring signals (numbers). A
 * shell without job control lets its background commands ignore SIGINT, which is not how a user
 * meets a tracer; busybox has nothing to undo it.
 *
 * -t: in a time namespace whose clock is that much ahead; -T: only its children will be in one.
 * -m: FILE gets the milliseconds from the command's line "attached" on stderr to its exit, taken by
 * a process that needs not wait for a processor.
 *
 * as -y|-Y: opens a terminal that nobody reads, with -Y one that is stopped as by Ctrl-S; prints its
 * name, and holds it until killed. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

static const struct {
	const char *name;
	int number;
} caps[] = {
	{ "dac_read_search", 2 }, { "net_admin", 12 }, { "sys_admin", 21 }, { "sys_resource", 24 },
	{ "syslog", 34 },	  { "perfmon", 38 },   { "bpf", 39 },
};

static void die(const char *what)
{
	fprintf(stderr, "as: ");
	perror(what);
	exit(125);
}

static unsigned long long parse_caps(char *list)
{
	unsigned long long set = 0;

	for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
		size_t i;

		for (i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
			if (strcmp(word, caps[i].name) == 0)
				break;
		}
		if (i == sizeof(caps) / sizeof(caps[0])) {
			fprintf(stderr, "as: unknown capability '%s'\n", word);
			exit(125);
		}
		set |= 1ull << caps[i].number;
	}
	return set;
}

/* These and no others, kept over exec (ambient), for a user that is not root. */
static void set_caps(unsigned long long set)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	for (int i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = data[i].inheritable = set >> (32 * i);
	if (syscall(SYS_capset, &header, data))
		die("capset");
	for (int i = 0; i < 64; i++) {
		if (set >> i & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0, 0))
			die("ambient capability");
	}
}

static void forbid_bpf(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		die("cannot set a seccomp filter");
}

static void shift_clock(const char *seconds, int for_us)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "monotonic %s 0\n", seconds), fd;

	if (unshare(CLONE_NEWTIME))
		die("cannot make a time namespace");
	fd = open("/proc/self/timens_offsets", O_WRONLY);
	if (fd < 0 || write(fd, text, len) != len)
		die("cannot shift the clock");
	close(fd);
	if (for_us) {
		fd = open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
		if (fd < 0 || setns(fd, CLONE_NEWTIME))
			die("cannot enter the time namespace");
	}
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Goes on in a child; this process measures how long it lasts. */
static void measure(const char *path)
{
	struct sched_param first = { .sched_priority = 1 };
	int fds[2], status;
	long attached = 0;
	char text[4096];
	ssize_t len;
	FILE *file;
	pid_t pid;

	if (pipe(fds) || (pid = fork()) < 0)
		die("cannot fork");
	if (!pid) {
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		return;
	}
	close(fds[1]);
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("cannot go first");
	while ((len = read(fds[0], text, sizeof(text) - 1)) > 0) {
		text[len] = '\0';
		if (!attached && strstr(text, "attached by"))
			attached = now_ms();
		if (write(STDERR_FILENO, text, len) < 0)
			break;
	}
	waitpid(pid, &status, 0);
	file = fopen(path, "w");
	if (!file || fprintf(file, "%ld\n", attached ? now_ms() - attached : -1) < 0 || fclose(file))
		die(path);
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void hold_terminal(int stopped)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;

	if (master < 0 || grantpt(master) || unlockpt(master))
		die("cannot make a terminal");
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || (stopped && tcflow(slave, TCOOFF)))
		die("cannot stop the terminal");
	puts(ptsname(master));
	fflush(stdout);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	unsigned long long set = 0;
	int c, uid = 0, ignored[8], nignored = 0;
	const char *measured = NULL;

	while ((c = getopt(argc, argv, "+u:c:l:si:t:T:m:yY")) != -1) {
		switch (c) {
		case 'i':
			if (nignored == 8)
				return 125;
			ignored[nignored++] = atoi(optarg);
			break;
		case 's':
			forbid_bpf();
			break;
		case 't':
		case 'T':
			shift_clock(optarg, c == 't');
			break;
		case 'm':
			measured = optarg;
			break;
		case 'y':
		case 'Y':
			hold_terminal(c == 'Y');
			break;
		case 'u':
			uid = atoi(optarg);
			break;
		case 'c':
			set = parse_caps(optarg);
			break;
		case 'l': {
			struct rlimit limit = { atol(optarg) * 1024, atol(optarg) * 1024 };

			if (setrlimit(RLIMIT_MEMLOCK, &limit))
				die("RLIMIT_MEMLOCK");
			break;
		}
		default:
			return 125;
		}
	}
	if (uid) {
		if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
		    setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
			die("cannot change user");
		set_caps(set);
	}
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	while (nignored)
		signal(ignored[--nignored], SIG_IGN);
	argv += optind;
	if (!*argv)
		return 125;
	if (measured)
		measure(measured);
	execvp(*argv, argv);
	die(*argv);
}
