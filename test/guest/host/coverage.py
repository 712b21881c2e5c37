"""Is each tool tested on each kernel? Checked when all tests ran; skips.txt may have a
reason why not (TEST coverage, SCENARIO the tool)."""
from result import Result


def coverage(applets, kernels, results, skips, together):
    """together: one of the kernels will do."""
    seen = {(r.kernel, r.applet) for r in results if r.counted != "-"}
    for kernel in kernels[:1] if together else kernels:
        for applet in applets:
            if any((other, applet) in seen for other in (kernels if together else [kernel])):
                continue
            reason = skips.reason(kernel, "coverage", "-", applet)
            yield Result(kernel, "coverage", "skipped" if reason else "failed",
                         f"no check counts what {applet} prints" +
                         (f" ({reason})" if reason else ""))
