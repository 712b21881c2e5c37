"""The end of a run: a table of tools by kernel and mode, the failures, the count."""
from collections import Counter, defaultdict

HEAD = "APPLET KERNEL MODE CHECKS SKIPPED EXPECTED COUNTED TOLD".split()
FORM = "{:<13} {:<11} {:<7} {:>9} {:>8} {:>10} {:>10} {:>8}"


def total(words):
    return sum(int(word) for word in words.split() if word.lstrip("-").isdecimal())


def table(results):
    groups = defaultdict(Counter)
    for r in results:
        if r.applet == "-":
            continue
        group = groups[r.applet, r.kernel, r.mode]
        group["told"] += total(r.told)
        group[r.outcome] += 1
        if r.outcome in ("passed", "failed"):
            group["expected"] += total(r.expected)
            group["counted"] += total(r.counted)
    if not groups:
        return
    yield FORM.format(*HEAD)
    for key in sorted(groups, key=lambda key: key[0]):      # kernels as they were run
        g = groups[key]
        yield FORM.format(*key, f"{g['passed']}/{g['passed'] + g['failed']}", g["skipped"],
                          g["expected"], g["counted"], g["told"])


def count(results):
    return Counter(r.outcome for r in results)


def report(results):
    yield ""
    yield from table(results)
    failed = [r for r in results if r.outcome == "failed"]
    if failed:
        yield ""
        yield from (f"FAILED: {r.kernel:<12} {r.test:<12} {r.text}" for r in failed)
    n = count(results)
    yield ""
    yield f"{n['passed']} passed, {n['failed']} failed, {n['skipped']} skipped"
