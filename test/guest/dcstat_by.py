"""What dcstat_by.test has recorded: sums over the rows of a process, and of each directory."""
from check import Check, is_

PARTS = {"misses": "M", "found": "R", "negative": "N"}


def compare(name, windows, rows):
    cases = [case for window in windows for case in window.cases]
    for part, letter in PARTS.items():
        yield Check(name + part, sum(case.rows[letter] for case in cases),
                    sum(row[part] for row in rows))


def keys(record):
    rows = [row for row in record.objects if row.get("pid") == int(record.about["pid"])]
    one, two, tmpfs = record.windows
    yield from compare("one-", [one], [row for row in rows if row["dir"] == "one"])
    yield from compare("two-", [two], [row for row in rows if row["dir"] == "two"])
    yield from compare("tmpfs-", [tmpfs], [row for row in rows if row["fs"] == "tmpfs"])
    yield from compare("all-", record.windows, rows)


def others(record):
    """One directory has a row, the most misses come first."""
    shown = [row for row in record.objects if "others" not in row]
    yield from compare("others-", record.windows, record.objects)
    yield from compare("shown-", record.windows[:1], [row for row in shown if row["dir"] == "three"])
    yield is_("device", str(shown[:1]), {row["device"] for row in shown if row["dir"] == "three"} ==
              {record.about["device"]})
