// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which function and which mechanism for each probe. */
#include "core/trace/plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/kernel/environment.h"

size_t plan_order(const struct facts *facts, enum attach_mode attach,
		  enum mechanism order[MECHANISMS])
{
	bool session = facts_sign(facts, SIGN_SESSION) && facts_sign(facts, SIGN_LOSSLESS);
	bool session_first = session && facts->preempts;
	const enum mechanism all[] = {
		session_first ? BY_SESSION : BY_FENTRY,
		session_first ? BY_FENTRY : BY_SESSION,
		BY_KPROBE,
	};
	size_t n = 0;

	for (size_t i = 0; i < MECHANISMS; i++)
		if ((all[i] != BY_SESSION || session) &&
		    (attach == ATTACH_AUTO || (attach == ATTACH_FENTRY) == (all[i] == BY_FENTRY)))
			order[n++] = all[i];
	return n;
}

static bool knows_arguments(const struct candidate *candidate, const struct btf_function *btf)
{
	return !candidate->args_max ||
	       (btf->args >= candidate->args_min && btf->args <= candidate->args_max);
}

/* The symbol to attach to; NULL: there is none, or it is ambiguous. */
static const char *symbol_name(const struct ksym *symbol)
{
	if (symbol->copies)
		return symbol->copies == 1 ? symbol->name : NULL;
	return symbol->clones == 1 ? symbol->clone : NULL;
}

static bool is_equal_to_next(const struct probe *probe, size_t i)
{
	return i + 1 < PROBE_CANDIDATES_MAX && probe->candidates[i + 1].function &&
	       probe->candidates[i + 1].equal;
}

/* Its module is loaded, and has no BTF (5.10): it may exist nevertheless. */
static bool is_untyped(const struct btf_function *btf)
{
	return btf->module && btf->module_error == -ENOENT && environment_is_loaded(btf->module);
}

static bool is_last(const struct probe *probe, size_t i)
{
	return i + 1 == PROBE_CANDIDATES_MAX || !probe->candidates[i + 1].function;
}

/*
 * One candidate: 0 (taken, *step is set), -EAGAIN (kallsyms must be read), or the reason against
 * it: -ENOENT, -EADDRNOTAVAIL (several of that name), -EPROTOTYPE.
 */
static int try_candidate(const struct facts *facts, size_t probe, size_t i,
			 enum mechanism mechanism, struct step *step)
{
	const struct candidate *candidate = &facts->set[probe].candidates[i];
	const struct btf_function *btf = &facts->functions[facts->first[probe] + i];
	const struct ksym *symbol = &facts->symbols[facts->first[probe] + i];
	bool in_btf = facts->has_functions && btf->id && btf->copies == 1;
	bool twice = btf->copies > 1 || (facts->symbols_read && symbol->copies > 1);

	*step = (struct step){ &facts->set[probe], candidate, candidate->function, 0, btf,
			       mechanism };
	if (in_btf && !knows_arguments(candidate, btf))
		return -EPROTOTYPE;
	if (step->probe->in_interrupts && in_btf && !twice && !facts->no_trampolines &&
	    facts_sign(facts, SIGN_SAFE_FEXIT)) {
		step->mechanism = BY_FENTRY;
		return 0;
	}
	if (mechanism != BY_KPROBE && in_btf && !twice)
		return 0;
	if (!facts->symbols_read) {
		/* A function that is not in BTF may still exist. */
		if (mechanism != BY_KPROBE && !is_untyped(btf) &&
		    (!facts_with(facts, facts->first[probe] + i) ||
		     is_equal_to_next(step->probe, i) ||
		     (step->probe->optional && is_last(step->probe, i))))
			return twice ? -EADDRNOTAVAIL : -ENOENT;
		return -EAGAIN;
	}
	step->function = symbol_name(symbol);
	if (!step->function)
		return symbol->copies > 1 || symbol->clones > 1 ? -EADDRNOTAVAIL : -ENOENT;
	step->address = symbol->address;
	/* Another module has the same name: only the address is unambiguous. */
	if (symbol->others && !symbol->address)
		return -EADDRNOTAVAIL;
	if (mechanism == BY_FENTRY)
		step->mechanism = BY_KPROBE;
	return 0;
}

/* One probe; as try_candidate(), for the best of its candidates. */
static int plan_probe(const struct facts *facts, size_t probe, enum mechanism mechanism,
		      struct step *step)
{
	const struct candidate *candidates = facts->set[probe].candidates;
	int reason = -ENOENT;

	for (size_t i = 0; i < PROBE_CANDIDATES_MAX && candidates[i].function; i++) {
		int err = try_candidate(facts, probe, i, mechanism, step);

		if (err == -EAGAIN || (!err && candidates[i].stem))
			return err;
		if (!err) {		/* nothing to attach to, and nothing is missing */
			*step = (struct step){ .probe = &facts->set[probe] };
			return 0;
		}
		if (err != -ENOENT)
			reason = err;
	}
	*step = (struct step){ .probe = &facts->set[probe] };
	return step->probe->optional ? 0 : reason;
}

