"""The page for everyone: by keyboard alone, by screen readers, valid, and drawn in every view to be looked at."""

import json
import subprocess
import sys
import time
from pathlib import Path

from browsers import expect, until
from homes import card, friends, live, page
from scenarios import scenario

ITEMS = [
    ("Casa do Rio", "--price", "€90", "--host", "Ana", "--note", "Five minutes to the station", "--place", "38.7100,-9.1300",
     "--link", "https://example.org/casa"),
    ("Quinta das Flores with a name that is so long that it does not fit into one line of a phone", "--price", "€120",
     "--place", "38.7300,-9.1500"),
    ("فندق على البحر", "--price", "€75"), ("Hostel", "--price", "€25", "--note", "Bunk beds"),
    ("Towels", "--quantity", "3"), ("Corkscrew", "--quantity", "1"),
]
NARROW, WIDE = {"width": 375, "height": 800}, {"width": 1280, "height": 900}
SHORT_ID = 12  # digits by which the page names an item
DARK, LIGHT = "dark", "light"
QUICK_JAVA = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # a second of work is not worth the best code
FAULTS_ALONE = {"resultTypes": ["violations"]}  # what axe says of all that is right takes two thirds of its time


def planned(stage):
    """A trip of two with something in every view, and the addresses of its views by name."""
    return stage.share("planned", plan)


def plan(run):
    jie, noah = friends(run, ("Jie", "Noah"), ITEMS)
    until(lambda: len(noah.items()) == len(ITEMS), 10, "Noah has everything")
    noah.do("vote", "Casa do Rio", "Hostel")
    noah.do("vote", ITEMS[1][0], "--against")
    noah.do("remove", "Hostel")
    jie.do("vote", "Casa do Rio")
    jie.do("going", "Casa do Rio")
    noah.do("going", "Casa do Rio", "--maybe")
    until(lambda: jie.items()["Casa do Rio"]["tally"] == 2, 10, "the votes")
    feed = run.folder / "stays of Ericeira.csv"
    feed.write_text("title,link,price,note\n" + "".join(
        f"{title},https://example.org/{place},{60 + place} EUR/night,Two minutes to the beach\n"
        for place, title in enumerate(("Surf house", "A house with a name that is so long that no phone shows it on a line", "Tent"))),
        encoding="utf-8")
    jie.do("feeds", "add", feed)
    jie.do("wish", "Boat trip", "--price", "40 EUR/person")
    jie.do("wish", "Surf house", "--link", "https://example.org/0", "--price", "60 EUR/night", "--note", "Two minutes to the beach")
    jie.do("add", "Tent", "--link", "https://example.org/2")
    jie.do("show", "Casa do Rio")
    jie.do("show", "Hostel")
    jie.do("cost", "add", "Dinner in the old town", "84 EUR", "--on", "2026-06-12", "--category", "food")
    jie.do("cost", "add", "Fondue", "50 CHF", "--rate", "0.95 EUR", "--parts", "Jie=2", "--parts", "Noah=1")
    costs = {item["title"]: item for item in json.loads(jie.do("cost", "list", "--json"))["expenses"]}
    jie.do("plan", "Casa do Rio", "--on", "2026-06-12..15")
    jie.do("plan", ITEMS[1][0], "--on", "2026-06-13", "--at", "14:30", "--for", "90m", "--zone", "Lisbon")
    jie.do("plan", "Tent", "--on", time.strftime("%Y-%m-%d"), "--at", time.strftime("%H:%M"), "--for", "2h", "--zone", "none")
    jie.do("add", long := "Museum of tiles with a name that is so long that no phone shows it on a line")
    jie.do("choose", long)
    jie.do("ask", "Which hike?", "Coast", "Hills along the river", "--ranked", "--due", "2099-06-03")
    jie.do("answer", "Which hike?", "Hills", "Coast")
    jie.do("ask", "When do we meet?", "2026-06-12 14:30", "2026-06-13", "--dates", "--agree", "80")
    jie.do("ask", "Who cooks?", "Jie", "Noah")
    jie.do("answer", "Who cooks?", "Noah")
    jie.do("close", "Who cooks?")
    (run.folder / "mailbox").mkdir()
    jie.do("mailbox", "add", run.folder / "mailbox")
    ids = [item["id"][:SHORT_ID] for item in jie.items().values()]
    return jie, {
        "cards": "", "open": f"?open={ids[0]}", "edit": f"?open={ids[0]}&edit=1", "found": "?find=casa", "nothing": "?find=xyz", "new": "?sort=new",
        "ranking": "?view=ranking", "compare": f"?view=compare&compare={ids[0]},{ids[1]}", "bring": "?view=bring",
        "map": "?view=map", "wishes": "?view=sources", "viewed": "?view=sources&from=viewed",
        "feed": "?view=sources&from=feed%3Astays%20of%20Ericeira.csv", "no feed": "?view=sources&from=feed%3Anone", "members": "?view=members", "history": "?view=history", "status": "?view=status",
        "safety": "?view=safety", "days": "?view=days", "costs": "?view=costs", "questions": "?view=questions", "new cost": "?view=costs&edit=1",
        "notes": "?view=notes", "cost": f"?view=costs&open={costs['Fondue']['id'][:SHORT_ID]}&edit=1", "trips": "?view=trips", "help": "?view=help",
    }


