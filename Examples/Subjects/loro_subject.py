#!/usr/bin/env python3
"""Maps, lists and texts of Loro for Convergence: `caravan-simulate subject "python3 loro_subject.py text"`."""
import base64
import json
import sys

from loro import ExportMode, LoroDoc

KIND = sys.argv[1] if len(sys.argv) > 1 else "text"
replicas = {}


def hello(request):
    interleaving = "never" if KIND in ("text", "list") and "--fugue" in sys.argv else "allowed"
    return {"convergence": 1, "name": f"Loro's {KIND}", "type": KIND, "policy": "either", "saves": True, "interleaving": interleaving}


def start(request):
    doc = LoroDoc()
    # A peer id of its own for each start, as the library would draw one; drawn, runs would not repeat.
    doc.peer_id = 1 + request["replica"] + 64 * request["start"]
    if request["state"]:
        doc.import_(base64.b64decode(request["state"]))
    replicas[request["replica"]] = doc
    return shown(doc)


def shared(doc):
    return {"map": doc.get_map, "list": doc.get_list, "text": doc.get_text}[KIND]("shared")


def act(request):
    doc, operation = replicas[request["replica"]], request["operation"]
    value, what = shared(doc), operation["do"]
    if what == "set":
        value.insert(operation["key"], operation["value"])
    elif what == "delete":
        value.delete(operation["key"])
    elif what == "insert":
        value.insert(operation["at"], operation["value"])
    else:
        value.delete(operation["at"], 1)
    doc.commit()
    return shown(doc)


def send(request):
    return {"message": exported(replicas[request["replica"]])}


def receive(request):
    replicas[request["replica"]].import_(base64.b64decode(request["message"]))
    return shown(replicas[request["replica"]])


def exported(doc):
    return base64.b64encode(doc.export(ExportMode.Updates(doc.oplog_vv.__class__()))).decode()


def shown(doc):
    value = shared(doc)
    return {"view": value.to_string() if KIND == "text" else value.get_value(), "state": exported(doc)}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"hello": hello, "start": start, "act": act, "send": send, "receive": receive}[request["request"]](request)
    print(json.dumps(answer), flush=True)
