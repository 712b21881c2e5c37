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


def words(source):
    """The (name, value) pairs at the top of a test: "# guest: smp=8 limit=300"."""
    for line in source.splitlines():
        if line.startswith("# guest:"):
            for word in line.split(":", 1)[1].split():
                name, _, value = word.partition("=")
                yield name, value


def is_run_on(kernel, source, foreign):
    """Whether a test is run on the kernel when all are: kernels=6.1,newest says where, or else it is
    run everywhere, but for the kernels of a foreign architecture: also=arm64-6.1 says on which of
    those. What does not differ need not take its time on each; a test that is named runs anywhere."""
    lists = {name: value.split(",") for name, value in words(source)}
    return kernel in lists.get("also", []) or (not foreign and kernel in lists.get("kernels", [kernel]))


def wishes(source):
    """What a test asks for at its top: its limit, and a Guest of its own or None."""
    limit, own = 180, Guest("")
    for name, value in words(source):
        if name == "limit":
            limit = int(value)
        elif name in WISHES:
            setattr(own, name, value)
        elif name == "append":
            own.append += " " + value
        elif name == "noext4":
            own.append += " fstrace.noext4"
        elif name not in ("kernels", "also"):
            raise ValueError(f"unknown wish '{name}'")
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
    # The longest begin: the last must not run on alone for long.
    return sorted(guests, key=lambda guest: -sum(guest.tests.values()))
