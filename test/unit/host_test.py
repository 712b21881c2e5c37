"""test/guest/host: what the host makes of what guests say and tools print. No guest is needed."""
import io
import json
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

GUEST = Path(__file__).resolve().parent.parent / "guest"
sys.path.insert(0, str(GUEST / "host"))

import dist                                                     # noqa: E402
import rows                                                     # noqa: E402
import table                                                    # noqa: E402
from coverage import coverage                                   # noqa: E402
from expectation import read_work                               # noqa: E402
from judge import judge, own_checks                             # noqa: E402
from plan import is_run_on, plan, wishes                                   # noqa: E402
from record import Record, json_line, read_archive              # noqa: E402
from result import Result                                       # noqa: E402
from serial import Serial                                       # noqa: E402
from skips import Skips                                         # noqa: E402
from told import may_miss, read_stderr                          # noqa: E402

NO_SKIPS = Skips([])


def block(*counts, again=0, queued=0):
    return [dict(op=op, count=n, queued=queued if op == "read" else 0,
                 again=again if op == "read" else 0, buckets=[[0, 1, n]])
            for op, n in zip(("read", "write"), counts)]


def record(work, out, err="", mechanism="kprobe", status=0, preempts="no", name="all", **about):
    about = dict(applet="ext4dist", mode="kprobe", name=name, status=status, preempts=preempts,
                 form="json") | about
    lines = out if isinstance(out, str) else "".join(json.dumps(row) + "\n" for row in out)
    return Record("ext4dist/x", {
        "about": "".join(f"{k}={v}\n" for k, v in about.items()).encode(),
        "work": work.encode(), "out": lines.encode(),
        "err": f"fstrace: attached by {mechanism}\n{err}".encode(),
    })


def failures(found, own=None, skips=NO_SKIPS):
    return [r.text for r in judge(found, "6.1", own or {}, skips) if r.outcome == "failed"]


CALM = "expect read exact 7\nexpect write exact 5\ndone plain 0 2\n"
CROWD = "expect read exact 7\nexpect write exact 5\nmany\ndone crowd 0 2\n"
MISSED = "fstrace: warning: missed the return of 2 of 12 calls: ran out\n"


