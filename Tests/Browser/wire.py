"""A small server that speaks the wire contract of the page, so that page.js is tested by itself and can be cut off at will."""

import html
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from urllib.parse import parse_qs

SCRIPTS = Path(__file__).resolve().parents[2] / "Sources/TripPage/Script"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
QUIET_SECONDS = 60


def field(item, name, value, shown=None, author="Noah"):
    """A field as a card draws it while it is edited; `shown` are the values that stand."""
    control = f'<input id="i-{item}-{name}" name="{name}" value="{html.escape(value)}"' \
              f' data-shown="{html.escape(value)}" data-author="{author}">'
    hidden = "".join(f'<input type="hidden" name="shown-{name}" value="{html.escape(one)}">' for one in shown or [value])
    return (f'<div class="field" id="f-{item}-{name}"><label for="i-{item}-{name}">{name}</label>{control}{hidden}'
            '<p class="theirs" data-mark="theirs" hidden><span data-mark="said"></span> '
            '<button type="button" data-mark="keep">keep mine</button> '
            '<button type="button" data-mark="take">use theirs</button></p>'
            '<p class="theirs" data-mark="left" hidden><span data-mark="unsaved"></span> '
            '<button type="button" data-mark="keep-left">keep</button> '
            '<button type="button" data-mark="discard">discard</button></p></div>')


def form(inside, back=None):
    kept = "" if back is None else f'<input type="hidden" name="back" value="{html.escape(back)}">'
    return f'<form method="post" action="/t/T/act">{kept}{inside}</form>'


def card(item, inside=""):
    return f'<article id="c-{item}" data-card="{item}"><h3><a href="?open={item}">Stay {item}</a></h3>{inside}</article>'


class Wire:
    """A page of fragments and lists; a change of either is sent to every stream as a patch."""

    def __init__(self):
        self.fragments, self.orders, self.title = {}, {"cards": []}, "A trip"
        self.hello = self.beats = True
        self.acts, self.looks, self.photos, self.streams, self.opened = [], [], [], [], 0
        # What was sent of notes, which reading of the trip this is, and what `note` answers: as `answer`, or a line of text.
        self.notes, self.reading, self.on_note = [], None, lambda fields: (204, "")
        # What `act` answers: a function from the fields to (status, patch), or None to cut the connection.
        self.answer = lambda fields: (200, {})
        self.on_look = lambda query: None
        self.lock = threading.RLock()
        self.start()

    def start(self, port=0):
        handler = type("Handler", (Handler,), {"wire": self})
        self.server = Server(("127.0.0.1", port), handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        """Ends the server and every stream, as a node that is killed."""
        self.server.shutdown()
        self.server.server_close()
        self.cut()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/t/T/"

    def cut(self):
        with self.lock:
            for stream in self.streams:
                stream.put(None)

    def send(self, patch):
        with self.lock:
            for stream in self.streams:
                stream.put(("patch", patch))

    def put(self, **fragments):
        """Changes fragments; names are ids with "_" for "-"."""
        with self.lock:
            named = {name.replace("_", "-"): text for name, text in fragments.items()}
            self.fragments.update(named)
            self.send({"put": [{"id": name, "html": text} for name, text in named.items()]})

    def place(self, name, before, listing="cards"):
        """Moves one fragment of a list."""
        with self.lock:
            order = self.orders[listing]
            order.remove(name)
            order.insert(order.index(before) if before else len(order), name)
            self.send({"place": [[name, listing, before]]})

    def whole(self):
        with self.lock:
            named = [{"id": name, "html": text} for name, text in self.fragments.items()]
            return {"title": self.title, "put": named, "lists": {name: list(ids) for name, ids in self.orders.items()},
                    "reading": self.reading}

    def document(self):
        with self.lock:
            lists = "".join(
                f'<section><button type="button" data-mark="order" hidden>order changed</button><div id="{name}" data-list>'
                f'{"".join(self.fragments[one] for one in ids)}</div></section>' if name != "cards" else
                f'<div id="{name}" data-list>{"".join(self.fragments[one] for one in ids)}</div>'
                for name, ids in self.orders.items())
            loose = [text for name, text in self.fragments.items() if not any(name in ids for ids in self.orders.values())]
            return (f'<!doctype html><html lang="en"><head><title>{self.title}</title>'
                    '<script src="/script/page.js" defer></script></head>'
                    '<body data-stream="/t/T/stream"><header><div id="sync"><a href="?view=status"><span dir="auto">'
                    'up to date with everyone</span></a></div></header><main tabindex="-1">'
                    f'{lists}{"".join(loose)}</main><div id="toast" class="toast" role="status"></div>'
                    '</body></html>')


def script():
    """The page's script as the node serves it: its parts in the order of Asset.swift."""
    parts = re.findall(r"PackageResources\.(\w+)_js", (SCRIPTS.parent / "Asset.swift").read_text(encoding="utf-8"))
    return "".join((SCRIPTS / f"{part}.js").read_text(encoding="utf-8") for part in parts)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, *arguments):
        self.connections = set()
        super().__init__(*arguments)

    def process_request(self, request, address):
        self.connections.add(request)
        super().process_request(request, address)

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def server_close(self):
        """Closes what was accepted too: a connection that a browser kept would else be served on."""
        super().server_close()
        for connection in list(self.connections):
            self.shutdown_request(connection)

    def handle_error(self, request, address):
        """A browser that closes a stream is no error."""


