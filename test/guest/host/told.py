"""What a tool reports on stderr as lost or missed, and what it may miss at all."""
import re
from dataclasses import dataclass

# The end of a run's stderr; earlier reports are included in these sums.
REPORTS = {
    "events": r"lost (\d+) events in all",
    "unread": r"(\d+) events were not read in time",
    "operations": r"lost (\d+) operations",
    "calls": r"lost (\d+) calls",
    "recursion": r"missed (?:at .* )?(\d+) calls that came",
    "returns": r"missed the return of (\d+) of",
}
AMISS = re.compile(r"warning|error|cannot|failed|unknown|sanitizer|lost|missed", re.I)
# Sums follow at the end; and -v says beforehand what a mechanism cannot see.
EXPECTED = re.compile(r"lost \d+ events: they came faster|^fstrace: cannot see ")


@dataclass
class Told:
    reports: dict       # kind: number
    amiss: list         # other lines that should not be there

    @property
    def total(self):
        return sum(self.reports.values())


def read_stderr(text):
    told = Told({}, [])
    for line in text.splitlines():
        for kind, pattern in REPORTS.items():
            found = re.search(pattern, line)
            if found:
                told.reports[kind] = told.reports.get(kind, 0) + int(found[1])
                break
        else:
            if AMISS.search(line) and not EXPECTED.search(line):
                told.amiss.append(line)
    return told


def may_miss(mechanism, preempts, has_completions=False):
    """The kinds of reports that this kernel and mechanism leave no way around."""
    if preempts and (mechanism == "fentry" or (has_completions and mechanism == "kprobe session")):
        # A task preempted inside a program by fentry keeps others out of it; completions are by
        # fentry whatever the rest is by.
        return {"recursion"}
    if mechanism == "kprobe":
        return {"returns"}      # kretprobes run out when many are inside a function
    return set()
