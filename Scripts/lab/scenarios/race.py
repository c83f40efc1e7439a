"""Law 3, for real: people act apart at the same time, and nothing is lost when they meet."""

from lab.caravan import converge, party, votes
from lab.network import Failure, Lan, until

ABOUT = "all cables cut, everyone votes, one renames and one removes; within 5 s of the join all lists are equal"
QUICK = True
NEEDS_CARAVAN = True
SECONDS = 5

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah"}
SHARED, RENAMED, REMOVED = "Casa do Rio", "Quinta da Serra", "Hostel do Mar"


def run(folder, program):
    with Lan(folder, list(NAMES)) as lan:
        people = jie, michelle, noah = party(lan, program, NAMES, "Lisbon in June")
        for title in (SHARED, RENAMED, REMOVED):
            jie.do("add", title, "--note", f"the note of {title}", "--price", "100")
        converge(people, 10, lambda: len(noah.items()) == 3)

        lan.cut_all()
        until(lambda: all("NO-CARRIER" in host.run("ip", "link", "show", "eth0").stdout for host in lan), 5, "the cut")
        for person, titles in ((michelle, (SHARED, RENAMED)), (noah, (SHARED, REMOVED))):
            person.do("vote", *titles)
        jie.do("edit", RENAMED, "--title", "Quinta da Lua")
        jie.do("remove", REMOVED)
        if REMOVED in jie.items() or votes(michelle.items()[SHARED]) != {"Michelle": "for"}:
            raise Failure("somebody knows what nobody could have said")

        lan.join_all()
        _, seconds = converge(people, SECONDS, lambda: is_whole(noah.items()))
        print(f"race: all three lists are equal {seconds:.2f} s after the join, and every vote counts")
        for person in people:
            person.down()


def is_whole(items):
    back = items.get(REMOVED, {})
    return (
        set(items) == {SHARED, "Quinta da Lua", REMOVED}
        and votes(items[SHARED]) == {"Michelle": "for", "Noah": "for"} and items[SHARED]["tally"] == 2
        and votes(items["Quinta da Lua"]) == {"Michelle": "for"}
        and votes(back) == {"Noah": "for"} and back["note"] == f"the note of {REMOVED}" and back["price"] == "100")
