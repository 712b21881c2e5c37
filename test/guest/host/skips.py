"""skips.txt: what a kernel cannot do, and why."""
from fnmatch import fnmatchcase


class Skips:
    def __init__(self, lines):
        rows = (line.split(None, 4) for line in lines if line.strip() and line[0] != "#")
        self.rows = [(kernels.split(","), *patterns, reason.strip())
                     for kernels, *patterns, reason in rows]

    def reason(self, kernel, test, mode, scenario):
        """Why this scenario may fail or be passed over; None when it may not."""
        for kernels, *patterns, reason in self.rows:
            if (kernels == ["*"] or kernel in kernels) and all(
                    map(fnmatchcase, (test, mode, scenario), patterns)):
                return reason
        return None

    def whole_test(self, kernel, test):
        """Why a test is not even started; None when it is."""
        for kernels, pattern, mode, scenario, reason in self.rows:
            if (mode, scenario, pattern) == ("*", "*", test) and (
                    kernels == ["*"] or kernel in kernels):
                return reason
        return None
