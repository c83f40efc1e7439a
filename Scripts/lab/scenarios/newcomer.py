"""A long log and somebody who has nothing of it: soon there, in bounded memory, whatever happens on the way."""

import json
import random
import time

from lab.caravan import Caravan, Process, converge, party
from lab.network import Failure, Lan, until
from lab.puppets import Puppets

ABOUT = "20,000 changes by ten authors to an empty newcomer: within 5 s and 100 MB; ten kills on the way lose nothing"
QUICK = True
NEEDS_CARAVAN = True
NEEDS_PYTHON = True
CHANGES, BRIEF_CHANGES = 20_000, 2_000
SECONDS, MEMORY_KB = 5.0, 100 * 1024
KILLS, BRIEF_KILLS = 10, 2

NAMES = {"jie": "Jie"}


def run(folder, program, count=CHANGES, kills=KILLS):
    seed = random.SystemRandom().randrange(1 << 32)
    with Lan(folder, ["jie", "michelle", "noah", "mallory"]) as lan:
        jie, = party(lan, program, NAMES, "Lisbon in June")
        jie.do("add", "Casa do Rio")
        noah = Caravan(lan["noah"], program, "Noah")
        noah.join(jie.invite())
        fill(lan["mallory"], jie, count)
        michelle = Caravan(lan["michelle"], program, "Michelle")
        seconds, kilobytes = catch_up(jie, michelle)
        print(f"newcomer: {changes(jie)} changes after {seconds:.2f} s, with {kilobytes / 1024:.0f} MB", flush=True)
        michelle.down()
        killed(jie, noah, kills, random.Random(seed), seed)
        if count == CHANGES and "release" in str(program) and (seconds > SECONDS or kilobytes > MEMORY_KB):
            raise Failure(f"later than {SECONDS} s, or more than {MEMORY_KB} KB")


def brief(folder, program):
    run(folder, program, BRIEF_CHANGES, BRIEF_KILLS)


def fill(host, person, count):
    """Lets somebody's log be so much longer, by ten authors."""
    before = changes(person)
    feeding = Puppets(host, person.invite(), "votes", [person], count=count)
    until(lambda: feeding.is_over, 400, "the log is written", pause=0.2)
    feeding.counts()
    until(lambda: changes(person) >= before + count, 120, "the log is taken", pause=0.2)


def changes(person):
    return json.loads(person.do("status", "--json"))["changes"]


def catch_up(host, person):
    """Joins and receives everything; the seconds from the command's start, and the peak of memory."""
    link, wanted, peak = host.invite(), changes(host), 0
    began = time.monotonic()
    joining = person.host.start("join", *person.words("join", link, "--as", person.name))
    while joining.poll() is None:
        try:
            peak = max(peak, Process(joining.pid).peak_resident_kb())
        except (OSError, StopIteration):
            pass
        time.sleep(0.01)
    if person.host.processes.pop("join").returncode != 0:
        raise Failure(f"join: {person.host.log_text('join').strip()}")
    person.up()
    until(lambda: changes(person) >= wanted, 120, "the newcomer has everything", pause=0.05)
    seconds = time.monotonic() - began
    converge([host, person], 10)
    return seconds, max(peak, person.process().peak_resident_kb())


def killed(host, person, kills, chance, seed):
    """The node of an earlier member is killed again and again: it never has fewer changes than before, and has all in the end."""
    wanted, had, partial = changes(host), 0, 0
    for _ in range(kills):
        person.begin()
        time.sleep(chance.uniform(0.05, 0.4))
        person.crash()
        has = changes(person)
        if has < had:
            raise Failure(f"seed {seed}: {had} changes were here, and {has} after a kill")
        partial += 0 < has < wanted
        had = has
    person.up()
    _, seconds = until(lambda: changes(person) >= wanted, 120, "everything is here after all kills", pause=0.05)
    converge([host, person], 10)
    print(f"newcomer: killed {kills} times, {partial} of them on the way: {had} of {wanted} were here; all after "
          f"{seconds:.2f} s more", flush=True)