class Handler(BaseHTTPRequestHandler):
    wire: Wire
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, kind="text/html; charset=utf-8", text=""):
        body = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), "Content-Security-Policy": POLICY,
                            "Cache-Control": "no-store", "Referrer-Policy": "same-origin"}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/t/T/":
            self.reply(200, text=self.wire.document())
        elif path == "/t/T/stream":
            self.stream()
        elif path == "/other":
            self.reply(200, text="<!doctype html><title>Another page</title><p>Nothing here.")
        elif path == "/script/page.js":
            self.reply(200, "text/javascript; charset=utf-8", script())
        elif path == "/favicon.ico":
            self.reply(204)
        else:
            self.reply(404, text="not here")

    def stream(self):
        wire, queue = self.wire, Queue()
        with wire.lock:
            wire.opened += 1
            number = wire.opened
            if wire.hello:
                queue.put(("hello", {"stream": f"s{number}"}))
                queue.put(("patch", wire.whole()))
            wire.streams.append(queue)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        # A read that returns says that the browser closed the stream.
        threading.Thread(target=lambda: (self.gone(), queue.put(None)), daemon=True).start()
        try:
            while event := queue.get(timeout=QUIET_SECONDS):
                self.wfile.write(f"event: {event[0]}\ndata: {json.dumps(event[1])}\n\n".encode())
                self.wfile.flush()
        except OSError:
            pass
        finally:
            with wire.lock:
                wire.streams.remove(queue)

    def gone(self):
        try:
            self.connection.recv(1)
        except OSError:
            pass

    def answer(self, answer):
        """Sends a status with a patch, or with a line of text; None cuts the connection."""
        if answer is None:
            self.close_connection = True
            self.connection.close()
        elif isinstance(answer[1], str):
            self.reply(answer[0], "text/plain; charset=utf-8", answer[1])
        else:
            self.reply(answer[0], "application/json", json.dumps(answer[1]))

    def do_POST(self):
        wire = self.wire
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/t/T/photo":
            wire.photos.append(re.search(rb'name="item"\r\n\r\n(.*)\r\n', body)[1].decode())
            reason = "This is not a picture" if b"REFUSE" in body else "The card already has this photo" if b"KNOWN" in body else None
            toast = f'<div id="toast" class="toast shown problem" role="alert"><p>{reason}</p></div>'
            refusal = {"put": [{"id": "toast", "html": toast}]}
            return self.reply(422 if reason else 200, "application/json", json.dumps(refusal if reason else {}))
        text = body.decode()
        fields = {name: values[0] if len(values) == 1 else values
                  for name, values in parse_qs(text, keep_blank_values=True).items()}
        if self.path == "/t/T/look":
            wire.looks.append(fields)
            wire.on_look(fields.get("query", ""))
            self.reply(204)
        elif self.path == "/t/T/act":
            wire.acts.append((time.monotonic(), fields, text))
            self.answer(wire.answer(fields))
        elif self.path == "/t/T/note":
            wire.notes.append((time.monotonic(), fields, text))
            self.answer(wire.on_note(fields))
        else:
            self.reply(404)
