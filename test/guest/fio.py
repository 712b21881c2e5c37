"""fio.test: what fio says that it has done is what was counted."""
import json

import dist
from check import Check


def compare(record):
    report = record.text("fio.json")
    job = json.loads(report[report.index("{"):])["jobs"][0]
    counted = dist.sums(record.objects)
    # mapped files are not read by read(2)
    done = 0 if record.name == "mapped" else 1
    for op, fio in (("read", "read"), ("write", "write"), ("fsync", "sync")):
        of = counted.get((op, None)) or counted.get((op, "ext4")) or {}
        queued = of.get("queued", 0)
        # An interrupt that completes a read while a kprobe program runs on its CPU runs none: what
        # it has completed counts as queued.
        by_kprobe = record.mechanism == "kprobe"
        yield Check(f"{record.name}-{op}", done * job[fio]["total_ios"],
                    of.get("count", 0) + (queued if by_kprobe else 0),
                    f"{queued} queued" if queued and not by_kprobe else "",
                    many="uring" in record.name)    # workers of the kernel


sync = vector = direct = libaio = uring = uring_buffered = mapped = compare
