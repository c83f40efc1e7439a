"""Hosts on one virtual LAN. Everything here happens in namespaces that Scripts/lan-lab has made for it alone."""

import os
import signal
import subprocess
import time
from pathlib import Path

from lab.recorder import Recorder

DBUS_CONFIGURATION = """<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow receive_sender="*"/>
    <allow send_requested_reply="true"/> <allow receive_requested_reply="true"/>
  </policy>
</busconfig>
"""

# The daemon itself publishes nothing, so that whatever names a host on the wire was put there by a program under test.
AVAHI_CONFIGURATION = """[server]
host-name={host_name}
allow-interfaces=eth0
use-ipv4=yes
use-ipv6=yes
enable-dbus=yes
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[wide-area]
enable-wide-area=no
[publish]
publish-addresses=no
publish-hinfo=no
publish-workstation=no
publish-domain=no
"""


class Failure(Exception):
    """What a scenario had to show and did not."""


def until(condition, seconds, what, pause=0.02):
    """Waits for a condition, for so long at most; its value, and the seconds that it took."""
    started = time.monotonic()
    while True:
        value = condition()
        waited = time.monotonic() - started
        if value:
            return value, waited
        if waited > seconds:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(pause)


def command(*words):
    """Runs a command of the lab's own that must succeed."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=30)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


class Host:
    """One machine on the LAN: network, mount and UTS namespaces, a home folder, D-Bus and avahi-daemon."""

    def __init__(self, lan, name, number):
        self.lan, self.name = lan, name
        self.host_name = f"secret-host-name-of-{name}-laptop"  # long, so that a hit in a capture is no chance
        self.address = f"10.77.0.{number}"
        self.link = f"port{number}"  # our end of the host's cable
        self.folder = lan.folder / name
        self.home = self.folder / "home"
        self.caravan_home = self.home / "caravan"
        self.home.mkdir(parents=True)
        self.processes = {}
        self.keeper = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--propagation", "private", "sleep", "infinity"])
        until(lambda: os.readlink(f"/proc/{self.keeper.pid}/ns/net") != os.readlink("/proc/self/ns/net"),
              5, f"namespaces of {name}")
        self._furnish()

    def _furnish(self):
        peer = f"peer{self.link}"  # renamed once it is there: an eth0 may exist here for a moment otherwise
        command("ip", "link", "add", self.link, "type", "veth", "peer", "name", peer)
        command("ip", "link", "set", peer, "netns", str(self.keeper.pid))
        command("ip", "link", "set", self.link, "master", "bridge0", "up")
        (self.folder / "bus.conf").write_text(DBUS_CONFIGURATION)
        (self.folder / "avahi.conf").write_text(AVAHI_CONFIGURATION.format(host_name=self.host_name))
        owner = "avahi:avahi"
        script = "mount -t tmpfs -o mode=755 tmpfs /run; mkdir -p /run/dbus /run/avahi-daemon\n"
        if self.lan.is_plain_user:
            # Only one user exists in a plain user's namespace: here "avahi" is its second name.
            (self.folder / "passwd").write_text("root:x:0:0::/:/bin/sh\navahi:x:0:0::/:/bin/sh\n")
            (self.folder / "group").write_text("root:x:0:\navahi:x:0:\nnetdev:x:0:\n")
            script += "mount --bind passwd /etc/passwd; mount --bind group /etc/group\n"
        script += f"chown {owner} /run/avahi-daemon; hostname {self.host_name}\n"
        script += f"ip link set {peer} name eth0; sysctl -qw net.ipv6.conf.eth0.accept_dad=0 || true\n"
        script += f"ip link set lo up; ip addr add {self.address}/24 dev eth0; ip link set eth0 up\n"
        done = self.run("sh", "-ec", script, cwd=self.folder)
        if done.returncode != 0:
            raise Failure(f"{self.name} cannot be furnished: {done.stderr.strip()}")

    # Programs on the host

    def _enter(self, words, cwd):
        return ["nsenter", "-t", str(self.keeper.pid), "-n", "-m", "-u", f"--wd={cwd or self.home}", "--"] + \
            [str(word) for word in words]

    def _environment(self):
        kept = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
        return kept | {"HOME": str(self.home), "CARAVAN_HOME": str(self.caravan_home), "LANG": "C.UTF-8",
                       "XDG_RUNTIME_DIR": str(self.home)}

    def run(self, *words, timeout=60, cwd=None, input=None):
        """Runs a command to its end; what subprocess.run gives, as text."""
        try:
            return subprocess.run(self._enter(words, cwd), env=self._environment(), capture_output=True, text=True,
                                  timeout=timeout, input=input)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}: {' '.join(map(str, words))}: not over after {timeout} s") from None

    def start(self, name, *words, stdin=subprocess.DEVNULL):
        """Starts a program that goes on, its output in a log; the process."""
        log = open(self.log(name), "ab")
        process = subprocess.Popen(self._enter(words, None), env=self._environment(), stdin=stdin,
                                   stdout=log, stderr=subprocess.STDOUT)
        log.close()
        self.processes[name] = process
        return process

    def kill(self, name, with_signal=signal.SIGKILL, seconds=15):
        """Ends a program that `start` began; its exit status. By -9 unless another signal is named."""
        process = self.processes.pop(name)
        process.send_signal(with_signal)
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Failure(f"{self.name}: {name} is not gone {seconds} s after signal {int(with_signal)}") from None

    def log(self, name):
        return self.folder / f"{name}.log"

    def log_text(self, name):
        try:
            return self.log(name).read_text(errors="replace")
        except FileNotFoundError:
            return ""

    # Its services, its address and its cable

    def take_address(self, address):
        """Takes another address, as from another network's DHCP; with None it has no address of IPv4 any more."""
        self.run("ip", "-4", "addr", "flush", "dev", "eth0")
        if address:
            self.run("ip", "addr", "add", f"{address}/24", "dev", "eth0")
            self.address = address

    def start_bus(self):
        self.run("rm", "-f", "/run/dbus/system_bus_socket")
        self.start("bus", "dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile")
        socket = f"/proc/{self.keeper.pid}/root/run/dbus/system_bus_socket"
        until(lambda: os.path.exists(socket), 5, f"D-Bus on {self.name}")

    def start_avahi(self):
        before = len(self.log_text("avahi"))
        extra = ["--no-drop-root", "--no-chroot"] if self.lan.is_plain_user else []
        self.start("avahi", "avahi-daemon", "-f", self.folder / "avahi.conf", "--no-rlimits", *extra)
        until(lambda: "Server startup complete" in self.log_text("avahi")[before:], 10, f"avahi-daemon on {self.name}")

    def kill_avahi(self):
        self.kill("avahi")

    def kill_bus(self):
        self.kill("bus")

    def cut(self):
        """Pulls the cable: the host's carrier goes."""
        command("ip", "link", "set", self.link, "down")

    def join(self):
        command("ip", "link", "set", self.link, "up")


