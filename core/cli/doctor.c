// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The applets asked for are started at once, each with -p for a worker of its own; when all have
 * attached, or failed, the workers work; then the applets are ended, and what they printed is read.
 * So nothing is decided here: how an applet attaches, and why it cannot, is what it says itself.
 */
#include "core/cli/doctor.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/escape.h"
#include "core/base/log.h"
#include "core/cli/commands.h"
#include "core/cli/help.h"
#include "core/cli/run.h"
#include "core/filesystem/filesystem.h"
#include "core/kernel/mounts.h"
#include "core/trace/probe.h"

#define OPERATIONS 101		/* of each trial */
#define LIMIT_S 300		/* for all to attach, in an emulated guest, too */
#define LOOK_NS (NS_PER_SECOND / 200)

enum verdict {
	WORKS,
	FAILS,
	UNPROVEN,		/* attaches, but nothing shows that it counts */
	NOT_CHECKED,		/* no such file system is mounted, and nobody asked */
};

static const char *const verdict_names[] = { "works", "fails", "unproven", "not checked" };

struct patient {
	const struct applet *applet;
	char folder[PATH_MAX];	/* where the trial is; empty: nowhere */
	int out, err;		/* what the applet prints, in memory */
	pid_t tracer, worker;	/* 0: there is none */
	int line;		/* to the worker: it tells its number, waits for a byte, and tells how it went */
	bool has_attached, is_late;	/* is_late: it has not attached in time */
	int work_err, status;
	unsigned long long counted;
	enum verdict verdict;
	char *messages;		/* lines of stderr */
};

struct doctor {
	struct patient *patients;
	size_t count;
	unsigned int id;	/* of this run: the names of one before may be in a cache */
	bool json;
};

static bool find_folder(void *context, const char *type, const char *path)
{
	struct patient *patient = context;
	const struct filesystem *fs = filesystem_find(type);
	struct statfs statfs_;

	if (!fs || strcmp(fs->name, patient->applet->trial->filesystem))
		return true;
	/* Another one may be mounted above it. */
	if (statfs(path, &statfs_) || (fs->magic && (uint32_t)statfs_.f_type != fs->magic) ||
	    access(path, W_OK | X_OK))
		return true;
	snprintf(patient->folder, sizeof(patient->folder), "%s", path);
	return false;
}

/* Where the applet can show what it counts. */
static void choose_folder(struct patient *patient)
{
	const struct trial *trial = patient->applet->trial;
	FILE *mounts = trial && trial->filesystem ? mounts_open() : NULL;

	if (trial && !trial->filesystem)
		strcpy(patient->folder, "/");
	if (!mounts)
		return;
	mounts_each(mounts, find_folder, patient);
	fclose(mounts);
}

static _Noreturn void work(const struct doctor *doctor, const struct patient *patient, int line)
{
	char number[16] = "";
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Our number as the user's /proc has it. */
	if (readlink("/proc/self", number, sizeof(number) - 1) < 0)
		snprintf(number, sizeof(number), "%d", getpid());
	if (write(line, number, sizeof(number)) < 0 || read(line, number, 1) != 1)
		_exit(EXIT_FAILED);
	err = patient->applet->trial->work(patient->folder, doctor->id, OPERATIONS);
	if (write(line, &err, sizeof(err)) < 0)
		_exit(EXIT_FAILED);
	for (;;)
		pause();	/* an applet ends when the processes of -p have */
}

