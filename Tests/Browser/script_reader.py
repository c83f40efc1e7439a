"""page.js by itself: keys, toasts, copies, moments, and words for who does not see the page."""

import time

from browsers import expect, until
from scenarios import scenario
from script_forms import PILL, sent
from script_morph import trip
from wire import card, form

GOING = '<button name="attendance" value="none" aria-pressed="true">Going</button>'


@scenario("keys walk the cards, vote and search; never while typing, and not where they are switched off")
def keys(stage):
    box = '<input id="find" type="search" data-key="/"><label><input type="checkbox" data-mark="keys">Keys</label>'
    wire, tab = trip(stage, cards=3, inside=lambda _: form(PILL.format("false")) + form(GOING))
    wire.fragments["tools"] = f'<div id="tools">{box}</div>'
    tab.reload()
    tab.until("typeof streamID === 'string'", "the stream")
    card_at = "document.activeElement.closest('[data-card]')?.dataset.card"
    for key, place in [("j", "1"), ("j", "2"), ("j", "3"), ("j", "3"), ("k", "2")]:
        tab.press(key)
        expect(tab.run(card_at) == place, f"{key}: {tab.run(card_at)}")
    tab.press("u")
    expect(not wire.acts, f"there is no vote to withdraw, and the answer stays: {wire.acts}")
    tab.press("f")
    expect(sent(wire)["vote"] == "for", f"sent {wire.acts}")
    tab.until("$('#c-2 [value=for]').getAttribute('aria-pressed') === 'true'", "the vote is shown")
    acts = len(wire.acts)
    tab.press("f")
    expect(len(wire.acts) == acts, "f again withdraws no vote")
    tab.press("/")
    expect(tab.run("document.activeElement.id") == "find", "/ leads to the search")
    tab.press("f")
    expect(tab.run("$('#find').value") == "f", "the letter was not typed")
    tab.press("Escape")
    expect(tab.run("document.activeElement === document.body"), "Escape leaves the control")
    expect(tab.run("$('[data-mark=keys]').checked"), "the box says that keys are off")
    tab.click("[data-mark=keys]")
    tab.run("$('#c-1 a').focus()")
    tab.press("j")
    tab.press("a")
    expect(tab.run(card_at) == "1" and len(wire.acts) == 1, "keys that are switched off do something")
    tab.reload()
    tab.until("typeof streamID === 'string'", "the stream")
    expect(not tab.run("$('[data-mark=keys]').checked"), "the choice was not kept")


@scenario("a copy button copies and says so, on an insecure origin too", engines=("chromium",))
def copied(stage):
    wire, tab = trip(stage, cards=1, inside=lambda _: '<button type="button" data-copy="caravan://x">Copy link</button>')
    for address in (wire.address, wire.address.replace("127.0.0.1", "guest.test")):
        tab.page.clock.install()
        tab.open(address)
        tab.until("typeof streamID === 'string'", "the stream")
        expect(tab.run("window.isSecureContext") == ("127.0.0.1" in address), "which origin this is")
        tab.page.evaluate("document.addEventListener('copy', () => { window.copiedText = String(getSelection()); })")
        tab.click("[data-copy]")
        tab.until("$('[data-copy]').textContent === 'Copied'", "it says so")
        expect(not tab.run("!isSecureContext && window.copiedText !== 'caravan://x'"), "something else was copied")
        tab.page.clock.run_for(2_500)
        expect(tab.text("[data-copy]") == "Copy link", "the label is not back")


@scenario("moments are written in the reader's own time, the old ones as the page writes all dates", engines=("chromium",))
def moments(stage):
    now = int(time.time() * 1000)
    wire, tab = trip(stage, cards=1)
    tab = stage.tab(locale="de-DE", timezone_id="Asia/Tokyo")
    wire.fragments["c-1"] = card("1", f'<time data-moment="{now - 300_000}">then</time><time data-moment="0">long ago</time>')
    tab.open(wire.address)
    tab.until("$('time').textContent === 'vor 5 Minuten'", "five minutes ago")
    said = tab.run("document.querySelectorAll('time')[1].textContent")
    expect(said == "Thu 1 January 1970, 09:00", f"long ago: {said}")


@scenario("what others do is spoken, the last of it, every five seconds at most", engines=("chromium",))
def speech(stage):
    wire, tab = trip(stage, cards=1)
    tab.page.clock.install()
    wire.fragments["just-now"] = '<section id="just-now"><ol></ol></section>'
    tab.reload()
    tab.until("typeof streamID === 'string'", "the stream")
    tab.page.clock.run_for(10_000)
    spoken = "$('[role=status].unseen').textContent"

    def news(words):
        wire.put(just_now=f'<section id="just-now"><ol><li><p>{words}</p></li></ol></section>')
        tab.until(f"$('#just-now p')?.textContent === {words!r}", "the news")
        tab.page.clock.run_for(500)

    news("Noah voted")
    until(lambda: tab.run(spoken) == "Noah voted", 5, "the first is spoken at once")
    news("Mia voted")
    news("Mia added a tent")
    expect(tab.run(spoken) == "Noah voted", "spoken too often")
    tab.page.clock.run_for(5_000)
    expect(tab.run(spoken) == "Mia added a tent", f"spoken: {tab.run(spoken)}")
    wire.put(just_now='<section id="just-now"><ol><li><p>Jie undid an earlier change:</p><p>Jie restored a tent</p><p class="hint">now</p>'
                      '</li><li><p>Mia added a tent</p></li></ol></section>')
    tab.until("$('#just-now .hint') !== null", "the news")
    tab.page.clock.run_for(6_000)
    expect(tab.run(spoken) == "Jie undid an earlier change: Jie restored a tent", f"spoken: {tab.run(spoken)}")
