"""What dcstat.test has recorded: sums over the rows, and that each row is right in itself."""
from check import Check, is_

PARTS = {"misses": "M", "found": "R", "negative": "N"}


def is_right(row):
    """The parts make up the whole, and the rest follows from them."""
    refs, misses = row["refs"], row["misses"]
    if refs != sum(row[part] for part in PARTS) or not misses <= row["slow"] <= refs:
        return False
    if not refs:
        return row["hit_percent"] is None
    return 0 <= row["hit_percent"] <= 100 and row["hit_percent"] == (refs - misses) * 10000 // refs / 100


def counts(record):
    cases = [case for window in record.windows for case in window.cases]
    for part, letter in PARTS.items():
        yield Check(part, sum(case.rows[letter] for case in cases),
                    sum(row[part] for row in record.objects))
    wrong = [row for row in record.objects if not is_right(row)]
    yield is_("rows", f"{wrong[:1]} of {len(record.objects)}", record.objects and not wrong)