int plan_attempt(const struct facts *facts, enum mechanism mechanism, enum attach_mode attach,
		 struct step *steps, struct refusal *refusal)
{
	*refusal = (struct refusal){ 0 };
	if (mechanism == BY_FENTRY && !facts->has_functions)
		refusal->err = -ENODATA;
	else if (mechanism == BY_FENTRY && !facts_sign(facts, SIGN_SAFE_FEXIT))
		refusal->err = -EOPNOTSUPP;
	for (size_t i = 0; i < facts->nprobes && !refusal->err; i++) {
		int err = plan_probe(facts, i, mechanism, &steps[i]);

		if (err == -EAGAIN)
			return err;
		if (!err && attach == ATTACH_FENTRY && steps[i].candidate &&
		    !steps[i].probe->in_interrupts && steps[i].mechanism != BY_FENTRY)
			err = steps[i].btf->copies > 1 ? -EADDRNOTAVAIL : -ENOENT;
		if (!err && steps[i].candidate && steps[i].candidate->reads_types)
			err = facts->types_err ? -ENODATA : 0;
		if (err)
			*refusal = (struct refusal){ err, &facts->set[i] };
	}
	return refusal->err;
}

const char *plan_limit(const struct facts *facts, const struct step *steps, bool kretprobes)
{
	bool by_fentry = false;

	for (size_t i = 0; i < facts->nprobes; i++)
		by_fentry |= steps[i].candidate && steps[i].mechanism == BY_FENTRY;
	if (kretprobes)
		return "returns of a function that many threads wait in at a time (kretprobes run out); "
		       "they are counted";
	if (by_fentry && facts->preempts)
		return "calls of a task that has preempted another one inside a probe; they are counted";
	return NULL;
}

/* "'a' or 'b'" */
static void list_names(const struct probe *probe, char *names, size_t size)
{
	size_t len = 0;

	*names = '\0';
	for (size_t i = 0; i < PROBE_CANDIDATES_MAX && probe->candidates[i].function; i++)
		if (len < size)
			len += snprintf(names + len, size - len, "%s'%s'", len ? " or " : "",
					probe->candidates[i].function);
}

const char *plan_reason(const struct facts *facts, enum mechanism mechanism,
			const struct refusal *refusal)
{
	static char reason[256];
	const struct btf_function *function;
	char names[160];

	if (!refusal->probe) {
		if (refusal->err == -EOPNOTSUPP)
			return "this kernel cannot detach fexit safely (before 5.12)";
		return facts->types_err ? "this kernel has no BTF that can be read" :
					  "--btf does not tell this kernel's functions";
	}
	list_names(refusal->probe, names, sizeof(names));
	switch (refusal->err) {
	case -EADDRNOTAVAIL:
		snprintf(reason, sizeof(reason), "it has several functions %s", names);
		break;
	case -EPROTOTYPE:
		snprintf(reason, sizeof(reason), "%s has other arguments than those we know",
			 names);
		break;
	default:
		function = &facts->functions[facts->first[refusal->probe - facts->set]];
		if (mechanism != BY_KPROBE && function->module_error &&
		    function->module_error != -ENOENT)
			snprintf(reason, sizeof(reason), "the BTF of module '%s' cannot be read: %s",
				 function->module,
				 kernel_btf_reason(function->module, function->module_error));
		else
			snprintf(reason, sizeof(reason), "%s lacks %s",
				 mechanism == BY_KPROBE ? "it" : "its BTF", names);
	}
	return reason;
}

/* A required probe has no function in this kernel. */
static void explain_missing(const struct refusal *refusal)
{
	const char *module = refusal->probe->module;
	char names[160];

	list_names(refusal->probe, names, sizeof(names));
	if (refusal->err == -EADDRNOTAVAIL) {
		log_error("cannot attach to %s: the kernel has several functions of that name",
			  names);
	} else if (refusal->err == -EPROTOTYPE) {
		log_error("cannot attach to %s: it has other arguments than those we know", names);
	} else if (module && !environment_has_module(module)) {
		log_error("cannot trace %s: the module '%s' is not loaded", module, module);
		log_hint("load it, or mount such a file system, first: modprobe %s", module);
	} else {
		log_error("cannot attach to %s: this kernel has no such function", names);
	}
}

void plan_explain(const struct facts *facts, enum mechanism mechanism, enum attach_mode attach,
		  const struct refusal *refusal)
{
	if (refusal->err == -ENODATA && facts->types_err &&
	    (refusal->probe || attach == ATTACH_FENTRY)) {
		log_error("cannot read the kernel's types: %s",
			  kernel_btf_reason(KERNEL_BTF_PATH, facts->types_err));
		log_hint("%s", kernel_btf_hint(KERNEL_BTF_PATH, facts->types_err));
	} else if (attach == ATTACH_FENTRY &&
		   !(refusal->err == -ENOENT && refusal->probe && refusal->probe->module &&
		     !environment_has_module(refusal->probe->module))) {
		log_error("cannot attach by fentry: %s", plan_reason(facts, mechanism, refusal));
		log_hint("--attach=kprobe does without");
	} else {
		explain_missing(refusal);
	}
}
