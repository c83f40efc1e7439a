"""page.js by itself: notes that several people write at once."""

import html
import time

from browsers import expect, until
from scenarios import scenario
from script_morph import is_live
from wire import Wire, card

BOX, ROOM = "#note-1", 0.6
NOTE_SECONDS = 0.4  # between two pieces of what somebody types


def units(text):
    """The length of a text in UTF-16 units, as JavaScript counts."""
    return len(text.encode("utf-16-le")) // 2


def spliced(text, at, out, added):
    old = text.encode("utf-16-le")
    return (old[:2 * at] + added.encode("utf-16-le") + old[2 * (at + out):]).decode("utf-16-le")


def splice(old, new):
    most = min(len(old), len(new))
    start = next((place for place in range(most) if old[place] != new[place]), most)
    end = next((place for place in range(most - start) if old[-1 - place] != new[-1 - place]), most - start)
    return {"at": units(old[:start]), "out": units(old[start:len(old) - end]), "text": new[start:len(new) - end],
            "length": units(new)}


class Note:
    """A note as a node keeps it, at the other end of the wire. Edits that meet are put together if they lie apart."""

    def __init__(self, wire, text):
        self.wire, self.marks, self.writers = wire, {}, ()
        wire.reading, wire.on_note = 0, self.answer
        wire.orders["cards"] = ["c-1"]
        self.set(text)

    def set(self, text):
        """Changes the note, and tells nobody."""
        with self.wire.lock:
            self.text = text
            self.wire.reading += 1
            self.mark = f"m{self.wire.reading}"
            self.marks[self.mark] = text
            self.wire.fragments["c-1"] = card("1", self.box())

    def box(self):
        return ('<form class="note-form" method="post" action="/t/T/note"><input type="hidden" name="item" value="1">'
                '<label for="note-1">Note</label><div id="note-1-box"><textarea id="note-1" name="note" autocomplete="off"'
                f' data-mark="note" data-shown="{self.mark}">{html.escape(self.text)}</textarea></div>'
                '<p id="note-1-state" data-mark="note-state" aria-live="polite"></p><button>Save</button></form>' + self.who())

    def who(self):
        lines = "".join(f'<p data-at="{at}"><span class="avatar hue-{hue}"></span><span><span dir="auto">{html.escape(name)}</span>'
                        ' is writing</span></p>' for name, hue, at in self.writers)
        return f'<div id="note-1-who">{lines}</div>'

    def seat(self, *writers):
        """Tells who else writes: names, hues, and the places of their carets."""
        self.writers = writers
        self.wire.send({"put": [{"id": "note-1-who", "html": self.who()}]})

    def write(self, text):
        """Changes the note as somebody else does: each page is told what differs."""
        with self.wire.lock:
            piece = splice(self.text, text)
            self.set(text)
            self.wire.send({"notes": [{"id": "note-1", "mark": self.mark, "splice": piece}], "reading": self.wire.reading})

    def answer(self, fields):
        if not is_edit(fields):
            return 204, ""
        with self.wire.lock:
            base = self.marks.get(fields["base"])
            if base is None:
                return 409, {"reading": self.wire.reading, "mark": self.mark, "text": self.text}
            new = spliced(base, int(fields["at"]), int(fields["out"]), fields["added"])
            self.write(self.merged(base, new))
            return 200, {"reading": self.wire.reading, "mark": self.mark, "splice": splice(new, self.text)}

    def merged(self, base, new):
        own, others = splice(base, new), splice(base, self.text)
        if own["at"] + own["out"] > others["at"]:
            own["at"] += units(others["text"]) - others["out"]
        return spliced(self.text, own["at"], own["out"], own["text"])


def opened(stage, text):
    wire, tab = Wire(), stage.tab()
    stage.closing.append(wire.stop)
    note = Note(wire, text)
    tab.open(wire.address)
    is_live(tab, wire)
    tab.until("notes.size === 1", "the script knows the note")
    return note, tab


def value(tab):
    return tab.run(f"$({BOX!r}).value")


def carets(tab):
    """Others' carets over the note: their names, and the text before each."""
    return tab.run("[...document.querySelectorAll('.note-caret')].map(mark => { const all = [...mark.parentNode.childNodes];"
                   " const before = all.slice(0, all.indexOf(mark)).filter(it => it.nodeType === 3);"
                   " return [mark.textContent, before.map(it => it.data).join('')]; })")


def put_caret(tab, place):
    tab.run(f"($({BOX!r}).focus(), $({BOX!r}).setSelectionRange({place}, {place}), 1)")


def is_edit(fields):
    """Whether a form changes the note: one that only tells where a caret is has no text."""
    return "added" in fields


