#!/usr/bin/env python3
"""A set for Convergence to test, in which the last writer wins: `caravan-simulate subject Examples/Subjects/set.py`. A write counts on from the
greatest number that its replica has seen; with `--wall-clock` it takes the time of day, and what was removed comes back."""
import json
import sys

replicas = {}


def hello(request):
    return {"convergence": 1, "name": "a set in Python", "type": "set", "policy": "either", "saves": True}


def start(request):
    replicas[request["replica"]] = request["state"] or {}
    return shown(request)


def act(request):
    entries, operation = replicas[request["replica"]], request["operation"]
    clock = 1 + max((entry[0] for entry in entries.values()), default=0)
    if "--wall-clock" in sys.argv:
        clock = request["now"]
    entries[operation["value"]] = [clock, request["replica"], operation["do"] == "add"]
    return shown(request)


def send(request):
    return {"message": replicas[request["replica"]]}


def receive(request):
    entries = replicas[request["replica"]]
    for value, entry in request["message"].items():
        entries[value] = max(entry, entries.get(value, entry))
    return shown(request)


def shown(request):
    entries = replicas[request["replica"]]
    return {"view": [value for value, (clock, replica, is_there) in entries.items() if is_there], "state": entries}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"hello": hello, "start": start, "act": act, "send": send, "receive": receive}[request["request"]](request)
    print(json.dumps(answer), flush=True)
