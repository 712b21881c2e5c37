// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An object with settings, for setting_test.c. It is opened, never loaded. */
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile bool flag;
const volatile __u32 number = 7;
const volatile __u64 wide;
const volatile __u32 numbers[3];
__u32 counter;		/* not read-only: no setting */

SEC("raw_tp/sys_enter")
int uses_all(void *ctx)
{
	counter += flag + number + wide + numbers[1];
	return 0;
}
