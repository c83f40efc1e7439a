"""Notes on pages of real nodes: several write in one at once, guests too, and a node that is away loses nothing."""

import json

from browsers import expect, until
from homes import card, friends, live, page, world
from node_guest import PHONE, come_in, door
from scenarios import scenario

BOX = ".expanded textarea[data-mark=note]"
LONG_LINES = 1_000  # of 90 letters each


def open_note(tab, title):
    """Opens a card; the selector of its note's box."""
    tab.until(f"{card(title)} !== undefined", f"{title} stands on the page")
    tab.run(f"{card(title)}.querySelector('h3 a').click()")
    tab.until(f"$({BOX!r}) !== null && notes.has($({BOX!r}).id)", f"{title} is open")
    return f"#{tab.run(f'$({BOX!r}).id')}"


def put_caret(tab, box, place):
    """Puts the caret at a place, or for None at the end."""
    tab.click(box)
    place = f"$({box!r}).value.length" if place is None else place
    tab.run(f"$({box!r}).setSelectionRange({place}, {place})")


def value(tab, box):
    return tab.run(f"$({box!r}).value")


@scenario("two homes type into one note at once: no letter is lost, all pages end equal, and each caret is where it was",
          needs_caravan=True, seconds=30)
def notes_at_once(stage):
    jie, noah, _ = homes = world(stage)
    title = f"Nota {stage.engine.name}"
    jie.do("add", title, "--note", "in the middle")
    tabs = ours, noahs = [page(stage, home) for home in homes[:2]]
    box, other = [open_note(tab, title) for tab in tabs]
    put_caret(ours, box, 0)
    put_caret(noahs, other, None)
    for _ in range(12):
        ours.write("a")
        noahs.write("b")
    wanted = "a" * 12 + "in the middle" + "b" * 12
    for tab in tabs:
        tab.until(f"$({box!r}).value === {wanted!r}", "all letters on both pages", 15)
    until(lambda: all(home.items()[title]["note"] == wanted for home in homes[:2]), 10, "all letters on both homes")
    expect(ours.run(f"$({box!r}).selectionStart") == 12, "Jie's caret moved")
    expect(noahs.run(f"$({other!r}).selectionStart") == len(wanted), "Noah's caret moved")
    expect("conflicts" not in jie.items()[title], "there are two notes")
    expect(ours.text("#toast") == "", f"a toast: {ours.text('#toast')!r}")


@scenario("what is typed while the node is stopped arrives, with what others wrote meanwhile", needs_caravan=True, seconds=60)
def notes_node_gone(stage):
    jie, noah = friends(stage, ("Jie", "Noah"), [("Casa do Rio", "--note", "roof terrace")])
    until(lambda: "Casa do Rio" in noah.items(), 10, "Noah has it")
    ours = page(stage, jie)
    box = open_note(ours, "Casa do Rio")
    jie.crash()
    put_caret(ours, box, None)
    ours.write(", near the tram")
    ours.until(f"$('{box}-state').textContent.startsWith('Not sent yet')", "it is said that it is not sent", 15)
    noah.do("edit", "Casa do Rio", "--note", "Large roof terrace")
    jie.up(peers=(noah,))
    live(ours)
    until(lambda: noah.items()["Casa do Rio"]["note"] == "Large roof terrace, near the tram", 30, "Noah has both")
    ours.until(f"$({box!r}).value === 'Large roof terrace, near the tram'", "the page has both")
    ours.until(f"$('{box}-state').textContent === ''", "nothing is unsent")


@scenario("a guest writes in notes of an item and of the trip, and host and guest see each other write", needs_caravan=True, seconds=30)
def notes_of_guests(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    ours, phone = page(stage, jie), stage.tab(**PHONE)
    come_in(phone, door(jie), "Rui")
    box, other = open_note(ours, "Casa do Rio"), open_note(phone, "Casa do Rio")
    phone.type(other, "the key is at the bar")
    ours.until(f"$({box!r}).value === 'the key is at the bar'", "the host reads it")
    ours.until(f"$('{box}-who').textContent.includes('Rui is writing')", "the host sees who writes")
    put_caret(ours, box, 0)
    ours.write("Ring, ")
    phone.until(f"$({other!r}).value === 'Ring, the key is at the bar'", "the guest reads it")
    phone.until(f"$('{other}-who').textContent.includes('Jie is writing')", "the guest sees who writes")
    phone.press("Escape")
    expect(phone.run(f"document.activeElement !== $({other!r})"), "Escape leaves no note")
    ours.until(f"$('{box}-who').textContent === ''", "the guest writes no more")
    expect(jie.items()["Casa do Rio"]["note"] == "Ring, the key is at the bar", "the home has another note")
    phone.run("$('.expanded h3 a').click()")
    phone.until("!$('.expanded')", "the card is closed")
    phone.run("$('#view a[href*=\"view=notes\"]').click()")
    phone.until("$('#trip-note') !== null && notes.has('trip-note')", "the note of the trip")
    phone.type("#trip-note", "Flight at nine")
    ours.open(ours.run("location.origin + location.pathname") + "?view=notes")
    ours.until("$('#trip-note')?.value === 'Flight at nine'", "the host reads the note of the trip")
    room = ours.run("$('#trip-note').getBoundingClientRect().top - $('.notes .hint').getBoundingClientRect().bottom")
    expect(room >= 5, f"the ring of the focus covers the line above the note, which is {room} pixels away")


@scenario("a note of 90 kB is typed in at once, and each page has it", needs_caravan=True, seconds=60)
def notes_long(stage):
    jie, noah, _ = homes = world(stage)
    title = f"Romance {stage.engine.name}"
    jie.do("add", title)
    tabs = ours, noahs = [page(stage, home) for home in homes[:2]]
    box, other = [open_note(tab, title) for tab in tabs]
    ours.click(box)
    ours.run(f"($({box!r}).value = Array({LONG_LINES}).fill('x'.repeat(89)).join('\\n'),"
             f" $({box!r}).dispatchEvent(new Event('input', {{ bubbles: true }})))")
    length = LONG_LINES * 90 - 1
    noahs.until(f"$({other!r}).value.length === {length}", "Noah has all of it", 20)
    put_caret(noahs, other, 45 * 90)
    noahs.write("here")
    put_caret(ours, box, None)
    ours.write("end")
    for tab in tabs:
        tab.until(f"$({box!r}).value.length === {length + 7} && $({box!r}).value.endsWith('xend')", "both pages have both", 20)
    expect(value(noahs, other)[45 * 90:].startswith("here"), "it stands elsewhere")
    expect(noahs.run(f"$({other!r}).selectionStart") == 45 * 90 + 4, "Noah's caret moved")


@scenario("without script a note is a form that saves, and keeps what others wrote meanwhile", engines=("chromium",), needs_caravan=True)
def notes_without_script(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio", "--note", "roof terrace")])
    item = jie.items()["Casa do Rio"]["id"][:12]
    tab = stage.tab(java_script_enabled=False)
    tab.open(jie.link())
    tab.open(tab.page.url.partition("?")[0] + f"?open={item}")
    jie.do("edit", "Casa do Rio", "--note", "Large roof terrace")
    tab.page.fill(f"#note-{item}", "roof terrace\nbreakfast")
    tab.page.click(".note-save")
    expect("Saved the note" in tab.page.text_content("#toast"), "it is not said")
    expect(jie.items()["Casa do Rio"]["note"] == "Large roof terrace\nbreakfast", json.dumps(jie.items()["Casa do Rio"]["note"]))
