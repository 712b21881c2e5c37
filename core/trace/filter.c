// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns the processes that the user names into what the kernel side compares. */
#include "core/trace/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/filter.h"
#include "core/base/log.h"
#include "core/base/number.h"
#include "core/kernel/cgroup.h"
#include "core/kernel/environment.h"
#include "core/trace/command.h"
#include "core/trace/identity.h"
#include "core/trace/setting.h"

/* A process or thread asked for. */
struct filter_process {
	uint32_t seen, pid;		/* the user's number, the kernel's */
	bool is_thread;
	int pidfd;			/* -1: not possible: a thread, or without a number in our namespace */
	int folder;			/* else: its folder in /proc, checked now and then */
	bool ended;
};

/* Events that are not those of a process asked for. */
#define LOOK 0xffffffff			/* the timer for those without a pidfd */
#define COMMAND 0xfffffffe		/* its end */

int pid_list_parse(const char *word, void *list)
{
	struct pid_list *pids = list;
	size_t count = pids->count, words = 1;
	char *copy = strdup(word), *at = copy;
	uint32_t *grown;
	uint64_t pid;
	int err = 0;

	for (const char *comma = word; (comma = strchr(comma, ',')); comma++)
		words++;
	grown = reallocarray(pids->pids, count + words, sizeof(*grown));
	if (grown)
		pids->pids = grown;
	if (!grown || !copy)
		err = -ENOMEM;
	for (char *one; !err && (one = strsep(&at, ","));) {
		err = parse_uint(one, 1, INT32_MAX, &pid);
		if (!err)
			pids->pids[count++] = pid;
	}
	if (!err)
		pids->count = count;
	free(copy);
	return err;
}

void pid_list_release(void *list)
{
	free(((struct pid_list *)list)->pids);
	*(struct pid_list *)list = (struct pid_list){ 0 };
}

/* /proc, as it is mounted here. */
struct proc {
	bool is_ours;			/* of our own namespace, so pidfds have its numbers */
	bool is_initial;
	struct identity_bpf *identity;	/* NULL: not needed */
};

/* How many numbers of our own /proc shows: from its namespace down to ours. */
static int own_numbers(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	int numbers = 0;
	char line[512];

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", 6))
			continue;
		for (char *at = strtok(line + 6, "\t\n "); at; at = strtok(NULL, "\t\n "))
			numbers++;
	}
	fclose(file);
	return numbers ?: 1;	/* a kernel without PID namespaces has no such line */
}

static int read_proc(struct proc *proc)
{
	const ino_t initial = 0xEFFFFFFC;	/* PROC_PID_INIT_INO, include/linux/proc_ns.h */
	struct stat st;

	proc->is_ours = own_numbers() == 1;
	proc->is_initial = proc->is_ours &&
			   (stat("/proc/self/ns/pid", &st) || st.st_ino == initial);
	return 0;
}

/* If the numbers may differ from the kernel's, asks the kernel. */
static int ask_proc(struct filter *filter, const struct proc *proc)
{
	struct identity answer;
	int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err = folder < 0 ? -errno : identity_ask(proc->identity, IDENTITY_PROC, folder, &answer);

	if (folder >= 0)
		close(folder);
	if (err)
		return err;
	filter->self = answer.pid;
	filter->numbers = answer.level;
	filter->level = answer.level;
	filter->inum = answer.inum;
	return 0;
}

