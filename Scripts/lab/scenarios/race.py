"""Law 3, for real: people act apart at the same time, and nothing is lost when they meet."""

from lab.caravan import converge, party, votes
from lab.network import Failure, Lan, until

ABOUT = "all cables cut, everyone votes, one renames and one removes; within 5 s of the join all lists are equal"
QUICK = True
NEEDS_CARAVAN = True
SECONDS = 5

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah"}


class Stays:
    """Three items, and what becomes of each."""

    def __init__(self, suffix):
        self.shared, self.renamed, self.removed = (f"{name} {suffix}" for name in ("Casa", "Quinta", "Hostel"))
        self.new_name = f"Palácio {suffix}"
        self.all = (self.shared, self.renamed, self.removed)

    def are_whole(self, items):
        if not {self.shared, self.new_name, self.removed} <= set(items) or self.renamed in items:
            return False
        back = items[self.removed]
        return (
            votes(items[self.shared]) == {"Michelle": "for", "Noah": "for"} and items[self.shared]["tally"] == 2
            and votes(items[self.new_name]) == {"Michelle": "for"} and votes(back) == {"Noah": "for"}
            and (back["note"], back["price"]) == (f"the note of {self.removed}", "100"))


def run(folder, program):
    with Lan(folder, list(NAMES)) as lan:
        people = party(lan, program, NAMES, "Lisbon in June")
        race(lan, people, Stays("do Rio"), "a short cut")
        race(lan, people, Stays("do Mar"), "a long cut, after which nobody is here for anybody", is_long=True)
        for person in people:
            person.down()


def race(lan, people, stays, what, is_long=False):
    jie, michelle, noah = people
    for title in stays.all:
        jie.do("add", title, "--note", f"the note of {title}", "--price", "100")
    converge(people, 10, lambda: set(stays.all) <= set(noah.items()))

    lan.cut_all()
    until(lambda: all("NO-CARRIER" in host.run("ip", "link", "show", "eth0").stdout for host in lan), 5, "the cut")
    if is_long:
        until(lambda: not any(person.people_here() for person in people), 30, "everyone notices the cut")
    michelle.do("vote", stays.shared, stays.renamed)
    noah.do("vote", stays.shared, stays.removed)
    jie.do("edit", stays.renamed, "--title", stays.new_name)
    jie.do("remove", stays.removed)
    if stays.removed in jie.items() or votes(michelle.items()[stays.shared]) != {"Michelle": "for"}:
        raise Failure("somebody knows what nobody could have said")

    lan.join_all()
    _, seconds = converge(people, SECONDS, lambda: stays.are_whole(noah.items()))
    print(f"race: {what}: all three lists are equal {seconds:.2f} s after the join, and every vote counts")
