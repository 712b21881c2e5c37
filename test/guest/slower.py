"""What slower.test has recorded: is there one row for each operation, and does it say what it did?"""
import csv
from collections import Counter

from check import Check, is_

PAGE = 4096
PAGES = 16
EFAULT = 14


def row_of(row):
    """What is known of it beforehand."""
    return row["op"], row["file"], row["bytes"], row["offset"], row["result"]


def pages(op, file, count, step=1):
    return [(op, file, PAGE, step * i % PAGES * PAGE, PAGE) for i in range(count)]


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
    "failing": [(op, "failing.dat", 0, 0, -EFAULT) for op in ("read", "write")] * 73,
    "aio": pages("read", "aio_direct_read.dat", 79) + pages("write", "aio_direct_write.dat", 71),
    "uring": (pages("read", "uring_direct_read.dat", 83, 5) +
              pages("write", "uring_direct_write.dat", 61, 5)),
}


def all(record):
    if record.applet == "ext4slower":
        yield from windows(record)
    found = Counter((row["op"], row["fs"]) for row in record.objects if row["file"].startswith("fs_"))
    expected = Counter()
    for window in record.windows:
        expected.update({key: n for key, (_, n) in window.expect.items() if key[1] and
                         (key[1] == "ext4") == (record.applet == "ext4slower")})
    for op, fs in sorted(set(expected) | set(found)):
        yield Check(f"all:{fs}-{op}", expected[op, fs], found[op, fs])
    wrong = [row for row in record.objects if not is_right(row, int(record.about["load"]))]
    yield is_("all:members", f"{wrong[:1]}", not wrong)


def is_right(row, load):
    """Whether it has all members, with values that can be; io_uring has threads of its own."""
    return (row["pid"] == load and row["latency_ns"] >= 0 and row["time"] >= 0 and
            (row["tid"] == load and row["comm"] == "work" or row["file"].startswith("uring_")))


def windows(record):
    found = Counter(row_of(row) for row in record.objects if not row["file"].startswith("fs_"))
    done = {window.name: window.many for window in record.windows}
    for name in set(WINDOWS) & set(done):
        expected = Counter(WINDOWS[name])
        there = {row: min(n, found[row]) for row, n in expected.items()}
        absent = [row for row, n in expected.items() if found[row] < n]
        yield Check(f"all:{name}", expected.total(), sum(there.values()),
                    f"no row {absent[0]}" if absent and not done[name] else "", many=done[name])
    others = found - sum(map(Counter, WINDOWS.values()), Counter())
    yield Check("all:others", 0, others.total(), str(list(others)[:2]) if others else "")


def some(record):
    return {"ext4slower": slow, "tmpfsslower": failed, "xfsslower": exclusive,
            "fsslower": paths}[record.applet](record)


def slow(record):
    took = next(ns for window in record.windows for ns in window.took.values())
    rows = [row for row in record.objects if row["file"] == "timed_read.dat"]
    yield Check("slow:rows", 7, len(rows))
    wrong = [row for row, expected in zip(rows, pages("read", "timed_read.dat", 7))
             if row_of(row) != expected]
    yield is_("slow:members", f"{wrong[:1]}", not wrong)
    long = [(row["latency_ns"], ns) for row, ns in zip(rows, took) if row["latency_ns"] > ns]
    yield is_("slow:latency", f"longer than the load saw: {long[:1]}", not long)
    # on a busy machine others take long, too; whatever has a row did
    fast = [row for row in record.objects if row["latency_ns"] < 100_000_000]
    yield is_("slow:threshold", f"{fast[:1]}", not fast)


def failed(record):
    """-x"""
    found = Counter(row_of(row) for row in record.objects)
    expected = Counter(WINDOWS["failing"])
    yield Check("failed:rows", expected.total(), sum(min(n, found[row]) for row, n in expected.items()))
    yield is_("failed:others", str(list(found - expected)[:1]), not found - expected)


def exclusive(record):
    """-j, of writes and fsyncs: an fsync inside a synchronous write has no row."""
    lines = list(csv.DictReader(record.text("out").splitlines()))
    found = Counter((line["TYPE"], line["FILE"], line["BYTES"], line["OFFSET_b"], line["RET"])
                    for line in lines)
    expected = Counter([("W", file, str(size), str(offset), str(result)) for _, file, size, offset, result
                        in pages("write", "osync.dat", 97) + [("", "failing.dat", 0, 0, -EFAULT)] * 73])
    yield Check("exclusive:rows", expected.total(), sum(min(n, found[row]) for row, n in expected.items()))
    yield is_("exclusive:others", str(list(found - expected)[:1]), not found - expected)
    wrong = [line for line in lines if line["TASK"] != "work" or line["PID"] != record.about["load"] or
             float(line["LATENCY_us"]) < 0 or float(line["ENDTIME_us"]) <= 0]
    yield is_("exclusive:members", f"{wrong[:1]}", not wrong)


def paths(record):
    deep = "/".join(f"d{i}" for i in range(1, 41))
    long = "/".join(f"{i:0200}" for i in range(1, 13))
    expected = {
        f"/mnt/xfs/slower/{deep}/deep": ("xfs", 1),
        "/mnt/bound/bound": ("xfs", 1),
        "/mnt/overlay/slower/union": ("overlay", 1),
        "/mnt/tmpfs/slower/ram": ("tmpfs", 1),
        "/mnt/tmpfs/slower/root/jail": ("tmpfs", 1),    # chroot
        "/mnt/private/seen": ("tmpfs", 2),              # in another mount namespace
    }
    rows = Counter((row["path"], row["fs"]) for row in record.objects)
    for path, (fs, count) in expected.items():
        yield Check(f"paths:{path.rsplit('/')[-1]}", count, rows[path, fs])
    cut = [row for row in record.objects if row["file"] == "long"]
    yield Check("paths:cut", 1, len(cut))
    yield is_("paths:end", f"{cut}", cut and cut[0].get("path_cut") and
              f"/mnt/xfs/slower/{long}/long".endswith("/" + cut[0]["path"]))
