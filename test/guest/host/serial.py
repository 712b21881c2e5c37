"""The output of a guest on its serial line, read line by line: TAP and a few lines of our own.

  == up RELEASE        == begin TEST        == end TEST STATUS        == done
  == slowness PERCENT                 how long things take there, against an idle machine
  row TAB APPLET MODE SCENARIO EXPECTED COUNTED      of the result in the line before
  lost TAB APPLET MODE NUMBER         what a tool reported as lost or missed
  record TAB DIRECTORY                what has been kept for the host to compare
"""
import re
import time

from result import Result


class Serial:
    def __init__(self, kernel, tests, say):
        self.kernel, self.say = kernel, say
        self.left = list(tests)     # not ended yet
        self.results, self.records = [], []
        self.test, self.count, self.promised = None, 0, None
        self.began = 0
        self.slowness, self.done = 100, False

    def fail(self, text):
        """Something that is no result of a test went wrong."""
        self.say(f"FAILED: {text}")
        self.results.append(Result(self.kernel, self.test or "-", "failed", text))

    def line(self, line):
        words = line.split("\t") if "\t" in line else line.split(" ")
        handler = {
            "ok": self.ok, "not": self.not_ok, "row": self.row, "lost": self.lost,
            "record": lambda words: self.records.append(words[1]),
            "==": lambda words: getattr(self, "on_" + words[1], print)(*words[2:]),
            "Bail": lambda words: self.fail(line),
        }.get(words[0])
        if re.fullmatch(r"1\.\.\d+", line):
            self.promised = int(line[3:])
        elif handler:
            handler(words)

    def result(self, outcome, words):
        self.count += 1
        text = " ".join(words).split(" - ", 1)[-1]
        self.results.append(Result(self.kernel, self.test or "-", outcome, text))
        if outcome == "failed":
            self.say(f"FAILED: {self.test}: {text}")

    def ok(self, words):
        self.result("skipped" if "SKIP" in words else "passed", words)

    def not_ok(self, words):
        self.result("failed", words)

    def row(self, words):
        last = self.results[-1]
        last.applet, last.mode, last.scenario, last.expected, last.counted = words[1:6]

    def lost(self, words):
        self.results.append(Result(self.kernel, self.test or "-", "note", "-", applet=words[1],
                                   mode=words[2], told=words[3]))

    def on_up(self, release, *_):
        self.say(f"up: Linux {release}")

    def on_slowness(self, percent):
        self.slowness = max(self.slowness, int(percent))

    def on_begin(self, test):
        self.test, self.count, self.promised = test, 0, None
        self.began = time.monotonic()

    def on_end(self, test, status):
        if status == "137":
            self.fail(f"{test}: killed, it took too long")
        elif status != "0":
            self.fail(f"{test}: ended with status {status}")
        elif self.count != self.promised:
            self.fail(f"{test}: left before its last line")
        elif not self.count and not any(r.startswith(f"{test}/") for r in self.records):
            self.fail(f"{test}: has no result")
        self.say(f"{test}: {time.monotonic() - self.began:.0f} s, {self.count} results in the guest")
        self.left.remove(test)
        self.test = None

    def on_done(self):
        self.done = True

    def end(self):
        """The guest is gone."""
        for test in self.left:
            self.test = test
            self.fail(f"{test}: " + ("did not run" if self.done else "the guest died"))
        self.test = None