class Windows(unittest.TestCase):
    def test_equal_numbers_pass(self):
        self.assertEqual(failures(record(CALM, block(7, 5))), [])

    def test_each_file_system_has_its_own_numbers(self):
        rows = [dict(op="read", fs=fs, count=n, queued=0, again=again, buckets=[[0, 1, n]])
                for fs, n, again in (("xfs", 7, 0), ("nfs", 3, 2))]
        work = "expect read exact 7 xfs\nexpect read tried 3 nfs\ntook read nfs 20 21 22\ndone all\n"
        self.assertEqual(failures(record(work, rows, applet="fsdist")), [])
        self.assertEqual(read_work(work)[0].took, {("read", "nfs"): [20, 21, 22]})
        rows[0]["fs"], rows[1]["fs"] = "nfs", "xfs"
        self.assertEqual(len(failures(record(work, rows, applet="fsdist"))), 2)

    def test_each_window_has_its_own_lines(self):
        work = CALM + "expect read exact 1\nexpect write exact 0\ndone next 2 6\n"
        out = block(7, 5) + block(0, 0) + block(1, 0)
        self.assertEqual(failures(record(work, out)), [])
        out = block(7, 5) + block(0, 0) + block(0, 0) + block(1, 0)
        self.assertEqual(len(failures(record(work, out))), 1)

    def test_each_output_has_lines_of_its_own(self):
        work = CALM.replace(" 0 2", " 0 2 2 4")
        out = block(1, 1) + block(7, 5)
        self.assertEqual(failures(record(work, out, output=1)), [])
        self.assertEqual(len(failures(record(work, out, output=0))), 2)

    def test_one_less_fails_and_one_more(self):
        for n in 6, 8:
            failed = failures(record(CALM, block(n, 5)))
            self.assertEqual(len(failed), 1)
            self.assertIn(f"plain-read: expected 7, counted {n}", failed[0])

    def test_what_nobody_announced_fails(self):
        out = block(7, 5) + [dict(op="fsync", count=1, buckets=[[0, 1, 1]])]
        self.assertIn("fsync: expected 0, counted 1",
                      failures(record(CALM.replace(" 0 2", " 0 3"), out))[0])

    def test_a_file_system_is_counted_apart(self):
        work = "expect read exact 3 ext4\nexpect read exact 4 xfs\ndone w 0 3\n"
        out = [dict(op="read", fs=fs, count=n, buckets=[[0, 1, n]])
               for fs, n in (("ext4", 3), ("xfs", 4), ("btrfs", 0))]
        self.assertEqual(failures(record(work, out, applet="fsdist")), [])
        out[2] |= dict(count=1, buckets=[[0, 1, 1]])
        self.assertIn("btrfs", failures(record(work, out, applet="fsdist"))[0])

    def test_windows_without_lines_are_one(self):
        work = "".join(f"expect read exact {n} {fs}\ndone {fs}\n"
                       for n, fs in ((3, "ext4"), (4, "xfs"), (5, "ext4")))
        out = [dict(op="read", fs=fs, count=n, buckets=[[0, 1, n]])
               for fs, n in (("ext4", 8), ("xfs", 4))]
        self.assertEqual(failures(record(work, out, applet="fsdist")), [])
        out[0] |= dict(count=7, buckets=[[0, 1, 7]])
        self.assertEqual(len(failures(record(work, out, applet="fsdist"))), 1)

    def test_a_tool_shows_the_types_that_it_traces(self):
        work = "expect read exact 3 ext4\nexpect read exact 4 xfs\ndone w\n"
        out = [dict(op="read", fs="xfs", count=4, buckets=[[0, 1, 4]])]
        for more in dict(applet="xfsdist"), dict(applet="fsdist", args="-n -t xfs,btrfs"):
            self.assertEqual(failures(record(work, out, **more)), [])
            self.assertEqual(len(failures(record(work, [], **more))), 1)
        for more in dict(applet="ext4dist"), dict(applet="fsdist"), dict(applet="fsdist", args="-t ext4"):
            self.assertTrue(failures(record(work, out, **more)))

    def test_splits(self):
        for split, again, queued, ok in (
                ("exact", 0, 0, True), ("exact", 1, 0, False), ("exact", 0, 1, False),
                ("queued", 0, 2, True), ("queued", 1, 2, False), ("refused", 2, 0, True),
                ("refused", 2, 1, False), ("retried", 9, 9, True), ("direct", 9, 2, True)):
            adds = {"queued": queued, "direct": queued, "refused": again}.get(split, 0)
            work = CALM.replace("read exact", f"read {split}")
            failed = failures(record(work, block(7 - adds, 5, again=again, queued=queued)))
            self.assertEqual(not failed, ok, (split, again, queued, failed))

    def test_buckets_that_do_not_add_up_fail(self):
        out = block(7, 5)
        out[0]["buckets"] = [[0, 1, 6]]
        self.assertIn("add up", failures(record(CALM, out))[0])

    def test_text(self):
        out = ("operation = 'read'\n     usecs : count distribution\n"
               "   0 -> 1   : 4   |****|\n   2 -> 3   : 3   |***|\n\n"
               "operation = 'write'\n  0 -> 1   : 5  |**|\n")
        work = CALM.replace(" 0 2", "")
        self.assertEqual(failures(record(work, out, form="text")), [])
        self.assertEqual(len(failures(record(work, out.replace(": 5", ": 6"), form="text"))), 1)

    def test_a_load_that_did_not_end_fails(self):
        self.assertIn("did not come to its end", failures(record("expect read exact 7\n", ""))[0])
        self.assertIn("cannot be compared", failures(record("what is this\n", ""))[0])


