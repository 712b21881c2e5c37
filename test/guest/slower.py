"""What slower.test has recorded: is there one row for each operation, and does it say what it did?"""
from collections import Counter

from check import Check, is_

PAGE = 4096
PAGES = 16


def row_of(row):
    """What is known of it beforehand."""
    return row["op"], row["file"], row["bytes"], row["offset"], row["result"]


def pages(op, file, count):
    return [(op, file, PAGE, i % PAGES * PAGE, PAGE) for i in range(count)]


def plain(op, file, count):
    return [(op, file, 0, None, 0)] * count


# The rows of each window of the load, in any order.
WINDOWS = {
    "read": pages("read", "pread.dat", 1009),
    "eof": [("read", "pread_eof.dat", 0, PAGES * PAGE, 0)] * 61,
    "write": pages("write", "pwrite.dat", 1009),
    "append": [("write", "append.dat", 100, PAGES * PAGE + i * 100, 100) for i in range(211)],
    "open": plain("open", "open.dat", 1009),
    "fsync": plain("fsync", "fsync.dat", 1009),
    "osync": pages("write", "osync.dat", 97) + plain("fsync", "osync.dat", 97),
    "failing": [(op, "failing.dat", 0, 0, -14) for op in ("read", "write")] * 73,
    "aio": pages("read", "aio_direct_read.dat", 79) + pages("write", "aio_direct_write.dat", 71),
    "slow": pages("read", "timed_read.dat", 7),
}


def is_kept(record, row):
    """Whether it has all members, with values that can be."""
    return (row["comm"] == "work" and row["fs"] == "ext4" and row["latency_ns"] >= 0
            and row["pid"] == row["tid"] and row["time"] >= 0)


def ext4(record):
    return (all if record.applet == "ext4slower" else slow)(record)


def all(record):
    found = Counter(map(row_of, record.objects))
    for name, expected in WINDOWS.items():
        expected = Counter(expected)
        there = {row: min(n, found[row]) for row, n in expected.items()}
        absent = [row for row, n in expected.items() if found[row] < n]
        yield Check(f"all:{name}", expected.total(), sum(there.values()),
                    f"no row {absent[0]}" if absent else "")
    expected = sum(map(Counter, WINDOWS.values()), Counter())
    others = found - expected
    yield Check("all:others", 0, others.total(), str(list(others)[:2]) if others else "")
    wrong = [row for row in record.objects if not is_kept(record, row)]
    yield is_("all:members", f"{wrong[:1]}", not wrong)


def slow(record):
    took = next(ns for window in record.windows for ns in window.took.values())
    rows = [row for row in record.objects if row["file"] == "timed_read.dat"]
    yield Check("slow:rows", 7, len(rows))
    wrong = [row for row, expected in zip(rows, WINDOWS["slow"]) if row_of(row) != expected]
    yield is_("slow:members", f"{wrong[:1]}", not wrong)
    long = [(row["latency_ns"], ns) for row, ns in zip(rows, took) if row["latency_ns"] > ns]
    yield is_("slow:latency", f"longer than the load saw: {long[:1]}", not long)
    # on a busy machine others take long, too; whatever has a row did
    fast = [row for row in record.objects if row["latency_ns"] < 100_000_000]
    yield is_("slow:threshold", f"{fast[:1]}", not fast)


def family(record):
    rows = [row for row in record.objects if row["pid"] == int(record.about["load"])]
    found = Counter((row["op"], row["fs"]) for row in rows)
    expected = Counter()
    for window in record.windows:
        expected.update({key: n for key, (_, n) in window.expect.items()})
    for op, fs in sorted(set(expected) | set(found)):
        yield Check(f"family:{op}-{fs}", expected[op, fs], found[op, fs])
    wrong = [row for row in rows if row["path"] != f"/mnt/{row['fs']}/slower/{row['file']}"]
    yield is_("family:paths", f"{wrong[:1]}", not wrong)
    yield from paths(row for row in record.objects if row["op"] == "open" and row not in rows)


def paths(rows):
    deep = "/".join(f"d{i}" for i in range(1, 41))
    long = "/".join(f"{i:0200}" for i in range(1, 13))
    expected = {
        f"/mnt/xfs/slower/{deep}/deep": "xfs",
        "/mnt/bound/bound": "xfs",
        "/mnt/overlay/slower/union": "overlay",
        "/mnt/tmpfs/slower/ram": "tmpfs",
    }
    rows = list(rows)
    found = Counter((row["path"], row["fs"]) for row in rows)
    for path, fs in expected.items():
        yield Check(f"paths:{path.rsplit('/')[-1]}", 1, found[path, fs])
    cut = [row for row in rows if row["file"] == "long"]
    yield Check("paths:cut", 1, len(cut))
    yield is_("paths:end", f"{cut}", cut and cut[0].get("path_cut") and
              f"/mnt/xfs/slower/{long}/long".endswith("/" + cut[0]["path"]))
