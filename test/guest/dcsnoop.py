"""What dcsnoop.test has recorded, where comparing case by case is not enough."""
import re

from check import Check, is_
from told import read_stderr

ROW = re.compile(rb"(\d+\.\d{6}) +(\d+) +(.{16}) M (.*)", re.S)


def lost(record):
    reports = read_stderr(record.text("err", "replace")).reports
    return reports.get("events", 0) + reports.get("unread", 0)


def misses(record):
    """Misses of all processes, as text."""
    pid, tracer = record.about["pid"].encode(), record.about["tracer"].encode()
    head, *lines = record.files["out"].removesuffix(b"\n").split(b"\n")
    rows = [row for row in map(ROW.fullmatch, lines) if row]
    files = [row[4] for row in rows]
    announced = sum(case.rows["M"] for window in record.windows for case in window.cases)
    yield is_("header", f"it is {head}",
              head == b"TIME(s)     PID     COMM             T FILE")
    yield Check("misses", announced,
                sum(row[2] == pid and row[3].split() == [b"ext4"] for row in rows))
    yield Check("misses:distinct", 1009, len({f for f in files if f.startswith(b"twice.")}))
    yield Check("misses:others", 0, len(lines) - len(rows))
    yield Check("misses:hostile", 17, sum(f.startswith(b"hostile.") for f in files))
    yield Check("misses:comm", 5, sum(f.startswith(b"comm.") for f in files))
    # no control byte, no C1 in UTF-8, nothing that is not UTF-8
    text = record.files["out"].decode("utf-8", "replace")
    yield Check("misses:raw", 0, len(re.findall("[\0-\x09\x0b-\x1f\x7f-\x9f\ufffd]", text)))
    yield Check("misses:itself", 0, sum(row[2] == tracer for row in rows))


def stopped(record):
    """What it shows and what it reports as lost make up all."""
    announced = sum(sum(case.rows.values()) for w in record.windows for case in w.cases)
    missing = lost(record)
    yield Check("stopped", announced, len(record.objects), told=missing)
    yield is_("stopped:lost", "none was reported as lost", missing > 0)
    late = record.objects[-1]["time"] if record.objects else 1e9
    passed = float(record.about["ended"]) - float(record.about["began"])
    yield is_("stopped:time", f"the last row is of {late} s, the load ended after {passed} s",
              late <= passed)


def storm(record):
    """At least so many rows, at most so many; and none of another name."""
    least, most = record.windows[0].between["storm"]
    rows = [row for row in record.objects if row["file"] == "storm.a"]
    yield Check("storm", least, len(rows), told=lost(record), most=most)
    yield Check("storm:strays", 0, len(record.objects) - len(rows))
