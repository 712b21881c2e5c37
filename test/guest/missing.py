"""What missing.test has recorded: rows of names that are not there, by their case's state."""
from check import Check

TARGETS = ("rename-hit", "rename-cold")     # of these the new name is missing, not the old one


def wanted(case):
    """Rows of each type that -x must show of a case."""
    if case.name.endswith(TARGETS):
        return {"M": case.numbers, "R": 0, "N": 0}
    if case.name.endswith(("-hit", "-cold", "-source")):
        return {"M": 0, "R": 0, "N": 0}
    return case.rows | {"R": 0}


def missing(record):
    cases = [case for window in record.windows for case in window.cases]
    for letter in "MRN":
        yield Check(letter, sum(wanted(case)[letter] for case in cases),
                    sum(row["type"] == letter for row in record.objects))
    shown = {(row["comm"], row["file"], row["type"]) for row in record.objects}
    yield Check("twice", 0, sum(
        row["comm"] != "tmpfs" for row in record.objects) - sum(c != "tmpfs" for c, *_ in shown))