def edits(wire):
    return [fields for _, fields, _ in wire.notes if is_edit(fields)]


@scenario("others' text arrives while somebody types: nothing is lost, and the caret stays with its letter")
def note_together(stage):
    note, tab = opened(stage, "one\ntwo 🏡\nthree")
    put_caret(tab, 10)
    tab.run(f"(window.blurs = 0, $({BOX!r}).addEventListener('blur', () => blurs++))")
    for number in range(10):
        tab.write("x")
        with note.wire.lock:
            note.write(f"{number}{note.text}")
        time.sleep(0.05)
    wanted = "9876543210one\ntwo 🏡xxxxxxxxxx\nthree"
    until(lambda: note.text == wanted, 10, "the node has all of it")
    tab.until(f"$({BOX!r}).value === {wanted!r}", "the page has all of it")
    caret = tab.run(f"[$({BOX!r}).selectionStart, $({BOX!r}).selectionEnd]")
    expect(caret == [units("9876543210one\ntwo 🏡xxxxxxxxxx")] * 2, f"the caret is at {caret}")
    expect(tab.run("blurs") == 0, "the note lost the focus")


@scenario("two write at the same place: both texts stay whole, each behind its own caret")
def note_one_place(stage):
    note, tab = opened(stage, "we need")
    put_caret(tab, 7)
    for letter in " tents":
        tab.write(letter)
        with note.wire.lock:
            note.write(note.text + "!")
    until(lambda: note.text.count("!") == 6 and " tents" in note.text, 10, "the node has both")
    tab.until(f"$({BOX!r}).value === {note.text!r}", "the page has both")
    expect(tab.run(f"$({BOX!r}).selectionStart") == len("we need tents"), f"the caret left its word in {note.text!r}")


@scenario("one piece is under way at a time, and what others write meanwhile is put in once")
def note_in_flight(stage):
    note, tab = opened(stage, "one")
    under_way, most = [], []

    def slow(fields):
        under_way.append(1)
        most.append(len(under_way))
        time.sleep(ROOM)
        answer = note.answer(fields)
        under_way.pop()
        return answer
    note.wire.on_note = lambda fields: slow(fields) if is_edit(fields) else (204, "")
    put_caret(tab, 3)
    for number in range(8):
        tab.write("x")
        with note.wire.lock:
            note.write("0" + note.text)
        time.sleep(0.2)
    until(lambda: note.text == "00000000onexxxxxxxx", 15, "the node has all of it")
    tab.until(f"$({BOX!r}).value === '00000000onexxxxxxxx'", "the page has all of it")
    expect(max(most) == 1, f"{max(most)} pieces at once")
    times = [at for at, fields, _ in note.wire.notes if is_edit(fields)]
    pauses = [later - earlier for earlier, later in zip(times, times[1:])]
    expect(all(pause > NOTE_SECONDS * 0.9 for pause in pauses), f"sent again after {min(pauses):.2f} s")


@scenario("what is typed while the node is gone is kept and said to be unsent, and meets what others wrote when it is back")
def note_lost(stage):
    note, tab = opened(stage, "one")
    wire, port = note.wire, note.wire.port
    wire.stop()
    put_caret(tab, 3)
    tab.write(" two")
    tab.until("$('#note-1-state').textContent.startsWith('Not sent yet')", "it is said that it is not sent", 10)
    expect(tab.text("#toast") == "", f"a toast: {tab.text('#toast')!r}")
    tab.write(" three")
    note.set("zero one")
    wire.start(port)
    until(lambda: note.text == "zero one two three", 20, "it arrives")
    tab.until(f"$({BOX!r}).value === 'zero one two three'", "the page has both")
    tab.until("$('#note-1-state').textContent === ''", "it is sent")


@scenario("a piece whose answer is lost is sent again, the same bytes with the same action id")
def note_again(stage):
    note, tab = opened(stage, "one")
    cuts = [None] * 2
    note.wire.on_note = lambda fields: cuts.pop() if cuts and is_edit(fields) else note.answer(fields)
    put_caret(tab, 3)
    tab.write("!")
    until(lambda: note.text == "one!", 10, "it arrives")
    bodies = {text for _, fields, text in note.wire.notes if is_edit(fields)}
    expect(len(bodies) == 1 and "action=" in bodies.pop(), f"bodies: {bodies}")


