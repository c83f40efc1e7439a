"""page.js by itself: what is written is kept, what is sent counts once, and what others wrote meanwhile is told."""

import json
import threading
import time

from browsers import expect, until
from scenarios import scenario
from script_morph import is_live, trip
from wire import card, field, form

PILL = ('<output>0</output><button name="vote" value="for" aria-pressed="{}" data-key="f">▲</button>'
        '<button name="vote" value="against" aria-pressed="false" data-key="a">▼</button>')


def editing(value="Casa", shown=None, author="Noah", price="€90"):
    return card("1", form(field("1", "title", value, shown, author) + field("1", "price", price), back="open=1"))


def edited(stage):
    wire, tab = trip(stage, cards=1)
    wire.put(c_1=editing())
    tab.until("$('#i-1-title') !== null", "the form")
    return wire, tab


def save(tab):
    tab.run("$('form').requestSubmit()")


def sent(wire, number=1):
    return until(lambda: len(wire.acts) >= number and wire.acts[number - 1][1], 10, f"form {number} is sent")


def replace(tab, selector, text):
    """Writes a text into a control as a person does who marks all of it first."""
    tab.click(selector)
    tab.run(f"$({selector!r}).select()")
    tab.type(selector, text)


@scenario("a draft outlives a reload, with what was shown when it was begun")
def draft(stage):
    wire, tab = edited(stage)
    replace(tab, "#i-1-title", "Casa do Tejo")
    tab.until("$('#i-1-title').value === 'Casa do Tejo'", "the typed text")
    wire.fragments["c-1"] = editing("Quinta")
    tab.reload()
    is_live(tab, wire)
    tab.until("$('#i-1-title').value === 'Casa do Tejo'", "the draft")
    expect(tab.text("[data-mark=said]") == "Noah changed this to “Quinta”", f"said: {tab.text('[data-mark=said]')!r}")
    save(tab)
    fields = sent(wire)
    expect((fields["title"], fields["shown-title"]) == ("Casa do Tejo", "Casa"), f"sent {fields}")
    expect((fields["price"], fields["shown-price"]) == ("€90", "€90"), f"sent {fields}")
    tab.until("Object.keys(localStorage).length === 0", "the draft goes once it was sent")
    until(lambda: wire.looks and wire.looks[-1]["query"] == "open=1", 5, "the form closes")


@scenario("what was left unsaved is offered when its form is opened again, and nothing but “keep” brings it back")
def unsaved(stage):
    wire, tab = edited(stage)
    offer = "[...document.querySelectorAll('[data-mark=left]')].find(it => !it.hidden)?.textContent"

    def reopen():
        """Leaves the form and opens it again, as links do."""
        for inside in (card("1"), editing()):
            wire.put(c_1=inside)
            tab.until(f"($('#i-1-title') !== null) === {'true' if inside == editing() else 'false'}", "the form")

    replace(tab, "#i-1-title", "unsaved words")
    reopen()
    expect(tab.run("$('#i-1-title').value") == "Casa", f"the field is {tab.run('$(`#i-1-title`).value')!r}")
    day = tab.run("shownAs(Object.assign(document.createElement('input'), { type: 'date' }), '2026-12-15')")
    expect(day == "15 December 2026", f"a day is offered as {day!r}")
    expect("Unsaved text from just now: “unsaved words”" in (tab.run(offer) or ""), f"offered: {tab.run(offer)!r}")
    replace(tab, "#i-1-price", "€80")
    save(tab)
    fields = sent(wire)
    expect((fields["title"], fields["price"]) == ("Casa", "€80"), f"another field's save sent {fields}")
    reopen()
    tab.click("#f-1-title [data-mark=keep-left]")
    tab.until("$('#i-1-title').value === 'unsaved words'", "it is kept")
    save(tab)
    expect(sent(wire, 2)["title"] == "unsaved words", f"sent {wire.acts[-1][1]}")
    replace(tab, "#i-1-title", "more words")
    reopen()
    tab.click("#f-1-title [data-mark=discard]")
    reopen()
    expect(tab.run(offer) is None and tab.run("$('#i-1-title').value") == "Casa", "what was discarded is offered")


