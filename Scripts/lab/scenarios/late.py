"""A node does not need Avahi to run: it finds the others once Avahi comes."""

from lab.caravan import Caravan, everyone_meets
from lab.network import Failure, Lan, until

ABOUT = "nodes that start before avahi-daemon, and before D-Bus, run, say so, and meet once it comes"
QUICK = True
NEEDS_CARAVAN = True


def run(folder, program):
    with Lan(folder, ["jie", "michelle"]) as lan:
        jie, michelle = Caravan(lan["jie"], program, "Jie"), Caravan(lan["michelle"], program, "Michelle")
        jie.new("Lisbon in June")
        link = jie.invite()
        jie.up()
        michelle.join(link)
        jie.down()
        # Nobody is known by an address: what Jie's home had of Michelle's is of another port.
        lan["jie"].kill_avahi()
        lan["jie"].kill_bus()
        jie.up()
        if "Discovery problem" not in lan["jie"].log_text(jie.job):
            raise Failure("the node does not say that it finds nobody by itself")
        jie.do("add", "Casa do Rio")
        michelle.up()
        lan["jie"].start_bus()
        lan["jie"].start_avahi()
        _, seconds = until(lambda: "Discovery works again" in lan["jie"].log_text(jie.job), 15, "the node sees Avahi")
        print(f"late: the node sees Avahi {seconds:.1f} s after its start")
        everyone_meets([jie, michelle])
        until(lambda: "Casa do Rio" in michelle.items(), 10, "Michelle has what Jie added")
