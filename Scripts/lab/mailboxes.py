"""Servers on a host of the lab that store blocks: Debian's Apache and nginx with WebDAV, and nats-server with JetStream."""

import json
import shutil
from pathlib import Path

from lab.nats_client import NatsClient, Refused
from lab.network import until

APACHE, NATS = Path("/usr/sbin/apache2"), Path("/usr/sbin/nats-server")
NGINX, NGINX_LISTS = Path("/usr/sbin/nginx"), Path("/usr/lib/nginx/modules/ngx_http_dav_ext_module.so")
APACHE_MODULES = ("mpm_event", "authz_core", "dav", "dav_fs")


def is_apache_here(lan):
    # It gives up root's rights, for which another user must exist.
    return APACHE.exists() and not lan.is_plain_user


def is_nginx_here(lan):
    """With the module by which it lists folders, which nginx itself can't."""
    return NGINX.exists() and NGINX_LISTS.exists() and not lan.is_plain_user


def is_nats_here():
    return NATS.exists() and any(Path(folder, "libnats.so").exists() for folder in Path("/usr/lib").glob("*-linux-gnu"))


class Apache:
    """A folder over WebDAV, for everybody on the LAN."""

    def __init__(self, host, port=8080):
        self.host, self.port = host, port
        self.store = web_folder(host)
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


class Nginx:
    """A folder over WebDAV, for everybody on the LAN."""

    def __init__(self, host, port=8080):
        self.host, self.port = host, port
        self.store = web_folder(host)
        temporary = " ".join(f"{kind}_temp_path {host.home}/{kind};" for kind in ("fastcgi", "uwsgi", "scgi", "proxy"))
        (host.home / "nginx.conf").write_text(
            f"load_module {NGINX_LISTS};\nuser www-data;\npid {host.home}/nginx.pid;\nerror_log {host.home}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off; client_body_temp_path {host.home}/body; {temporary}\n"
            f"server {{ listen {host.address}:{port}; root {self.store}; client_max_body_size 4m;\n"
            "location / { dav_methods PUT DELETE MKCOL; dav_ext_methods PROPFIND OPTIONS; } } }\n")
        host.start("nginx", NGINX, "-c", host.home / "nginx.conf", "-g", "daemon off;")
        accepts(host, port)

    @property
    def address(self):
        return f"http://{self.host.address}:{self.port}"


def web_folder(host):
    """A folder that web servers may write to, after they gave up root's rights."""
    store = host.home / "www"
    store.mkdir()
    for place in (host.home, store):
        shutil.chown(place, "www-data", "www-data")
    # The lab's folder is root's alone.
    for place in host.home.parents:
        if place.is_relative_to(host.lan.folder.parent):
            place.chmod(0o711)
    return store


class Nats:
    """A stream for everybody on the LAN, unless more lines of its configuration say otherwise."""

    def __init__(self, host, lines="", port=4222):
        self.host, self.port = host, port
        self.store = host.home / "store"
        (host.home / "nats.conf").write_text(
            f'listen: "{host.address}:{port}"\nmax_payload: 4MB\njetstream {{ store_dir: "{self.store}" }}\n{lines}')
        host.start("nats", NATS, "-c", host.home / "nats.conf")
        accepts(host, port)

    @property
    def address(self):
        return f"nats://{self.host.address}:{self.port}"


class NatsServer:
    """One server of a cluster. Its name stays, whatever happens to its disk."""

    CLIENTS, ROUTES, MONITOR = 4222, 6222, 8222

    def __init__(self, host, hosts):
        self.host = host
        self.store = host.home / "store"
        routes = ", ".join(f"nats://{other.address}:{self.ROUTES}" for other in hosts if other is not host)
        (host.home / "nats.conf").write_text(
            f'server_name: {host.name}\nlisten: "{host.address}:{self.CLIENTS}"\nhttp: "{host.address}:{self.MONITOR}"\n'
            f'max_payload: 4MB\njetstream {{ store_dir: "{self.store}" }}\n'
            f'cluster {{ name: boxes, listen: "{host.address}:{self.ROUTES}", routes: [{routes}] }}\n')

    def start(self):
        self.host.start("nats", NATS, "-c", self.host.home / "nats.conf")
        accepts(self.host, self.CLIENTS)

    def kill(self):
        """With -9."""
        self.host.kill("nats")

    @property
    def has_ended(self):
        """By itself."""
        return self.host.processes["nats"].poll() is not None

    def monitor(self, path):
        """What the server says of itself; None if it doesn't answer."""
        script = f"import urllib.request as r; print(r.urlopen('http://{self.host.address}:{self.MONITOR}/{path}', timeout=5)" \
                 ".read().decode())"
        done = self.host.run("python3", "-c", script)
        return json.loads(done.stdout) if done.returncode == 0 else None


class Cluster:
    """Three NATS servers, one a host, that keep three replicas of everything."""

    def __init__(self, hosts):
        self.servers = [NatsServer(host, hosts) for host in hosts]
        for server in self.servers:
            server.start()
        until(lambda: all((server.monitor("jsz") or {}).get("meta_cluster", {}).get("leader") for server in self.servers),
              60, "the cluster has a leader", pause=0.5)

    @property
    def address(self):
        return "nats://" + ",".join(f"{server.host.address}:{server.CLIENTS}" for server in self.servers)

    def stream(self):
        """What its leader says of the one stream; None if there is no leader.

        Over NATS: the monitor's own list of streams may wait for locks.
        """
        for server in self.servers:
            try:
                client = NatsClient(server.host.address, server.CLIENTS, seconds=1)
                answer = client.request("$JS.API.STREAM.INFO.CV", seconds=1)
                client.close()
            except (OSError, Refused):
                continue
            found = json.loads(answer.payload) if answer else {}
            if "state" in found:
                return found
        return None

    def replicas(self):
        """How many replicas have everything."""
        found = self.stream() or {}
        return bool(found) + sum(one["current"] and not one.get("offline") for one in found.get("cluster", {}).get("replicas", []))

    def messages(self):
        return (self.stream() or {"state": {"messages": None}})["state"]["messages"]

    def leader(self):
        """The server whose replica of the stream leads."""
        name = ((self.stream() or {}).get("cluster") or {}).get("leader")
        return next((server for server in self.servers if server.host.name == name), None)


def accepts(host, port):
    """Waits until a port of a host accepts connections, asked on the host itself."""
    probe = f"import socket; socket.create_connection(('{host.address}', {port}), 1)"
    until(lambda: host.run("python3", "-c", probe).returncode == 0, 20, f"{host.name} accepts at port {port}")
