"""The rows of dcsnoop -a --json: is every lookup shown once, with its type and its name?

A case of the load has names of its own, CASE.NUMBER, looked up by a command that is called as the
file system. Each number must be shown equally often, or the case is uneven.
"""
from collections import Counter, defaultdict
from urllib.parse import unquote_to_bytes

from check import Check

TYPES = "MRN"
NO_CASES = ("hostile", "long", "comm", "storm")   # counted by their names, or in their own way


def by_case(objects):
    """{file system-case: {number: Counter of types}}"""
    found = defaultdict(lambda: defaultdict(Counter))
    for row in objects:
        stem, _, number = row["file"].partition(".")
        found[f"{row['comm']}-{stem}"][number if number.isdecimal() else None][row["type"]] += 1
    return found


def is_uneven(case, numbers):
    counted = [count for number, count in numbers.items() if number is not None]
    return counted and (len(counted) != case.numbers or any(c != counted[0] for c in counted))


def case_check(case, numbers):
    total = sum(numbers.values(), Counter())
    return Check(case.name, [case.rows[t] for t in TYPES], [total[t] for t in TYPES],
                 "uneven" if is_uneven(case, numbers) and not case.many else "", case.many)


def file_system_checks(cases, found):
    """Rows of each type; how many cases are right, and those that are not; racing ones apart."""
    checks = [(case, case_check(case, found.get(case.name, {}))) for case in cases]
    calm = [check for case, check in checks if not case.many]
    fs = cases[0].file_system
    right = sum(check.is_equal for check in calm)
    if calm:
        for i, letter in enumerate(TYPES):
            yield Check(f"{fs}-{letter}", sum(check.expected[i] for check in calm),
                        sum(check.counted[i] for check in calm))
        yield Check(f"{fs}-cases", len(calm), right)
    yield from (check for case, check in checks if case.many or not check.is_equal)


def merge(cases):
    """A scenario may come back to a case: the numbers add up."""
    merged = {}
    for case in cases:
        if case.name not in merged:
            merged[case.name] = case
            continue
        first = merged[case.name]
        first.rows = {t: first.rows[t] + case.rows[t] for t in TYPES}
        first.calls += case.calls
    return merged


def name_check(names, objects):
    """Hostile and long names: exactly one row for each; file_hex is the truth where there is one."""
    shown = Counter(bytes.fromhex(row["file_hex"]) if row.get("file_hex") else row["file"].encode()
                    for row in objects)
    wanted = [bytes.fromhex(text) if how == "hex" else unquote_to_bytes(text)
              for how, text in names]
    wrong = [name for name in wanted if shown[name] != 1]
    return Check("names", len(wanted), len(wanted) - len(wrong), f"{wrong[0]}" if wrong else "")


def comm_check(comm, objects):
    rows, name = comm
    return Check("comm", rows, sum(
        row["file"].startswith("comm.") and row.get("comm_hex") == name.hex() for row in objects))


def case_checks(cases, found):
    of = defaultdict(list)
    for case in cases.values():
        of[case.file_system].append(case)
    for group in of.values():
        yield from file_system_checks(group, found)
    calls = sum(case.calls for case in cases.values() if not case.many)
    if calls:       # racing tasks allocate, and give up
        misses = sum(sum(found[name].values(), Counter())["M"] for name, case in cases.items()
                     if not case.many and name in found)
        yield Check("dalloc", calls, misses)


def checks(record):
    windows, found = record.windows, by_case(record.objects)
    cases = merge(case for window in windows for case in window.cases)
    yield from case_checks(cases, found)
    strays = [name for name in found
              if name not in cases and name.split("-", 1)[-1] not in NO_CASES]
    yield Check("strays", 0, len(strays), ", ".join(strays[:3]))
    names = [name for window in windows for name in window.names]
    if names:
        yield name_check(names, record.objects)
    yield from (comm_check(window.comm, record.objects) for window in windows if window.comm)