class Losses(unittest.TestCase):
    def test_threads_may_miss_what_kretprobes_report(self):
        self.assertEqual(failures(record(CROWD, block(6, 4), MISSED)), [])

    def test_the_numbers_stay_as_they_are(self):
        found = judge(record(CROWD, block(6, 4), MISSED), "6.1", {}, NO_SKIPS)
        self.assertEqual([(r.expected, r.counted, r.told) for r in found if r.scenario != "buckets"],
                         [("-", "-", "2"), ("7", "6", "-"), ("5", "4", "-")])

    def test_more_missing_than_reported_fails(self):
        self.assertEqual(len(failures(record(CROWD, block(5, 4), MISSED))), 2)

    def test_one_too_many_is_never_a_miss(self):
        self.assertEqual(len(failures(record(CROWD, block(8, 3), MISSED))), 1)

    def test_where_nothing_is_shared_nothing_may_be_missing(self):
        self.assertEqual(len(failures(record(CALM, block(6, 4), MISSED))), 2)

    def test_only_this_mechanism_on_this_kernel(self):
        recursion = "fstrace: warning: missed 2 calls that came while a probe was running\n"
        for mechanism, preempts, err, ok in (
                ("kprobe", "no", MISSED, True), ("kprobe", "yes", MISSED, True),
                ("kprobe", "yes", recursion, False), ("kprobe session", "no", MISSED, False),
                ("kprobe session", "no", recursion, False),
                ("kprobe session", "yes", recursion, True),      # of completions, by fentry
                ("fentry", "no", recursion, False), ("fentry", "yes", recursion, True),
                ("fentry", "yes", MISSED, False),
                ("fentry", "yes", recursion.replace("2", "at least 1 and at most 2"), True),
                ("fentry", "yes", recursion.replace("2", "at most 2"), True),
                ("fentry", "yes", recursion.replace("2", "at least 2 and at most 1"), False)):
            failed = failures(record(CROWD, block(6, 4), err, mechanism, preempts=preempts))
            self.assertEqual(not failed, ok, (mechanism, preempts, err, failed))

    def test_losses_and_warnings_fail_a_run(self):
        for err in ("fstrace: lost 3 events in all", "fstrace: cannot do this"):
            self.assertEqual(len(failures(record(CALM, block(7, 5), err))), 1, err)
        self.assertEqual(failures(record(CALM, block(7, 5), "fstrace: lost 3 events in all",
                                         may_lose="events")), [])

    def test_a_status_fails_a_run(self):
        self.assertIn("status 137", failures(record(CALM, block(7, 5), status=137))[0])

    def test_what_is_reported_meanwhile_is_in_the_sum(self):
        told = read_stderr("fstrace: lost 3 events: they came faster than ...\n"
                           "fstrace: lost 2 events: they came faster than ...\n"
                           "fstrace: lost 5 events in all\nfstrace: lost 1 operations: too many\n")
        self.assertEqual((told.reports, told.amiss), ({"events": 5, "operations": 1}, []))

    def test_a_declared_skip_is_one(self):
        skips = Skips(["6.1 ext4dist kprobe plain-* slow"])
        found = judge(record(CALM, block(6, 5)), "6.1", {}, skips)
        self.assertEqual([r.outcome for r in found if "plain-read" in r.text], ["skipped"])


def row(file, kind, comm="ext4", **more):
    return dict(time=0.1, pid=1, comm=comm, type=kind, file=file) | more