def base(tab):
    return tab.run("location.origin + location.pathname")


# What stands on a view that is drawn as it is meant to be.
SIGNS = {"open": ".expanded .note-box", "notes": "#trip-note", "edit": ".expanded form.edit", "compare": ".compare table, .compare th", "safety": "#backup-title", "help": "#help-title",
         "days": ".days .today", "costs": ".costs .paid", "questions": ".question .pairs", "new cost": ".expense-form", "cost": ".expense-form", "wishes": "#sources .offer", "viewed": "#sources .offer", "feed": "#sources .in-the-list"}


def show(tab, here, name, query):
    """Opens a view; what it is opened for stands there."""
    tab.open(here + query)
    if name in SIGNS:
        tab.until(f"$({SIGNS[name]!r}) !== null", f"the view {name}")


@scenario("by keyboard alone: add, walk, vote, open, edit, save, search; what has the focus is always seen", needs_caravan=True)
def keyboard(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",), ("Hostel",)])
    tab = page(stage, jie)
    tab.press("n")
    tab.write("Quinta")
    tab.press("Enter")
    until(lambda: "Quinta" in jie.items(), 10, "it is added")
    tab.until(f"{card('Quinta')} !== undefined", "its card")
    tab.press("Escape")
    for _ in range(3):
        tab.press("j")
    tab.press("k")
    title = tab.run("document.activeElement.closest('[data-card]').querySelector('h3').innerText.trim()")
    expect(title == "Hostel", f"the second card is {title}")
    # A card whose link has the focus shows it around the whole card.
    outline = tab.run("[document.activeElement, document.activeElement.closest('.card')].map(it => getComputedStyle(it))"
                      ".some(it => it.outlineStyle !== 'none' && parseFloat(it.outlineWidth) >= 2)")
    expect(outline, "the focus is not seen")
    tab.press("f")
    until(lambda: jie.items()["Hostel"].get("tally") == 1, 10, "the vote")
    tab.press("Enter")
    tab.until("$('.expanded') !== null", "the card opens")
    tab.press("e")
    tab.until("$('.expanded form.edit') !== null", "the form")
    tab.run("$('.expanded input[name=price]').focus()")
    tab.write("25")
    tab.press("Enter")
    until(lambda: jie.items()["Hostel"].get("price") == "25", 10, "the price")
    tab.until("$('.expanded form.edit') === null", "the form closes")
    tab.press("Escape")
    tab.until("$('.expanded') === null", "the card closes")
    tab.press("/")
    tab.write("quin")
    tab.until("$('#cards').children.length === 1", "one is found")
    tab.press("Escape")
    tab.until("$('#cards').children.length === 3", "all are there again")
    tab.press("?")
    tab.until("$('#help-title') !== null", "the help")


@scenario("Tab goes through the page in the order in which it is read", engines=("chromium",), needs_caravan=True)
def tab_order(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    tab = page(stage, jie, viewport=WIDE)
    tab.run("document.activeElement.blur()")
    seen = []
    for _ in range(30):
        tab.press("Tab")
        name = tab.run("(it => it === document.body ? null : it.getAttribute('aria-label') || it.innerText?.trim() ||"
                       " it.labels?.[0]?.innerText || it.id)(document.activeElement)")
        if name is None:
            break
        seen.append(" ".join(name.split()))
    wanted = Path(__file__).with_name("tab_order.txt").read_text(encoding="utf-8").splitlines()
    expect(seen == wanted, f"the order is {json.dumps(seen, ensure_ascii=False)}")


def looks(stage, jie, schemes):
    """Tabs of each width and scheme that are wanted."""
    for scheme, size in schemes:
        yield f"{scheme}-{size['width']}", page(stage, jie, color_scheme=scheme, viewport=size, reduced_motion="reduce")


def violations(tab, name):
    """What axe finds on the page that is open."""
    from axe_playwright_python.sync_playwright import Axe
    return [f"{name}: {fault['id']} ({len(fault['nodes'])}): {fault['nodes'][0]['html'][:160]}"
            for fault in Axe().run(tab.page, options=FAULTS_ALONE).response["violations"]]


@scenario("axe finds nothing on any view, light and dark, narrow and wide", engines=("chromium",), needs_caravan=True, seconds=60)
def accessible(stage):
    jie, views = planned(stage)
    found = []
    for look, tab in looks(stage, jie, [(LIGHT, NARROW), (DARK, WIDE)]):
        here = base(tab)
        for name, query in views.items():
            show(tab, here, name, query)
            found += violations(tab, f"{look} {name}")
    expect(not found, "\n".join(["axe:", *found]))


@scenario("axe finds nothing on the component browser, light and dark, narrow and wide",
          engines=("chromium",), needs_caravan=True, seconds=30)
def components(stage):
    jie, _ = planned(stage)
    found = []
    for look, tab in looks(stage, jie, [(LIGHT, NARROW), (DARK, WIDE)]):
        tab.open(tab.run("location.origin") + "/components")
        found += violations(tab, f"{look} components")
    expect(not found, "\n".join(["axe:", *found]))


@scenario("the documents of all views are valid HTML, by the checker of the W3C", engines=("chromium",), needs_caravan=True)
def valid(stage):
    jie, views = planned(stage)
    tab = stage.tab(java_script_enabled=False)
    tab.open(jie.link())
    here = tab.page.url.partition("?")[0]
    origin = here.split("/t/")[0]
    for name, address in {name: here + query for name, query in views.items()}.items() | {("components", origin + "/components")}:
        (stage.folder / f"{name}.html").write_text(tab.page.request.get(address).text(), encoding="utf-8")
    jar = next(Path(sys.prefix).glob("lib/python*/site-packages/**/vnu.jar"))
    command = ["java", *QUICK_JAVA, "-Xss2m", "-jar", jar, "--errors-only", "--skip-non-html", "--format", "gnu", stage.folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50)
    lines = [line.rpartition("/")[2] for line in done.stderr.splitlines() if line.strip()]
    expect(done.returncode == 0 and not lines, "\n".join(["vnu:", *lines[:40]]))


@scenario("no view scrolls sideways: at 320 px, right to left, and on a phone with text at 200%",
          engines=("chromium",), needs_caravan=True, seconds=40)
def narrow(stage):
    jie, views = planned(stage)
    wide, tab = [], page(stage, jie)
    here = base(tab)
    changes = {"as it is": (320, "1"), "right to left": (320, "document.documentElement.dir = 'rtl'"),
               "text at 200%": (375, "document.documentElement.style.fontSize = '200%'")}
    for name, query in views.items():
        show(tab, here, name, query)
        live(tab)
        at_double = {"a phone at 200%": (188, "1")} if name in ("cards", "questions") else {}
        for change, (width, work) in (at_double | changes).items():
            tab.page.set_viewport_size({"width": width, "height": 700})
            tab.run(f"(document.documentElement.dir = 'ltr', {work}, 1)")
            excess = tab.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if excess > 0:
                wide.append(f"{name}, {change}: {excess} px too wide")
    expect(not wide, "\n".join(wide))


@scenario("the link to mailboxes wraps on a narrow phone, and on a phone at 200% no face lies over what is new",
          engines=("chromium",), needs_caravan=True, seconds=60)
def narrow_company(stage):
    jie, noah, *_ = friends(stage, ("Jie", "Noah", "Mia", "Ana"), [("Casa do Rio",)])
    tab = page(stage, jie, viewport={"width": 240, "height": 700})
    noah.do("add", "Fado")
    tab.until("$('.news') !== null && $('.faces-here .avatar:nth-of-type(4)') !== null", "what is new, and four faces")
    tab.page.set_viewport_size({"width": 188, "height": 700})
    faces, news = (tab.run(f"$({it!r}).getBoundingClientRect().toJSON()") for it in (".faces-here", ".news"))
    expect(news["right"] <= faces["left"] or news["bottom"] <= faces["top"], f"the faces {faces} lie over what is new {news}")
    tab.page.set_viewport_size({"width": 240, "height": 700})
    tab.open(base(tab) + "?view=status")
    tab.until("$('#view a.text') !== null", "the link to mailboxes")
    expect(tab.run("$('#view a.text').getBoundingClientRect().right <= innerWidth"), "the link is wider than the phone")


@scenario("every view is drawn, light and dark, narrow and wide, where --screenshots names a folder", needs_caravan=True, seconds=40)
def screenshots(stage):
    jie, views = planned(stage)
    if stage.screenshots is None:
        return
    # Chromium draws all of a page, WebKitGTK what its window shows.
    higher = {"height": 1300} if stage.engine.name == "webkit" else {}
    for look, tab in looks(stage, jie, [(scheme, size | higher) for scheme in (LIGHT, DARK) for size in (NARROW, WIDE)]):
        expect(tab.run("matchMedia('(prefers-color-scheme: dark)').matches") == look.startswith(DARK), f"this is not {look}")
        expect(tab.run("innerWidth") == int(look.rpartition("-")[2]), f"{tab.run('innerWidth')} px: not {look}")
        here = base(tab)
        for view, query in views.items():
            show(tab, here, view, query)
            live(tab)
            tab.picture(stage.screenshots / f"{stage.engine.name}-{look}-{view}.png")
        tab.open(tab.run("location.origin") + "/components")
        tab.picture(stage.screenshots / f"{stage.engine.name}-{look}-components.png")
