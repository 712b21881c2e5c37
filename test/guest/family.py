"""family.test: the times of a device that takes long are those that the load has seen, and fio's
totals are what was counted after the load."""
import json
import re

import dist
from check import Check, is_


def quantile(values, percent):
    """The smallest value that so many percent of them do not exceed."""
    values = sorted(values)
    return values[max(0, -(-len(values) * percent // 100) - 1)]


def least(window):
    """What the device takes at least: dm-delay counts ticks, the first of them already begun."""
    delay = int(re.search(r"\d+$", window.name)[0])
    return (-(-delay // 4) - 1) * 4e6


def times(record, window):
    """
    The operations came one after the other, so each block has the next of those that the load saw. A
    bucket is a sixteenth wide. The load may see more than was counted, as it waits for a CPU
    when all is done: never less, and a read is counted in the same thread right before.
    """
    (op, fs), took = next(iter(window.took.items()))
    rows = [row for row in record.objects[slice(*window.lines[int(record.about["output"])])]
            if (row["op"], row["fs"]) == (op, fs) and row["count"]]
    wrong, near, first = {50: [], 99: []}, {50: not window.name.startswith("read"), 99: True}, 0
    for row in rows:
        seen = took[first:first + row["count"]]
        first += row["count"]
        for percent in wrong:
            found, saw = row["percentiles_ns"][str(percent)], quantile(seen, percent)
            if not least(window) * 15 / 16 <= found <= saw * 17 / 16:
                wrong[percent].append(f"the load saw {saw} ns, found {found}")
            near[percent] |= found >= saw * 15 / 16 - 1e6
        # The CPUs are read one after the other: at its edges a block may have a neighbour's instead.
        most = max(took[max(first - row["count"] - 1, 0):first + 1])
        if row["max_ns"] > most:
            wrong[99].append(f"the load saw {most} ns, found {row['max_ns']}")
    for percent in wrong:
        yield is_(f"{window.name}-p{percent}", "; ".join(wrong[percent]) or "none is near",
                  rows and near[percent] and not wrong[percent])


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
        # What is missing has not completed for the tool: it must have reported as many missed calls.
        count = of.get("count", 0)
        yield Check(f"fio-{op}", done, count,
                    "" if queued == max(done - count, 0) else f"{queued} queued",
                    many=True)      # workers of the kernel


def family(record):
    yield from dist.checks(record)
    if record.applet == "fsdist":
        for window in record.windows:
            if window.took:
                yield from times(record, window)
        yield from totals(record)
