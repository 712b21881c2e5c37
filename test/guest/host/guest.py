"""One guest, from its boot to its results."""
import re
import subprocess
import time
from pathlib import Path

import schema
from judge import judge, own_checks
from record import read_archive
from result import Result
from serial import Serial

HERE = Path(__file__).parent
BOOT_SECONDS = 120
COMPLAINT = re.compile(r"WARNING: |BUG: |Oops|Call Trace")


def boot(guest, directory, settings):
    """The process, which becomes QEMU when there is a place for it. It does not outlive us."""
    tests = ",".join(f"{name}:{seconds}" for name, seconds in guest.tests.items())
    append = f"fstrace.kernel={guest.kernel} fstrace.modes={settings.modes} fstrace.tests={tests}"
    command = ["setpriv", "--pdeathsig", "KILL", HERE.parent / "boot", directory, guest.kernel,
               guest.smp, guest.mem, append + guest.append]
    with open(directory / "qemu.log", "wb") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def follow(guest, process, directory, serial, settings):
    """Read the output of the tests until the guest is gone."""
    log, rest, began = directory / "tests.log", "", None
    limit = BOOT_SECONDS + sum(guest.tests.values())
    while True:
        alive = process.poll() is None
        if began is None and log.exists():
            began, file = time.monotonic(), open(log, errors="replace")
        if began is not None:
            *lines, rest = (rest + file.read()).split("\n")
            for line in lines:
                if settings.verbose and line:
                    serial.say(f"| {line}")
                serial.line(line)
            if time.monotonic() - began > limit * serial.slowness / 100:
                serial.fail("no end in sight: stopped")
                process.kill()
        if not alive:
            return
        time.sleep(0.2)


def as_its_schema_says(record, kernel):
    """The result of that for output in JSON; none for text."""
    if not record.is_json:
        return []
    wrong = schema.fault(record)
    text = f"{record.applet} {record.mode} {record.name}: as its schema says"
    return [Result(kernel, record.test, "failed" if wrong else "passed",
                   text + (f" ({wrong})" if wrong else ""), record.applet, record.mode,
                   record.name)]


def judged(guest, directory, serial, settings):
    """The results of what the tests have kept for the host."""
    if not serial.records:
        return []
    try:
        records = read_archive(directory / "out.img")
    except OSError as error:
        serial.fail(f"no records came out of the guest: {error}")
        return []
    results, own = [], {}
    for name in serial.records:
        if name not in records:
            serial.fail(f"the record {name} is not there")
            continue
        test = records[name].test
        own.setdefault(test, own_checks(settings.directory, test))
        found = judge(records[name], guest.kernel, own[test], settings.skips)
        found += as_its_schema_says(records[name], guest.kernel)
        for result in found:
            if settings.verbose or result.outcome == "failed":
                serial.say(f"{result.outcome.upper()}: {result.test}: {result.text}")
        serial.say(f"{name}: {len(found)} results")
        results += found
    return results


def run(guest, directory, settings, say):
    """All results of a guest; its files are left in the directory."""
    directory.mkdir()
    serial = Serial(guest.kernel, guest.tests, say)
    process = boot(guest, directory, settings)
    try:
        follow(guest, process, directory, serial, settings)
    finally:
        process.kill()
        process.wait()
    serial.end()
    results = judged(guest, directory, serial, settings)
    console = directory / "console.log"
    complaint = console.exists() and COMPLAINT.search(console.read_text(errors="replace"))
    if complaint:
        serial.fail(f"the kernel complained: {complaint[0]}")
    return serial.results + results
