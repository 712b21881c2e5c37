"""What details.test has recorded: does each row say where, whose and on what?"""
import os
from collections import Counter

from check import Check, is_

HOME = "/mnt/ext4/details"


def device(number):
    return f"{os.major(number)}:{os.minor(number)}"


def details(record):
    ext4, ram = (device(int(record.about[name])) for name in ("ext4", "ram"))
    expected = Counter({
        "ext4": 101, "bound": 53, "opened": 23, "made": 31, "tmpfs": 19, "proc": 1, "union": 1,
        "user": 1})
    where = {
        "gone.b": ("bound", "/mnt/bound/b/", "ext4", ext4), "gone.o": ("opened", "/mnt/bound/", "ext4", ext4),
        "gone.m": ("made", "/mnt/bound/", "ext4", ext4), "gone.r": ("tmpfs", "/mnt/ram/dir/", "tmpfs", ram),
        "gone.p": ("proc", "/proc/", "proc", None), "gone.v": ("renamed", "/mnt/bound/b/", "ext4", ext4),
        "gone.l": ("linked", "/mnt/bound/b/", "ext4", ext4),
    }
    found, strays = Counter(), []
    for row in record.objects:
        name = row["file"]
        kind, directory, fs, dev = where.get(name[:6], ("ext4", f"{HOME}/a/b/c/", "ext4", ext4))
        uid = 0
        if name == "gone.user":
            kind, directory, fs, dev, uid = "user", f"{HOME}/a/", "ext4", ext4, 1234
        if name == "gone.u":    # the overlay, and without a mount its two layers
            if row["fs"] == "overlay":
                kind, directory, fs, dev = "union", "/mnt/union/", "overlay", None
            else:
                continue
        if name == "gone.long":
            continue
        if (row["path"], row["fs"], row["uid"]) == (directory + name, fs, uid) and (
                dev in (None, row["device"])):
            found[kind] += 1
        else:
            strays.append(row)
    for kind, count in expected.items():
        yield Check(kind, count, found[kind])
    # mv and ln may look before they act
    yield is_("two directories", f"{found}", found["renamed"] > 0 and found["linked"] > 0)
    yield is_("strays", f"{strays[:2]} of {len(strays)}", not strays)
    layers = sorted(row["path"] for row in record.objects
                    if row["file"] == "gone.u" and row["fs"] != "overlay")
    yield is_("layers", f"{layers}", layers == ["details/lower/gone.u", "details/upper/gone.u"])
    cut = [row for row in record.objects if row["file"] == "gone.long"]
    yield Check("cut", 1, len(cut))
    whole = f"{HOME}/{'/'.join(f'{i:0200}' for i in range(1, 13))}/gone.long"
    yield is_("cut:path", f"{cut}", cut and cut[0].get("path_cut") and
              whole.endswith("/" + cut[0]["path"]))