@scenario("a node that no longer knows the text that was changed says what it has, and the page puts both together, once")
def note_unknown(stage):
    note, tab = opened(stage, "one\ntwo")
    put_caret(tab, 7)
    unanswered = []
    note.wire.on_note = lambda fields: unanswered.append(fields) if is_edit(fields) else (204, "")
    tab.write("!")
    until(lambda: unanswered, 10, "it is sent")
    # The node accepted it, ended before it answered, and restarted; somebody else has written since.
    note.set("zero\none\ntwo!")
    note.marks = {note.mark: note.text}
    note.wire.on_note = note.answer
    wanted = "zero\none\ntwo!"
    tab.until(f"$({BOX!r}).value === {wanted!r}", "the page has it once")
    tab.write("?")
    until(lambda: note.text == wanted + "?", 10, "and goes on")


@scenario("unsent text outlives a reload, and meets what others wrote since")
def note_reload(stage):
    note, tab = opened(stage, "one")
    note.wire.on_note = lambda fields: None
    put_caret(tab, 3)
    tab.write(" two")
    tab.until("Object.keys(localStorage).some(it => it.startsWith('note '))", "it is kept")
    until(lambda: edits(note.wire), 10, "it is tried")
    time.sleep(ROOM)
    note.set("zero one")
    tab.reload()
    note.wire.on_note = note.answer
    is_live(tab, note.wire)
    tab.until(f"$({BOX!r}).value === 'zero one two'", "it is back")
    until(lambda: note.text == "zero one two", 10, "it is sent")
    tab.until("!Object.keys(localStorage).some(it => it.startsWith('note '))", "what was sent is kept no more")


@scenario("nothing is put into a note, and nothing is sent, while a letter is composed")
def note_composed(stage):
    note, tab = opened(stage, "one")
    put_caret(tab, 3)
    tell = f"$({BOX!r}).dispatchEvent(new CompositionEvent('{{}}', {{{{ bubbles: true }}}}))"
    tab.run(tell.format("compositionstart"))
    tab.run(f"($({BOX!r}).setRangeText('か', 3, 3, 'end'), $({BOX!r}).dispatchEvent(new Event('input', {{ bubbles: true }})))")
    note.write("zero one")
    time.sleep(2 * NOTE_SECONDS)
    expect(value(tab) == "oneか" and not edits(note.wire), f"{value(tab)!r}, sent {edits(note.wire)}")
    tab.run(tell.format("compositionend"))
    until(lambda: note.text == "zero oneか", 10, "it is sent")
    tab.until(f"$({BOX!r}).value === 'zero oneか'", "what came meanwhile is put in")


@scenario("why a text is refused stands beneath it, without a toast, and it is sent again once it is another text")
def note_refused(stage):
    note, tab = opened(stage, "one")
    note.wire.on_note = lambda fields: (422, "the note is too long\n") if is_edit(fields) else (204, "")
    put_caret(tab, 3)
    tab.write("!")
    tab.until("$('#note-1-state').textContent === 'Not sent: the note is too long'", "it is said")
    time.sleep(2 * NOTE_SECONDS)
    expect(len(edits(note.wire)) == 1 and value(tab) == "one!", f"sent {edits(note.wire)}, shown {value(tab)!r}")
    expect(tab.text("#toast") == "", f"a toast: {tab.text('#toast')!r}")
    tab.press("Backspace")
    tab.until("$('#note-1-state').textContent === ''", "what was refused is taken back")
    tab.write("!")
    tab.until("$('#note-1-state').textContent === 'Not sent: the note is too long'", "it is said again")
    note.wire.on_note = note.answer
    tab.write("!")
    until(lambda: note.text == "one!!", 10, "it is sent")
    tab.until("$('#note-1-state').textContent === ''", "nothing is wrong any more")


@scenario("white space at the ends is its writer's: it is not sent, not taken away, asked for by nobody, and before what others write there")
def note_blanks(stage):
    note, tab = opened(stage, "one")
    put_caret(tab, 3)
    tab.write(" two ")
    until(lambda: note.text == "one two", 10, "it is sent")
    time.sleep(3 * NOTE_SECONDS)
    expect(value(tab) == "one two ", f"shown {value(tab)!r}")
    count = len(edits(note.wire))
    note.write("zero one two")
    tab.until(f"$({BOX!r}).value === 'zero one two '", "others' text arrives")
    time.sleep(2 * NOTE_SECONDS)
    expect(len(edits(note.wire)) == count, f"sent {edits(note.wire)[count:]}")
    tab.press("Escape")
    expect(tab.run(f"document.activeElement !== $({BOX!r})") and value(tab) == "zero one two ", "Escape leaves the note, and keeps its text")
    # Somebody else goes on at the end that they see: what was typed first stands before their text, at both ends of the wire.
    note.write("zero one twoNoah")
    until(lambda: note.text == "zero one two Noah", 10, "the blank parts both texts")
    tab.until(f"$({BOX!r}).value === 'zero one two Noah'", "the page has both")


