#!/usr/bin/env python3
"""Maps, arrays and texts of pycrdt (Yrs) for Convergence: `caravan-simulate subject "python3 pycrdt_subject.py text"`."""
import base64
import json
import sys

from pycrdt import Array, Doc, Map, Text

KIND = sys.argv[1] if len(sys.argv) > 1 else "text"
SHARED = {"map": Map, "list": Array, "text": Text}[KIND]
replicas = {}


def hello(request):
    return {"convergence": 1, "name": f"pycrdt's {SHARED.__name__}", "type": KIND, "policy": "either", "saves": True}


def start(request):
    # A client id of its own for each start, as the library would draw one; drawn, runs would not repeat.
    doc = Doc(client_id=1 + request["replica"] + 64 * request["start"])
    doc["shared"] = SHARED()
    if request["state"]:
        doc.apply_update(base64.b64decode(request["state"]))
    replicas[request["replica"]] = doc
    return shown(doc)


def act(request):
    doc, operation = replicas[request["replica"]], request["operation"]
    shared, what = doc["shared"], operation["do"]
    if what == "set":
        shared[operation["key"]] = operation["value"]
    elif what == "delete":
        shared.pop(operation["key"], None)
    elif what == "insert":
        place = operation["at"] if KIND == "list" else len(str(shared)[: operation["at"]].encode())
        shared.insert(place, operation["value"])
    elif KIND == "list":
        del shared[operation["at"]]
    else:
        text = str(shared)
        place = len(text[: operation["at"]].encode())
        del shared[place : place + len(text[operation["at"]].encode())]
    return shown(doc)


def send(request):
    return {"message": base64.b64encode(replicas[request["replica"]].get_update()).decode()}


def receive(request):
    replicas[request["replica"]].apply_update(base64.b64decode(request["message"]))
    return shown(replicas[request["replica"]])


def shown(doc):
    shared = doc["shared"]
    view = str(shared) if KIND == "text" else shared.to_py()
    return {"view": view, "state": base64.b64encode(doc.get_update()).decode()}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"hello": hello, "start": start, "act": act, "send": send, "receive": receive}[request["request"]](request)
    print(json.dumps(answer), flush=True)
