"""Runs scenarios in browsers: page.js against a small server, and the pages of real nodes. One line each, and a summary."""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import scenarios
from browsers import Chromium, Failure, WebKit, patience

CLOSE_SECONDS, SLOWEST, MOST_AGAIN = 5, 12, 2
ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def within(seconds):
    """Raises a failure in what takes longer, whatever it waits for."""
    seconds = round(patience(seconds))

    def out_of_time(*_):
        raise Failure(f"not over after {seconds} s")
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def run_one(one, engine, run):
    """Whether a scenario holds in an engine; what went wrong is printed."""
    folder = Path(tempfile.mkdtemp(prefix=f"page-{one.name}."))
    stage = scenarios.Stage(engine, folder, run.caravan, run.screenshots, run=run)
    began, reason = time.monotonic(), []
    try:
        with within(one.seconds):
            one.run(stage)
    except Exception as error:  # whatever a driver throws is a failure of this scenario alone
        reason = f"{type(error).__name__}: {error}".strip().splitlines()
    reason += stage.close(lambda: within(CLOSE_SECONDS))
    outcome = "FAILED" if reason else "passed"
    print(f"{outcome}  {engine.name:9}{one.name:28}{time.monotonic() - began:5.1f} s  {one.claim}", flush=True)
    for line in reason[:12]:
        print(f"        {line}", flush=True)
    if reason:
        print(f"        what it left behind is in {folder}", flush=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return not reason


def passes_again(one, engine, run):
    """Whether a scenario that failed holds once the others are through. Both outcomes are printed: what fails once has a race."""
    if not run_one(one, engine, run):
        return False
    print(f"unsteady: {one.name} in {engine.name} failed above and passed when it was run again: find the race", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(prog="Scripts/page-test", description=__doc__)
    parser.add_argument("name", nargs="*", help="scenarios, by name or by how it begins; all of them by default")
    parser.add_argument("--list", action="store_true", help="name the scenarios")
    parser.add_argument("--engine", choices=["chromium", "webkit"], help="in this engine alone")
    parser.add_argument("--caravan", type=Path, default=ROOT / ".build/debug/caravan", help="the program (default: the debug build)")
    parser.add_argument("--screenshots", type=Path, help="draw every view and state into this folder")
    arguments = parser.parse_args()
    arguments.caravan = arguments.caravan.resolve()
    chosen = [one for one in scenarios.every()
              if not arguments.name or any(one.name.startswith(name) for name in arguments.name)]
    if arguments.list:
        for one in chosen:
            print(f"{one.name:28}{', '.join(one.engines):18}{one.claim}")
        return 0
    if not chosen:
        parser.error("no scenario is named so; see --list")
    if any(one.needs_caravan for one in chosen) and not os.access(arguments.caravan, os.X_OK):
        parser.error(f"{arguments.caravan} is not built; name another by --caravan")
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)

    engines = [kind for kind in (Chromium, WebKit) if arguments.engine in (None, kind.name)]
    return run_each_alone(engines) if len(engines) > 1 else run_engine(engines[0], chosen, arguments)


def run_each_alone(engines):
    """Runs each engine in a process of its own, at the same time: on two cores it takes half as long."""
    def show(child):
        for line in child.stdout:
            if one := re.match(r"\w+ +(\w+) +([\w-]+) +([\d.]+) s ", line):
                times.append((float(one[3]), one[2], one[1]))
            summary = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped\n", line)
            if summary:
                counts.append([int(count) for count in summary.groups()])
            else:
                print(line, end="", flush=True)

    counts, times, began = [], [], time.monotonic()
    command = [sys.executable, *sys.argv, "--engine"]
    children = [subprocess.Popen([*command, kind.name], stdout=subprocess.PIPE, text=True) for kind in engines]
    readers = [threading.Thread(target=show, args=[child]) for child in children]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    statuses = [child.wait() for child in children]
    passed, failed, left_out = (sum(column) for column in zip(*counts, [0, 0, 0]))
    print("slowest: " + ", ".join(f"{name} in {kind} {took} s" for took, name, kind in sorted(times, reverse=True)[:SLOWEST]))
    print(f"{passed} passed, {failed} failed, {left_out} skipped in {time.monotonic() - began:.0f} s")
    return 1 if any(statuses) else 0


def run_engine(kind, chosen, arguments):
    """Runs what is chosen in one engine; the exit status."""
    chosen = [one for one in chosen if kind.name in one.engines]
    if reason := kind.missing():
        print(f"left out: {len(chosen)} scenarios in {kind.name}: {reason}; Scripts/setup installs it")
        print(f"0 passed, 0 failed, {len(chosen)} skipped")
        return 0
    folder = Path(tempfile.mkdtemp(prefix="page-run."))
    run = scenarios.Stage(None, folder, arguments.caravan, arguments.screenshots)
    try:
        with kind() as engine:
            failed = [one for one in chosen if not run_one(one, engine, run)]
            if len(failed) <= MOST_AGAIN:
                failed = [one for one in failed if not passes_again(one, engine, run)]
    finally:
        for fault in run.close(lambda: within(CLOSE_SECONDS)):
            print(f"        {fault}", flush=True)
    for one in failed:
        print(f"failed: {one.name} in {kind.name}; homes that several scenarios share are in {folder}")
    if not failed:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
