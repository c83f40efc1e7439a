"""The page's figures, on real nodes and Chromium: click to the other page's pixel, first view, scroll, bytes of a patch.

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

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "Tests/Browser")]

import homes  # noqa: E402
import node  # noqa: E402
from browsers import Chromium, until  # noqa: E402
from scenarios import Stage  # noqa: E402

FRAMES_WANTED, FRAME_MS, SCROLL_SECONDS, PAUSE_SECONDS = 60, 1000 / 60, 5, 0.07
# When the frame was drawn that shows another tally than before: after the mutation comes the frame, and after its
# rendering the message.
WATCH = """() => { window.seen = [];
    const tally = () => document.querySelector('#cards .tally').textContent;
    let last = tally();
    new MutationObserver(() => {
        if (tally() === last) return;
        last = tally();
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => seen.push(performance.timeOrigin + performance.now());
            port2.postMessage(0);
        });
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
CLICK = """() => { const clicked = performance.timeOrigin + performance.now();
    document.querySelector('#cards .pill .for').click();
    return clicked; }"""
SECOND_STREAM = "(window.patches = [], new EventSource(STREAM + location.search).addEventListener('patch'," \
                " event => patches.push(new Blob([event.data]).size)), 1)"
SCROLL = """seconds => new Promise(done => {
    const frames = [], end = performance.now() + seconds * 1000;
    let down = true;
    const step = now => {
        frames.push(now);
        if (innerHeight + scrollY >= document.documentElement.scrollHeight - 1) down = false;
        scrollBy(0, down ? 120 : -120);
        now < end ? requestAnimationFrame(step) : done(frames);
    };
    requestAnimationFrame(step);
})"""


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
        until(lambda: other.run("seen.length") > count, 10, "the vote on the other page")
        times.append(other.run("seen.at(-1)") - clicked)
        one.until("!document.querySelector('[data-pending]')", "the vote is durable here")
        time.sleep(PAUSE_SECONDS)
    disk = [node.sync(str(stage.folder), 20) * 1e3 for _ in range(10)]
    say(act="a click on one home's page to the other page's pixel", rounds=rounds, **quantiles(times),
        fdatasync_ms=round(statistics.median(disk), 2), bounds={"median_ms": 50, "p99_ms": 150})


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


def first_view(stage, count=1000, loads=7):
    home = planned(stage, "thousand", count)
    tab = homes.page(stage, home)
    # A browser that was never here before: all that it is sent, and the stream's first patch, which says all of it again.
    first = tab.run("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
                    ".reduce((sum, it) => sum + it.transferSize, 0)")
    tab.run(SECOND_STREAM)
    tab.until("patches.length > 0", "the second stream", 60)
    streamed_bytes, address = tab.run("patches[0]"), tab.run("location.href")
    drawn, streamed = [], []
    for _ in range(loads):
        tab.open(address)
        tab.until("performance.getEntriesByName('first-contentful-paint').length > 0", "it is painted")
        drawn.append(tab.run("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        tab.until("typeof streamID === 'string'", "it is live")
        streamed.append(tab.run("performance.now()"))
    say(act="the first view", items=count, **quantiles(drawn), live_ms=round(statistics.median(streamed), 1),
        files_kB=round(first / 1e3, 1), stream_kB=round(streamed_bytes / 1e3, 1),
        bounds={"ms": 200, "kB": 200})


def scroll(stage, count=10_000):
    home = planned(stage, "tens", count)
    tab = homes.page(stage, home)
    began = time.monotonic()
    tab.open(tab.run("location.origin + location.pathname") + f"?show={count}")
    homes.live(tab)
    tab.until(f"document.querySelector('#cards').children.length === {count}", "all cards", 60)
    say(act="a page of all cards", items=count, seconds=round(time.monotonic() - began, 1))
    tab.page.evaluate(SCROLL, 1)
    stage.engine.browser.start_tracing(page=tab.page, categories=["cc", "benchmark", "disabled-by-default-devtools.timeline.frame"])
    frames = tab.page.evaluate(SCROLL, SCROLL_SECONDS)
    trace = json.loads(stage.engine.browser.stop_tracing())
    states = [event["args"]["chrome_frame_reporter"]["state"] for event in trace["traceEvents"]
              if event["name"] == "PipelineReporter" and "chrome_frame_reporter" in event.get("args", {})]
    gaps = [after - before for before, after in zip(frames, frames[1:])]
    say(act="scroll", items=count, frames=len(frames), frames_a_second=round(len(gaps) / (sum(gaps) / 1e3), 1),
        late_frames=sum(gap > 1.5 * FRAME_MS for gap in gaps), longest_gap_ms=round(max(gaps), 1),
        traced={state: states.count(state) for state in sorted(set(states))}, bounds={"frames_a_second": FRAMES_WANTED})
    tab.run(f"({SECOND_STREAM}, scrollTo(0, 0), 1)")
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
            for work in (lambda stage: click_to_pixel(stage, arguments.rounds), first_view, scroll):
                stage = Stage(engine, folder, arguments.caravan.resolve())
                try:
                    work(stage)
                finally:
                    stage.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