static int pidfd_open_of(uint32_t pid)
{
	int fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

/* The process that a thread or process belongs to, by /proc; 0: not shown there. */
static uint32_t process_of(int folder)
{
	int fd = openat(folder, "status", O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	unsigned int pid = 0;
	char line[512];

	if (!file)
		return 0;
	while (!pid && fgets(line, sizeof(line), file))
		sscanf(line, "Tgid:%u", &pid);
	fclose(file);
	return pid;
}

static int say_none(uint32_t pid)
{
	log_error("no process has the PID '%u'", pid);
	return -ESRCH;
}

static int say_no_thread(uint32_t tid)
{
	log_error("no thread has the TID '%u'", tid);
	return -ESRCH;
}

static int say_thread(uint32_t pid, uint32_t process)
{
	log_error("'%u' is a thread, not a process", pid);
	if (process)
		log_hint("trace its process: -p %u, or it alone: --tid %u", process, pid);
	return -ESRCH;
}

/*
 * /proc does not show it, but it may exist: hidepid hides the processes of other users, including
 * the first one. pidfd_open() sees them.
 */
static int say_hidden(uint32_t pid, int pidfd_err)
{
	if (pidfd_err == -ESRCH)
		return say_none(pid);
	if (pidfd_err == -EINVAL || pidfd_err == -ENOENT)
		return say_thread(pid, 0);
	if (!access("/proc/1", F_OK))
		return say_none(pid);
	log_error("cannot see whether '%u' is a process: this /proc hides some (hidepid)", pid);
	log_hint("CAP_SYS_PTRACE shows all of them");
	return -EPERM;
}

/* Opens a reference to the process, valid even if another one gets its number. */
static int open_process(const struct proc *proc, struct filter_process *process)
{
	char path[32];
	uint32_t of;
	int err;

	err = process->pidfd = proc->is_ours && !process->is_thread ?
		pidfd_open_of(process->seen) : -EPERM;
	if (err == -EMFILE || err == -ENFILE || err == -ENOMEM) {
		log_error("cannot watch process '%u': %s", process->seen, strerror(-err));
		return err;
	}
	snprintf(path, sizeof(path), "/proc/%u", process->seen);
	process->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (process->is_thread)
		return process->folder >= 0 && process_of(process->folder) ? 0 :
		       say_no_thread(process->seen);
	if (process->folder < 0 && process->pidfd < 0)
		return say_hidden(process->seen, err);
	if (process->folder < 0) {
		log_debug("/proc does not show process '%u' (hidepid): it is there, and is traced",
			  process->seen);
		return 0;
	}
	of = process_of(process->folder);
	if (!of)
		return say_none(process->seen);
	return of == process->seen ? 0 : say_thread(process->seen, of);
}

/* The kernel's number; and, if that is possible, a pidfd of a process that only /proc shows. */
static int identify(const struct proc *proc, struct filter_process *process)
{
	struct identity answer, again;
	bool by_folder = process->pidfd < 0;
	int err;

	if (!proc->identity) {
		process->pid = process->seen;
		return 0;
	}
	err = identity_ask(proc->identity, by_folder ? IDENTITY_FOLDER : IDENTITY_PIDFD,
			   by_folder ? process->folder : process->pidfd, &answer);
	if (err)
		return err;
	process->pid = answer.pid;
	if (!process->pid)
		return process->is_thread ? say_no_thread(process->seen) : say_none(process->seen);
	if (process->is_thread)
		return 0;
	if (by_folder && answer.own_pid)
		process->pidfd = pidfd_open_of(answer.own_pid);
	if (by_folder && process->pidfd >= 0 &&
	    (identity_ask(proc->identity, IDENTITY_PIDFD, process->pidfd, &again) ||
	     again.pid != answer.pid))
		return say_none(process->seen);
	return 0;
}

static int watch(const struct filter *filter, int fd, uint32_t index)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = index };

	return epoll_ctl(filter->ends_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Those without a pidfd are checked once a second. */
static int watch_folders(struct filter *filter)
{
	const struct itimerspec second = { { 1, 0 }, { 1, 0 } };

	filter->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (filter->timer_fd < 0 || timerfd_settime(filter->timer_fd, 0, &second, NULL))
		return -errno;
	return watch(filter, filter->timer_fd, LOOK);
}

static int watch_all(struct filter *filter)
{
	bool folders = false;
	int err = 0;

	filter->ends_fd = epoll_create1(EPOLL_CLOEXEC);
	if (filter->ends_fd < 0)
		err = -errno;
	else if (filter->options->command)
		err = watch(filter, command_fd(filter->options->command), COMMAND);
	for (size_t i = 0; i < filter->count && !err; i++) {
		struct filter_process *process = &filter->processes[i];

		folders |= process->pidfd < 0;
		if (process->pidfd >= 0)
			err = watch(filter, process->pidfd, i);
		if (process->pidfd >= 0 && process->folder >= 0) {
			close(process->folder);
			process->folder = -1;
		}
	}
	if (!err && folders)
		err = watch_folders(filter);
	if (err)
		log_error("cannot watch processes: %s", strerror(-err));
	return err;
}

static int make_list(struct filter *filter)
{
	const __u8 yes = 1;
	int err = 0;

	filter->list_fd = bpf_map_create(BPF_MAP_TYPE_HASH, "filter_ids", sizeof(__u32),
					 sizeof(__u8), filter->count, NULL);
	if (filter->list_fd < 0)
		err = filter->list_fd;
	for (size_t i = 0; i < filter->count && !err; i++)
		err = bpf_map_update_elem(filter->list_fd, &filter->processes[i].pid, &yes, 0);
	if (err)
		environment_explain("cannot make", "filter_ids", err);
	return err;
}

static bool has(const struct filter *filter, uint32_t seen)
{
	for (size_t i = 0; i < filter->count; i++)
		if (filter->processes[i].seen == seen)
			return true;
	return false;
}

static int open_all(struct filter *filter, const struct proc *proc)
{
	bool is_thread = filter->options->tids.count;
	const struct pid_list *pids = is_thread ? &filter->options->tids : &filter->options->pids;
	int err = 0;

	filter->processes = calloc(pids->count ?: 1, sizeof(*filter->processes));
	if (!filter->processes)
		return -ENOMEM;
	for (size_t i = 0; i < pids->count && !err; i++) {
		struct filter_process *process = &filter->processes[filter->count];

		if (has(filter, pids->pids[i]))
			continue;
		*process = (struct filter_process){ pids->pids[i], 0, is_thread, -1, -1, false };
		filter->count++;
		err = open_process(proc, process) ?: identify(proc, process);
	}
	filter->running = filter->count;
	if (!err && filter->count > 1)
		err = make_list(filter);
	return err;
}

/* The command's process, and all that will descend from it. */
static int open_command(struct filter *filter, const struct proc *proc, const char *btf_path)
{
	struct command *command = filter->options->command;
	struct filter_process process = { .seen = command_pid(command),
					  .pidfd = command_fd(command), .folder = -1 };
	int err = identify(proc, &process);

	if (err)
		return err;
	filter->followed_fd = command_follow(command, process.pid, btf_path);
	return filter->followed_fd < 0 ? filter->followed_fd : 0;
}

/* The control group asked for, as a map that the kernel side can compare with. */
static int open_cgroup(struct filter *filter)
{
	const struct filter_options *options = filter->options;
	int fd = options->cgroup ? cgroup_open(options->cgroup) :
				   cgroup_open_container(options->container), err;
	const __u32 first = 0;

	if (fd < 0)
		return fd;
	filter->cgroup_fd = bpf_map_create(BPF_MAP_TYPE_CGROUP_ARRAY, "filter_cgroup",
					   sizeof(__u32), sizeof(__u32), 1, NULL);
	err = filter->cgroup_fd < 0 ? filter->cgroup_fd :
				      bpf_map_update_elem(filter->cgroup_fd, &first, &fd, 0);
	if (err)
		environment_explain("cannot make", "filter_cgroup", err);
	close(fd);
	return err;
}

/* Whether options contradict each other, which is reported. */
static bool contradict(const struct filter_options *options)
{
	const char *what = options->pids.count && options->tids.count ? "-p and --tid" :
			   options->pids.count && options->command ? "-p and a command" :
			   options->tids.count && options->command ? "--tid and a command" :
			   options->cgroup && options->container ? "--cgroup and --container" :
			   options->mount && options->device.is_set ? "--mount and --dev" : NULL;

	if (what)
		log_error("%s exclude each other", what);
	return what;
}

int filter_place(const struct filter_options *options, struct place *place)
{
	*place = (struct place){ 0 };
	if (contradict(options))
		return -EINVAL;
	if (options->mount)
		return place_of_path(options->mount, place);
	return options->device.is_set ? place_of_device(options->device, place) : 0;
}

int filter_open(struct filter *filter, const struct filter_options *options, bool shows,
		const char *btf_path)
{
	struct proc proc = { 0 };
	int err = contradict(options) ? -EINVAL : 0;

	*filter = (struct filter)FILTER_CLOSED;
	filter->options = options;
	filter->self = getpid();
	read_proc(&proc);
	if (!err && !proc.is_initial &&
	    (shows || options->pids.count || options->tids.count || options->command)) {
		proc.identity = identity_open(btf_path);
		err = proc.identity ? ask_proc(filter, &proc) : -ENOENT;
	}
	err = err ?: open_all(filter, &proc);
	if (!err && options->command)
		err = open_command(filter, &proc, btf_path);
	if (!err && (options->cgroup || options->container))
		err = open_cgroup(filter);
	filter->device = options->device;
	if (!err && options->mount) {
		struct place place;

		err = place_of_path(options->mount, &place);
		filter->device = place.device;
	}
	if (!err && (filter->count || options->command))
		err = watch_all(filter);
	identity_close(proc.identity);
	return err;
}

static __u32 filter_mode(const struct filter *filter)
{
	const struct filter_options *options = filter->options;

	return (filter->count == 1 ? FILTER_ONE : 0) |
	       (filter->count > 1 ? FILTER_LIST : 0) |
	       (filter->numbers ? FILTER_NUMBERS : 0) |
	       (options->tids.count ? FILTER_THREADS : 0) |
	       (options->command ? FILTER_FOLLOWED : 0) |
	       (options->user.is_set ? FILTER_USER : 0) |
	       (options->comm.end ? FILTER_COMM : 0) |
	       (options->cgroup || options->container ? FILTER_CGROUP : 0);
}

bool filter_is_set(const struct filter *filter)
{
	return filter_mode(filter) & ~FILTER_NUMBERS || filter->device.is_set;
}

void filter_close(struct filter *filter)
{
	for (size_t i = 0; i < filter->count; i++) {
		if (filter->processes[i].pidfd >= 0)
			close(filter->processes[i].pidfd);
		if (filter->processes[i].folder >= 0)
			close(filter->processes[i].folder);
	}
	free(filter->processes);
	if (filter->list_fd >= 0)
		close(filter->list_fd);
	if (filter->cgroup_fd >= 0)
		close(filter->cgroup_fd);
	if (filter->timer_fd >= 0)
		close(filter->timer_fd);
	if (filter->ends_fd >= 0)
		close(filter->ends_fd);
	*filter = (struct filter)FILTER_CLOSED;
}

/* Without the map, fd -1, the verifier removes the code that would read it. */
static int set_map(struct bpf_object *object, const char *name, int fd)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, name);
	int err = !map ? -ENOENT : fd >= 0 ? bpf_map__reuse_fd(map, fd) :
					     bpf_map__set_autocreate(map, false);

	if (err)
		log_error("cannot set the list '%s': %s", name, strerror(-err));
	return err;
}

