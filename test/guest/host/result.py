"""A result of a test, and the file that holds them all: a table with tabs, a line for each."""
from dataclasses import dataclass, fields


@dataclass
class Result:
    kernel: str
    test: str
    outcome: str              # passed, failed, skipped; or note: only what the tools reported
    text: str
    applet: str = "-"
    mode: str = "-"
    scenario: str = "-"
    expected: str = "-"       # numbers, with blanks between them
    counted: str = "-"
    told: str = "-"           # what the tool reported as lost or missed


COLUMNS = ["kernel", "test", "applet", "mode", "scenario", "expected", "counted", "told",
           "outcome", "text"]
assert sorted(COLUMNS) == sorted(field.name for field in fields(Result))


def write(path, results):
    with open(path, "w") as file:
        for row in [COLUMNS] + [[getattr(r, c) for c in COLUMNS] for r in results]:
            print(*(word.replace("\t", " ") for word in row), sep="\t", file=file)
