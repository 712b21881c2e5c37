"""Which guests a run boots: one for each kernel, and one for each test that asks for its own."""
from dataclasses import dataclass, field

WISHES = {"smp", "mem"}


@dataclass
class Guest:
    kernel: str
    tests: dict = field(default_factory=dict)   # name: seconds that it may take
    smp: str = "2"
    mem: str = "1024"
    append: str = ""


def wishes(source):
    """What a test asks for at its top ("# guest: smp=8 limit=300"): its limit, and a Guest of its
    own or None."""
    limit, own = 180, Guest("")
    for line in source.splitlines():
        if not line.startswith("# guest:"):
            continue
        for wish in line.split(":", 1)[1].split():
            name, _, value = wish.partition("=")
            if name == "limit":
                limit = int(value)
            elif name in WISHES:
                setattr(own, name, value)
            elif name == "append":
                own.append += " " + value
            elif wish == "noext4":
                own.append += " fstrace.noext4"
            else:
                raise ValueError(f"unknown wish '{wish}'")
    return limit, own if own != Guest("") else None


def plan(chosen):
    """The guests for {kernel: {test: its text}}."""
    guests = []
    for kernel, sources in chosen.items():
        shared = Guest(kernel)
        for name, source in sources.items():
            limit, own = wishes(source)
            guest = own or shared
            guest.kernel = kernel
            guest.tests[name] = limit
            if own:
                guests.append(own)
        if shared.tests:
            guests.append(shared)
    return guests