@scenario("a form that is drawn in another place before its answer comes is closed there, and keeps no draft")
def moved_form(stage):
    wire, tab = trip(stage, cards=2)
    plan = '<details class="plan"><summary>Plan</summary>' + form('<input id="plan-1-day" name="day" value="">') + "</details>"
    wire.put(c_1=card("1", plan))
    tab.until("$('#c-1 .plan') !== null", "the form")

    def answer(_):
        wire.put(c_1=card("1"), c_2=card("2", plan))
        time.sleep(0.5)
        toast = '<div id="toast" class="toast shown done" role="status"><p>Moved</p></div>'
        return 200, {"put": [{"id": "toast", "html": toast}]}

    wire.answer = answer
    tab.run("($('.plan').open = true, 1)")
    tab.type("#plan-1-day", "12")
    save(tab)
    tab.until("$('#toast').textContent.includes('Moved')", "the answer")
    expect(tab.run("!$('#c-2 .plan').open && $('#plan-1-day').value === ''"), "the form is open again, with what was sent")
    expect(tab.run("Object.keys(localStorage).length === 0"), "the draft is kept")


@scenario("what another wrote meanwhile stands beneath: keep mine adopts what was seen, use theirs takes the value")
def theirs(stage):
    wire, tab = edited(stage)
    replace(tab, "#i-1-title", "Mine")
    wire.put(c_1=editing("Theirs", price="€100"))
    tab.until("!$('#f-1-title [data-mark=theirs]').hidden", "theirs is told")
    expect(tab.run("$('#i-1-title').value") == "Mine", "the draft was overwritten")
    expect(tab.text("#f-1-title [data-mark=take]") == "use Noah’s", tab.text("#f-1-title [data-mark=take]"))
    expect(tab.run("$('#i-1-price').value") == "€100", "a field that nobody touched is not up to date")
    expect(tab.run("$('#f-1-price [data-mark=theirs]').hidden"), "told of a field that nobody touched")
    tab.click("#f-1-title [data-mark=keep]")
    expect(tab.run("$('#i-1-title').value") == "Mine", "keep mine lost mine")
    save(tab)
    fields = sent(wire)
    expect((fields["title"], fields["shown-title"]) == ("Mine", "Theirs"), f"after keep mine: {fields}")
    replace(tab, "#i-1-title", "Mine again")
    wire.put(c_1=editing("Two", ["Two", "Three"]))
    tab.until("!$('#f-1-title [data-mark=theirs]').hidden", "theirs is told again")
    tab.click("#f-1-title [data-mark=take]")
    expect(tab.run("$('#i-1-title').value") == "Two", "theirs was not used")
    wire.put(c_1=editing("Four"))
    tab.until("$('#i-1-title').value === 'Four'", "what was taken is no draft")


@scenario("what comes back of one's own save while one writes on is told as nobody's, and the next save replaces it")
def own_save(stage):
    wire, tab = edited(stage)
    gate = threading.Event()
    wire.answer = lambda fields: (gate.wait(10), (200, {}))[1]
    replace(tab, "#i-1-title", "Ann")
    save(tab)
    sent(wire)
    tab.type("#i-1-title", "e")
    wire.put(c_1=editing("Ann"))
    wire.send({"title": "seen"})
    tab.until("document.title === 'seen'", "the patch")
    expect(tab.run("$('#f-1-title [data-mark=theirs]').hidden"), f"said: {tab.text('[data-mark=said]')!r}")
    gate.set()
    save(tab)
    fields = sent(wire, 2)
    expect((fields["title"], fields["shown-title"]) == ("Anne", "Ann"), f"sent {fields}")


@scenario("neither pressed: what was shown at the first key is sent, so that both values stand")
def neither(stage):
    wire, tab = edited(stage)
    replace(tab, "#i-1-title", "Mine")
    wire.put(c_1=editing("Theirs"))
    tab.until("!$('#f-1-title [data-mark=theirs]').hidden", "theirs is told")
    wire.put(c_1=editing("Casa"))
    tab.until("$('#f-1-title [data-mark=theirs]').hidden", "theirs goes when it is as it was")
    wire.put(c_1=editing("Theirs"))
    save(tab)
    fields = sent(wire)
    expect((fields["title"], fields["shown-title"]) == ("Mine", "Casa"), f"sent {fields}")


