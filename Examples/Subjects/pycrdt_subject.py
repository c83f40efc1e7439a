#!/usr/bin/env python3
"""Maps, arrays and texts of pycrdt (Yrs) for Convergence: `caravan-simulate subject "python3 pycrdt_subject.py text"`."""
import base64
import json
import sys

from pycrdt import Array, Doc, Map, Text

KIND = sys.argv[1] if len(sys.argv) > 1 else "text"
SHARED = {"map": Map, "list": Array, "text": Text}[KIND]
replicas = {}


def answer(request):
    what, replica = request["request"], request.get("replica")
    if what == "hello":
        return {"convergence": 1, "name": f"pycrdt's {SHARED.__name__}", "type": KIND, "policy": "either", "saves": True}
    if what == "start":
        # A client id of its own for each start, as the library would draw one; drawn, runs would not repeat.
        replicas[replica] = Doc(client_id=1 + replica + 64 * request["start"])
        replicas[replica]["shared"] = SHARED()
        if request["state"]:
            replicas[replica].apply_update(base64.b64decode(request["state"]))
    doc = replicas[replica]
    if what == "send":
        return {"message": encoded(doc)}
    if what == "receive":
        doc.apply_update(base64.b64decode(request["message"]))
    if what == "act":
        act(doc["shared"], request["operation"])
    view = str(doc["shared"]) if KIND == "text" else doc["shared"].to_py()
    return {"view": view, "state": encoded(doc)}


def act(shared, operation):
    what = operation["do"]
    if what == "set":
        shared[operation["key"]] = operation["value"]
    elif what == "delete":
        shared.pop(operation["key"], None)
    elif what == "insert":
        shared.insert(place(shared, operation["at"]), operation["value"])
    else:
        del shared[place(shared, operation["at"]) : place(shared, operation["at"] + 1)]


def place(shared, index):
    """Texts count bytes of UTF-8."""
    return len(str(shared)[:index].encode()) if KIND == "text" else index


def encoded(doc):
    return base64.b64encode(doc.get_update()).decode()


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
