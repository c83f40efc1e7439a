"""Figures: how long things took, in words, and what the disk itself costs."""

import os
import statistics
import time

# What a short form allows beyond a long one's figures: it runs beside other things, with a debug build.
BRIEF_SLACK = 10


def spread(values, unit="ms"):
    """The median and the 99th percentile."""
    digits = 1 if unit == "ms" else 2
    return f"median {statistics.median(values):.{digits}f} {unit}, p99 {p99(values):.{digits}f} {unit}"


def p99(values):
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * 99 // 100) - 1)]


def fsync_ms(folder):
    """The median time of one fdatasync of a small write."""
    times = []
    with open(folder / "fsync", "wb", buffering=0) as file:
        for _ in range(50):
            file.write(bytes(200))
            started = time.monotonic()
            os.fdatasync(file.fileno())
            times.append((time.monotonic() - started) * 1000)
    return statistics.median(times)
