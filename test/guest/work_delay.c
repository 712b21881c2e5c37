// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * work delay DEVICE MS [WRITE_MS]: makes a device that reads from DEVICE, each time after MS
 * milliseconds, and writes to it after WRITE_MS, or at once (device mapper, target "delay"); prints
 * its name. Without dmsetup.
 */
#include "work.h"

#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

static void request(int control, unsigned long command, const char *name, const char *parameters,
		    unsigned long long sectors, unsigned long long *device)
{
	struct {
		struct dm_ioctl head;
		struct dm_target_spec target;
		char parameters[200];
	} io = {
		.head = {
			.version = { DM_VERSION_MAJOR }, .data_size = sizeof(io),
			.data_start = sizeof(io.head), .target_count = parameters != NULL,
		},
		.target = { .length = sectors, .target_type = "delay" },
	};

	snprintf(io.head.name, sizeof(io.head.name), "%s", name);
	if (parameters)
		snprintf(io.parameters, sizeof(io.parameters), "%s", parameters);
	if (ioctl(control, command, &io))
		die("device mapper: %s: %s", name, strerror(errno));
	*device = io.head.dev;
}

int delay_main(int argc, char **argv)
{
	int control = open("/dev/mapper/control", O_RDWR | O_CLOEXEC), fd;
	unsigned long long size, device;
	char parameters[200], name[40];

	must(argc >= 3 && argc <= 4 && control >= 0);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	must(fd >= 0 && !ioctl(fd, BLKGETSIZE64, &size));
	close(fd);
	snprintf(name, sizeof(name), "delay%s", argv[2]);
	/* twice DEVICE, offset, delay: of reads, of writes */
	snprintf(parameters, sizeof(parameters), "%s 0 %s %s 0 %s", argv[1], argv[2],
		 argv[1], argc == 4 ? argv[3] : "0");
	request(control, DM_DEV_CREATE, name, NULL, 0, &device);
	request(control, DM_TABLE_LOAD, name, parameters, size / 512, &device);
	request(control, DM_DEV_SUSPEND, name, NULL, 0, &device);	/* without a flag: resume */
	printf("/dev/dm-%d\n", minor(device));
	return 0;
}
