"""Does the --json output of a tool match its own schema? (By test/schema/check.)"""
import subprocess
import tempfile
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "schema" / "check"
LINES_MAX = 1000        # from either end: a validator takes its time


def fault(record):
    """What is wrong with the record's output; "" if nothing is, or it is not JSON."""
    lines = record.files["out"].splitlines(keepends=True)
    if not record.is_json or not lines:
        return ""
    if len(lines) > 2 * LINES_MAX:
        lines = lines[:LINES_MAX] + lines[-LINES_MAX:]
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"".join(lines))
        file.flush()
        done = subprocess.run([CHECK, file.name, record.applet], capture_output=True, text=True)
    if not done.returncode:
        return ""
    return done.stderr.strip().splitlines()[0].replace(file.name + ":", "line ")
