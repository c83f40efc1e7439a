"""A web site of the lab with its own name server, both hostile where their names and paths say so; run on a host by its path.

    web_site.py PUBLIC-ADDRESS LOG [loopback]

Listens at port 80 of every address, or of loopback alone. Writes a line of JSON to the log for each name that is looked up and each
request. Names: good, mixed, inner and rebind under .test, the last of which means another address when it is asked for again.
"""

import itertools
import json
import socket
import socketserver
import struct
import sys
import threading
import time
import zlib

ADDRESS, LOG = sys.argv[1], open(sys.argv[2], "a", buffering=1)
NAMES = {"good": [ADDRESS], "mixed": [ADDRESS, "10.0.0.1"], "inner": ["127.0.0.1"], "rebind": [ADDRESS]}
LOOKUPS = {}


def log(**what):
    LOG.write(json.dumps(what) + "\n")


# Names (RFC 1035)

def answer(query):
    """The answer to a query for A; of any other type there is none."""
    labels, place = [], 12
    while query[place]:
        labels.append(query[place + 1:place + 1 + query[place]].decode("latin-1").lower())
        place += 1 + query[place]
    question = query[12:place + 5]
    kind = struct.unpack(">H", query[place + 1:place + 3])[0]
    name = ".".join(labels)
    known = NAMES.get(name.removesuffix(".test")) if name.endswith(".test") else None
    addresses = known if known and kind == 1 else []
    if kind == 1:
        LOOKUPS[name] = LOOKUPS.get(name, 0) + 1
        if name == "rebind.test" and LOOKUPS[name] > 1:
            addresses = ["127.0.0.1"]
    log(name=name, type=kind, addresses=addresses)
    head = query[:2] + struct.pack(">HHHHH", 0x8580 if known else 0x8583, 1, len(addresses), 0, 0)
    records = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + socket.inet_aton(one) for one in addresses)
    return head + question + records


def serve_names():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("", 53))
        while True:
            query, client = server.recvfrom(512)
            server.sendto(answer(query), client)


# Pictures

def png(width, height, lines=None):
    """A grey picture; with `lines` it has so many of its lines, whatever its head says."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    row = b"\0" + b"\x80" * width
    packed = zlib.compressobj(9)
    data = b"".join(packed.compress(row) for _ in range(height if lines is None else lines)) + packed.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", data) + chunk(b"IEND", b"")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/><script>alert(1)</script></svg>'
PICTURES = {
    "/good.png": png(64, 48), "/drawing.svg": SVG, "/drawing.png": SVG,
    # What says that it is a picture, and is a page or a program behind its first bytes.
    "/polyglot.gif": b"GIF89a/*\0\0\0\0*/=1;alert(1)//<script>alert(1)</script>",
    "/polyglot.png": b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script></html>",
    "/bomb.png": png(50_000, 50_000, lines=200), "/cut.png": png(640, 480)[:200],
    "/text.png": b"<html>no picture</html>",
}

# Pages

CASA = """<!doctype html><html><head><meta charset="utf-8"><title>Casa – Rentals</title>
<link rel="canonical" href="https://evil.test/"><script type="application/ld+json">
{"@context":"https://schema.org","@type":"VacationRental","name":"Casa do Rio","description":"By the river.","image":"/PICTURE",
"geo":{"latitude":38.711,"longitude":-9.13},"address":{"streetAddress":"Rua 1","addressLocality":"Lisbon"},
"containsPlace":{"numberOfBedrooms":2,"bed":{"numberOfBeds":3}},"offers":{"price":"120","priceCurrency":"EUR","unitText":"night"}}
</script></head><body>…</body></html>"""
REDIRECTS = {
    "loopback": "http://127.0.0.1/", "cloud": "http://169.254.169.254/latest/", "six": "http://[::1]/", "private": "http://10.0.0.1/",
    "mapped": "http://[::ffff:127.0.0.1]/", "near": "http://12.0.0.7/", "name": "http://inner.test/", "file": "file:///etc/passwd",
    "gopher": "gopher://127.0.0.1:80/_GET", "number": "http://2130706433/", "user": "http://me:secret@good.test/casa",
    "port": "http://good.test:22/", "loop": "/to/loop", "moved": "/casa", "dict": "dict://127.0.0.1:11211/stats",
}
BOMBS = {
    "deep": b"<div>" * 900_000, "attributes": b"<p " + b"a=1 " * 1_200_000, "comment": b"<!--" + b"-" * 4_000_000,
    "json": b"<script type=application/ld+json>" + b"[" * 900_000, "bytes": bytes(range(256)) * 16_000,
}


def parts(path):
    """The bytes of an answer, in parts that may never end."""
    def whole(kind, body, status="200 OK", more=""):
        return [f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{more}Connection: close\r\n\r\n".encode(), body]
    if path in PICTURES:
        return whole("image/png", PICTURES[path])
    if path.startswith("/to/"):
        return whole("text/html", b"", "302 Found", f"Location: {REDIRECTS[path[4:]]}\r\n")
    if path.startswith("/bomb/"):
        return whole("text/html", b"<title>A bomb</title>" + BOMBS[path[6:]])
    if path.startswith("/casa"):
        return whole("text/html", CASA.replace("PICTURE", path[6:] or "good.png").encode())
    if path == "/endless":
        return itertools.chain(whole("text/html", b"<title>Endless"), itertools.repeat(b"a" * 65_536))
    if path == "/trickle":
        return itertools.chain(whole("text/html", b"<title>"), (time.sleep(0.5) or b"a" for _ in itertools.count()))
    return whole("text/html", b"<title>Nothing</title>", "404 Not Found")


class Answer(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(30)
        try:
            request = self.request.recv(16_384).decode("latin-1")
            lines = request.split("\r\n")
            path = (lines[0].split(" ") + ["", ""])[1]
            log(path=path, fields=sorted(line.split(":")[0] for line in lines[1:] if ":" in line))
            for part in parts(path):
                self.request.sendall(part)
        except (OSError, KeyError):
            pass


class Site(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    is_inner = sys.argv[3:] == ["loopback"]
    if not is_inner:
        threading.Thread(target=serve_names, daemon=True).start()
    with Site(("127.0.0.1" if is_inner else "", 80), Answer) as site:
        log(started=True)
        site.serve_forever()
