"""Pages of three real nodes: what two do at the same moment all lands, and what one is writing is nobody else's."""

import time

from browsers import expect, until
from homes import card, live, page, world
from scenarios import scenario


def add(tab, title):
    tab.type("#what", title)
    tab.press("Enter")
    tab.until(f"{card(title)} !== undefined", f"{title} stands on the page")


def on_all(tabs, expression, what):
    for tab in tabs:
        tab.until(expression, f"{what} on every page", 15)


def begin_edit(tab, title):
    """Opens a card's form as people do; the selector of its title's control."""
    tab.run(f"{card(title)}.querySelector('h3 a').click()")
    tab.until("$('.expanded [data-key=e]') !== null", f"{title} is open")
    tab.click(".expanded [data-key=e]")
    tab.until("$('.expanded form.edit') !== null", "the form")
    return f"#{tab.run('$(`.expanded input[name=title]`).id')}"


def write(tab, selector, text):
    tab.click(selector)
    tab.run(f"$({selector!r}).select()")
    tab.type(selector, text)


def votes(home, title):
    return {vote["name"]: vote["vote"] for vote in home.items()[title].get("votes", [])}


@scenario("two vote for one item and edit its title at the same moment: all lands, on all three pages", needs_caravan=True)
def race(stage):
    jie, noah, mia = homes = world(stage)
    tabs = ours, noahs, mias = [page(stage, home) for home in homes]
    title = f"Casa {stage.engine.name}"
    add(ours, title)
    on_all(tabs, f"{card(title)} !== undefined", title)
    for tab, name in ((noahs, f"{title} do Tejo"), (mias, f"{title} do Mar")):
        write(tab, begin_edit(tab, title), name)
    for tab in (noahs, mias):
        tab.run("($('.expanded .pill .for').click(), $('.expanded form.edit').requestSubmit())")
    also = "[...document.querySelectorAll('.also')].some(it => / suggests?: /.test(it.textContent))"
    on_all(tabs, also, "what the other one suggests")
    names = {title for title in jie.items() if title.startswith(f"Casa {stage.engine.name} do")}
    expect(len(names) == 1, f"titles: {names}")
    shown = names.pop()
    until(lambda: all(votes(home, shown) == {"Noah": "for", "Mia": "for"} for home in homes), 10, "both votes on all homes")
    other = f"{title} do Mar" if shown.endswith("Tejo") else f"{title} do Tejo"
    expect(jie.items()[shown]["conflicts"]["title"][0]["value"] == other
           if "conflicts" in jie.items()[shown] else True, "the other title is gone")
    on_all(tabs, f"{card(shown)}?.querySelector('.tally').textContent === '2'", "a tally of two")
    ours.run(f"{card(shown)}.querySelector('.also button').click()")
    on_all(tabs, f"{card(other)} !== undefined && {card(other)}.querySelector('.also') === null", "the one that was picked")


@scenario("draft, caret and focus are kept in a card while others edit, vote, add and re-order", needs_caravan=True)
def writing(stage):
    jie, noah, _ = world(stage)
    ours = page(stage, jie)
    title = f"Quinta {stage.engine.name}"
    add(ours, title)
    ours.run("$('.orders a:nth-of-type(2)').click()")
    ours.until("location.search.includes('sort=votes')", "most wanted first")
    until(lambda: title in noah.items(), 10, "Noah has it")
    control = begin_edit(ours, title)
    write(ours, control, "Quinta da X")
    ours.run(f"($({control!r}).setSelectionRange(10, 10), window.blurs = 0, $({control!r}).addEventListener('blur', () => blurs++))")
    before = ours.run("[...$('#cards').children].map(it => it.id).join()")
    for number in range(6):
        noah.do("add", f"Hostel {stage.engine.name} {number}")
        noah.do("vote", f"Hostel {stage.engine.name} {number}")
    noah.do("vote", title)
    noah.do("edit", title, "--price", "120")
    ours.until(f"[...$('#cards').children].map(it => it.id).join() !== {before!r}", "the order changes")
    ours.until("$('.expanded input[name=price]').value === '120'", "a field that nobody touched is up to date")
    ours.type(control, "Y")
    expect(ours.run(f"$({control!r}).value") == "Quinta da YX", f"the text is {ours.run(f'$({control!r}).value')!r}")
    expect(ours.run("blurs") == 0, "the focus was lost")
    noah.do("edit", title, "--title", f"{title} nova")
    ours.until("!$('.expanded [data-mark=theirs]').hidden", "what Noah wrote is told")
    said = ours.text(".expanded [data-mark=said]")
    expect(said == f"Noah changed this to “{title} nova”", f"said: {said!r}")
    ours.click(".expanded [data-mark=keep]")
    ours.click(".expanded form.edit .primary")
    until(lambda: "Quinta da YX" in noah.items(), 10, "the draft is saved")
    until(lambda: "conflicts" not in noah.items()["Quinta da YX"], 5, "what was seen is replaced")


@scenario("a form stays under a person's hands when another person removes its item, and offers to restore it", needs_caravan=True)
def removed_form(stage):
    jie, noah, _ = world(stage)
    ours = page(stage, jie)
    title = f"Torre {stage.engine.name}"
    add(ours, title)
    until(lambda: title in noah.items(), 10, "Noah has it")
    control = begin_edit(ours, title)
    write(ours, control, f"{title} nova")
    noah.do("remove", title)
    ours.until("$('.removed-bar')?.textContent.includes('Noah removed this item')", "it is told")
    state = f"[$({control!r}).value, document.activeElement === $({control!r})].join()"
    expect(ours.run(state) == f"{title} nova,true", f"the form is {ours.run(state)}")
    covered = ("(it => $('.removed-bar').contains(document.elementFromPoint((it.left + it.right) / 2, (it.top + it.bottom) / 2)))"
               "($('.removed-bar').getBoundingClientRect())")
    expect(ours.run(covered), "what it says is out of sight")
    ours.click(".removed-bar .primary")
    ours.until("$('.removed-bar') === null && $('.expanded form.edit .primary') !== null", "the item is back, and can be saved")
    expect(ours.run(f"$({control!r}).value") == f"{title} nova", "the text is gone")
    ours.click(".expanded form.edit .primary")
    until(lambda: f"{title} nova" in noah.items(), 10, "the text is saved")


@scenario("a node that is killed and comes back: the page says so, is live again by itself, and loses nothing",
          needs_caravan=True)
def killed(stage):
    jie, noah, mia = world(stage)
    ours = page(stage, jie)
    title = f"Palacio {stage.engine.name}"
    add(ours, title)
    ours.run(f"window.isSamePage = true, {card(title)}.querySelector('.pill .for').click()")
    until(lambda: votes(jie, title) == {"Jie": "for"}, 10, "the vote")
    jie.crash()
    ours.until("$('#sync').textContent.includes('reconnecting')", "it says that it is reconnecting")
    ours.type("#what", f"Tenda {stage.engine.name}")
    ours.press("Enter")
    time.sleep(1)
    noah.do("vote", title)
    jie.up(peers=(noah, mia))
    live(ours)
    ours.until(f"{card(f'Tenda {stage.engine.name}')} !== undefined", "what was added meanwhile", 30)
    ours.until(f"{card(title)}.querySelector('.tally').textContent === '2'", "what others did meanwhile", 20)
    expect(ours.run("window.isSamePage === true"), "the page was reloaded")
    expect(sum(one.startswith("Tenda") and stage.engine.name in one for one in jie.items()) == 1, "added more than once")
    until(lambda: jie.others_here() >= {"Noah", "Mia"}, 20, "all have met again")