class Rows(unittest.TestCase):
    WORK = ("rows ext4-stat-new 2 0 0 2 2\nrows ext4-stat-hit 0 2 0 0 2\ndone calls\n"
            "rows ext4-race 1 0 3 1 1\nmany\ndone race\n")
    OUT = [row("stat-new.0", "M"), row("stat-new.1", "M"), row("stat-hit.0", "R"),
           row("stat-hit.1", "R"), row("race.0", "M"), *[row("race.0", "N")] * 3]

    def checks(self, out, work=WORK):
        return {c.scenario: c for c in rows.checks(record(work, out))}

    def wrong(self, out, work=WORK):
        return [name for name, c in self.checks(out, work).items() if not c.is_equal]

    def test_rows_as_announced_pass(self):
        self.assertEqual(self.wrong(self.OUT), [])
        self.assertEqual(self.checks(self.OUT)["ext4-M"].counted, (2,))
        self.assertEqual(self.checks(self.OUT)["dalloc"].expected, (2,))

    def test_a_row_too_few_or_of_another_type_fails(self):
        self.assertEqual(self.wrong(self.OUT[1:]), ["ext4-M", "ext4-cases", "ext4-stat-new",
                                                    "dalloc"])
        out = [row("stat-hit.0", "N")] + self.OUT[:2] + self.OUT[3:]
        self.assertIn("ext4-stat-hit", self.wrong(out))

    def test_a_number_twice_and_another_never_fails(self):
        out = [row("stat-new.0", "M")] * 2 + self.OUT[2:]
        self.assertEqual(self.wrong(out), ["ext4-cases", "ext4-stat-new"])

    def test_rows_of_nothing_known_are_strays(self):
        self.assertEqual(self.wrong(self.OUT + [row("other.0", "M")]), ["strays"])
        self.assertEqual(self.wrong(self.OUT + [row("stat-new.0", "M", comm="sh")]), ["strays"])

    def test_a_race_may_be_short_and_says_so(self):
        race = self.checks(self.OUT[:-1])["ext4-race"]
        self.assertTrue(race.is_only_short and race.short == 1)
        self.assertEqual(self.wrong(self.OUT[:-1]), ["ext4-race"])

    def test_names_are_compared_as_bytes(self):
        work = ("rows ext4-hostile 2 0 0 0 1\nname hostile uri hostile.%0Aa\n"
                "name hostile hex 686f7374696c652eff\ndone hostile\n")
        out = [row("hostile.\na", "M"), row("hostile.\ufffd", "M", file_hex="686f7374696c652eff")]
        self.assertEqual(self.wrong(out, work), [])
        out[1]["file_hex"] = "686f7374696c652efe"
        self.assertEqual(self.wrong(out, work), ["names"])

    def test_command_names_are_compared_as_bytes(self):
        work = "comm 1 1bff\ndone comm\n"
        self.assertEqual(self.wrong([row("comm.0", "M", comm="x", comm_hex="1bff")], work), [])
        self.assertEqual(self.wrong([row("comm.0", "M", comm="x", comm_hex="1bfe")], work),
                         ["comm"])

    def test_json_is_read_strictly(self):
        for line in ("[]", '{"a":1,"a":2}', '{"a":"\x01"}', '{"a":"\\ud800"}', '{"a":1', "{} {}"):
            with self.assertRaises(ValueError, msg=line):
                json_line(line)
        self.assertEqual(json_line('{"a":"\\u001b\\ud83d\\ude00"}'), {"a": "\x1b\U0001f600"})


class SerialLine(unittest.TestCase):
    def serial(self, text, tests=("a",)):
        serial = Serial("6.1", tests, lambda _: None)
        for line in text.splitlines():
            serial.line(line)
        serial.end()
        return serial

    def outcomes(self, *args):
        return [(r.outcome, r.text) for r in self.serial(*args).results]

    def test_results_of_a_test(self):
        found = self.serial("== begin a\nok 1 - one\n# a comment\nrow\text4dist\tkprobe\ts\t1 2\t1 2\n"
                            "not ok 2 - two\nok 3 - three # SKIP why\nrecord\ta/x\n1..3\n"
                            "== end a 0\n== done\n")
        self.assertEqual([r.outcome for r in found.results], ["passed", "failed", "skipped"])
        self.assertEqual((found.results[0].mode, found.results[0].counted), ("kprobe", "1 2"))
        self.assertEqual(found.records, ["a/x"])

    def test_a_test_that_leaves_early_fails(self):
        for text in ("== begin a\nok 1 - x\n== end a 0\n== done", "== begin a\n1..0\n== end a 1\n== done",
                     "== begin a\nok 1 - x\n1..2\n== end a 0\n== done",
                     "== begin a\n1..0\n== end a 0\n== done"):
            self.assertEqual(self.outcomes(text)[-1][0], "failed", text)

    def test_a_test_that_only_records_is_one(self):
        self.assertEqual(self.outcomes("== begin a\nrecord\ta/x\n1..0\n== end a 0\n== done"), [])

    def test_a_guest_that_dies_fails_what_is_left(self):
        self.assertEqual(self.outcomes("== begin a\nok 1 - x\n", ("a", "b"))[1:],
                         [("failed", "a: the guest died"), ("failed", "b: the guest died")])
        self.assertEqual(self.outcomes("== done"), [("failed", "a: did not run")])

    def test_the_slowest_moment_counts(self):
        self.assertEqual(self.serial("== slowness 250\n== slowness 180\n").slowness, 250)


