// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * work rpc: the minimum that the kernel's NFS server and its client need from user space, on TCP
 * port 111: rpcbind accepts each service that is registered (NFS version 3 needs that), mountd
 * returns the server's handle of the folder that version 3 mounts. Returns when it listens; a
 * separate process serves.
 */
#include "work.h"

#include <arpa/inet.h>
#include <sys/wait.h>

#define RPCBIND 100000
#define MOUNTD 100005

static int read_whole(int fd, void *to, size_t size)
{
	for (size_t have = 0; have < size;) {
		ssize_t n = read(fd, (char *)to + have, size - have);

		if (n <= 0)
			return 0;
		have += n;
	}
	return 1;
}

/* The file handle of a folder exported to the domain `local`; returns its size. */
static unsigned int handle_of(const char *path, int length, unsigned char *handle)
{
	char text[1024];
	int fd = open("/proc/fs/nfsd/filehandle", O_RDWR | O_CLOEXEC), n;
	unsigned int size = 0;

	n = snprintf(text, sizeof(text), "local %.*s 64\n", length, path);
	must(fd >= 0 && write(fd, text, n) == n);
	n = read(fd, text, sizeof(text) - 1);	/* \x and hexadecimal digits */
	must(n > 2);
	text[n] = '\0';
	while (size < 64 && sscanf(text + 2 + 2 * size, "%2hhx", &handle[size]) == 1)
		size++;
	close(fd);
	return size;
}

/* One call: xid, CALL, rpc version, program, version, procedure, who (twice), arguments. */
static unsigned int answer(const unsigned int *call, unsigned int *reply)
{
	unsigned int program = ntohl(call[3]), procedure = ntohl(call[5]), n = 0, size;
	const unsigned int *argument = call + 6;

	for (int i = 0; i < 2; i++)
		argument += 2 + (ntohl(argument[1]) + 3) / 4;
	reply[n++] = call[0];
	reply[n++] = htonl(1);		/* a reply */
	for (int i = 0; i < 4; i++)	/* accepted, no verifier (2), success */
		reply[n++] = 0;
	if (procedure == 0)
		return n;
	if (program == RPCBIND) {
		reply[n++] = htonl(1);	/* yes */
	} else if (program == MOUNTD && procedure == 1) {
		memset(&reply[n], 0, 80);
		size = handle_of((const char *)(argument + 1), ntohl(*argument),
				 (unsigned char *)&reply[n + 2]);
		reply[n + 1] = htonl(size);
		n += 2 + (size + 3) / 4;
		reply[n++] = htonl(1);	/* one way to say who one is: */
		reply[n++] = htonl(1);	/* AUTH_UNIX */
	}
	return n;
}

static void serve(int fd)
{
	unsigned int call[1024], reply[64], mark;

	while (read_whole(fd, &mark, sizeof(mark))) {
		unsigned int size = ntohl(mark) & 0x7fffffff, n;

		must(size >= 24 && size <= sizeof(call));
		if (!read_whole(fd, call, size))
			break;
		n = answer(call, reply + 1) * sizeof(*reply);
		reply[0] = htonl(0x80000000 | n);
		must(write(fd, reply, n + 4) == n + 4);
	}
	_exit(0);
}

int rpc_main(int argc, char **argv)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(111),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int socket_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
	pid_t pid;

	must(argc == 1 && argv);
	must(!setsockopt(socket_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)));
	must(!bind(socket_fd, (struct sockaddr *)&address, sizeof(address)));
	must(!listen(socket_fd, 8));
	pid = fork();
	must(pid >= 0);
	if (pid)
		return 0;
	for (;;) {
		int fd = accept(socket_fd, NULL, NULL);

		must(fd >= 0);
		pid = fork();
		must(pid >= 0);
		if (!pid)
			serve(fd);
		close(fd);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}