int filter_apply(const struct filter *filter, struct bpf_object *object)
{
	const __u32 mode = filter_mode(filter);
	const __u32 id = filter->count == 1 ? filter->processes[0].pid : 0;
	const struct setting settings[] = {
		SETTING("filter_mode", &mode),
		SETTING("filter_id", &id),
		SETTING("filter_uid", &filter->options->user.uid),
		SETTING("filter_comm", &filter->options->comm),
		SETTING("filter_dev", &filter->device.number),
		SETTING("filter_level", &filter->level),
		SETTING("filter_inum", &filter->inum),
		{ 0 }
	};

	return set_map(object, "filter_ids", filter->list_fd) ?:
	       set_map(object, "filter_followed", filter->followed_fd) ?:
	       set_map(object, "filter_cgroup", filter->cgroup_fd) ?:
	       setting_apply(object, settings);
}

/* A first thread that has ended is a zombie until the others have ended. */
static bool has_ended(const struct filter_process *process)
{
	int fd = openat(process->folder, "stat", O_RDONLY | O_CLOEXEC);
	char line[512], state, *name_end;
	ssize_t len = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	long threads;

	if (fd >= 0)
		close(fd);
	line[len > 0 ? len : 0] = '\0';
	name_end = strrchr(line, ')');
	if (!name_end || sscanf(name_end, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d "
				"%*d %*d %*d %ld", &state, &threads) != 2)
		return true;	/* gone */
	return (state == 'Z' || state == 'X') && (process->is_thread || threads <= 1);
}

