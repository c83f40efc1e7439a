"""What a network does not let through: rules of nftables, on a host or on the bridge."""

import subprocess

from lab.network import Failure

# Which drops what is not for everybody, and what is mDNS.
UNICAST = "ether daddr & 01:00:00:00:00:00 == 00:00:00:00:00:00 drop"
MDNS = ("ip daddr 224.0.0.251 drop", "ip6 daddr ff02::fb drop")


class Filter:
    """nftables' rules on a host, or on the bridge where none is named; gone when it is left."""

    def __init__(self, family, hook, *rules, host=None):
        self.family, self.hook, self.rules, self.host = family, hook, rules, host
        self.table = f"lab{id(self)}"

    def _nft(self, text):
        if self.host:
            return self.host.run("nft", text)
        return subprocess.run(["nft", text], capture_output=True, text=True, timeout=30)

    def __enter__(self):
        lines = [f"add table {self.family} {self.table}",
                 f"add chain {self.family} {self.table} drops "
                 f"{{ type filter hook {self.hook} priority 0; policy accept; }}"]
        lines += [f"add rule {self.family} {self.table} drops {rule}" for rule in self.rules]
        done = self._nft("; ".join(lines))
        if done.returncode != 0:
            raise Failure(f"nft: {done.stderr.strip()}")
        return self

    def __exit__(self, *_):
        self._nft(f"delete table {self.family} {self.table}")


def has_filters():
    """Whether this kernel and this machine have such rules."""
    try:
        with Filter("bridge", "forward", "ether daddr 01:00:5e:00:00:fb drop"):
            return True
    except (Failure, FileNotFoundError):
        return False
