"""What ext4dist.test has recorded, where comparing operation by operation is not enough."""
import dist
from check import Check, is_
from told import read_stderr


def all(record):
    yield from dist.checks(record)
    # seven reads took 50 ms or more; others may, on a slow machine
    slow = sum(n for row in record.objects for low, _, n in row["buckets"] if low >= 32768)
    yield is_("slow-buckets", f"only {slow} reads were slow", slow >= 7)


def namespace(record):
    yield from dist.checks(record)
    first = record.text("out").split("\n")[0]
    yield is_("title", f"it is {first}",
              first == "Tracing ext4 operation latency... Hit Ctrl-C to end.")


def generic(record):
    """Three file systems were read alike; one counts."""
    yield Check("generic", 1009, dist.sums(record.objects)["read", "ext4"]["count"])


def pid(record):
    """Of one process's calls, kretprobes report exactly as many as are missing."""
    checks = list(dist.checks(record))
    yield from checks
    if record.mechanism == "kprobe":
        missing = sum(check.short for check in checks)
        reported = read_stderr(record.text("err", "replace")).reports.get("returns", 0)
        yield is_("pid:told", f"{missing} missing, {reported} reported", missing == reported)
