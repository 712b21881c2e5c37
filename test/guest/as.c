/* as [-u UID] [-c CAP,...] [-l KIB] COMMAND ARG...: run a command with the signals of a
 * foreground process, and, if asked, as another user, with these capabilities and no others,
 * or with a limit on locked memory. A shell without job control lets its background commands
 * ignore SIGINT, which is not how a user meets a tracer; busybox has nothing to undo it. */
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

int main(int argc, char **argv)
{
	unsigned long long set = 0;
	int c, uid = 0;

	while ((c = getopt(argc, argv, "+u:c:l:")) != -1) {
		switch (c) {
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
	argv += optind;
	if (!*argv)
		return 125;
	execvp(*argv, argv);
	die(*argv);
}
