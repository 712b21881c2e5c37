"""What the load announced (see work.c): windows, each with what a tool must have seen in it."""
from dataclasses import dataclass, field


@dataclass
class Case:
    """Names whose lookups dcsnoop -a must show."""
    name: str
    rows: dict = field(default_factory=lambda: dict(M=0, R=0, N=0))
    calls: int = 0              # of the kernel function that the load counted meanwhile
    numbers: int = 0            # how many CASE.NUMBER there are, if names have numbers
    many: bool = False

    @property
    def file_system(self):
        return self.name.split("-")[0]


@dataclass
class Window:
    name: str = ""
    expect: dict = field(default_factory=dict)      # (operation, file system or None): (split, n)
    cases: list = field(default_factory=list)
    names: list = field(default_factory=list)       # (how it is written, text)
    comm: tuple = None                              # (rows, command name)
    between: dict = field(default_factory=dict)     # name: (least, most)
    took: dict = field(default_factory=dict)        # (operation, file system): ns, each as it was seen
    many: bool = False          # several threads were inside one kernel function at once
    lines: list = field(default_factory=list)       # of each output that the load watched: from, up to


def read_work(text):
    windows, window = [], Window()
    for line in text.splitlines():
        word, *rest = line.split(" ")
        if word == "expect":
            operation, split, number, *file_system = rest
            key = (operation, file_system[0] if file_system else None)
            before = window.expect.get(key, (split, 0))[1]
            window.expect[key] = (split, before + int(number))
        elif word == "took":
            window.took[rest[0], rest[1]] = [int(ns) for ns in rest[2:]]
        elif word == "rows":
            name, (m, r, n, calls, count) = rest[0], map(int, rest[1:])
            window.cases.append(Case(name, dict(M=m, R=r, N=n), calls, count))
        elif word == "name":
            window.names.append((rest[1], rest[2]))
        elif word == "comm":
            window.comm = (int(rest[0]), bytes.fromhex(rest[1]))
        elif word == "between":
            window.between[rest[0]] = (int(rest[1]), int(rest[2]))
        elif word == "many":
            window.many = True
            for case in window.cases:
                case.many = True
        elif word == "done":
            window.name = rest[0]
            numbers = list(map(int, rest[1:]))
            window.lines = list(zip(numbers[::2], numbers[1::2]))
            windows.append(window)
            window = Window()
        elif word not in ("pid", "calls"):
            raise ValueError(f"the load says '{line}'")
    if window != Window():
        raise ValueError("the load did not come to its end")
    return windows
