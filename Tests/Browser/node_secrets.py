"""Passphrases, backups and second devices in the browser, without a terminal."""

import json
from pathlib import Path

from browsers import expect, until
from homes import Home, friends, live, page
from scenarios import scenario

WORDS = "four words are better"


@scenario("a passphrase is set on the page, a backup is downloaded and restored in another home, and a second device joins",
          engines=("chromium",), needs_caravan=True, seconds=90)
def secrets(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    tab = page(stage, jie, viewport={"width": 390, "height": 800})
    base = tab.run("location.origin + location.pathname")
    tab.open(base + "?view=safety")
    live(tab)
    tab.type("#set-passphrase-new", WORDS)
    tab.type("#set-passphrase-again", "four other words")
    expect(tab.run("Object.keys(sessionStorage).concat(Object.keys(localStorage)).every(it => !it.includes('passphrase'))"),
           "a draft of a passphrase is kept")
    tab.press("Enter")
    tab.until("$('#toast').textContent.includes('differ')", "two that differ are refused")
    tab.page.fill("#set-passphrase-again", WORDS)
    tab.press("Enter")
    tab.until("$('#toast').textContent.includes('Passphrase set.')", "it is set")
    tab.until("$('#set-passphrase-old') !== null && !document.body.innerHTML.includes('four words are')", "and not shown")
    jie.do("add", "Quinta")
    until(lambda: "Quinta" in jie.items(), 10, "the node goes on")

    tab.type("#backup-new", WORDS)
    tab.type("#backup-again", "other words")
    tab.press("Enter")
    tab.until("$('#toast').textContent.includes('differ')", "a backup under two that differ is refused, and that is told")
    tab.page.fill("#backup-again", WORDS)
    with tab.page.expect_download() as download:
        tab.press("Enter")
    expect(download.value.suggested_filename == "Lisbon in June.backup", f"called {download.value.suggested_filename!r}")
    file = Path(stage.folder, "lisbon.backup")
    download.value.save_as(file)
    tab.until("$('#toast').textContent.includes('Saved the backup') && $('#backup-new').value === ''", "it is told that it is there")
    expect(file.stat().st_size > 1_000, f"a backup of {file.stat().st_size} bytes")

    tab.click("#device ~ * button, [aria-labelledby=device-title] .primary")
    tab.until("$('#device-link') !== null", "the link for a device")
    link = tab.run("$('#device-link').value ?? $('#device-link').textContent")

    # The second device, which has no trip yet.
    laptop = Home(stage.caravan, stage.folder, "Laptop")
    stage.closing.append(laptop.down)
    laptop.up("--peer", f"127.0.0.1:{jie.port}")
    there = stage.tab()
    there.open(laptop.link())
    there.click(".start-more summary")
    there.type("#device-link", link)
    there.type("#device-name", "Laptop")
    there.press("Enter")
    until(lambda: json.loads(laptop.do("trips", "--json")), 30, "the second device is in")
    until(lambda: "Quinta" in laptop.items(), 30, "it has the trip")
    people = json.loads(laptop.do("members", "--json"))
    expect(len(people) == 1, f"one person on two devices: {people}")

    # The backup in a third home, once the first is gone.
    jie.down()
    laptop.down()
    spare = Home(stage.caravan, stage.folder, "Spare")
    stage.closing.append(spare.down)
    spare.up()
    anew = stage.tab()
    anew.open(spare.link())
    anew.click(".start-more summary")
    anew.page.set_input_files("#restore-file", str(file))
    anew.type("#restore-passphrase", "not these words")
    anew.press("Enter")
    anew.until("document.querySelector('[role=alert]')?.textContent.includes('passphrase')", "a wrong passphrase is told")
    anew.until("location.pathname === '/start' && document.activeElement.matches('[role=alert]')", "it has the focus, on the same page")
    expect(anew.run("(it => it.top >= 0 && it.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())"), "it is out of sight")
    anew.page.set_input_files("#restore-file", str(file))
    anew.type("#restore-passphrase", WORDS)
    anew.press("Enter")
    anew.until("document.body.textContent.includes('Casa do Rio')", "the trip is back")