@scenario("a form whose answer is lost is sent again, the same bytes with the same action id")
def retry(stage):
    wire, tab = trip(stage, cards=1, inside=lambda _: form(PILL.format("false")))
    cuts = [None] * 2
    wire.answer = lambda fields: cuts.pop() if cuts else (200, {})
    tab.click("[value=for]")
    sent(wire, 3)
    bodies = {text for _, _, text in wire.acts}
    expect(len(bodies) == 1, f"bodies differ: {bodies}")
    fields = wire.acts[0][1]
    expect(fields["vote"] == "for" and len(fields["action"]) > 20 and fields["stream"].startswith("s"), f"sent {fields}")
    # A browser may itself send once more where a connection that it kept was closed.
    expect(wire.acts[-1][0] - wire.acts[0][0] > 0.3, "sent again without a pause")
    tab.click("[value=against]")
    expect(sent(wire, 4)["action"] != fields["action"], "another action with the same id")


@scenario("what is sent once the node is back is confirmed, and the stream that comes back takes no confirmation away")
def confirmed(stage):
    wire, tab = trip(stage, cards=1, inside=lambda _: form(PILL.format("false")))
    toast = '<div id="toast" class="toast {}" role="status">{}</div>'
    wire.put(toast=toast.format("", ""))
    cuts = [None] * 3
    wire.answer = lambda fields: cuts.pop() if cuts else (200, {"put": [
        {"id": "toast", "html": toast.format("shown done", "<p>Saved</p>")}]})
    tab.click("[value=for]")
    tab.until("$('#toast').textContent.includes('Not sent yet')", "it is told that it is not sent yet", 10)
    tab.until("$('#toast').textContent === 'Saved'", "it is confirmed", 15)
    opened = wire.opened
    wire.cut()
    until(lambda: wire.opened > opened, 10, "the stream is back")
    wire.send({"title": "seen"})
    tab.until("document.title === 'seen'", "its patches come")
    expect(tab.text("#toast") == "Saved", f"the toast is {tab.text('#toast')!r}")


@scenario("a vote shows at once and dimmed, settles with the patch, and goes back where it is refused")
def toggle(stage):
    wire, tab = trip(stage, cards=1, inside=lambda _: form(PILL.format("false")))
    state = "[$('[value=for]').getAttribute('aria-pressed'), $('[value=for]').hasAttribute('data-pending')].join()"
    tab.click("[value=for]")
    expect(tab.run(state) == "true,true", f"while it is sent: {tab.run(state)}")
    wire.put(c_1=card("1", form(PILL.format("false"))))  # a patch that does not know of the vote yet
    wire.send({"title": "seen"})
    tab.until("document.title === 'seen'", "the patch")
    expect(tab.run(state) == "true,true", f"after a patch that does not have it: {tab.run(state)}")
    wire.put(c_1=card("1", form(PILL.format("true"))))
    tab.until(f"{state} === 'true,false'", "the patch settles it")
    toast = '<div id="toast" class="toast shown problem" role="alert"><p>Nothing can be saved.</p></div>'
    wire.answer = lambda fields: (422, {"put": [{"id": "toast", "html": toast}]})
    tab.click("[value=against]")
    tab.until(f"$('#toast').textContent === 'Nothing can be saved.' && {state} === 'true,false'", "it goes back")
    expect(tab.run("$('[value=against]').getAttribute('aria-pressed')") == "false", "what was refused stays pressed")


@scenario("a form without fields is emptied once it was sent, and not where it was refused or written on")
def emptied(stage):
    wire, tab = trip(stage, cards=1, inside=lambda _: form('<input id="what" name="what"><button>Add</button>'))
    wire.answer = lambda fields: (422, {})
    tab.type("#what", "Casa")
    tab.click("button")
    sent(wire)
    tab.until("!$('[data-pending]')", "the answer")
    expect(tab.run("$('#what').value") == "Casa", "what was refused is lost")
    wire.answer = lambda fields: (200, {})
    tab.click("button")
    tab.until("$('#what').value === ''", "the box is emptied")
    expect(json.loads(tab.run("JSON.stringify({ ...localStorage })")) == {}, "the draft stayed")


@scenario("a box that is drawn with a value shows what was saved, until a patch has another value")
def kept_value(stage):
    inside = '<input id="count" name="count" value="{}"><button>Set</button>'
    wire, tab = trip(stage, cards=1, inside=lambda _: form(inside.format(3)))
    replace(tab, "#count", "12")
    tab.click("button")
    sent(wire)
    tab.until("!$('[data-pending]')", "the answer")
    expect(tab.run("$('#count').value") == "12", f"the box holds {tab.run('$(`#count`).value')!r}")
    wire.put(c_1=card("1", form(inside.format(7))))
    tab.until("$('#count').value === '7'", "what another person sets comes")