static _Noreturn void trace(const struct patient *patient, const char *number)
{
	const struct applet *applet = patient->applet;
	char *argv[] = { (char *)applet->name, "--json", "-v", NULL, NULL, NULL, NULL };
	int argc = 3;

	if (applet->trial && applet->trial->operand)
		argv[argc++] = (char *)applet->trial->operand;
	if (number) {
		argv[argc++] = "-p";
		argv[argc++] = (char *)number;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGINT, SIG_DFL);	/* ignored at the start, it stays ignored */
	if (dup2(patient->out, STDOUT_FILENO) < 0 || dup2(patient->err, STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	exit(applet_run(applet, argc, argv, SIG_DFL));
}

/* Returns 0 or -errno. */
static int start(const struct doctor *doctor, struct patient *patient)
{
	char number[16] = "";
	int ends[2];

	patient->out = memfd_create("out", MFD_CLOEXEC);
	patient->err = memfd_create("err", MFD_CLOEXEC);
	if (patient->out < 0 || patient->err < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	patient->line = ends[0];
	if (*patient->folder) {
		patient->worker = fork();
		if (!patient->worker)
			work(doctor, patient, ends[1]);
	}
	close(ends[1]);
	if (patient->worker < 0 ||
	    (patient->worker && read(patient->line, number, sizeof(number)) <= 0))
		return -EIO;
	patient->tracer = fork();
	if (!patient->tracer)
		trace(patient, *number ? number : NULL);
	return patient->tracer < 0 ? -errno : 0;
}

/* All that is in a memory file, as a string; NULL: no memory. */
static char *read_all(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = calloc(1, size + 1);

	if (text && pread(fd, text, size, 0) < 0)
		*text = '\0';
	return text;
}

/* Whether the applet has attached, or ended. */
static bool has_started(struct patient *patient)
{
	char *text;

	if (!patient->tracer || patient->has_attached)
		return true;
	text = read_all(patient->err);
	patient->has_attached = text && strstr(text, "\nfstrace: attached by ");
	free(text);
	if (!patient->has_attached && waitpid(patient->tracer, &patient->status, WNOHANG) > 0)
		patient->tracer = 0;
	return !patient->tracer || patient->has_attached;
}

static void wait_for_all(const struct doctor *doctor)
{
	uint64_t until_ns = now_ns() + LIMIT_S * NS_PER_SECOND;

	for (size_t i = 0; i < doctor->count; i++)
		while (!has_started(&doctor->patients[i]) && now_ns() < until_ns)
			usleep(LOOK_NS / 1000);
	for (size_t i = 0; i < doctor->count; i++)
		doctor->patients[i].is_late = !has_started(&doctor->patients[i]);
}

static void let_work(struct patient *patient)
{
	if (!patient->worker || !patient->has_attached)
		return;
	patient->work_err = -EIO;
	if (write(patient->line, "", 1) == 1)
		(void)!read(patient->line, &patient->work_err, sizeof(patient->work_err));
}

/* What the lines of JSON count. */
static unsigned long long count(const struct doctor *doctor, const struct patient *patient)
{
	const struct trial *trial = patient->applet->trial;
	char *text = read_all(patient->out), *state = NULL, wanted[80];
	unsigned long long n = 0;

	for (char *line = text ? strtok_r(text, "\n", &state) : NULL; line;
	     line = strtok_r(NULL, "\n", &state)) {
		const char *number = trial->count ? strstr(line, trial->count) : NULL;

		snprintf(wanted, sizeof(wanted), trial->line, doctor->id, (unsigned int)n);
		if (!strstr(line, wanted))
			continue;
		if (!trial->count)
			n++;
		else if (number)
			n += strtoull(number + strlen(trial->count), NULL, 10);
	}
	free(text);
	return n;
}

static void judge(const struct doctor *doctor, struct patient *patient)
{
	if (!patient->has_attached || patient->status) {
		patient->verdict = FAILS;
	} else if (!patient->worker || patient->work_err) {
		patient->verdict = UNPROVEN;
	} else {
		patient->counted = count(doctor, patient);
		patient->verdict = patient->counted == OPERATIONS ? WORKS : FAILS;
	}
}

static void end(struct patient *patient)
{
	if (patient->tracer > 0) {
		kill(patient->tracer, patient->has_attached ? SIGINT : SIGKILL);
		waitpid(patient->tracer, &patient->status, 0);
	}
	if (patient->worker > 0) {
		kill(patient->worker, SIGKILL);
		waitpid(patient->worker, NULL, 0);
	}
}

/* Lines of -v: "attached to FUNCTION by HOW" for each, and at the end "attached by HOW". */
static const char attached_to[] = "attached to ", attached_by[] = "attached by ";

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

/* A line without the program's name. */
static const char *message(const char *line)
{
	return line + (begins_with(line, "fstrace: ") ? strlen("fstrace: ") : 0);
}

/* Calls put() with each line that says what is attached (FUNCTION by HOW), or with all others. */
static void each_message(const struct patient *patient, bool attached,
			 void (*put)(void *context, const char *text), void *context)
{
	char *copy = strdup(patient->messages ?: ""), *state = NULL, late[60];

	if (patient->is_late && !attached) {
		snprintf(late, sizeof(late), "has not attached within %d s", LIMIT_S);
		put(context, late);
	}
	for (char *line = copy ? strtok_r(copy, "\n", &state) : NULL; line;
	     line = strtok_r(NULL, "\n", &state)) {
		const char *text = message(line);

		if (begins_with(text, attached_to) && attached)
			put(context, text + strlen(attached_to));
		else if (!begins_with(text, attached_to) && !begins_with(text, attached_by) && !attached)
			put(context, text);
	}
	free(copy);
}

/* The functions that are attached to by one mechanism. */
struct functions {
	const char *how;
	FILE *to;
	size_t count;
};

static void add_function(void *context, const char *text)
{
	struct functions *functions = context;
	const char *by = strstr(text, " by ");

	if (!by || strcmp(by + strlen(" by "), functions->how))
		return;
	fprintf(functions->to, "%s%.*s", functions->count++ ? ", " : "", (int)(by - text), text);
}

static void print_attached(const struct patient *patient)
{
	for (int i = 0; i < MECHANISMS; i++) {
		struct functions functions = { .how = mechanism_names[i] };
		char *text = NULL;
		size_t size;

		functions.to = open_memstream(&text, &size);
		if (!functions.to)
			return;
		each_message(patient, true, add_function, &functions);
		fclose(functions.to);
		if (functions.count)
			help_wrap(stdout, text, printf("  by %s: ", functions.how), 4);
		free(text);
	}
}

static void print_message(void *context, const char *text)
{
	(void)context;
	printf("  %s\n", text);
}

static void print_text(const struct patient *patient)
{
	const struct trial *trial = patient->applet->trial;

	printf("%-12s %s", patient->applet->name, verdict_names[patient->verdict]);
	if (patient->verdict == NOT_CHECKED)
		printf(": no %s is mounted", trial->filesystem);
	else if (patient->verdict == UNPROVEN && patient->work_err)
		printf(": cannot work in '%s': %s", patient->folder, strerror(-patient->work_err));
	else if (patient->verdict == UNPROVEN && trial)
		printf(": attached, but there is no %s to write to", trial->filesystem);
	else if (patient->verdict == UNPROVEN)
		printf(": attached, but it has no trial");
	else if (patient->has_attached && trial)
		printf(": counted %llu of %u %s", patient->counted, OPERATIONS, trial->what);
	putchar('\n');
	print_attached(patient);
	each_message(patient, false, print_message, NULL);
}

static void put_json(const char *text)
{
	size_t len = strlen(text);
	char *to = malloc(len * ESCAPE_JSON_MAX + 1);

	if (to)
		printf("\"%.*s\"", (int)(escape_json(to, text, len, NULL) - to), to);
	free(to);
}

static void add_json(void *context, const char *text)
{
	const char **between = context;

	fputs(*between, stdout);
	put_json(text);
	*between = ",";
}

static void print_json(const struct patient *patient)
{
	const char *between = "";

	printf("{\"applet\":\"%s\",\"verdict\":\"%s\",\"operations\":%u,\"counted\":%llu,\"attached\":[",
	       patient->applet->name, verdict_names[patient->verdict],
	       patient->has_attached && patient->worker ? OPERATIONS : 0, patient->counted);
	each_message(patient, true, add_json, &between);
	between = "";
	fputs("],\"messages\":[", stdout);
	each_message(patient, false, add_json, &between);
	fputs("]}\n", stdout);
}

/* Starts all, lets them work, ends them, and judges. Returns EXIT_... */
static int examine(const struct doctor *doctor)
{
	int status = EXIT_DONE, err;

	for (size_t i = 0; i < doctor->count; i++) {
		struct patient *patient = &doctor->patients[i];

		err = patient->verdict == NOT_CHECKED ? 0 : start(doctor, patient);
		if (err)
			log_error("cannot check '%s': %s", patient->applet->name, strerror(-err));
	}
	wait_for_all(doctor);
	for (size_t i = 0; i < doctor->count; i++)
		let_work(&doctor->patients[i]);
	for (size_t i = 0; i < doctor->count; i++)
		end(&doctor->patients[i]);
	for (size_t i = 0; i < doctor->count; i++) {
		struct patient *patient = &doctor->patients[i];

		if (patient->verdict != NOT_CHECKED) {
			patient->messages = read_all(patient->err);
			judge(doctor, patient);
			if (patient->verdict != WORKS)
				status = EXIT_FAILED;
		}
		(doctor->json ? print_json : print_text)(patient);
		free(patient->messages);
	}
	return status;
}

/* A trial needs a file system of its applet; without one, only who asks for it has it checked. */
static void add(struct doctor *doctor, const struct applet *applet, bool asked)
{
	struct patient *patient = &doctor->patients[doctor->count++];

	*patient = (struct patient){ .applet = applet };
	choose_folder(patient);
	if (!asked && applet->trial && !*patient->folder)
		patient->verdict = NOT_CHECKED;
}

int doctor_run(int argc, char **argv)
{
	struct doctor doctor = { 0 };
	size_t applets = 0;
	int words = 1, status;

	if (words < argc && !strcmp(argv[words], "--json")) {
		doctor.json = true;
		words++;
	}
	for (int i = words; i < argc; i++)
		if (!find_applet(argv[i]))
			return no_such_applet(argv[i]);
	FOR_EACH_APPLET(applet)
		applets++;
	doctor.patients = calloc(words < argc ? (size_t)(argc - words) : applets,
				 sizeof(*doctor.patients));
	if (!doctor.patients || getrandom(&doctor.id, sizeof(doctor.id), 0) < 0) {
		log_error("cannot check the applets: %s", strerror(errno));
		free(doctor.patients);
		return EXIT_FAILED;
	}
	for (int i = words; i < argc; i++)
		add(&doctor, find_applet(argv[i]), true);
	if (words == argc)
		FOR_EACH_APPLET(applet)
			add(&doctor, applet, false);
	status = examine(&doctor);
	free(doctor.patients);
	/* What is wrong has been printed. */
	if (status)
		log_error("not all applets work here");
	return status;
}
