"""Writes every frame on an interface to a pcap file. tcpdump would do; it cannot start as a plain user's root."""

import socket
import struct
import threading
import time

ETH_P_ALL = 3
SOL_PACKET, PACKET_ADD_MEMBERSHIP, PACKET_STATISTICS, PACKET_MR_PROMISC = 263, 1, 6, 1
SO_RCVBUFFORCE = 33
FRAME_MAX = 1 << 18


class Recorder(threading.Thread):
    """Records from its making until `end`."""

    def __init__(self, interface, file):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.socket.bind((interface, 0))
        membership = struct.pack("iHH8s", socket.if_nametoindex(interface), PACKET_MR_PROMISC, 0, b"")
        self.socket.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership)
        try:
            self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 26)
        except PermissionError:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 26)
        self.socket.settimeout(0.2)
        self.file = open(file, "wb", buffering=0)
        self.file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, FRAME_MAX, 1))
        self.ended = threading.Event()
        self.start()

    def run(self):
        while True:
            try:
                frame = self.socket.recv(FRAME_MAX)
            except TimeoutError:
                if self.ended.is_set():
                    return
                continue
            now = time.time()
            header = struct.pack("<IIII", int(now), int(now % 1 * 1e6), len(frame), len(frame))
            self.file.write(header + frame)

    def end(self):
        """Ends the recording; the number of frames that found no room."""
        self.ended.set()
        self.join(10)
        self.file.close()
        _, dropped = struct.unpack("II", self.socket.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
        self.socket.close()
        return dropped