@scenario("a note of 100 kB takes typing at once, and sends only what changed", seconds=30)
def note_long(stage):
    text = "\n".join(f"{number}: " + "a line of a long note " * 4 for number in range(1_100)).strip()
    note, tab = opened(stage, text)
    place = text.index("500:")
    put_caret(tab, place)
    began = time.monotonic()
    tab.write("new words ")
    took = time.monotonic() - began
    with note.wire.lock:
        note.write("First of all\n" + note.text)
    wanted = f"First of all\n{text[:place]}new words {text[place:]}"
    until(lambda: note.text == wanted, 10, "the node has both")
    tab.until(f"notes.get('note-1').server.length === {units(wanted)} && $({BOX!r}).value.length === {units(wanted)}", "the page has both")
    expect(tab.run(f"$({BOX!r}).selectionStart") == wanted.index("500:"), "the caret moved")
    expect(all(len(body) < 1_000 for _, _, body in note.wire.notes), f"sent {[len(body) for _, _, body in note.wire.notes]} bytes")
    expect(took < 5, f"ten letters took {took:.1f} s")


@scenario("others' carets stay with their letters while somebody types, before it is sent too, and go with who writes")
def note_carets(stage):
    note, tab = opened(stage, "one\ntwo 🏡\nthree")
    expect(tab.run("$('.note-carets') === null"), "a layer without anybody else")
    note.wire.on_note = lambda fields: None if is_edit(fields) else (204, "")
    note.seat(("Mia <b>", 3, 4), ("Noah", 8, 10))
    until(lambda: carets(tab) == [["Mia <b>", "one\n"], ["Noah", "one\ntwo 🏡"]], 5, "both stand there")
    put_caret(tab, 0)
    tab.write("Zz")
    tab.until(f"$({BOX!r}).value.startsWith('Zzone')", "it is typed")
    expect(carets(tab) == [["Mia <b>", "Zzone\n"], ["Noah", "Zzone\ntwo 🏡"]], f"{carets(tab)}")
    expect(tab.run(f"[$({BOX!r}).selectionStart, document.activeElement === $({BOX!r})]") == [2, True], "the own caret moved")
    layer = tab.run("[$('.note-carets').ariaHidden, getComputedStyle($('.note-caret')).visibility, $('.note-caret').className]")
    expect(layer[0] == "true" and layer[2].startswith("note-caret hue-3"), f"{layer}")
    note.seat(("Noah", 8, 999))
    until(lambda: carets(tab) == [["Noah", "Zzone\ntwo 🏡\nthree"]], 5, "beyond the end is the end")
    note.seat()
    tab.until("$('.note-carets') === null", "nobody else writes")


@scenario("a page tells where its caret is in the node's text, with each piece and when it moves, and when it leaves")
def note_tells(stage):
    note, tab = opened(stage, "one\ntwo")
    told = lambda: [(fields.get("base"), fields["caret"], "added" in fields) for _, fields, _ in note.wire.notes]
    put_caret(tab, 4)
    until(lambda: set(told()) == {("m1", "4", False)}, 5, "where it is")
    tab.write("and ")
    until(lambda: note.text == "one\nand two" and told()[-1][2], 5, "it is sent")
    expect(told()[-1][1] == "8", f"{told()}")
    note.write("zero " + note.text)
    until(lambda: told()[-1][1:] == ("13", False), 5, "it is another place in the new text")
    tab.press("Escape")
    until(lambda: told()[-1][1] == "gone", 5, "it left")


@scenario("a note of 100 kB takes typing at once while somebody else writes in it", seconds=30)
def note_long_carets(stage):
    text = "\n".join(f"{number}: " + "a line of a long note " * 4 for number in range(1_100)).strip()
    note, tab = opened(stage, text)
    place = text.index("500:")
    note.seat(("Noah", 8, text.index("900:")))
    until(lambda: carets(tab) == [["Noah", text[:text.index("900:")]]], 5, "Noah is there")
    put_caret(tab, place)
    began = time.monotonic()
    tab.write("new words ")
    took = time.monotonic() - began
    until(lambda: note.text == f"{text[:place]}new words {text[place:]}", 10, "the node has it")
    expect(took < 5, f"ten letters took {took:.1f} s")
    spent = tab.run("(() => { const note = notes.get('note-1'), began = performance.now(); for (let round = 0; round < 20; round++) {"
                    " note.text = note.control.value + round; drawCarets(note); } return (performance.now() - began) / 20; })()")
    print(f"{stage.engine.name}: drawing carets over 100 kB takes {spent:.1f} ms")
    expect(spent < 50, f"drawing takes {spent:.0f} ms")
