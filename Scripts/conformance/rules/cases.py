"""The examples of Documentation/Protocol.md, section 15: small graphs, and who is in.

F is the founder, M is hostile, Q is in league with M, X and Y come later, Z is honest.
"""

from .crafted import Story
from .roster import IN, LEFT, REMOVED, UNKNOWN, WAITS, Admit, Close, End, Found, Remove, Roster

EVERYTHING = "everything"


class Case:
    """A story by labels. A change stands on what `after` names, or on everything so far."""

    def __init__(self):
        self.story, self.at = Story(), {}
        self.put("found", "F", Found("F"), after=())

    @property
    def graph(self):
        return self.story.graph

    def put(self, label, device, says=None, on=None, after=EVERYTHING):
        after = list(self.at.values()) if after is EVERYTHING else [self.at[name] for name in after]
        index = self.story.write(device, says, None if on is None else self.at[on], after)
        assert index is not None, f"{label} is refused"
        self.at[label] = index

    def is_refused(self, device, says, after=EVERYTHING):
        size = len(self.graph.acts)
        after = list(self.at.values()) if after is EVERYTHING else [self.at[name] for name in after]
        taken = self.story.write(device, says, None, after) is not None
        del self.graph.acts[size:]
        return not taken

    def open(self, label, device, uses=5, after=EVERYTHING):
        after = list(self.at.values()) if after is EVERYTHING else [self.at[name] for name in after]
        name, self.at[label] = self.story.invite(device, uses, after, label)
        return name

    def admit(self, label, host, name, link, after=EVERYTHING):
        """`host` admits the person with this name, by the link that the name names: a newcomer, or the same person again."""
        if name not in self.graph.parent:
            self.story.newcomer(name, link)
        self.put(label, host, Admit(name), after=after)

    def roster(self):
        return Roster(self.graph)

    def who(self):
        roster = self.roster()
        return {person: roster.status(person) for person in self.graph.parent}

    def counts(self, *labels):
        return [bool(self.roster().effective >> self.at[label] & 1) for label in labels]

    def is_shown(self, label):
        return bool(self.roster().shown >> self.at[label] & 1)


def trip(*names):
    """F, and people that F admitted by the link iF."""
    case = Case()
    case.open("iF", "F")
    for name in names:
        case.admit("a" + name, "F", name, "iF")
    return case


def hijack():
    """F2. M lets X in by F's link, says so a second time where the link is not open, and removes X."""
    case = trip("M")
    case.admit("aX", "M", "X", "iF")
    case.put("tent", "X")
    case.put("again", "M", Admit("X"), after=["iF", "aM"])
    case.put("removal", "M", Remove("X"), after=["again"])
    return case, {"F": IN, "M": IN, "X": IN}


def farewell():
    """F3. M lets X in, X lets Y in, and M leaves on a branch from before that."""
    case = trip("M")
    case.admit("aX", "M", "X", "iF")
    case.open("iX", "X")
    case.admit("aY", "X", "Y", "iX")
    case.put("farewell", "M", Remove("M"), after=["aM"])
    return case, {"F": IN, "M": LEFT, "X": IN, "Y": IN}


def doorman():
    """F3, with nobody hostile. F is away while M lets X in by F's link and X lets Y in; F removes M before they meet."""
    case = trip("M", "Z")
    case.admit("aX", "M", "X", "iF")
    case.open("iX", "X")
    case.admit("aY", "X", "Y", "iX")
    case.put("tent", "X")
    case.put("vote", "Z", on="tent")
    case.put("removal", "F", Remove("M"), after=["aZ"])
    return case, {"F": IN, "M": REMOVED, "Z": IN, "X": WAITS, "Y": WAITS}


def doorman_confirmed():
    """F keeps X: everything that waited for X counts."""
    case, who = doorman()
    case.put("keep", "F", Admit("X"))
    return case, who | {"X": IN, "Y": IN}


def doorman_refused():
    """F does not keep X. X admitted Y, who goes on waiting: F may keep Y only together with X."""
    case, who = doorman()
    case.put("no", "F", Remove("X"))
    return case, who | {"X": REMOVED}


def own_link():
    """B5. M lets X in by M's own link; F removes M before they meet. F is above X, so F is asked."""
    case = trip("M")
    case.open("iM", "M")
    case.admit("aX", "M", "X", "iM")
    case.put("removal", "F", Remove("M"), after=["aM"])
    return case, {"F": IN, "M": REMOVED, "X": WAITS}


def own_link_kept():
    """F keeps X all the same: M, though removed, was let in, so X has a parent who is resolved."""
    case, who = own_link()
    case.put("keep", "F", Admit("X"))
    return case, who | {"X": IN}