static void take_out(struct filter *filter, struct filter_process *process)
{
	if (process->ended)
		return;
	process->ended = true;
	filter->running--;
	if (filter->list_fd >= 0)
		bpf_map_delete_elem(filter->list_fd, &process->pid);
	if (filter->running)
		log_debug("%s %u has ended", process->is_thread ? "thread" : "process", process->seen);
}

static void look_at_folders(struct filter *filter)
{
	for (size_t i = 0; i < filter->count; i++) {
		struct filter_process *process = &filter->processes[i];

		if (process->pidfd < 0 && !process->ended && has_ended(process))
			take_out(filter, process);
	}
}

static void tell_end(struct filter *filter)
{
	if (filter->told)
		return;
	filter->told = true;
	if (filter->count == 1)
		log_error("%s %u has ended", filter->processes->is_thread ? "thread" : "process",
			  filter->processes->seen);
	else
		log_error("all %zu %s have ended", filter->count,
			  filter->processes->is_thread ? "threads" : "processes");
}

bool filter_ended(void *context)
{
	struct filter *filter = context;
	struct epoll_event event;
	uint64_t times;

	while (filter->ends_fd >= 0 && epoll_wait(filter->ends_fd, &event, 1, 0) == 1) {
		struct filter_process *process = &filter->processes[event.data.u32];
		int fd;

		if (event.data.u32 == COMMAND)
			return true;
		fd = event.data.u32 == LOOK ? filter->timer_fd : process->pidfd;
		if (event.data.u32 == LOOK)
			look_at_folders(filter);
		else
			take_out(filter, process);
		/* The descriptor of the last one stays readable, as the end is final. */
		if (!filter->running)
			break;
		if (event.data.u32 == LOOK)
			(void)!read(fd, &times, sizeof(times));
		else
			epoll_ctl(filter->ends_fd, EPOLL_CTL_DEL, fd, NULL);
	}
	if (filter->running || !filter->count)
		return false;
	tell_end(filter);
	return true;
}
