"""What a node takes for a vote, an add and a list, by how much there is: command to answer, with the disk's share beside it.

usage: node.py CARAVAN [--items 10,1000,10000,50000] [--rounds 200]
Prints a line of JSON for each size and act. Everything happens in a folder of its own, which goes at the end.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BATCH = 2_000


class Node:
    """A home with one trip, and the node that runs it."""

    def __init__(self, program, folder):
        self.program, self.home = program, folder
        self.environment = dict(os.environ, CARAVAN_HOME=folder)
        self.run("new", "Lisbon in June", "--as", "Jie")
        self.trip = os.listdir(f"{folder}/trips")[0]
        self.process = None

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            sys.exit(f"caravan {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def up(self):
        """Starts the node; the seconds until it is ready."""
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [self.program, "up"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line == "ready\n":
                return time.perf_counter() - began
        sys.exit("the node ended before it was ready")

    def down(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def ask(self, request):
        """Asks over the control socket, as a command does; the seconds until the answer was read."""
        body = json.dumps({"request": {"_0": request, "trip": self.trip}}).encode()
        began = time.perf_counter()
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(f"{self.home}/control")
            receive(control)
            control.sendall(len(body).to_bytes(4, "big") + body)
            while True:
                answer = receive(control)
                if answer != b'{"working":{}}':
                    break
        seconds = time.perf_counter() - began
        if not answer.startswith((b'{"answer"', b'{"trip"')):
            sys.exit(f"the node answered {answer[:200]}")
        return seconds

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS"))


def receive(control):
    count = int.from_bytes(read(control, 4), "big")
    return read(control, count)


def read(control, count):
    parts = []
    while count > 0:
        part = control.recv(min(count, 1 << 20))
        if not part:
            sys.exit("the node hung up")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def sync(folder, rounds):
    """The median time of what a write costs the disk: 4 kB appended and synchronised."""
    times = []
    with open(f"{folder}/sync", "ab", buffering=0) as file:
        for _ in range(rounds):
            began = time.perf_counter()
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    os.unlink(f"{folder}/sync")
    return statistics.median(times)


def median(times):
    return round(statistics.median(times) * 1e3, 2)


def timed(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def item(number):
    return {"title": f"Stay number {number}", "fields": {"price": "€95 a night", "host": "Ana", "note": "river view"}}


def measure(node, count, rounds):
    def vote(number):
        vote = {"vote": {"_0": "for" if number // count % 2 == 0 else "against"}}
        return {"act": {"_0": vote, "on": [{"typed": {"_0": str(number % count + 1)}}]}}

    whole = max(5, rounds // 10)
    # Each vote is another than before: a vote said again writes nothing.
    for number in range(4):
        node.ask(vote(number))
    rows = {
        "vote": ([node.ask(vote(number)) for number in range(4, 4 + rounds)], ["vote", "2", "--against"]),
        "add": ([node.ask({"add": {"_0": [item(count + number)]}}) for number in range(rounds)], ["add", "Tent"]),
        "list": ([node.ask({"list": {}}) for _ in range(max(5, min(rounds, 200_000 // count)))], ["list"]),
    }
    disk = median([sync(node.home, rounds)])
    for name, (times, words) in rows.items():
        commands = [timed(lambda: node.run(*words)) for _ in range(whole)]
        yield {"act": name, "items": count, "answer_ms": median(times), "command_ms": median(commands),
               "rounds": len(times), "fdatasync_ms": disk}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("caravan")
    parser.add_argument("--items", default="10,1000,10000,50000")
    parser.add_argument("--rounds", type=int, default=200)
    arguments = parser.parse_args()
    memory = {}
    for count in map(int, arguments.items.split(",")):
        folder = tempfile.mkdtemp(prefix="caravan-bench-", dir=os.environ.get("CARAVAN_BENCH_DIR"))
        try:
            node = Node(arguments.caravan, folder)
            node.up()
            for first in range(0, count, BATCH):
                node.ask({"add": {"_0": [item(number) for number in range(first, min(count, first + BATCH))]}})
            node.down()
            ready = min(node.up() if attempt == 0 else restart(node) for attempt in range(3))
            memory[count] = node.memory()
            print(json.dumps({"act": "up", "items": count, "ready_ms": round(ready * 1e3, 1),
                              "memory_MB": round(memory[count] / 1e6, 1)}), flush=True)
            for row in measure(node, count, arguments.rounds):
                print(json.dumps(row), flush=True)
            node.down()
            print(json.dumps({"act": "list with no node", "items": count,
                              "command_ms": median([timed(lambda: node.run("list")) for _ in range(5)])}), flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    sizes = sorted(memory)
    if len(sizes) > 1:
        grown = memory[sizes[-1]] - memory[sizes[0]]
        print(json.dumps({"act": "memory of a thousand items", "kB": round(grown / (sizes[-1] - sizes[0]))}))


def restart(node):
    node.down()
    return node.up()


if __name__ == "__main__":
    main()
