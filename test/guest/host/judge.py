"""Compares what a test has kept of a tool's run with what the load announced.

A run passes when all is as announced and nothing is reported as lost or missed. Only where this
kernel and mechanism may miss (told.may_miss), some may be missing of what many threads did at once:
then no more in the whole run than it reports. Expected, counted and told stay as they are.
"""
import importlib.util
import traceback
from pathlib import Path

import dist
import rows
from result import Result
from told import may_miss, read_stderr


def own_checks(tests, test):
    """The comparisons of TEST.py beside TEST.test: its functions are called as the records are."""
    path = tests / f"{test}.py"
    if not path.exists():
        return {}
    spec = importlib.util.spec_from_file_location(f"judge_{test}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def compare(record, own):
    function = own.get(record.name.replace("-", "_"))
    if function:
        return list(function(record))
    has_rows = any(window.cases or window.names for window in record.windows)
    return list((rows if has_rows else dist).checks(record))


def verdict(record, checks):
    """[(Check or None, text of what is wrong or "", told)]: the run itself first."""
    told = read_stderr(record.text("err", "replace"))
    possible = may_miss(record.mechanism, record.about["preempts"] == "yes",
                        record.applet.endswith("dist"))
    accepted = possible | set(record.about.get("may_lose", "").split())
    faults = [f"status {record.about['status']}"] if record.about["status"] != "0" else []
    faults += told.amiss
    faults += [f"{n} {kind} reported" for kind, n in told.reports.items() if kind not in accepted]
    missing = sum(check.short for check in checks if check.is_only_short)
    missed = sum(n for kind, n in told.reports.items() if kind in possible)
    rows_of = [(None, "; ".join(faults), told.total)]
    for check in checks:
        wrong = ""
        if check.is_only_short and missing > missed:
            wrong = f"{missing} missing in all, {missed} reported"
        elif not check.is_only_short and not check.is_equal:
            wrong = check.wrong or "not equal"
        rows_of.append((check, wrong, None))
    return rows_of


def words(numbers):
    return " ".join(map(str, numbers)) or "-"


def judge(record, kernel, own, skips):
    """The results of a record."""
    try:
        verdicts = verdict(record, compare(record, own))
    except Exception as error:      # whatever a tool wrote: the run goes on, and shows it
        place = traceback.extract_tb(error.__traceback__)[-1]
        verdicts = [(None, f"cannot be compared: {type(error).__name__}: {error} "
                     f"({Path(place.filename).name}:{place.lineno})", None)]
    results = []
    for check, wrong, told in verdicts:
        scenario = check.scenario if check else record.name
        text = f"{record.applet} {record.mode} {scenario}"
        result = Result(kernel, record.test, "failed" if wrong else "passed", text, record.applet,
                        record.mode, scenario)
        if check:
            result.expected, result.counted = words(check.expected), words(check.counted)
        if check and check.expected:
            result.text += f": expected {result.expected}, counted {result.counted}"
        elif not check:
            result.text += ": the run"
        if told is not None:
            result.told = str(told)
        reason = wrong and skips.reason(kernel, record.test, record.mode, scenario)
        if wrong:
            result.text += f" ({reason or wrong})"
        if reason:
            result.outcome = "skipped"
        results.append(result)
    return results
