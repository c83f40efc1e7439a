"""Networks that keep people apart: what can sync does, and `caravan doctor` says what keeps the rest."""

import time

from lab.caravan import Caravan, everyone_meets, party
from lab.filters import MDNS, UNICAST, Filter, has_filters
from lab.network import Failure, Lan, until
from lab.scenarios.daemons import write
from lab.scenarios.doctor import causes

ABOUT = "mDNS blocked, a port blocked, clients isolated, no address, a VPN's route: in sync where it can be, and named"
QUICK = False
NEEDS_CARAVAN = True
MEET_SECONDS = 30

NAMES = {"jie": "Jie", "michelle": "Michelle"}


def run(folder, program):
    with Lan(folder, ["jie", "michelle", "noah"]) as lan:
        people = party(lan, program, NAMES, "Lisbon in June", hosts=("jie", "michelle"))
        if has_filters():
            no_mdns(lan, people, Caravan(lan["noah"], program, "Noah"))
            no_port(lan, people)
            isolation(lan, people)
        else:
            print("blocked: three causes were left out: this machine has no nft, or its kernel no such rules")
        no_address(lan, people)
        vpn(lan, people)


def named(person, cause, what):
    """That a person's doctor names a cause."""
    if cause not in (found := causes(person)):
        raise Failure(f"{what}: {person.name}'s doctor says {sorted(found)}, not {cause}")


def no_mdns(lan, people, noah):
    """No node discovers another: a newcomer joins by the link's hint, and members who know each other meet."""
    jie, michelle = people
    with Filter("bridge", "forward", *MDNS):
        for host in lan:
            host.kill_avahi()
            host.start_avahi()
        began = time.monotonic()
        noah.join(jie.invite())
        noah.up()
        everyone_meets([jie, noah], MEET_SECONDS)
        print(f"blocked: mDNS: a newcomer is in by the link's hint and has met its author {time.monotonic() - began:.2f} s "
              f"later; seen after {write([jie, noah], 'without mDNS'):.2f} s", flush=True)
        michelle.down()
        began = time.monotonic()
        michelle.up()
        everyone_meets([jie, michelle], MEET_SECONDS)
        print(f"blocked: mDNS: a member is back {time.monotonic() - began:.2f} s after its start", flush=True)
        named(jie, "multicast_not_forwarded", "mDNS is blocked")
    noah.down()
    for host in lan:
        host.kill_avahi()
        host.start_avahi()
    until(lambda: jie.people_here() >= {"Michelle"}, MEET_SECONDS, "both meet again")


def no_port(lan, people):
    """Nobody gets in at Michelle's port: she gets out."""
    jie, michelle = people
    michelle.down()
    port = 47_001
    with Filter("inet", "input", f"tcp dport {port} drop", host=lan["michelle"]):
        began = time.monotonic()
        michelle.up("--port", str(port))
        everyone_meets(people, MEET_SECONDS)
        print(f"blocked: one port: in session {time.monotonic() - began:.2f} s after the start; "
              f"seen after {write(people, 'past a firewall'):.2f} s", flush=True)
        named(jie, "peer_port_filtered", "a port is blocked")
    michelle.down()
    michelle.up()
    everyone_meets(people, MEET_SECONDS)


def isolation(lan, people):
    """Nothing but what is for all gets through: nothing can be in sync, until it can."""
    jie, michelle = people
    with Filter("bridge", "forward", UNICAST):
        for name in NAMES:
            lan[name].run("ip", "neigh", "flush", "all")
        until(lambda: not jie.people_here() and not michelle.people_here(), 20, "the sessions end")
        named(jie, "isolated", "clients are kept apart")
        jie.do("add", "Written in isolation")
        before = len(lan["michelle"].log_text(michelle.job))
        time.sleep(2)
        if michelle.has_said("Written in isolation", before):
            raise Failure("clients were not kept apart")
    _, seconds = until(lambda: michelle.has_said("Written in isolation", before), MEET_SECONDS, "in sync again")
    print(f"blocked: isolated clients: named; in sync {seconds:.2f} s after the end of it", flush=True)
    everyone_meets(people, MEET_SECONDS)


