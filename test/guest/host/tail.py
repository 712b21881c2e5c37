"""The ends of a guest's logs, for when something went wrong in it."""


def tails(directory):
    for name, lines in ("console.log", 20), ("qemu.log", 10), ("tests.log", 20):
        path = directory / name
        if path.exists():
            yield f"--- the end of {path}"
            yield from path.read_text(errors="replace").splitlines()[-lines:]
