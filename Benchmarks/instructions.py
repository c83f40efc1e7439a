"""Counts the instructions of DeltaBench's fixed works under callgrind and compares them with what is expected.

Usage: instructions.py PATH-OF-DELTABENCH EXPECTED [--record | --growth]. Run it by `Scripts/bench instructions`.
Fails where a work takes over 5 % more than is written down; a work that takes over 5 % less should be recorded again.
Fails too where a hostile work breaks the law of cost: what merges, asks and answers take is at most LIMIT instructions for each
byte and dot, and grows with the size n at most as n^1.1 · log n.

With --growth it counts what each type does at 1,000, 10,000 and 100,000 keys instead, prints the exponents beyond the logarithm, and fails
where one is above 1.1.

The counts are those of one compiler, one C library and one kind of processor. Under another they are shown, and only the law of cost holds.
"""

import math
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

BENCH, EXPECTED = sys.argv[1], pathlib.Path(sys.argv[2])
TOLERANCE = 0.05
GROWTH = 1.1
LIMIT = 50_000


def count(works="instructions"):
    with tempfile.TemporaryDirectory() as folder:
        output = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=delta_measured", "--dump-after=delta_measured",
             f"--callgrind-out-file={folder}/out", BENCH, works],
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


def growth():
    counts = count("growth-counted")
    sizes = (1000, 10_000, 100_000)
    works = dict.fromkeys(name.split(": ", 1)[1] for name in counts)
    steep = []
    print("| work | 1,000 | 10,000 | 100,000 | exponent |\n|---|---|---|---|---|")
    for work in works:
        each = [counts[f"growth, of {size}: {work}"] for size in sizes]
        exponent = 1 + math.log(each[2] / each[0] * 3 / 5, 100)
        print(f"| {work} | {' | '.join(f'{number:,.0f}' for number in each)} | {exponent:.2f} |")
        if exponent > GROWTH:
            steep.append(work)
    if steep:
        sys.exit(f"Steeper than n^{GROWTH} · log n: {', '.join(steep)}.")


def main():
    if "--growth" in sys.argv:
        return growth()
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
    broken = [name for name, number in counts.items() if name.startswith("hostile") and number > LIMIT]
    exponents = {}
    for name, number in counts.items():
        size, work = re.match(r"(?:hostile, of (\d+): )?(.*)", name).groups()
        greater = size and counts.get(f"hostile, of {int(size) * 4}: {work}")
        if greater:
            logarithms = math.log(int(size) * 4) / math.log(int(size))
            exponents[work] = 1 + math.log(greater / number / logarithms, 4)
    for work, exponent in sorted(exponents.items(), key=lambda entry: -entry[1])[:5]:
        print(f"grows as n^{exponent:.2f} · log n: {work}")
    broken += [work for work, exponent in exponents.items() if exponent > GROWTH]
    if broken:
        sys.exit(f"The law of cost is broken: {', '.join(broken)}.")
    if grown:
        sys.exit(f"Instructions grew: {', '.join(grown)}. If that is meant, run Scripts/bench instructions --record.")


main()