class Plan(unittest.TestCase):
    def test_wishes(self):
        self.assertEqual(wishes("# x\n# guest: limit=300 kernels=6.1,6.12\n"), (300, None))
        some = "# x\n# guest: limit=300 kernels=6.1,6.12 also=arm64-6.1\n"
        self.assertTrue(is_run_on("6.12", some, False))
        self.assertFalse(is_run_on("5.10", some, False))
        self.assertTrue(is_run_on("5.10", "# guest: limit=300\n", False))
        self.assertTrue(is_run_on("arm64-6.1", some, True))
        self.assertFalse(is_run_on("arm64-6.12", some, True))
        self.assertFalse(is_run_on("arm64-6.1", "# guest: limit=300\n", True))
        limit, own = wishes("# guest: smp=8,maxcpus=12 append=a=b noext4\n")
        self.assertEqual((limit, own.smp, own.append), (180, "8,maxcpus=12", " a=b fstrace.noext4"))
        with self.assertRaises(ValueError):
            wishes("# guest: what\n")

    def test_a_guest_for_all_and_one_for_each_with_wishes(self):
        guests = plan({"6.1": {"a": "", "b": "# guest: mem=512\n", "c": "# guest: limit=9\n"},
                       "5.10": {"a": ""}})
        self.assertEqual([(g.kernel, g.tests, g.mem) for g in guests], [
            ("6.1", {"a": 180, "c": 9}, "1024"), ("6.1", {"b": 180}, "512"),
            ("5.10", {"a": 180}, "1024")])      # the longest first

    def test_skips(self):
        skips = Skips(["# no", "", "5.10,6.1 module * * why not", "6.1 env - two?words other"])
        self.assertEqual(skips.whole_test("6.1", "module"), "why not")
        self.assertIsNone(skips.whole_test("6.12", "module"))
        self.assertIsNone(skips.whole_test("6.1", "env"))
        self.assertEqual(skips.reason("6.1", "env", "-", "two words"), "other")
        self.assertIsNone(skips.reason("6.1", "env", "auto", "two words"))

    def test_a_tool_that_nothing_counts_fails(self):
        results = [Result("6.1", "t", "passed", "", applet="a", counted="1")]
        found = coverage(["a", "b"], ["6.1"], results, Skips(["6.1 coverage - b it has none"]), False)
        self.assertEqual([(r.outcome) for r in found], ["skipped"])
        found = coverage(["a", "b"], ["6.1", "5.10"], results, NO_SKIPS, False)
        self.assertEqual(len([r for r in found if r.outcome == "failed"]), 3)


class Table(unittest.TestCase):
    def test_three_columns_that_are_never_made_equal(self):
        results = [Result("6.1", "t", "passed", "", "a", "kprobe", "s", "7 5", "6 5", "-"),
                   Result("6.1", "t", "passed", "", "a", "kprobe", "run", told="1"),
                   Result("6.1", "t", "skipped", "", "a", "kprobe", "s", "9", "0", "-"),
                   Result("6.1", "t", "failed", "no tool")]
        lines = list(table.report(results))
        self.assertEqual(lines[2].split(), ["a", "6.1", "kprobe", "2/2", "1", "12", "11", "1"])
        self.assertEqual(lines[-1], "2 passed, 1 failed, 1 skipped")


class Archive(unittest.TestCase):
    def test_records_come_out_of_a_drive(self):
        about = b"applet=a\nmode=m\nname=n\nstatus=0\npreempts=no\n"
        with tempfile.NamedTemporaryFile() as file:
            with tarfile.open(file.name, "w") as archive:
                for name, data in (("about", about), ("out", b"{}\n")):
                    info = tarfile.TarInfo(f"./t/a.m.n/{name}")
                    info.size = len(data)
                    archive.addfile(info, io.BytesIO(data))
            with open(file.name, "ab") as drive:
                drive.truncate(10 << 20)
            found = read_archive(file.name)
        self.assertEqual((found["t/a.m.n"].test, found["t/a.m.n"].objects), ("t", [{}]))

    def test_own_comparisons_are_found_by_the_test(self):
        self.assertIn("misses", own_checks(GUEST, "dcsnoop"))
        self.assertEqual(own_checks(GUEST, "nosuch"), {})


