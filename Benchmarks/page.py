"""The page's figures, on real nodes and Chromium: a click and a letter to the other page's pixel, a slow phone, first view, scroll, bytes of
a patch.

usage: Scripts/browser Benchmarks/page.py CARAVAN [--rounds 200]
Prints a line of JSON for each. Everything happens in a folder of its own, which goes at the end.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "Tests/Browser")]

import homes  # noqa: E402
import node  # noqa: E402
from browsers import Chromium, until  # noqa: E402
from node_guest import PHONE, door  # noqa: E402
from node_notes import open_note  # noqa: E402
from scenarios import Stage  # noqa: E402

FRAMES_WANTED, FRAME_MS, SCROLL_SECONDS, PAUSE_SECONDS = 60, 1000 / 60, 5, 0.07
# A cheap phone on a poor network: the processor's slowness, bytes a second either way, and the wait for an answer.
SLOW_PROCESSOR, SLOW_BYTES, SLOW_WAIT_MS = 6, 1_600_000 / 8, 150
# When the frame was drawn that shows another tally than before: after the mutation comes the frame, and after its
# rendering the message.
WATCH = """() => { window.shownVotes = [];
    const tally = () => document.querySelector('#cards .tally').textContent;
    let last = tally();
    new MutationObserver(() => {
        if (tally() === last) return;
        last = tally();
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => shownVotes.push(performance.timeOrigin + performance.now());
            port2.postMessage(0);
        });
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
# The same of a note's text. A box tells nobody that a script changed it, so each frame looks.
WATCH_NOTE = """selector => { window.shownTexts = [];
    const box = document.querySelector(selector);
    let last = box.value;
    const look = () => {
        if (box.value !== last) shownTexts.push(performance.timeOrigin + performance.now());
        last = box.value;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
TYPE = """selector => { const typed = performance.timeOrigin + performance.now(), box = document.querySelector(selector);
    box.setRangeText('x', box.value.length, box.value.length, 'end');
    box.dispatchEvent(new Event('input', { bubbles: true }));
    return typed; }"""
CLICK = """() => { const clicked = performance.timeOrigin + performance.now();
    document.querySelector('#cards .pill .for').click();
    return clicked; }"""
# What a stream of the same page is sent, in bytes, where the browser has what the document showed; or else nothing.
SECOND_STREAM = "(window.patches = [], new EventSource(STREAM + '?' + {query}).addEventListener('patch'," \
                " event => patches.push(new Blob([event.data]).size)), 1)"
SCROLL = """seconds => new Promise(done => {
    const frames = [], end = performance.now() + seconds * 1000;
    let blank = 0;
    const step = now => {
        frames.push(now);
        blank += byId('later').getBoundingClientRect().top < innerHeight;
        scrollBy(0, 120);
        now < end ? requestAnimationFrame(step) : done({ frames, blank });
    };
    requestAnimationFrame(step);
})"""
TO_END = """last => new Promise(done => {
    const began = performance.now();
    scrollTo(0, document.documentElement.scrollHeight);
    const look = () => {
        const card = document.querySelector('#cards').lastElementChild, isLast = card.querySelector('h3').textContent === last;
        if (isLast && isInSight(card)) return done(performance.now() - began);
        scrollTo(0, document.documentElement.scrollHeight);
        requestAnimationFrame(look);
    };
    look();
})"""
SEARCH = """text => new Promise(done => {
    const began = performance.now();
    source.addEventListener('patch', () => done(performance.now() - began), { once: true });
    go(new URL('?find=' + text, location), 'replaceState');
})"""
MOMENTS = """() => {
    const { responseStart, responseEnd, domContentLoadedEventStart } = performance.getEntriesByType('navigation')[0];
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return [responseStart, responseEnd, domContentLoadedEventStart, paint.startTime];
}"""


def quantiles(times):
    return {"median_ms": round(statistics.median(times), 1), "p99_ms": round(statistics.quantiles(times, n=100)[98], 1),
            "max_ms": round(max(times), 1)}


def say(**row):
    print(json.dumps(row), flush=True)


def click_to_pixel(stage, rounds):
    jie, noah = homes.friends(stage, ("Jie", "Noah"), [("Casa do Rio",)])
    until(lambda: noah.items(), 10, "Noah has it")
    one, other = homes.page(stage, jie), homes.page(stage, noah)
    other.page.evaluate(WATCH)
    times = []
    for _ in range(rounds):
        count = len(times)
        clicked = one.page.evaluate(CLICK)
        until(lambda: other.run("shownVotes.length") > count, 10, "the vote on the other page")
        times.append(other.run("shownVotes.at(-1)") - clicked)
        one.until("!document.querySelector('[data-pending]')", "the vote is durable here")
        time.sleep(PAUSE_SECONDS)
    disk = [node.sync(str(stage.folder), 20) * 1e3 for _ in range(10)]
    say(act="a click on one home's page to the other page's pixel", rounds=rounds, **quantiles(times),
        fdatasync_ms=round(statistics.median(disk), 2), bounds={"median_ms": 50, "p99_ms": 150})


def key_to_pixel(stage, rounds):
    """A letter in a note. A page waits so long before it sends, so that what is typed in the meantime goes with it."""
    title = "Casa do Rio"
    jie, noah = homes.friends(stage, ("Jie", "Noah"), [(title, "--note", "roof terrace")])
    until(lambda: noah.items(), 10, "Noah has it")
    one, other = homes.page(stage, jie), homes.page(stage, noah)
    box, others = open_note(one, title), open_note(other, title)
    other.page.evaluate(WATCH_NOTE, others)
    times = []
    for number in range(rounds):
        typed = one.page.evaluate(TYPE, box)
        until(lambda: other.run("shownTexts.length") > number, 10, "the letter on the other page")
        times.append(other.run("shownTexts.at(-1)") - typed)
        time.sleep(PAUSE_SECONDS)
    say(act="a letter in a note on one home's page to the other page's frame", rounds=rounds, sent_after_ms=one.run("NOTE_MS"),
        **quantiles(times))


def planned(stage, name, count):
    """A home of so many items, which everybody could vote for."""
    home = homes.Home(stage.caravan, stage.folder, name)
    home.do("new", "Lisbon in June", "--as", "Jie")
    stage.closing.append(home.down)
    home.up()
    door = node.Node.__new__(node.Node)
    door.home, door.trip = str(home.folder / "home"), next((home.folder / "home/trips").iterdir()).name
    for first in range(0, count, node.BATCH):
        door.ask({"add": {"_0": [node.item(number) for number in range(first, min(count, first + node.BATCH))]}})
    return home


def first_view(stage, count=1000, loads=9):
    home = planned(stage, "thousand", count)
    tab = homes.page(stage, home)
    # All that a browser is sent that was never here before: the document, its files, and what its stream adds to them.
    files = tab.run("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
                    ".reduce((sum, it) => sum + it.transferSize, 0)")
    tab.run(SECOND_STREAM.format(query="new URLSearchParams({ drawn })"))
    time.sleep(1)
    streamed, address = sum(tab.run("patches")), tab.run("location.href")
    moments = []
    for _ in range(loads):
        tab.open(address)
        tab.until("performance.getEntriesByName('first-contentful-paint').length > 0", "it is painted")
        tab.until("typeof streamID === 'string'", "it is live")
        moments.append(tab.page.evaluate(MOMENTS))
    began, ended, parsed, painted = (round(statistics.median(column), 1) for column in zip(*moments))
    say(act="the first view", items=count, median_ms=painted, max_ms=round(max(row[3] for row in moments), 1),
        of_it={"first_byte_ms": began, "last_byte_ms": ended, "script_done_ms": parsed}, files_kB=round(files / 1e3, 1),
        stream_kB=round(streamed / 1e3, 1), bounds={"ms": 200, "kB": 200})


def scroll(stage, count=10_000):
    home = planned(stage, "tens", count)
    tab = homes.page(stage, home)
    tab.page.evaluate(SCROLL, 1)
    stage.engine.browser.start_tracing(page=tab.page, categories=["-*", "disabled-by-default-devtools.timeline.frame"])
    scrolled = tab.page.evaluate(SCROLL, SCROLL_SECONDS)
    events = json.loads(stage.engine.browser.stop_tracing())["traceEvents"]
    drawn = sorted(event["ts"] / 1e3 for event in events if event["name"] == "DrawFrame")
    gaps = [after - before for before, after in zip(drawn, drawn[1:])]
    asked = [after - before for before, after in zip(scrolled["frames"], scrolled["frames"][1:])]
    say(act="scroll through all of them", items=count, rows_in_document=tab.run("$('#cards').children.length"),
        frames_a_second=round(len(gaps) / (sum(gaps) / 1e3), 1), script_frames_a_second=round(len(asked) / (sum(asked) / 1e3), 1),
        dropped=sum(event["name"] == "DroppedFrame" for event in events), late_frames=sum(gap > 1.5 * FRAME_MS for gap in gaps),
        longest_gap_ms=round(max(gaps), 1), frames_with_rows_missing=scrolled["blank"], of=len(scrolled["frames"]),
        bounds={"frames_a_second": FRAMES_WANTED})
    say(act="from the top to the last of them", items=count, ms=round(tab.page.evaluate(TO_END, f"Stay number {count - 1}"), 1))
    tab.open(tab.run("location.origin + location.pathname"))
    homes.live(tab)
    tab.run(SECOND_STREAM.format(query="''"))
    tab.until("patches.length > 0", "the second stream", 60)
    times = []
    for _ in range(10):
        before = tab.run("patches.length")
        clicked = tab.page.evaluate(CLICK)
        tab.until("!document.querySelector('[data-pending]')", "the vote", 30)
        times.append(tab.run("performance.timeOrigin + performance.now()") - clicked)
        tab.until(f"patches.length > {before}", "its patch")
        time.sleep(PAUSE_SECONDS)
    sizes = tab.run("patches.slice(1)")
    say(act="a vote in view of all cards", items=count, patch_bytes=max(sizes), click_to_own_patch_ms=round(statistics.median(times), 1),
        bounds={"bytes": 2_000})
    searches = [tab.page.evaluate(SEARCH, f"number {number}") for number in (7, 77, 777, 8, 88, 888)]
    say(act="a letter more in the search, to the rows that it finds", items=count, **quantiles(searches))


def photo(path):
    """A photo of a camera's size whose content no compression makes small."""
    noise = Image.effect_noise((400, 300), 60).resize((1600, 1200))
    Image.merge("RGB", (noise, noise.rotate(90), noise.rotate(180))).save(path, quality=85)
    return path


# Types a name, taps the first vote, and tells when each thing is seen. A tool that drives the page would run its own scripts on the slow
# processor too. A tap before page.js is there sends the form, so the page is another one afterwards.
FIRST_VOTE = """
(() => {
    const told = name => console.log(`at ${name} ${Date.now()}`), stepIs = step => sessionStorage.step = step;
    const seen = selector => { const it = document.querySelector(selector); return it?.getClientRects().length ? it : null; };
    const look = () => {
        const step = sessionStorage.step ?? "name", name = seen("#who-name"), vote = seen("#cards .pill .for");
        if (step === "name" && name) {
            [stepIs("cards"), told("name"), name.value = `Rui ${Date.now()}`];
            document.querySelector(".new-name button").click();
        } else if (step === "cards" && vote) [stepIs("vote"), told("cards"), vote.click()];
        else if (step === "vote" && vote?.ariaPressed === "true" && !document.querySelector("[data-pending]")) {
            [stepIs("done"), told("vote")];
        }
        if (sessionStorage.step !== "done") requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})();
"""


def slow_phone(stage, count=300, photos=12):
    """From the code that a guest's phone scans to its first vote, which the node has confirmed."""
    home = planned(stage, "slow", count)
    for number in range(photos):
        home.do("photo", f"Stay number {number}", photo(stage.folder / f"{number}.jpg"))
    link, times = door(home), []
    for _ in range(5):
        phone, at = stage.tab(**PHONE), {}
        session = phone.page.context.new_cdp_session(phone.page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {"offline": False, "latency": SLOW_WAIT_MS, "downloadThroughput": SLOW_BYTES,
                                                          "uploadThroughput": SLOW_BYTES})
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_PROCESSOR})
        phone.page.on("console", lambda message, at=at: message.text.startswith("at ") and at.update([message.text.split()[1:]]))
        phone.page.add_init_script(FIRST_VOTE)
        began, end = time.time(), time.monotonic() + 30
        phone.page.goto(link, wait_until="commit")
        while "vote" not in at and time.monotonic() < end:
            phone.page.wait_for_timeout(100)
        times.append([round(int(at[name]) / 1_000 - began, 2) for name in ("name", "cards", "vote")])
        phone.close()
    name, cards, vote = (statistics.median(column) for column in zip(*times))
    say(act="a slow phone from the guests' code to its first vote", items=count, photos=photos, name_form_s=name, cards_s=cards,
        vote_s=vote, all=times, bounds={"vote_s": 4})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("caravan", type=Path)
    parser.add_argument("--rounds", type=int, default=200)
    arguments = parser.parse_args()
    if reason := Chromium.missing():
        sys.exit(f"the page cannot be measured: {reason}; Scripts/setup installs it")
    folder = Path(tempfile.mkdtemp(prefix="caravan-bench-"))
    with Chromium() as engine:
        try:
            rounds = arguments.rounds
            works = [lambda stage: click_to_pixel(stage, rounds), lambda stage: key_to_pixel(stage, rounds), slow_phone, first_view, scroll]
            for number, work in enumerate(works):
                (folder / str(number)).mkdir()
                stage = Stage(engine, folder / str(number), arguments.caravan.resolve())
                try:
                    work(stage)
                finally:
                    stage.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