def link_of_the_removed():
    """Q joined by M's link. M opens another link, Q admits X by it, and F, who has not seen that link, removes M: X waits."""
    case = trip("M")
    case.open("iM", "M")
    case.admit("aQ", "M", "Q", "iM")
    case.open("jM", "M")
    case.admit("aX", "Q", "X", "jM")
    case.put("removal", "F", Remove("M"), after=["aQ"])
    return case, {"F": IN, "M": REMOVED, "Q": IN, "X": WAITS}


def keep_and_remove():
    """B6. One of two above X keeps X while the other removes X: removed."""
    case = trip("M", "Z")
    case.open("iZ", "Z")
    case.admit("aX", "M", "X", "iZ")
    case.put("removal", "F", Remove("M"), after=["iZ"])
    case.put("keep", "F", Admit("X"), after=["aX", "removal"])
    case.put("no", "Z", Remove("X"), after=["aX"])
    return case, {"F": IN, "M": REMOVED, "Z": IN, "X": REMOVED}


def crossed():
    """Z admitted X and now removes X, while F removes Z, who is above X: X stays, for F had not seen that Z removed X."""
    case = trip("Z")
    case.open("iZ", "Z")
    case.admit("aX", "Z", "X", "iZ")
    case.put("by Z", "Z", Remove("X"))
    case.put("by F", "F", Remove("Z"), after=["aX"])
    return case, {"F": IN, "Z": REMOVED, "X": IN}


def two_links():
    """A1. X and Y would each be the other's parent: a joiner by two links is two persons, so nobody is above their inviter."""
    case = trip("G", "Z")
    case.open("iG", "G")
    case.open("iZ", "Z")
    case.admit("aX", "G", "X", "iG")
    case.admit("aY", "Z", "Y", "iZ")
    case.open("iX", "X", after=["aX"])
    case.open("iY", "Y", after=["aY"])
    case.admit("a1", "Y", "X by Y", "iY", after=["iY"])
    case.admit("b2", "X", "Y by X", "iX", after=["iX"])
    case.put("rX", "Y", Remove("X"), after=["a1"])
    case.put("rY", "X", Remove("Y"), after=["b2", "aY"])
    return case, {"F": IN, "G": IN, "Z": IN, "X": IN, "Y": IN, "X by Y": IN, "Y by X": IN}


def paradox():
    """A3. M hosts R; P, below R, hosts R again by F's link and removes nobody who is above: R waits for F, and P for R."""
    case = trip("M")
    case.admit("aR", "M", "R", "iF")
    case.open("iR", "R")
    case.admit("aP", "R", "P", "iR")
    case.put("again", "P", Admit("R"))
    case.put("by P", "P", Remove("R"), after=["aP"])
    case.put("by F", "F", Remove("M"), after=["aM"])
    return case, {"F": IN, "M": REMOVED, "R": WAITS, "P": WAITS}


def closed_link():
    """P1. F's link is closed. M admitted Q. Q admits X by F's link, and M, above Q, says it again: neither counts."""
    case = trip("M")
    case.open("iM", "M")
    case.admit("aQ", "M", "Q", "iM")
    case.put("close", "F", Close("iF"))
    case.admit("aX", "Q", "X", "iF")
    case.put("again", "M", Admit("X"))
    return case, {"F": IN, "M": IN, "Q": IN, "X": UNKNOWN}


def others_close():
    """F7. M closes F's link, removes F, and removes somebody of M's own: F's link stays open."""
    case = trip("M")
    case.open("iM", "M")
    case.admit("aQ", "M", "Q", "iM")
    case.put("close", "M", Close("iF"))
    case.put("by M", "M", Remove("F"))
    case.put("sybil", "M", Remove("Q"))
    case.admit("aX", "M", "X", "iF")
    return case, {"F": IN, "M": IN, "Q": REMOVED, "X": IN}


def known_to_the_removed():
    """F removes M, who knows F's link: it has ended. F's next one has not."""
    case = trip("M", "Z")
    case.put("removal", "F", Remove("M"))
    case.admit("aX", "Z", "X", "iF")
    case.open("jF", "F")
    case.admit("aY", "Z", "Y", "jF")
    return case, {"F": IN, "M": REMOVED, "Z": IN, "X": UNKNOWN, "Y": IN}


def used_up():
    """A link for one: Z lets X in; M, on an older state, lets Y in. Both are in, below F, who sees it. After that nobody is."""
    case = trip("M", "Z")
    case.open("jF", "F", uses=1)
    case.admit("aX", "Z", "X", "jF")
    case.admit("aY", "M", "Y", "jF", after=["jF"])
    case.admit("aV", "M", "V", "jF")
    return case, {"F": IN, "M": IN, "Z": IN, "X": IN, "Y": IN, "V": UNKNOWN}


