"""page.js by itself: what a person is at stays as it is while all else changes."""

import time

from browsers import expect, until
from scenarios import scenario
from wire import Wire, card, field, form

ORDERINGS, SECONDS_BETWEEN = 300, 0.01


def trip(stage, cards=10, inside=lambda item: ""):
    """A page with so many cards, open in a tab."""
    wire, tab = Wire(), stage.tab()
    stage.closing.append(wire.stop)
    for item in map(str, range(1, cards + 1)):
        wire.fragments[f"c-{item}"] = card(item, inside(item))
        wire.orders["cards"].append(f"c-{item}")
    tab.open(wire.address)
    is_live(tab, wire)
    return wire, tab


def is_live(tab, wire):
    until(lambda: wire.streams, 10, "the page opens its stream")
    tab.until("typeof streamID === 'string'", "the page heard hello")


def order(tab, listing="cards"):
    return tab.run(f"[...$('#{listing}').children].map(it => it.id)")


def has_order(tab, wanted, listing="cards"):
    until(lambda: order(tab, listing) == wanted, 10, f"the order {' '.join(wanted)}")


@scenario("focus, caret and draft stay in a card through 300 re-orderings, a hundred a second")
def caret(stage):
    wire, tab = trip(stage, inside=lambda item: form(field(item, "title", f"Stay {item}")) if item == "5" else "")
    control = "$('#i-5-title')"
    tab.click("#i-5-title")
    tab.run(f"(window.blurs = 0, {control}.addEventListener('blur', () => blurs++), {control}.setSelectionRange(4, 4))")
    tab.type("#i-5-title", "X")
    names = list(wire.orders["cards"])
    for turn in range(ORDERINGS):
        # Moves one to the front, by turns the edited one itself; and its fragment is redrawn each time.
        name = names[turn * 7 % len(names)]
        front = wire.orders["cards"][0]
        if name != front:
            wire.place(name, front)
        wire.put(c_5=card("5", form(field("5", "title", "Stay 5")) + f"<p>{turn}</p>"))
        time.sleep(SECONDS_BETWEEN)
    has_order(tab, wire.orders["cards"])
    tab.type("#i-5-title", "Y")
    expect(tab.run(f"{control}.value") == "StayXY 5", f"the draft is {tab.run(f'{control}.value')!r}")
    expect(tab.run(f"document.activeElement === {control}"), "the control lost the focus")
    blurs = tab.run("blurs")
    expect(blurs == 0, f"{blurs} blurs")


@scenario("a patch changes texts, attributes and order, brings and drops fragments, and keeps the elements themselves")
def patch(stage):
    wire, tab = trip(stage, cards=4, inside=lambda item: f"<p>{item}</p><details><summary>more</summary>x</details>")
    tab.run("(window.kept = $('#c-2'), $('#c-2 details').open = true)")
    wire.put(c_2=card("2", '<p class="new">two</p><details><summary>more</summary>x</details><button>b</button>'))
    tab.until("$('#c-2 p').className === 'new' && $('#c-2 p').textContent === 'two'", "the new text")
    expect(tab.run("window.kept === $('#c-2')"), "the element was replaced")
    expect(tab.run("$('#c-2 details').open"), "the disclosure was closed under its reader")
    wire.orders["cards"] = ["c-5", "c-4", "c-2", "c-1"]
    wire.fragments["c-5"] = card("5")
    wire.send({"title": "Another", "put": [{"id": "c-5", "html": card("5")}], "drop": ["c-3"],
               "place": [["c-4", "cards", "c-1"], ["c-5", "cards", "c-4"], ["c-1", "cards", None]]})
    has_order(tab, ["c-5", "c-4", "c-2", "c-1"])
    expect(tab.run("document.title") == "Another", "the title")
    wire.orders["cards"] = ["c-1", "c-6", "c-5"]
    wire.fragments["c-6"] = card("6")
    wire.cut()
    has_order(tab, ["c-1", "c-6", "c-5"])


@scenario("a list is not re-ordered under the focus: a chip says so, and its tap brings the order")
def chip(stage):
    wire, tab = Wire(), stage.tab()
    stage.closing.append(wire.stop)
    wire.orders["ranking"] = []
    for item in "123":
        wire.fragments[f"r-{item}"] = f'<article id="r-{item}"><a href="?open={item}">{item}</a></article>'
        wire.orders["ranking"].append(f"r-{item}")
    tab.open(wire.address)
    is_live(tab, wire)
    tab.run("$('#r-3 a').focus()")
    wire.place("r-3", "r-1", "ranking")
    tab.until("!$('[data-mark=order]').hidden", "the chip")
    expect(order(tab, "ranking") == ["r-1", "r-2", "r-3"], "the list moved under the focus")
    tab.click("[data-mark=order]")
    has_order(tab, ["r-3", "r-1", "r-2"], "ranking")
    expect(tab.run("$('[data-mark=order]').hidden"), "the chip stayed")
    tab.run("document.activeElement.blur()")
    tab.point_away()
    wire.place("r-2", "r-3", "ranking")
    has_order(tab, ["r-2", "r-3", "r-1"], "ranking")
