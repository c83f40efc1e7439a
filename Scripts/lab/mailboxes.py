"""Servers on a host of the lab that store blocks: Debian's Apache with WebDAV, and nats-server with JetStream."""

import shutil
from pathlib import Path

from lab.network import until

APACHE, NATS = Path("/usr/sbin/apache2"), Path("/usr/sbin/nats-server")
APACHE_MODULES = ("mpm_event", "authz_core", "dav", "dav_fs")


def is_apache_here(lan):
    # It gives up root's rights, for which another user must exist.
    return APACHE.exists() and not lan.is_plain_user


def is_nats_here():
    return NATS.exists() and any(Path(folder, "libnats.so").exists() for folder in Path("/usr/lib").glob("*-linux-gnu"))


class Apache:
    """A folder over WebDAV, for everybody on the LAN."""

    def __init__(self, host, port=8080):
        self.host, self.port = host, port
        self.store = host.home / "www"
        self.store.mkdir()
        for place in (host.home, self.store):
            shutil.chown(place, "www-data", "www-data")
        # The lab's folder is root's alone.
        for place in host.home.parents:
            if place.is_relative_to(host.lan.folder.parent):
                place.chmod(0o711)
        lines = [f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in APACHE_MODULES]
        lines += [f"ServerRoot {host.home}", "ServerName box", f"Listen {host.address}:{port}", f"PidFile {host.home}/apache.pid",
                  f"ErrorLog {host.home}/error.log", f"DavLockDB {host.home}/lock", f"DocumentRoot {self.store}",
                  f"DefaultRuntimeDir {host.home}", f"Mutex default:{host.home}", "User www-data", "Group www-data",
                  "<Location />", "Dav On", "Require all granted", "</Location>"]
        (host.home / "apache.conf").write_text("\n".join(lines) + "\n")
        host.start("apache", APACHE, "-DFOREGROUND", "-f", host.home / "apache.conf")
        accepts(host, port)

    @property
    def address(self):
        return f"http://{self.host.address}:{self.port}"


class Nats:
    """A stream for everybody on the LAN."""

    def __init__(self, host, port=4222):
        self.host, self.port = host, port
        self.store = host.home / "store"
        (host.home / "nats.conf").write_text(
            f'listen: "{host.address}:{port}"\nmax_payload: 4MB\njetstream {{ store_dir: "{self.store}" }}\n')
        host.start("nats", NATS, "-c", host.home / "nats.conf")
        accepts(host, port)

    @property
    def address(self):
        return f"nats://{self.host.address}:{self.port}"


def accepts(host, port):
    """Waits until a port of a host accepts connections, asked on the host itself."""
    probe = f"import socket; socket.create_connection(('{host.address}', {port}), 1)"
    until(lambda: host.run("python3", "-c", probe).returncode == 0, 20, f"{host.name} accepts at port {port}")
