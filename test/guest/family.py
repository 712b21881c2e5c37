"""family.test: the times of a device that takes long are those that the load has seen, and fio's
totals are what was counted after the load."""
import json

import dist
from check import Check, is_


def quantile(values, percent):
    """The smallest value that so many percent of them do not exceed."""
    values = sorted(values)
    return values[max(0, -(-len(values) * percent // 100) - 1)]


def is_near(percent, seen, found):
    """
    A bucket is a sixteenth wide, and from the load to the probes and back it is part of a
    millisecond. The slowest are those where the load waited for a CPU in between: what was counted
    lies between the usual and that.
    """
    least = seen[50] * 15 / 16 - 1e6
    return least <= found <= seen[percent] * 17 / 16


def times(record, window):
    (op, fs), took = next(iter(window.took.items()))
    rows = [row for row in record.objects[slice(*window.lines[int(record.about["output"])])]
            if (row["op"], row["fs"]) == (op, fs) and row["count"]]
    seen = {percent: quantile(took, percent) for percent in (50, 99)}
    for percent in seen:
        # of the blocks one is enough, and none may show more than the load saw
        found = [row["percentiles_ns"][str(percent)] for row in rows]
        right = any(is_near(percent, seen, f) for f in found)
        yield is_(f"{window.name}-p{percent}", f"the load saw {seen[percent]} ns, found {found}",
                  right)
    longest = max((row["max_ns"] for row in rows), default=0)
    yield is_(f"{window.name}-max", f"the load saw {max(took)} ns, found {longest}",
              0 < longest <= max(took))


def totals(record):
    report = record.text("fio.json")
    jobs = json.loads(report[report.index("{"):])["jobs"]
    end = record.windows[-1].lines[int(record.about["output"])][1]
    counted = dist.sums(record.objects[end:])
    for op, word in ("read", "read"), ("write", "write"), ("fsync", "sync"):
        # mapped files are not read by read(2)
        done = sum(job[word]["total_ios"] for job in jobs if job["jobname"] != "mapped")
        of = counted.get((op, "ext4"), {})
        queued = of.get("queued", 0)
        yield Check(f"fio-{op}", done, of.get("count", 0), f"{queued} queued" if queued else "",
                    many=True)      # workers of the kernel


def family(record):
    yield from dist.checks(record)
    if record.applet == "fsdist":
        for window in record.windows:
            if window.took:
                yield from times(record, window)
        yield from totals(record)
