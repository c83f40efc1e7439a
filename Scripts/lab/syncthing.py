"""Debian's Syncthing on two hosts of the lab, for comparison: how long a file's change takes to the other host."""

import shutil
import signal
import time
import xml.etree.ElementTree as ElementTree

from lab.network import Failure, until

FOLDER = "compared"
# Seconds from a change to its scan: as it comes, and the shortest that can be set.
DEFAULT_DELAY, SHORTEST_DELAY = 10, 1


def is_here():
    return shutil.which("syncthing") is not None


class Pair:
    """Two hosts that share a folder and know each other's device; found by Syncthing's own local discovery."""

    def __init__(self, hosts, watch_delay, is_durable=True):
        self.hosts, self.is_durable = hosts, is_durable
        self.homes = [host.home / f"syncthing-{watch_delay}" for host in hosts]
        self.shared = [home / "shared" for home in self.homes]
        devices = [self._generate(host, home) for host, home in zip(hosts, self.homes)]
        for home, shared in zip(self.homes, self.shared):
            shared.mkdir()
            self._configure(home / "config.xml", shared, devices, watch_delay)

    @staticmethod
    def _generate(host, home):
        done = host.run("syncthing", "generate", "--home", home, "--no-default-folder")
        named = host.run("syncthing", "--home", home, "--device-id")
        if done.returncode or named.returncode:
            raise Failure(f"syncthing: {done.stderr.strip()} {named.stderr.strip()}")
        return named.stdout.strip()

    def _configure(self, file, shared, devices, watch_delay):
        tree = ElementTree.parse(file)
        root = tree.getroot()
        known = {device.get("id") for device in root.findall("device")}
        for device in devices:
            if device not in known:
                added = ElementTree.SubElement(root, "device", id=device, name=device[:7])
                ElementTree.SubElement(added, "address").text = "dynamic"
        folder = ElementTree.SubElement(root, "folder", id=FOLDER, path=str(shared), type="sendreceive")
        # What a folder has that Syncthing's own page adds.
        folder.attrib |= {"fsWatcherEnabled": "true", "fsWatcherDelayS": str(watch_delay), "rescanIntervalS": "3600"}
        ElementTree.SubElement(folder, "maxConflicts").text = "10"
        # On a busy disk, 10,000 small files would take many minutes.
        ElementTree.SubElement(folder, "disableFsync").text = "false" if self.is_durable else "true"
        for device in devices:
            ElementTree.SubElement(folder, "device", id=device)
        options = root.find("options")
        for name in ("globalAnnounceEnabled", "relaysEnabled", "natEnabled", "crashReportingEnabled"):
            for option in options.findall(name):
                option.text = "false"
        tree.write(file)

    def __enter__(self):
        began = time.monotonic()
        for number in range(len(self.hosts)):
            self.start(number)
        self.measure("first", 120)
        self.start_seconds = time.monotonic() - began
        return self

    def start(self, number):
        self.hosts[number].start("syncthing", "syncthing", "serve", "--home", self.homes[number], "--no-browser", "--no-restart",
                                 "--no-upgrade")

    def stop(self, number):
        """Ends both of its processes: by -9 the first would end alone, and the second go on to sync."""
        self.hosts[number].kill("syncthing", signal.SIGTERM)

    def __exit__(self, *_):
        for number, host in enumerate(self.hosts):
            if "syncthing" in host.processes:
                self.stop(number)

    def measure(self, name, seconds=60):
        """The seconds from a file's writing on one host to its being on the other."""
        began = time.monotonic()
        (self.shared[0] / name).write_text(name)
        until(lambda: (self.shared[1] / name).exists(), seconds, f"Syncthing has {name}", pause=0.005)
        return time.monotonic() - began