class Lan:
    """Hosts on a bridge. A context: everything has ended when it is left."""

    def __init__(self, folder, names, services=True):
        self.folder = Path(folder)
        self.is_plain_user = not _maps_other_users()
        self.hosts = {}
        self.capture = None
        command("ip", "link", "set", "lo", "up")
        command("ip", "link", "add", "bridge0", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0")
        command("ip", "link", "set", "bridge0", "up")
        self.names, self.services = names, services

    def __enter__(self):
        try:
            for number, name in enumerate(self.names, 1):
                self.hosts[name] = Host(self, name, number)
            if self.services:
                for host in self:
                    host.start_bus()
                    host.start_avahi()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in self:
            for process in host.processes.values():
                process.kill()
            host.keeper.kill()
        for host in self:
            for process in [*host.processes.values(), host.keeper]:
                process.wait()
        if self.capture:
            self.capture.end()
        for link in [host.link for host in self] + ["bridge0"]:  # those whose host has ended are gone already
            subprocess.run(["ip", "link", "del", link], stderr=subprocess.DEVNULL)

    def __iter__(self):
        return iter(self.hosts.values())

    def __getitem__(self, name):
        return self.hosts[name]

    def cut_all(self):
        for host in self:
            host.cut()

    def join_all(self):
        for host in self:
            host.join()

    def begin_capture(self, file, interface="bridge0"):
        """Writes every frame on the bridge, or on a host's link, to a pcap file, from now on."""
        self.capture = Recorder(interface, file)

    def end_capture(self):
        recorder, self.capture = self.capture, None
        dropped = recorder.end()
        if dropped:
            raise Failure(f"the capture has holes: {dropped} frames found no room")

    def shell(self, caravan):
        """A prompt on the first host."""
        first = next(iter(self))
        lines = [f"caravan() {{ '{caravan}' \"$@\"; }}", "PS1='\\u@\\h \\w> '"]
        for host in self:
            lines.append(f"on_{host.name}() {{ HOME={host.home} CARAVAN_HOME={host.caravan_home} "
                         f"nsenter -t {host.keeper.pid} -n -m -u --wd={host.home} -- \"$@\"; }}")
        (self.folder / "rc").write_text("\n".join(lines) + "\n")
        print(f"You are on {first.name}. Elsewhere: " + ", ".join(f"on_{host.name} COMMAND" for host in self))
        words = first._enter(["bash", "--rcfile", self.folder / "rc", "-i"], None)
        return subprocess.run(words, env=first._environment() | {"TERM": os.environ.get("TERM", "dumb")}).returncode


def _maps_other_users():
    """Whether more than one user exists here: not so in the namespace of a plain user."""
    return int(Path("/proc/self/uid_map").read_text().split()[2]) > 1
