"""A thousand bad handshakes a second, with the trip's secret and without: the others go on as if nothing were."""

import json
import os
import time
from pathlib import Path

from lab import flooder
from lab.caravan import everyone_meets, party
from lab.key_file import DeviceKeys
from lab.network import Failure, Lan, until

ABOUT = "1,000 bad handshakes a second for a minute each: peers keep syncing and come back, memory and CPU are bounded"
QUICK = False
NEEDS_CARAVAN = True

NAMES = {"jie": "Jie", "michelle": "Michelle"}
RATE = 1_000
SECONDS = int(os.environ.get("CARAVAN_FLOOD_SECONDS", "60"))
KINDS = os.environ.get("CARAVAN_FLOOD_KINDS", "point noise psk silent").split()
SOURCES = 40
GROWTH_KB_MAX = 10 * 1024
# Of user and system time together, in a release build: microseconds a handshake.
CPU_MAX = {"noise": 200, "point": 200, "psk": 500}
SYNC_SECONDS_MAX = 5
FLOODER = Path(flooder.__file__)


def run(folder, program):
    is_release = "release" in str(program)
    with Lan(folder, ["jie", "michelle", "mallory"]) as lan:
        people = jie, michelle = party(lan, program, NAMES, "Lisbon in June", hosts=("jie", "michelle"))
        mallory = lan["mallory"]
        sources = [f"10.77.0.{100 + number}" for number in range(SOURCES)]
        for source in sources:
            mallory.run("ip", "addr", "add", f"{source}/24", "dev", "eth0")
        secret = DeviceKeys.read(jie.keys_file()).epoch_secrets[-1]
        target = (lan["jie"].address, str(jie.port()))
        for kind in KINDS:
            seconds = SECONDS if kind in ("point", "psk") else max(5, SECONDS // 4)
            idle, each = honest_cost(people, jie.process(), kind)
            words = [FLOODER, *target, kind, str(RATE), str(seconds), "--secret", secret.hex(), "--from", ",".join(sources)]
            withstand(kind, people, mallory, words, is_release, idle, each)


def honest_cost(people, node, kind):
    """Seconds of CPU a second while nobody floods, and for each change that one writes and the other reads."""
    idle = node.cpu_share(3)
    before, started = node.cpu_seconds(), time.monotonic()
    for number in range(10):
        write(people, number, f"Written before {kind} {number}")
    return idle, (node.cpu_seconds() - before - idle * (time.monotonic() - started)) / 10


def write(people, number, title):
    """A change by one and then the other; how long the other waits for it."""
    writer, reader = people if number % 2 else reversed(people)
    writer.do("add", title)
    return until(lambda: title in reader.items(), SYNC_SECONDS_MAX, f"{title}: seen by the other")[1]


def withstand(kind, people, mallory, words, is_release, idle, cost):
    """One flood: its counts, what it cost, and what the others saw of it."""
    jie, michelle = people
    node = jie.process()
    before, cpu, started = node.resident_kb(), node.cpu_seconds(), time.monotonic()
    log_start = len(mallory.log_text("flood")) if mallory.log("flood").exists() else 0
    flood = mallory.start("flood", "python3", *words)
    peak, number, waits = before, 0, []
    while flood.poll() is None:
        number += 1
        waits.append(write(people, number, f"Written under {kind} {number}"))
        if number == 2:
            michelle.down()
            michelle.up()
            everyone_meets(people, 10)
        peak = max(peak, node.resident_kb())
        time.sleep(0.3)
    mallory.processes.pop("flood")
    took = time.monotonic() - started
    spent = node.cpu_seconds() - cpu - idle * took - cost * len(waits)
    counts = json.loads(mallory.log_text("flood")[log_start:].strip().splitlines()[-1])
    if kind != "psk" and counts["answer_bytes"]:
        raise Failure(f"{kind}: {counts['answer_bytes']} bytes of answer")
    if kind == "psk" and counts["answered"] < counts["said"] // 4:
        raise Failure(f"psk: the flood is no flood: {counts}")
    each = spent / max(1, counts["begun"]) * 1e6
    growth = peak - before
    print(f"flood: {kind}: {counts['begun'] / counts['seconds']:.0f} a second for {counts['seconds']:.0f} s "
          f"({counts['said']} spoke, {counts['answered']} answered, {counts['reset']} reset), CPU each {each:.0f} µs, "
          f"memory +{growth} KB, {len(waits)} changes seen after {max(waits):.2f} s at most", flush=True)
    if growth > GROWTH_KB_MAX:
        raise Failure(f"{kind}: the node grew by {growth} KB")
    if is_release and each > CPU_MAX.get(kind, 1_000):
        raise Failure(f"{kind}: {each:.0f} µs of CPU a handshake, more than {CPU_MAX.get(kind, 1_000)}")