def upheld():
    """B1. M lets Q in, Q adds a booking, Z votes for it; M removes Q as if nothing had been: Q's booking stays, upheld by Z."""
    case = trip("M", "Z")
    case.open("iM", "M")
    case.admit("aQ", "M", "Q", "iM")
    case.put("booking", "Q")
    case.put("other", "Q")
    case.put("vote", "Z", on="booking")
    case.put("removal", "M", Remove("Q"), after=["aQ"])
    return case, {"F": IN, "M": IN, "Z": IN, "Q": REMOVED}


def taken_back():
    """F has seen all that M wrote, and removes M with all of it but the first."""
    case = trip("M", "Z")
    case.put("tent", "M")
    case.put("junk", "M")
    case.open("iM", "M")
    case.admit("aX", "M", "X", "iM")
    case.put("vote", "Z", on="tent")
    case.put("removal", "F", Remove("M", (case.at["tent"],)))
    return case, {"F": IN, "M": REMOVED, "Z": IN, "X": WAITS}


def waiting_vote():
    """F has not seen the tent that M added, and removes M. M let X in, who votes for the tent: its body stays, for F may keep X."""
    case = trip("M")
    case.put("tent", "M")
    case.put("junk", "M")
    case.admit("aX", "M", "X", "iF")
    case.put("vote", "X", on="tent")
    case.put("removal", "F", Remove("M"), after=["aM"])
    return case, {"F": IN, "M": REMOVED, "X": WAITS}


def guest():
    """F removes M without having seen that M's guest G wrote a second time: G goes with M, and the second is cut with M's own."""
    case = trip("M")
    case.put("aG", "M", Admit(case.story.guest("G", "M")))
    case.put("seen", "G")
    case.put("unseen", "G")
    case.put("removal", "F", Remove("M"), after=["seen"])
    return case, {"F": IN, "M": REMOVED, "G": REMOVED}


def left_and_removed():
    """C2. Who left may be removed too."""
    case = trip("M")
    case.put("farewell", "M", Remove("M"))
    case.put("removal", "F", Remove("M"))
    return case, {"F": IN, "M": REMOVED}


def second_device_does_not_know():
    """C1. Z leaves on one device, and writes on the other, which has not heard: that counts, and Z has left."""
    case = trip("Z")
    case.put("aZ2", "Z", Admit(case.story.further("Z")))
    case.put("farewell", "Z", Remove("Z"))
    case.put("milk", "Z2", after=["aZ2"])
    case.put("after", "Z2", after=["farewell", "milk"])
    return case, {"F": IN, "Z": LEFT}


def stolen_phone():
    """Rule 11. F's phone is stolen: it removes Z, lets in a device of its own and says farewell. F's laptop, where F began the
    trip, ends it as of its last honest change."""
    case = trip("Z")
    case.put("aF2", "F", Admit(case.story.further("F")))
    case.put("milk", "F2")
    case.put("tea", "Z")
    case.put("theft", "F2", Remove("Z"), after=["milk"])
    case.put("aF3", "F2", Admit(case.story.further("F")), after=["theft"])
    case.put("by F3", "F3", after=["aF3"])
    case.put("farewell", "F2", Remove("F"), after=["aF3"])
    case.put("end", "F", End("F2", case.at["milk"]))
    return case, {"F": IN, "Z": IN}


def device_again():
    """Z ends Z2, which had let in Z3: what Z3 did is cut. After a farewell Z lets in Z3 again: that counts, and so does what Z3 did."""
    case = trip("Z")
    case.put("aZ2", "Z", Admit(case.story.further("Z")))
    case.put("aZ3", "Z2", Admit(case.story.further("Z")))
    case.put("tea", "Z3")
    case.put("end", "Z", End("Z2", None), after=["aZ3"])
    case.put("farewell", "Z", Remove("Z"), after=["end"])
    case.put("again", "Z", Admit("Z3"), after=["farewell"])
    return case, {"F": IN, "Z": LEFT}


def forks():
    """F1. M writes changes with one number, half told to F and half to Z, who go on: all are retained."""
    case = trip("M", "Z")
    for number in range(12):
        case.put(f"fork {number}", "M", after=["aM"])
    case.put("F goes on", "F", after=["aZ", *(f"fork {number}" for number in range(6))])
    case.put("Z goes on", "Z", after=["aZ", *(f"fork {number}" for number in range(6, 12))])
    return case, {"F": IN, "M": IN, "Z": IN}


CASES = (hijack, farewell, doorman, doorman_confirmed, doorman_refused, own_link, own_link_kept, link_of_the_removed, keep_and_remove, crossed, two_links, paradox,
         closed_link, others_close, known_to_the_removed, used_up, upheld, taken_back, waiting_vote, guest, left_and_removed, second_device_does_not_know,
         stolen_phone, device_again, forks)
