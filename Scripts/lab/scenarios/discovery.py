"""Avahi alone, without the caravan command: what the other scenarios stand on."""

from lab.network import Lan, until

ABOUT = "the lab itself: services are seen, missed and seen again across cut cables and killed daemons"
QUICK = True
NEEDS_CARAVAN = False
SERVICE = "_caravan._tcp"


def run(folder, _):
    with Lan(folder, ["jie", "michelle", "noah"]) as lan:
        for host in lan:
            host.start("publish", "avahi-publish", "-s", f"of-{host.name}", SERVICE, "4000", "v=1")
        for host in lan:
            for other in lan:
                if other is not host:
                    _, seconds = until(lambda: f"of-{other.name}" in seen(host), 10, f"{host.name} sees {other.name}")
        print(f"discovery: everyone sees everyone (the last after {seconds:.1f} s)")

        noah, jie = lan["noah"], lan["jie"]
        noah.cut()
        noah.kill("publish")
        until(lambda: "NO-CARRIER" in noah.run("ip", "link", "show", "eth0").stdout, 5, "Noah's cable is cut")
        noah.start("publish", "avahi-publish", "-s", "of-noah-again", SERVICE, "4000", "v=1")
        noah.join()
        _, seconds = until(lambda: "of-noah-again" in seen(jie), 10, "Jie sees Noah's new service after the join")
        print(f"discovery: seen again {seconds:.1f} s after the cable's return")

        noah.kill_avahi()
        noah.processes.pop("publish").wait(timeout=10)  # loses its daemon
        noah.start_avahi()
        noah.start("publish", "avahi-publish", "-s", "of-noah-at-last", SERVICE, "4000", "v=1")
        _, seconds = until(lambda: "of-noah-at-last" in seen(jie), 10, "Jie sees Noah after his daemon's return")
        print(f"discovery: seen again {seconds:.1f} s after the daemon's return")


def seen(host):
    return host.run("avahi-browse", "--parsable", "--terminate", SERVICE, timeout=15).stdout

