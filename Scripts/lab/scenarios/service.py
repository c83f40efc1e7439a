"""A node as a service: it goes on without a terminal, ends at once, and everybody hears of its end."""

import json
import time

from lab.caravan import Caravan, everyone_meets
from lab.network import Failure, Lan, until

ABOUT = "nodes are detached, meet, end within a second by SIGTERM and SIGHUP, and the others hear it from them"
QUICK = True
NEEDS_CARAVAN = True
SECONDS = 1.0


def run(folder, program):
    with Lan(folder, ["jie", "michelle"]) as lan:
        jie, michelle = Caravan(lan["jie"], program, "Jie"), Caravan(lan["michelle"], program, "Michelle")
        jie.new("Lisbon in June")
        jie.do("up", "--detach")
        michelle.join(jie.invite())
        michelle.do("up", "--detach")
        everyone_meets([jie, michelle])
        for signal in ("TERM", "HUP", "INT"):
            lock = lan["michelle"].caravan_home / "lock"
            process = lock.read_text().strip()
            started = time.monotonic()
            lan["michelle"].run("kill", f"-{signal}", process)
            until(lambda: not lock.read_text(), SECONDS, f"the end by SIG{signal}")
            seconds = time.monotonic() - started
            # Without its farewell the node would be missed after 7 s of silence.
            _, heard = until(lambda: not jie.people_here(), SECONDS, "Jie hears of it")
            print(f"service: SIG{signal}: ended after {seconds:.2f} s, heard of {heard:.2f} s later")
            michelle.do("up", "--detach")
            everyone_meets([jie, michelle])
        for person in (jie, michelle):
            person.do("down")
            log = (person.host.caravan_home / "log").read_text()
            events = [json.loads(line)["event"] for line in log.splitlines()]
            if events[0] != "start" or events[-1] != "stop" or "here" not in events:
                raise Failure(f"{person.name}'s log tells another story: {events}")
            for secret in ("Lisbon", "Jie", "Michelle", person.host.address):
                if secret in log:
                    raise Failure(f"{person.name}'s log says {secret}")
