// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading BTF and kallsyms for a set of probes. */
#include "core/trace/facts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "core/base/log.h"
#include "core/kernel/environment.h"

static const char *const sign_names[SIGNS] = {
	[SIGN_SESSION] = "bpf_session_is_return",
	[SIGN_LOSSLESS] = "fprobe_return",
	[SIGN_PREEMPTS] = "preempt_schedule",
	[SIGN_SAFE_FEXIT] = "__bpf_tramp_image_put_deferred",
};

/* What the candidates came with; for one that came with nothing, itself. */
static void list_companions(struct facts *facts)
{
	struct btf_function *all = &facts->functions[facts->nfunctions + SIGNS];

	memcpy(all, facts->functions, facts->nfunctions * sizeof(*all));
	for (size_t i = 0; i < facts->nprobes; i++) {
		const struct candidate *candidates = facts->set[i].candidates;

		for (size_t j = 0; j < PROBE_CANDIDATES_MAX && candidates[j].function; j++)
			if (candidates[j].with)
				all[facts->first[i] + j].name = candidates[j].with;
	}
}

static int list_functions(struct facts *facts)
{
	size_t n = 0;

	facts->nprobes = probes_count(facts->set);
	facts->first = calloc(facts->nprobes + 1, sizeof(*facts->first));
	facts->functions = calloc(2 * facts->nprobes * PROBE_CANDIDATES_MAX + SIGNS,
				  sizeof(*facts->functions));
	facts->symbols = calloc(facts->nprobes * PROBE_CANDIDATES_MAX + 1,
				sizeof(*facts->symbols));
	if (!facts->first || !facts->functions || !facts->symbols)
		return -ENOMEM;
	for (size_t i = 0; i < facts->nprobes; i++) {
		const struct probe *probe = &facts->set[i];

		facts->first[i] = n;
		for (size_t j = 0; j < PROBE_CANDIDATES_MAX && probe->candidates[j].function; j++) {
			facts->functions[n].name = probe->candidates[j].function;
			facts->functions[n].module = probe->module;
			facts->symbols[n].module = probe->module;
			facts->symbols[n++].name = probe->candidates[j].function;
		}
	}
	facts->nfunctions = n;
	for (size_t i = 0; i < SIGNS; i++)
		facts->functions[n + i].name = sign_names[i];
	list_companions(facts);
	return 0;
}

static int write_types(struct btf *types, int fd)
{
	const void *data;
	ssize_t written;
	__u32 size;

	if (!types)
		types = btf__new_empty();
	data = types ? btf__raw_data(types, &size) : NULL;
	if (!data)
		return -ENOMEM;
	written = pwrite(fd, data, size, 0);
	return written < 0 ? -errno : written < (ssize_t)size ? -EFBIG : 0;
}

int facts_read(struct facts *facts, const struct probe *set, const char *btf_path,
	       const struct btf *local, int types_fd)
{
	const char *path = btf_path ?: KERNEL_BTF_PATH;
	struct btf *types = NULL;
	int err;

	*facts = (struct facts){ .set = set };
	err = list_functions(facts);
	if (err) {
		log_error("cannot prepare the probes: %s", strerror(-err));
		return err;
	}
	facts->types_err = kernel_btf_read(path, KERNEL_BTF_FOLDER, local, facts->functions,
					   2 * facts->nfunctions + SIGNS, &types);
	/* The functions of another file than the kernel's have other ids. */
	facts->has_functions = !facts->types_err && !btf_path;
	if (facts->types_err && btf_path) {
		log_error("cannot read BTF from '%s': %s", path,
			  kernel_btf_reason(path, facts->types_err));
		return facts->types_err;
	}
	if (facts->types_err)
		log_debug("cannot read '%s': %s", path, kernel_btf_reason(path, facts->types_err));
	err = environment_preempts();
	facts->preempts = err < 0 ? facts_sign(facts, SIGN_PREEMPTS) : err;
	err = write_types(types, types_fd);
	btf__free(types);
	if (err)
		log_error("cannot keep the kernel's types: %s", strerror(-err));
	return err;
}

int facts_read_symbols(struct facts *facts)
{
	FILE *kallsyms;
	long seen;

	if (facts->symbols_read)
		return 0;
	kallsyms = fopen("/proc/kallsyms", "re");
	seen = kallsyms ? ksyms_find(kallsyms, facts->symbols, facts->nfunctions) : -errno;
	if (kallsyms)
		fclose(kallsyms);
	facts->symbols_read = seen > 0;
	if (seen > 0)
		return 0;
	log_error("cannot read '/proc/kallsyms': %s",
		  seen ? strerror(-seen) : "it shows no symbols");
	return seen ?: -ENOENT;
}

void facts_free(struct facts *facts)
{
	free(facts->first);
	free(facts->functions);
	free(facts->symbols);
	*facts = (struct facts){ 0 };
}
