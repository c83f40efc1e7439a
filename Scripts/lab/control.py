"""Requests to a running node over its control socket, as a command makes them, without a process for each."""

import base64
import json
import socket

from lab.network import Failure


def ask(person, request):
    """Asks a node for one thing; its answer."""
    trip = next(person.home.glob("trips/*")).name
    body = json.dumps({"request": {"_0": request, "trip": trip}}).encode()
    with socket.socket(socket.AF_UNIX) as control:
        control.settimeout(120)
        control.connect(str(person.home / "control"))
        receive(control)
        control.sendall(len(body).to_bytes(4, "big") + body)
        while (answer := receive(control)) == b'{"working":{}}':
            pass
    if not answer.startswith((b'{"answer"', b'{"trip"')):
        raise Failure(f"{person.name}'s node answered {answer[:200]}")
    return answer


def add(person, titles):
    """Adds items, in one change."""
    return ask(person, {"add": {"_0": [{"title": title, "fields": {}} for title in titles]}})


def shows(person, text):
    """Whether a text is in what a node shows of its trip."""
    answer = json.loads(ask(person, {"view": {}}))
    return text.encode() in base64.b64decode(answer["trip"]["_0"])


def receive(control):
    return read(control, int.from_bytes(read(control, 4), "big"))


def read(control, count):
    data = b""
    while len(data) < count:
        part = control.recv(count - len(data))
        if not part:
            raise Failure("the node hung up")
        data += part
    return data
