"""The host's part of test/guest/run: boots guests, compares what they leave, prints the results."""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import guest as guests
import table
from coverage import coverage
from plan import is_run_on, plan
from result import Result, write
from skips import Skips
from tail import tails

HERE = Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(prog="host")
    parser.add_argument("--kernels", nargs="*", required=True)
    parser.add_argument("--tests", nargs="*", required=True)     # none: all
    parser.add_argument("--modes", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--table", type=Path, required=True, help="of the kernels")
    parser.add_argument("--directory", type=Path, required=True, help="of tests")
    parser.add_argument("--foreign", action="store_true",
                        help="of another architecture: tests must name the kernels that they run on")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep", action="store_true")
    return parser.parse_args()


def sayer():
    lock = threading.Lock()

    def say(kernel, text):
        with lock:
            print(f"{kernel:<12} {text}", flush=True)
    return say


def required(kernel, table_file):
    rows = (line.split() for line in table_file.read_text().splitlines())
    return any(row[:1] == [kernel] and row[-1] == "required" for row in rows)


def choose(settings, tests, say):
    """{kernel: {test: its text}} of what is to be run, and results of what is not."""
    chosen, results = {}, []
    for kernel in settings.kernels:
        if not (settings.cache / "kernels" / kernel / "vmlinuz").exists():
            say(kernel, "not available")
            if required(kernel, settings.table):
                results.append(Result(kernel, "-", "failed", "required, and not available"))
            continue
        chosen[kernel] = {}
        for mode in settings.modes.split(","):
            reason = settings.skips.reason(kernel, "every test", mode, "all of it")
            if reason:
                results.append(Result(kernel, "-", "skipped", reason, mode=mode))
        for test in tests:
            source = (settings.directory / f"{test}.test").read_text()
            reason = settings.skips.whole_test(kernel, test)
            if not settings.tests and not is_run_on(kernel, source, settings.foreign):
                if settings.foreign:
                    continue
                reason = "not run on each kernel"
            if reason:
                say(kernel, f"{test}: skipped: {reason}")
                results.append(Result(kernel, test, "skipped", reason))
            else:
                chosen[kernel][test] = source
    return chosen, results


def run_guests(plans, settings, directory, say):
    """All results, in the order of the plan; two guests run at a time."""
    def one(number, guest):
        place = directory / str(number)
        try:
            results = guests.run(guest, place, settings, lambda text: say(guest.kernel, text))
        except Exception as error:      # pylint: disable=broad-except
            results = [Result(guest.kernel, "-", "failed", f"the guest could not be run: {error}")]
        if any(r.outcome == "failed" for r in results):
            for line in tails(place):
                say(guest.kernel, line)
        return results

    with ThreadPoolExecutor(2) as pool:
        return [r for results in pool.map(one, range(len(plans)), plans) for r in results]


def main():
    settings = arguments()
    settings.skips = Skips((HERE / "skips.txt").read_text().splitlines())
    tests = settings.tests or sorted(path.stem for path in settings.directory.glob("*.test"))
    say = sayer()
    chosen, results = choose(settings, tests, say)
    plans = plan(chosen)
    print(f"run: {len(plans)} guests, {len(tests)} tests, {' '.join(settings.kernels)}", flush=True)

    directory = Path(tempfile.mkdtemp(prefix="fstrace-guests."))
    binary = directory / "fstrace"      # all guests get the same, whatever is built meanwhile
    shutil.copy2(os.environ["FSTRACE"], binary)
    os.environ["FSTRACE"] = str(binary)

    def leave(number, _):               # guests die with us
        shutil.rmtree(directory, ignore_errors=True)
        os._exit(128 + number)
    signal.signal(signal.SIGINT, leave)
    signal.signal(signal.SIGTERM, leave)

    results += run_guests(plans, settings, directory, say)
    if not settings.tests:
        applets = subprocess.run([*os.environ["EMULATOR"].split(), binary, "--list"], check=True,
                                 capture_output=True, text=True)
        results += coverage(applets.stdout.split(), list(chosen), results, settings.skips,
                            settings.foreign)
    results.sort(key=lambda r: settings.kernels.index(r.kernel))
    write(settings.cache / "guest" / "results.tsv", results)
    failed = table.count(results)["failed"]
    if settings.keep or failed:
        binary.unlink()
        print(f"run: logs are in {directory}")
    else:
        shutil.rmtree(directory)
    print(*table.report(results), sep="\n")
    return failed > 0 or not table.count(results)["passed"]


sys.exit(main())
