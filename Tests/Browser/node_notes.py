"""Notes on pages of real nodes: several write in one at once, guests too, and a node that is away loses nothing."""

import json

from browsers import expect, until
from homes import card, friends, live, page, world
from node_guest import PHONE, come_in, door
from scenarios import scenario
from script_notes import carets

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


def stands(tab, box, line, words):
    """Whether the first caret stands in a line of the box, counted from 0, behind words that begin it: to some pixels."""
    return tab.run(
        f"(() => {{ const box = $({box!r}), style = getComputedStyle(box), mark = $('.note-caret').getBoundingClientRect();"
        " const pen = document.createElement('canvas').getContext('2d'), { left, top } = box.getBoundingClientRect();"
        " pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;"
        f" const x = left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft) + pen.measureText({words!r}).width;"
        f" const y = top + parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop) + ({line} + 0.5) * parseFloat(style.lineHeight);"
        " return [mark.left - x, (mark.top + mark.bottom) / 2 - y + box.scrollTop].map(Math.round); })()")


@scenario("two homes see each other's name and caret in a note; a caret moves with its letter, and goes when its person leaves",
          needs_caravan=True, seconds=40)
def notes_carets(stage):
    jie, noah, _ = homes = world(stage)
    title = f"Cursor {stage.engine.name}"
    jie.do("add", title, "--note", "roof terrace\nbreakfast")
    ours, noahs = [page(stage, home) for home in homes[:2]]
    box, other = [open_note(tab, title) for tab in (ours, noahs)]
    expect(ours.run("$('.note-carets') === null"), "a layer without anybody else")
    put_caret(noahs, other, 4)
    until(lambda: carets(ours) == [["Noah", "roof"]], 10, "Noah's caret on Jie's page")
    expect(ours.run(f"$('{box}-who').textContent") == "NoNoah is writingline 1", ours.run(f"$('{box}-who').textContent"))
    off = stands(ours, box, 0, "roof")
    expect(max(map(abs, off)) <= 3, f"the mark stands {off} pixels from its letter")
    put_caret(ours, box, 0)
    ours.write("Large ")
    until(lambda: carets(ours) == [["Noah", "Large roof"]], 10, "it moves with its letter")
    expect(ours.run(f"$({box!r}).selectionStart") == 6, "Jie's caret moved")
    until(lambda: carets(noahs) == [["Jie", "Large "]], 10, "Jie's caret on Noah's page")
    expect(noahs.run(f"$({other!r}).selectionStart") == 10, "Noah's caret moved")
    put_caret(noahs, other, None)
    for _ in range(3):
        noahs.press("Enter")
    noahs.write("late")
    until(lambda: carets(ours) == [["Noah", "Large roof terrace\nbreakfast\n\n\nlate"]], 10, "and with what is typed")
    ours.until(f"$('{box}-who').textContent.endsWith('line 5')", "the line")
    off = stands(ours, box, 4, "late")
    expect(max(map(abs, off)) <= 3, f"the mark stands {off} pixels from its letter")
    noahs.press("Escape")
    ours.until(f"$('.note-carets') === null && $('{box}-who').textContent === ''", "Noah writes no more", 5)
    expect(noahs.run("$('.note-caret')?.textContent") == "Jie", "Jie still does")


@scenario("a guest's caret is seen from another home, and theirs on the guest's narrow phone; it goes with the phone's page",
          needs_caravan=True, seconds=40)
def notes_guest_carets(stage):
    jie, noah = friends(stage, ("Jie", "Noah"), [("Casa do Rio", "--note", "the key is under the third stone " * 8)])
    until(lambda: "Casa do Rio" in noah.items(), 10, "Noah has it")
    noahs, phone = page(stage, noah), stage.tab(**PHONE)
    come_in(phone, door(jie), "Rui")
    box, other = open_note(noahs, "Casa do Rio"), open_note(phone, "Casa do Rio")
    put_caret(phone, other, 7)
    until(lambda: carets(noahs) == [["Rui", "the key"]], 10, "Rui's caret on Noah's page")
    put_caret(noahs, box, None)
    text = value(noahs, box)
    until(lambda: carets(phone) == [["Noah", text]], 10, "Noah's caret on the phone")
    inside = phone.run(
        f"(() => {{ const room = $({other!r}).getBoundingClientRect(), isIn = ({{ left, right, top, bottom }}) => left >= room.left - 1"
        " && right <= room.right + 1 && top >= room.top - 1 && bottom <= room.bottom + 1;"
        " return ['.note-caret', '.note-caret > span'].every(it => isIn($(it).getBoundingClientRect())); })()")
    expect(inside, "a mark or a name stands outside of the box")
    expect(phone.run("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the phone")
    if stage.screenshots:
        phone.picture(stage.screenshots / "note-carets.png")
    phone.open(phone.run("location.origin + location.pathname") + "?view=days")
    noahs.until(f"$('.note-carets') === null && $('{box}-who').textContent === ''", "Rui is gone", 15)


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


@scenario("a text that is too long for a note stays in its box, and the page says how long it is", needs_caravan=True,
          engines=("chromium",))
def notes_too_long(stage):
    jie, *_ = world(stage)
    title = f"Long {stage.engine.name}"
    jie.do("add", title)
    tab = page(stage, jie)
    box = open_note(tab, title)
    put_caret(tab, box, 0)
    tab.page.keyboard.insert_text("x" * 100_001)
    tab.until(f"$('{box}-state').textContent.includes('100001 characters, more than 100000')", "the page says how long it is")
    expect(len(value(tab, box)) == 100_001, "nothing is cut")
    tab.page.keyboard.press("Backspace")
    tab.until(f"$('{box}-state').textContent === ''", "the shortened text is sent")
