"""Is each tool tested on each kernel? Checked when all tests ran; skips.txt may have a
reason why not (TEST coverage, SCENARIO the tool)."""
from result import Result


def coverage(applets, kernels, results, skips):
    seen = {(r.kernel, r.applet) for r in results if r.counted != "-"}
    for kernel in kernels:
        for applet in applets:
            if (kernel, applet) in seen:
                continue
            reason = skips.reason(kernel, "coverage", "-", applet)
            yield Result(kernel, "coverage", "skipped" if reason else "failed",
                         f"no check counts what {applet} prints" +
                         (f" ({reason})" if reason else ""))
