"""The histograms of ext4dist and its like: is every operation counted once, and nothing else?"""
import re
from collections import Counter

from check import Check, is_
from expectation import Window

# How the returns of an operation may be split between completions, queued ones and refused tries
# (enum split of work.h): what adds up to the number of operations, and what may be there besides.
SPLITS = {
    "exact": (["count"], []),
    "queued": (["count", "queued"], []),
    "refused": (["count", "again"], []),
    "retried": (["count"], ["queued", "again"]),
    "direct": (["count", "queued"], ["again"]),
    "tried": (["count"], ["again"]),
}
PARTS = ["count", "queued", "again"]


def sums(objects):
    """{(operation, file system or None): Counter of count, queued and again}

    "queued" is what there is when a block ends, so the last one's is that of the run."""
    found = {}
    for row in objects:
        sum_of = found.setdefault((row["op"], row.get("fs")), Counter())
        sum_of.update(count=row["count"], again=row.get("again") or 0)
        sum_of["queued"] = row.get("queued") or 0
    return found


def text_sums(text):
    """The same of histograms as text, which have the operation in their title."""
    found, key = {}, None
    for line in text.splitlines():
        title = re.match(r"operation = '([a-z-]+)'", line)
        row = re.match(r" *\d+ *-> *\d+ *: *(\d+) ", line)
        if title:
            key = title[1], None
            found.setdefault(key, Counter())
        elif row:
            found[key]["count"] += int(row[1])
    return found


def types(record):
    """The file systems that a tool traces, by its name or its -t; None: all."""
    words = record.about.get("args", "").split()
    if "-t" in words:
        return set(words[words.index("-t") + 1].split(","))
    return None if record.applet == "fsdist" else {record.applet.removesuffix("dist")}


def announced(record):
    """The windows; without marks in the output where each begins and ends they are all one."""
    windows = record.windows
    if len(windows) > 1 and not windows[0].lines:
        windows = [Window(record.name, many=any(window.many for window in windows))]
        for window in record.windows:
            for key, (split, number) in window.expect.items():
                before = windows[0].expect.get(key, (split, 0))
                if before[0] != split:
                    raise ValueError(f"{key} is split in two ways")
                windows[0].expect[key] = split, before[1] + number
    only = types(record)
    for window in windows:
        window.expect = {(op, fs): number for (op, fs), number in window.expect.items()
                         if not (fs and only) or fs in only}
    return windows


def compare(found, key, split, expected, many, scenario):
    operation, file_system = key
    adding, allowed = SPLITS[split]
    parts = Counter()
    for (op, fs), sums_of in found.items():
        if op == operation and (file_system is None or fs == file_system):
            parts.update(sums_of)
    wrong = [f"{parts[p]} {p}" for p in PARTS if parts[p] and p not in adding + allowed]
    return Check(scenario, expected, sum(parts[p] for p in adding), ", ".join(wrong), many)


def window_checks(window, found, name):
    """Each operation that was announced or counted: what nobody announced must be none."""
    wanted = dict(window.expect)
    for op, fs in found:
        if (op, None) not in wanted:
            wanted.setdefault((op, fs), ("exact", 0))
    for key, (split, expected) in wanted.items():
        scenario = "-".join([name, *(word for word in reversed(key) if word)])
        yield compare(found, key, split, expected, window.many, scenario)


def check_buckets(objects):
    wrong = [row for row in objects if row["count"] != sum(n for *_, n in row["buckets"])]
    return is_("buckets", f"they do not add up to the count: {wrong[:1]}", not wrong)


def checks(record):
    if not record.is_json:
        found = text_sums(record.text("out"))
        return [c for w in announced(record) for c in window_checks(w, found, record.name)]
    found = [check_buckets(record.objects)]
    for window in announced(record):
        first, last = 0, len(record.objects)
        if window.lines:
            first, last = window.lines[int(record.about.get("output", 0))]
        name = window.name if window.lines else record.name
        found += window_checks(window, sums(record.objects[first:last]), name)
    return found
