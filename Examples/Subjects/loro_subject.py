#!/usr/bin/env python3
"""Maps, lists and texts of Loro for Convergence: `caravan-simulate subject "python3 loro_subject.py text"`."""
import base64
import json
import sys

from loro import ExportMode, LoroDoc, VersionVector

KIND = sys.argv[1] if len(sys.argv) > 1 else "text"
INTERLEAVING = "never" if KIND in ("text", "list") and "--fugue" in sys.argv else "allowed"
replicas = {}


def answer(request):
    what, replica = request["request"], request.get("replica")
    if what == "hello":
        promise = {"policy": "either", "saves": True, "interleaving": INTERLEAVING}
        return {"convergence": 1, "name": f"Loro's {KIND}", "type": KIND, **promise}
    if what == "start":
        # A peer id of its own for each start, as the library would draw one; drawn, runs would not repeat.
        replicas[replica] = LoroDoc()
        replicas[replica].peer_id = 1 + replica + 64 * request["start"]
        if request["state"]:
            replicas[replica].import_(base64.b64decode(request["state"]))
    doc = replicas[replica]
    shared = {"map": doc.get_map, "list": doc.get_list, "text": doc.get_text}[KIND]("shared")
    if what == "send":
        return {"message": encoded(doc)}
    if what == "receive":
        doc.import_(base64.b64decode(request["message"]))
    if what == "act":
        act(shared, request["operation"])
        doc.commit()
    return {"view": shared.to_string() if KIND == "text" else shared.get_value(), "state": encoded(doc)}


def act(shared, operation):
    what = operation["do"]
    if what == "set":
        shared.insert(operation["key"], operation["value"])
    elif what == "delete":
        shared.delete(operation["key"])
    elif what == "insert":
        shared.insert(operation["at"], operation["value"])
    else:
        shared.delete(operation["at"], 1)


def encoded(doc):
    return base64.b64encode(doc.export(ExportMode.Updates(VersionVector()))).decode()


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
