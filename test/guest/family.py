"""family.test: the times of a device that takes long are those that the load has seen."""
import dist
from check import is_


def quantile(values, percent):
    """The smallest value that so many percent of them do not exceed."""
    values = sorted(values)
    return values[max(0, -(-len(values) * percent // 100) - 1)]


def is_near(percent, seen, found):
    """
    A bucket is a sixteenth wide, and from the load to the probes and back it is part of a
    millisecond. The slowest are those where the load waited for a CPU in between: what was counted
    lies between the usual and that.
    """
    least = seen[50] * 15 / 16 - 1e6
    return least <= found <= seen[percent] * 17 / 16


def times(record):
    yield from dist.checks(record)
    for window in record.windows:
        for (op, fs), took in window.took.items():
            rows = [row for row in record.objects[slice(*window.lines[0])]
                    if (row["op"], row["fs"]) == (op, fs) and row["count"]]
            seen = {percent: quantile(took, percent) for percent in (50, 99)}
            for percent in seen:
                # of the blocks one is enough, and none may show more than the load saw
                found = [row["percentiles_ns"][str(percent)] for row in rows]
                right = any(is_near(percent, seen, f) for f in found)
                yield is_(f"{record.name}-{window.name}-p{percent}",
                          f"the load saw {seen[percent]} ns, found {found}", right)
            longest = max(row["max_ns"] for row in rows)
            yield is_(f"{record.name}-{window.name}-max",
                      f"the load saw {max(took)} ns, found {longest}", longest <= max(took))


times20 = times5 = times
