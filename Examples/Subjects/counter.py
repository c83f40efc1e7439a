#!/usr/bin/env python3
"""A counter for Convergence to test: `caravan-simulate subject Examples/Subjects/counter.py`. Each replica counts up and down in an
entry of its own; with `--naive` all share one entry, and presses are lost."""
import json
import sys

replicas = {}
naive = "--naive" in sys.argv


def hello(request):
    return {"convergence": 1, "name": "a counter in Python", "type": "counter", "saves": True}


def start(request):
    entries = dict(request["state"] or {})
    replicas[request["replica"]] = {"me": "all" if naive else f"{request['replica']}.{request['start']}", "entries": entries}
    return shown(request)


def act(request):
    replica = replicas[request["replica"]]
    up, down = replica["entries"].get(replica["me"], [0, 0])
    amount = request["operation"]["by"]
    replica["entries"][replica["me"]] = [up + max(amount, 0), down + max(-amount, 0)]
    return shown(request)


def send(request):
    return {"message": replicas[request["replica"]]["entries"]}


def receive(request):
    entries = replicas[request["replica"]]["entries"]
    for name, theirs in request["message"].items():
        entries[name] = [max(pair) for pair in zip(theirs, entries.get(name, [0, 0]))]
    return shown(request)


def shown(request):
    entries = replicas[request["replica"]]["entries"]
    return {"view": sum(up - down for up, down in entries.values()), "state": entries}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"hello": hello, "start": start, "act": act, "send": send, "receive": receive}[request["request"]](request)
    print(json.dumps(answer), flush=True)
