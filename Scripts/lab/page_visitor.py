"""A browser of the page, as its owner who measures it or as a guest who attacks it; run on a host of the lab by its path."""

import argparse
import http.client
import json
import random
import struct
import threading
import time
import urllib.parse
import zlib
from collections import Counter

TIMEOUT = 60
BOUNDARY = "caravan-lab"


class Visitor:
    """A browser with its cookie. Each request has a connection of its own."""

    def __init__(self, link):
        address = urllib.parse.urlsplit(link)
        self.host, self.port, self.cookie = address.hostname, address.port, None
        answer = self.ask("GET", address.path)
        if answer.status != 303:
            raise SystemExit(f"the link lets nobody in: {answer.status}")
        self.cookie = answer.getheader("set-cookie").split(";")[0]
        self.trip = self.ask("GET", "/").getheader("location")

    def headers(self, method):
        headers = {"Cookie": self.cookie} if self.cookie else {}
        return headers | ({"Origin": f"http://{self.host}:{self.port}"} if method == "POST" else {})

    def ask(self, method, path, body=None, kind=None):
        """An answer, read whole."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, body, self.headers(method) | ({"Content-Type": kind} if kind else {}))
            answer = connection.getresponse()
            answer.text = answer.read()
            return answer
        finally:
            connection.close()

    def page(self, find=None):
        return self.ask("GET", self.trip + (f"?find={find}" if find else "")).status

    def post(self, place, **fields):
        return self.ask("POST", self.trip + place, urllib.parse.urlencode(fields), "application/x-www-form-urlencoded").status

    def send_photos(self, item, files):
        parts = [f'Content-Disposition: form-data; name="item"\r\n\r\n{item}'.encode(),
                 b'Content-Disposition: form-data; name="stream"\r\n\r\nx']
        parts += [b'Content-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n' + file for file in files]
        body = b"".join(b"--" + BOUNDARY.encode() + b"\r\n" + part + b"\r\n" for part in parts)
        return self.ask("POST", self.trip + "photo", body + f"--{BOUNDARY}--\r\n".encode(),
                        f"multipart/form-data; boundary={BOUNDARY}").status

    def begin(self, method, path, *headers):
        """A connection on which a request has begun."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=TIMEOUT)
        connection.connect()
        connection.sock.sendall("\r\n".join(
            [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}",
             *(f"{name}: {value}" for name, value in self.headers(method).items()), *headers, "", ""]).encode())
        return connection.sock


# Pictures

def png(width, height, bits, rows, *chunks):
    """A PNG file: its rows as one string for each, with chunks before them."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compressobj(6)
    data = b"".join(pixels.compress(b"\0" + row) for row in rows) + pixels.flush()
    kind = 0 if bits == 1 else 2
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0))
            + b"".join(chunk(*one) for one in chunks) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def noise():
    return png(300, 300, 8, (random.randbytes(900) for _ in range(300)))


def text_bomb():
    """One megabyte that becomes a gigabyte."""
    text = b"Comment\0\0" + zlib.compress(bytes(50_000_000), 9)
    return png(100, 100, 8, (bytes(300) for _ in range(100)), *[(b"zTXt", text)] * 20)


def great_picture():
    """64 million pixels, the most that is taken, in some kilobytes."""
    return png(8_000, 8_000, 1, (bytes(1_000) for _ in range(8_000)))


# What a guest does who wants the owner to wait

class Attack:
    def __init__(self, link, item, seconds):
        self.guest, self.item, self.end = Visitor(link), item, time.monotonic() + seconds
        self.counts, self.lock = Counter(), threading.Lock()

    def run(self):
        crowd = [threading.Thread(target=self.introduce, args=(number,)) for number in range(18)]
        for thread in crowd:
            thread.start()
        for thread in crowd:
            thread.join()
        bombs = [text_bomb()] * 2, [great_picture()] * 4
        deeds = [(self.hold_upload, 4), (self.hold_stream, 24), (self.read, 6), (self.add, 2),
                 (lambda: self.send(bombs[0]), 2), (lambda: self.send(bombs[1]), 2)]
        for deed, count in deeds:
            for _ in range(count):
                threading.Thread(target=self.again_and_again, args=(deed,), daemon=True).start()
        time.sleep(max(0, self.end - time.monotonic()))
        with self.lock:
            print(json.dumps(self.counts), flush=True)

    def again_and_again(self, deed):
        while time.monotonic() < self.end:
            try:
                deed()
            except (OSError, http.client.HTTPException):
                self.count("cut off")
                time.sleep(0.05)

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def introduce(self, number):
        self.count(f"introduced {self.guest.post('who', name=f'Ghost {number}')}")

    def hold_upload(self):
        path = self.guest.trip + "photo"
        sock = self.guest.begin("POST", path, "Content-Length: 30000000", f"Content-Type: multipart/form-data; boundary={BOUNDARY}")
        sock.sendall(bytes(1_000))
        self.count("upload " + self.first_line(sock))

    def hold_stream(self):
        sock = self.guest.begin("GET", f"{self.guest.trip}stream?find={random.random()}")
        self.count("stream " + self.first_line(sock))
        while time.monotonic() < self.end and sock.recv(65_536):
            pass

    @staticmethod
    def first_line(sock):
        line = sock.recv(4_096).split(b"\r\n")[0].split(b" ")
        return line[1].decode() if len(line) > 1 else "cut off"

    def read(self):
        self.count(f"page {self.guest.page(find=random.random())}")

    def add(self):
        lines = "\n".join(f"Junk {random.random()}" for _ in range(20))
        self.count(f"add {self.guest.post('act', do='add', lines=lines, stream='x')}")

    def send(self, files):
        self.count(f"photos {self.guest.send_photos(self.item, files)}")


def send_great_files(link, item):
    """Three at once of 31 MB, which are no pictures."""
    owner, file = Visitor(link), random.randbytes(1 << 20) * 31
    threads = [threading.Thread(target=owner.send_photos, args=(item, [file])) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# What the owner waits for meanwhile

def measure(link, item, seconds, quiet):
    """Seconds that each page and each photo takes; of the first ones, `quiet` seconds long, apart."""
    owner, started = Visitor(link), time.monotonic()
    taken = {"quiet": {"page": [], "photo": []}, "attacked": {"page": [], "photo": []}, "refused": {}}

    def again_and_again(kind, deed, wanted, pause):
        while time.monotonic() < started + seconds:
            begun = time.monotonic()
            status = deed()
            if status != wanted:
                taken["refused"].setdefault(kind, []).append(status)
            phase = "quiet" if time.monotonic() < started + quiet else "attacked"
            taken[phase][kind].append(time.monotonic() - begun)
            time.sleep(pause)

    threads = [
        threading.Thread(target=again_and_again, args=("page", owner.page, 200, 0.05)),
        threading.Thread(target=again_and_again, args=("photo", lambda: owner.send_photos(item, [noise()]), 200, 0.5)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(taken), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("role", choices=["guest", "owner", "great-files"])
    parser.add_argument("link")
    parser.add_argument("item", help="the id of an item that photos go to")
    parser.add_argument("seconds", type=float, nargs="?", default=0)
    parser.add_argument("--quiet", type=float, default=0, help="how many seconds pass before the attack")
    arguments = parser.parse_args()
    if arguments.role == "guest":
        Attack(arguments.link, arguments.item, arguments.seconds).run()
    elif arguments.role == "great-files":
        send_great_files(arguments.link, arguments.item)
    else:
        measure(arguments.link, arguments.item, arguments.seconds, arguments.quiet)


if __name__ == "__main__":
    main()
