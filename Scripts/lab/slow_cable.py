"""A cable that delays, reorders and loses what it carries, for kernels with no netem: frames are passed on from here."""

import heapq
import random
import select
import socket
import threading
import time

from lab.network import command

ETH_P_ALL, SOL_PACKET = 3, 263
# Frames come with what the kernel has left to do for them: a checksum, a cut into packets (linux/virtio_net.h).
PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 15, 23
FRAME_MAX = 1 << 17


class SlowCable:
    """Puts itself between a host's port and the bridge. What the host sends waits while `is_on`; what it gets does not."""

    def __init__(self, host, number, delay, jitter, loss, seed):
        self.delay, self.jitter, self.loss, self.chance = delay, jitter, loss, random.Random(seed)
        self.is_on, self.lost = False, 0
        self.inner, outer = f"slow{number}", f"slower{number}"
        command("ip", "link", "add", "name", self.inner, "type", "veth", "peer", "name", outer)
        command("ip", "link", "set", host.link, "nomaster")
        for link in (self.inner, host.link):
            command("ip", "link", "set", link, "up", "promisc", "on")
        command("ip", "link", "set", outer, "master", "bridge0", "up")
        self.host_side, self.bridge_side = packets(host.link), packets(self.inner)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        waiting, number = [], 0
        while not self.ended.is_set():
            pause = max(0, min(0.2, waiting[0][0] - time.monotonic())) if waiting else 0.2
            readable, _, _ = select.select([self.host_side, self.bridge_side], [], [], pause)
            for side in readable:
                try:
                    frame = side.recv(FRAME_MAX)
                except OSError:
                    continue
                if side is self.bridge_side:
                    send(self.host_side, frame)
                elif not self.is_on:
                    send(self.bridge_side, frame)
                elif self.chance.random() < self.loss:
                    self.lost += 1
                else:
                    number += 1
                    due = time.monotonic() + self.delay + self.chance.uniform(-self.jitter, self.jitter)
                    heapq.heappush(waiting, (due, number, frame))
            while waiting and waiting[0][0] <= time.monotonic():
                send(self.bridge_side, heapq.heappop(waiting)[2])

    def end(self):
        self.ended.set()
        self.thread.join(5)
        command("ip", "link", "del", self.inner)


def packets(link):
    one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    one.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    one.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    one.bind((link, 0))
    one.setblocking(False)
    return one


def send(side, frame):
    try:
        side.send(frame)
    except OSError:  # a full queue loses frames, as cables do
        pass
