"""Counts the instructions of DeltaBench's fixed works under callgrind and compares them with what is expected.

Usage: instructions.py PATH-OF-DELTABENCH EXPECTED [--record]. Run it by `Scripts/bench instructions`.
Fails where a work takes over 5 % more than is written down; a work that takes over 5 % less should be recorded anew.
Fails too where a hostile state of 4 times the size takes over 25 % more instructions for each dot: what costs in proportion
takes as many, what is quadratic 4 times as many.

The counts are those of one compiler, one C library and one kind of processor. Under another they are shown, and only the second rule holds.
"""

import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

BENCH, EXPECTED = sys.argv[1], pathlib.Path(sys.argv[2])
TOLERANCE = 0.05


def count():
    with tempfile.TemporaryDirectory() as folder:
        output = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=delta_measured", "--dump-after=delta_measured",
             f"--callgrind-out-file={folder}/out", BENCH, "instructions"],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            # The hashes' seed must not differ from run to run.
            env={"PATH": os.environ["PATH"], "SWIFT_DETERMINISTIC_HASHING": "1"}).stdout
        counts = {}
        for number, line in enumerate(output.splitlines(), 1):
            times, name = line.split("\t")
            dump = pathlib.Path(f"{folder}/out.{number}").read_text()
            total = int(re.search(r"^(?:totals|summary): (\d+)", dump, re.MULTILINE).group(1))
            counts[name] = total / int(times)
        return counts


def toolchain():
    version = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    libc = " ".join(platform.libc_ver())  # its copying of memory is counted too
    return f"Swift {re.search(r'Swift version ([0-9.]+)', version)[1]}, {libc}, {platform.machine()}"


def main():
    counts = count()
    if "--record" in sys.argv:
        lines = [f"{round(number)}\t{name}\n" for name, number in counts.items()]
        EXPECTED.write_text("".join([f"# {toolchain()}\n", *lines]))
    recorded, *lines = EXPECTED.read_text().splitlines()
    expected = {name: int(number) for number, name in (line.split("\t") for line in lines)}
    is_comparable = recorded == f"# {toolchain()}"
    if not is_comparable:
        print(f"Counted with {toolchain()}, recorded with {recorded[2:]}: not compared.")
    grown = []
    for name, number in counts.items():
        before = expected.get(name)
        change = number / before - 1 if before else 0
        mark = "" if before and abs(change) <= TOLERANCE else f"  was {before}, {change:+.1%}" if before else "  not recorded"
        print(f"{number:12,.0f}  {name}{mark}")
        if not before or change > TOLERANCE and is_comparable:
            grown.append(name)
    grown += sorted(set(expected) - set(counts))
    for name, number in counts.items():
        hostile = re.match(r"hostile, of (\d+): (.*)", name)
        greater = hostile and counts.get(f"hostile, of {int(hostile[1]) * 4}: {hostile[2]}")
        if greater and greater > 1.25 * number:
            print(f"{greater / number:12.1f}  times the instructions for each dot at 4 times the size: {hostile[2]}")
            grown.append(name)
    if grown:
        sys.exit(f"Instructions grew: {', '.join(grown)}. If that is meant, run Scripts/bench instructions --record.")


main()