class OwnComparisons(unittest.TestCase):
    """dcsnoop.py and ext4dist.py: right outputs pass, wrong ones fail."""
    LOOP = "rows ext4-loop 0 5 0 0 5\ndone loop\n"
    OUT = [dict(row("loop.hit", "R"), time=0.5)] * 3

    def failures(self, test, name, work, out, err="", **about):
        found = record(work, out, err, name=name, **about)
        return failures(found, own_checks(GUEST, test))

    def stopped(self, out=OUT, lost=2):
        return self.failures("dcsnoop", "stopped", self.LOOP, out, f"fstrace: lost {lost} events "
                             "in all\n", began="10.00", ended="10.60", may_lose="events")

    def test_stopped(self):
        self.assertEqual(self.stopped(), [])
        self.assertIn("expected 5, counted 3", self.stopped(lost=1)[0])
        self.assertIn("expected 5, counted 3", self.stopped(lost=3)[0])
        self.assertIn("none was reported", "".join(self.stopped(self.OUT[:1] * 5, lost=0)))
        self.assertIn("0.7 s", self.stopped(self.OUT[:2] + [dict(self.OUT[0], time=0.7)])[0])

    def test_storm(self):
        for rows_, lost, ok in (2, 0, False), (3, 0, True), (5, 0, True), (6, 0, False), (2, 1, True):
            failed = self.failures("dcsnoop", "storm", "between storm 3 5\ndone storm\n",
                                   [row("storm.a", "R")] * rows_,
                                   f"fstrace: lost {lost} events in all\n" if lost else "",
                                   may_lose="events")
            self.assertEqual(not failed, ok, (rows_, lost, failed))

    def test_misses_as_text(self):
        head = "TIME(s)     PID     COMM             T FILE\n"
        lines = [f"1.000000    7       ext4             M twice.{i}\n" for i in range(1009)]
        lines += [f"1.000000    7       ext4             M hostile.{i}\n" for i in range(17)]
        lines += [f"1.000000    8       sh               M comm.{i}\n" for i in range(5)]
        work = "rows ext4-x 1026 5 0 0 0\ndone x\n"

        def failed(text):
            return self.failures("dcsnoop", "misses", work, text, pid=7, tracer=9, form="text")
        good = head + "".join(lines)
        self.assertEqual(failed(good), [])
        for bad, word in ((good.replace("TIME(s)", "TIME"), "header"),
                          (good.replace("twice.0\n", "twice.1\n"), "distinct"),
                          (good + "1.0 7 ext4 R x\n", "others"),
                          (good.replace("hostile.3", "hostil.3"), "hostile"),
                          (good.replace("comm.3", "\x1b[2J"), "raw"),
                          (good.replace("comm.3", "\u009b"), "raw"),
                          (good + "1.000000    9       ext4             M own\n", "itself")):
            self.assertTrue(any(word in text for text in failed(bad)), word)

    def test_a_slow_read_too_few(self):
        out = [dict(op="read", count=7, buckets=[[32768, 65535, 7]]), block(0, 5)[1]]
        self.assertEqual(self.failures("ext4dist", "all", CALM, out), [])
        out[0]["buckets"] = [[32768, 65535, 6], [0, 1, 1]]
        self.assertIn("only 6 reads", self.failures("ext4dist", "all", CALM, out)[0])

    def test_kretprobes_report_just_what_is_missing(self):
        for missed, ok in (2, True), (3, False):
            err = f"fstrace: warning: missed the return of {missed} of 12 calls: ran out\n"
            failed = self.failures("ext4dist", "pid", CROWD, block(6, 4), err)
            self.assertEqual(not failed, ok, failed)


if __name__ == "__main__":
    unittest.main()
