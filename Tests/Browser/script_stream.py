"""page.js by itself: its stream ends when nobody looks, comes back by itself, and links are followed on it."""

import time

from browsers import expect, until
from scenarios import scenario
from script_morph import has_order, is_live, trip
from wire import card

# Browsers that are driven never hide a page: the page is told so by the property and the event that tell it.
HIDE = "Object.defineProperty(document, 'hidden', {{ configurable: true, value: {} }}), " \
       "document.dispatchEvent(new Event('visibilitychange'))"


@scenario("a page that is hidden closes its stream, and is up to date again when it is seen")
def hidden(stage):
    wire, tab = trip(stage, cards=2)
    tab.run(HIDE.format("true"))
    until(lambda: not wire.streams, 5, "the stream is closed")
    wire.place("c-2", "c-1")
    tab.run(HIDE.format("false"))
    has_order(tab, ["c-2", "c-1"])


@scenario("a page that was left closes its stream, and opens one when its reader comes back")
def left(stage):
    wire, tab = trip(stage, cards=2)
    tab.run(f"location.assign('http://127.0.0.1:{wire.port}/other')")
    until(lambda: not wire.streams, 5, "the stream is closed")
    # Its stream ends before the other page stands there, and a driver that is told to go back in between loses its page.
    tab.until("document.title === 'Another page' && document.readyState === 'complete'", "the other page")
    wire.place("c-2", "c-1")
    tab.back()
    is_live(tab, wire)
    has_order(tab, ["c-2", "c-1"])


@scenario("“reconnecting…” is said after three seconds without a stream, not before, and goes when it is back")
def reconnecting(stage):
    wire, tab = trip(stage, cards=2)
    port, word = wire.port, "✓up to date with everyone"
    sign, text = '<span class="sync-sign" aria-hidden="true">✓</span>', '<span dir="auto">up to date with everyone</span>'
    wire.put(sync=f'<div id="sync"><a href="?view=status">{sign}{text}</a></div>')
    tab.until(f"$('#sync').textContent === {word!r}", "the word")
    wire.stop()
    began = time.monotonic()
    tab.until("$('#sync').textContent === '↻reconnecting…'", "it is said, and not under a tick")
    took = time.monotonic() - began
    expect(2.5 < took < 6, f"said after {took:.1f} s")
    wire.start(port)
    tab.until(f"$('#sync').textContent === {word!r}", "the word is back")
    wire.put(c_1=card("1", "<p>after</p>"))
    tab.until("$('#c-1 p')?.textContent === 'after'", "patches come again")
    opened = wire.opened
    wire.cut()
    until(lambda: wire.opened > opened, 5, "a stream that ended is opened again")
    expect(tab.text("#sync") == word, "a short break is spoken of")


@scenario("after ten seconds without an answer, its owner reads how to start Caravan, a guest reads the name of the host, and no countdown stays",
          seconds=60)
def silent(stage):
    wire, tab = trip(stage, cards=1)
    port, later = wire.port, '<time data-moment="99999999999999" data-countdown="">later</time>'
    wire.put(c_1=card("1", f'<div class="door-notice">{later}</div>'))
    tab.until("$('.door-notice') !== null", "the door's notice")
    wire.stop()
    began = time.monotonic()
    tab.until("$('#toast').textContent.includes('Start it with “caravan up”')", "what helps", 20)
    expect(time.monotonic() - began > 8, "it is said at once")
    expect(tab.run("$('.door-notice') === null"), "a countdown stays")
    wire.start(port)
    tab.until("$('#toast').textContent === '' && $('.door-notice') !== null", "all is back")
    wire.put(c_1=card("1", f'<p data-mark="guest" data-silent="Ask Jie.">You are a guest until {later}</p>'))
    tab.until("$('[data-mark=guest]') !== null", "the guest's notice")
    wire.stop()
    tab.until("$('[data-mark=guest]').innerText.trim() === 'Ask Jie.' && $('#toast').textContent.startsWith('Ask Jie.')", "the name of the host", 20)
    wire.start(port)
    tab.until("$('[data-mark=guest]').innerText.startsWith('You are a guest until')", "the notice is back")


@scenario("a node that comes back and lets no guests in says so to its owner", seconds=40)
def door_shut(stage):
    wire, tab = trip(stage, cards=1)
    port, door = wire.port, '<div class="door-notice"><time data-moment="99999999999999" data-countdown="">later</time></div>'
    wire.put(c_1=card("1", door))
    tab.until("$('.door-notice') !== null", "the door's notice")
    wire.stop()
    tab.until("isLost", "the page is lost", 10)
    wire.fragments["c-1"] = card("1")
    wire.start(port)
    tab.until("$('.door-notice') === null && $('#toast').textContent.startsWith('Guests can no longer use the page.')", "it is said")


@scenario("a stream without a beat for 40 s is given up, though it is open", engines=("chromium",))
def watchdog(stage):
    wire, tab = trip(stage, cards=1)
    tab.page.clock.install()
    tab.reload()
    is_live(tab, wire)
    opened = wire.opened
    for _ in range(3):
        tab.page.clock.run_for(20_000)
        for stream in wire.streams:
            stream.put(("beat", {}))
        time.sleep(0.2)
    expect(wire.opened == opened, "a stream that beats was given up")
    tab.page.clock.run_for(39_000)
    time.sleep(0.3)
    expect(wire.opened == opened, "given up before its time")
    tab.page.clock.run_for(9_000)
    until(lambda: wire.opened > opened, 5, "another stream")


@scenario("a link changes what the page shows without a load, and Back goes back")
def links(stage):
    wire, tab = trip(stage, cards=2)
    tab.run("window.isSamePage = true")
    tab.click("#c-2 a")
    until(lambda: wire.looks and wire.looks[-1]["query"] == "open=2", 5, "the look")
    expect(wire.looks[-1]["stream"].startswith("s"), f"sent {wire.looks[-1]}")
    expect(tab.run("location.search") == "?open=2", "the address")
    tab.click("#sync a")
    until(lambda: wire.looks[-1]["query"] == "view=status", 5, "the second look")
    tab.back()
    until(lambda: wire.looks[-1]["query"] == "open=2", 5, "back")
    expect(tab.run("location.search") == "?open=2" and tab.run("window.isSamePage === true"), "the page was loaded")
    expect(len(wire.looks) == 3, f"looks: {wire.looks}")


@scenario("what is typed into the search is looked for, and no answer overwrites what was typed since")
def search(stage):
    def box(value):
        return f'<form id="f" method="get" action="/t/T/"><input id="find" name="find" type="search" value="{value}"></form>'
    wire, tab = trip(stage, cards=1)
    wire.put(c_1=card("1", box("")))
    tab.until("$('#find') !== null", "the box")
    steps = tab.run("history.length")
    tab.type("#find", "cas")
    until(lambda: wire.looks and wire.looks[-1]["query"] == "find=cas", 5, "the look")
    tab.type("#find", "a")
    wire.put(c_1=card("1", box("cas") + "<p>found</p>"))
    tab.until("$('#c-1 p')?.textContent === 'found'", "the answer")
    expect(tab.run("$('#find').value") == "casa", f"typed, and then {tab.run('$(`#find`).value')}")
    expect(tab.run("location.search").startswith("?find=cas") and tab.run("history.length") == steps, "history grew")
