"""What a test has kept of one run of a tool for the host to compare (see `record` in prelude.sh).

A guest leaves an archive of directories TEST/APPLET.MODE.NAME/ with the files `about` (KEY=VALUE),
`out` and `err` of the tool, `work` of the load, and whatever else the test has put there.
"""
import json
import re
import tarfile
from functools import cached_property

from expectation import read_work


class Record:
    def __init__(self, path, files):
        self.test = path.split("/")[0]
        self.files = files
        self.about = dict(line.split("=", 1) for line in self.text("about").splitlines())
        self.applet, self.mode, self.name = (self.about[k] for k in ("applet", "mode", "name"))

    def text(self, name, errors="strict"):
        return self.files.get(name, b"").decode("utf-8", errors)

    @cached_property
    def objects(self):
        """The output as JSON, a line each; read strictly."""
        return [json_line(line) for line in self.files["out"].decode("utf-8").splitlines()]

    @cached_property
    def windows(self):
        return read_work(self.text("work"))

    @property
    def mechanism(self):
        """How the tool is attached, by its own report: fentry, kprobe, kprobe session."""
        found = re.findall(r"^fstrace: .*attached by (.*)$", self.text("err", "replace"), re.M)
        return found[-1] if found else None

    @property
    def is_json(self):
        return self.files["out"].startswith(b"{") or self.about.get("form") == "json"


def json_line(line):
    def unique(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError(f"a key twice: {line}")
        return dict(pairs)

    row = json.loads(line, object_pairs_hook=unique)
    if not isinstance(row, dict):
        raise ValueError(f"not an object: {line}")
    if re.search("[\ud800-\udfff]", "".join(v for v in row.values() if isinstance(v, str))):
        raise ValueError(f"half a surrogate pair: {line}")
    return row


def read_archive(path):
    """{directory: Record} of a guest's archive."""
    files = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile():
                directory, _, name = member.name.removeprefix("./").rpartition("/")
                files.setdefault(directory, {})[name] = archive.extractfile(member).read()
    return {directory: Record(directory, found) for directory, found in files.items()}