def no_address(lan, people):
    jie, michelle = people
    host, address = lan["jie"], lan["jie"].address
    ipv6 = link_local(host)
    host.run("sh", "-c", "ip addr flush dev eth0")
    named(jie, "no_address", "there is no address")
    until(lambda: not michelle.people_here(), 20, "Michelle misses Jie")
    jie.do("add", "Written with no address")
    before = len(lan["michelle"].log_text(michelle.job))
    host.take_address(address)
    if ipv6:  # which the kernel makes once, as the link comes up
        host.run("ip", "addr", "add", f"{ipv6}/64", "dev", "eth0", "scope", "link")
    _, seconds = until(lambda: michelle.has_said("Written with no address", before), MEET_SECONDS, "in sync again")
    print(f"blocked: no address: named; in sync {seconds:.2f} s after it is back", flush=True)
    everyone_meets(people, MEET_SECONDS)


def link_local(host):
    """A host's link-local address of IPv6, without its scope; None where it has none."""
    words = host.run("ip", "-6", "-o", "addr", "show", "dev", "eth0", "scope", "link").stdout.split()
    return words[words.index("inet6") + 1].split("/")[0] if "inet6" in words else None


TUNNEL = ("ip link add tunnel type veth peer name other; ip addr add 10.9.0.2/32 dev tunnel; "
          "ip link set tunnel up; ip link set other up; ")
# How a VPN takes a network: by routes that say more than its own, or by a rule before all routes, as with a kill switch.
TAKING = {
    "routes": "ip route add 10.77.0.0/25 dev tunnel src 10.9.0.2; ip route add 10.77.0.128/25 dev tunnel src 10.9.0.2",
    "rules": "for family in -4 -6; do ip $family route add default dev tunnel table 77; "
             "ip $family rule add pref 100 table 77; done; ip route change default dev tunnel src 10.9.0.2 table 77",
}


def vpn(lan, people):
    """A tunnel takes what goes to the network; link-local addresses of IPv6, which name their link, are left."""
    jie, michelle = people
    if not (link_local(lan["jie"]) and link_local(lan["michelle"])):
        print("blocked: a VPN's route: left out: this machine has no IPv6")
        return
    for name, taking in TAKING.items():
        through_vpn(lan, people, f"a VPN's {name}", taking)


def through_vpn(lan, people, what, taking):
    jie, michelle = people
    host = lan["jie"]
    if (done := host.run("sh", "-ec", TUNNEL + taking)).returncode != 0:
        raise Failure(f"{what}: {done.stderr.strip()}")
    try:
        named(jie, "routed_elsewhere", what)
        jie.down()
        began = time.monotonic()
        jie.up()
        everyone_meets(people, MEET_SECONDS)
        print(f"blocked: {what}: named; in session {time.monotonic() - began:.2f} s after the start; "
              f"seen after {write(people, f'past {what}'):.2f} s", flush=True)
        if has_filters():
            by_hint(lan, people, what)
    finally:
        host.run("sh", "-c", "ip link del tunnel; ip -4 rule del pref 100; ip -6 rule del pref 100")
    began = time.monotonic()
    everyone_meets(people, MEET_SECONDS)
    print(f"blocked: {what}: in session {time.monotonic() - began:.2f} s after its end", flush=True)


def by_hint(lan, people, what):
    """The same with no mDNS either: by a link-local address that a person names, and then by that address remembered."""
    jie, michelle = people
    hint = f"[{link_local(lan['michelle'])}%eth0]:{michelle.port()}"
    with Filter("bridge", "forward", *MDNS):
        for host in lan:
            host.kill_avahi()
            host.start_avahi()
        for options in (["--peer", hint], []):
            jie.down()
            began = time.monotonic()
            jie.up(*options)
            everyone_meets(people, MEET_SECONDS)
            print(f"blocked: {what}, and no mDNS: in session {time.monotonic() - began:.2f} s after the start, "
                  f"{'by --peer' if options else 'by what is remembered'}", flush=True)
    for host in lan:
        host.kill_avahi()
        host.start_avahi()
