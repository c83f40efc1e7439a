"""The days on the page of a real node: reached on a phone, planned by a form, moved by keys and by drag and drop, live elsewhere."""

import json
import time

from browsers import expect, until
from homes import friends, live, page
from scenarios import scenario

PHONE = {"viewport": {"width": 375, "height": 740}}


def row(title):
    """An expression that finds an item's row by its title; its departure is not meant."""
    wanted = json.dumps(title)
    return f"[...document.querySelectorAll('.days li[id^=planned-]')].find(it => it.querySelector('h3 a')?.textContent === {wanted})"


def day_of(title):
    """An expression for the day that an item's row stands on: empty for what is not planned yet."""
    return f"{row(title)}?.closest('[data-day]').dataset.day"


def alt(tab, key):
    tab.run(f"(document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key: {key!r}, altKey: true, bubbles: true, "
            "cancelable: true })), 1)")


def drag(tab, title, day):
    tab.run(f"((it, day) => {{ const say = (name, node) => node.dispatchEvent(new DragEvent(name, {{ bubbles: true, cancelable: true }})); "
            f"say('dragstart', it); say('dragover', day); say('drop', day); say('dragend', it); return 1; }})"
            f"({row(title)}, document.querySelector('[data-day={json.dumps(day)}]'))")


def fill(tab, title, name, value):
    """Writes into a field of a row's form, which keeps the focus."""
    tab.run(f"(it => {{ it.focus(); it.value = {value!r}; it.dispatchEvent(new Event('input', {{ bubbles: true }})); return 1; }})"
            f"({row(title)}.querySelector('[name={name}]'))")


def planned(home):
    """The days as programs are told: each with the titles on it."""
    return {day["day"]: [item["title"] for item in day["items"]] for day in json.loads(home.do("days", "--json"))["days"]}


@scenario("days are one tap away on a phone; an item is planned by its form, and goes to another day by Alt and an arrow, where the "
          "focus follows, and by drag and drop; the other page shows it live; what is on now is said", needs_caravan=True, seconds=60)
def days(stage):
    jie, noah = friends(stage, ("Jie", "Noah"))
    for title in ("Castle", "Fado", "Museum"):
        jie.do("add", title)
        jie.do("choose", title)
    jie.do("plan", "Castle", "--on", "2026-06-12", "--at", "14:30", "--for", "2h")
    jie.do("plan", "Fado", "--on", "2026-06-13")
    tab = page(stage, jie, **PHONE)
    tab.until("$('.tabs > a[href*=\"view=days\"]')?.checkVisibility()", "the tab of days")
    inside = "(it => it.left >= 0 && it.right <= innerWidth && it.bottom <= innerHeight && it.width >= 44)"
    expect(tab.run(f"[...document.querySelectorAll('.tabs > *')].every(it => {inside}(it.getBoundingClientRect()))"), "a tab is outside")
    tab.click(".tabs > a[href*='view=days']")
    tab.until(f"{day_of('Castle')} === '2026-06-12' && {day_of('Museum')} === ''", "the days")
    expect(tab.run("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the phone")
    theirs = page(stage, noah, **PHONE)
    theirs.open(theirs.run("location.origin + location.pathname") + "?view=days")
    live(theirs)
    # By keys: to the next day, and on to no day.
    tab.run(f"({row('Castle')}.querySelector('h3 a').focus(), 1)")
    for day in ("2026-06-13", ""):
        alt(tab, "ArrowDown")
        tab.until(f"{day_of('Castle')} === {json.dumps(day)}", f"Castle goes to {day or 'no day'}")
        tab.until("document.activeElement.textContent === 'Castle'", "the focus follows")
    theirs.until(f"{day_of('Castle')} === ''", "Noah sees that it was taken off its day")
    # By drag and drop: from no day to one, and back.
    drag(tab, "Museum", "2026-06-13")
    tab.until(f"{day_of('Museum')} === '2026-06-13'", "Museum is planned")
    theirs.until(f"{day_of('Museum')} === '2026-06-13'", "Noah sees it")
    drag(tab, "Museum", "")
    tab.until(f"{day_of('Museum')} === ''", "Museum is not planned any more")
    # By the form, which says what is wrong in words of the page.
    tab.run(f"({row('Castle')}.querySelector('.plan summary').click(), 1)")
    for name, value in (("day", "2026-06-13"), ("start", "10:00"), ("length", "long")):
        fill(tab, "Castle", name, value)
    tab.run(f"({row('Castle')}.querySelector('.plan-form').requestSubmit(), 1)")
    line = f"{row('Castle')}.querySelector('.fault').textContent"
    tab.until(f"{line}.includes('long')", "the refusal, in a line at its field")
    expect("--" not in tab.run(line), "the page names an option of a command")
    tab.until("document.activeElement.name === 'length' && document.activeElement.value === 'long' && "
              "document.activeElement.getAttribute('aria-invalid') === 'true'", "the field has the focus, and keeps what was typed")
    # A day that comes before it leaves an open form as it is.
    fill(tab, "Castle", "length", "1h")
    noah.do("plan", "Museum", "--on", "2026-06-01")
    tab.until(f"{day_of('Museum')} === '2026-06-01'", "an earlier day")
    expect(tab.run(f"{row('Castle')}.querySelector('.plan').open && document.activeElement.name === 'length' && document.activeElement.value === '1h'"),
           "the form is closed, or what was typed is lost")
    tab.run(f"({row('Castle')}.querySelector('.plan-form').requestSubmit(), 1)")
    tab.until(f"{day_of('Castle')} === '2026-06-13'", "Castle is planned")
    tab.until(f"!{row('Castle')}.querySelector('.plan').open && document.activeElement.textContent === 'Castle'",
              "the form is closed in its new place, where the focus follows")
    until(lambda: planned(noah).get("2026-06-13") == ["Fado", "Castle"], 10, "Noah has it")
    # Saving closes the form, on the same day too.
    tab.run(f"({row('Castle')}.querySelector('.plan').open = true, 1)")
    fill(tab, "Castle", "length", "3h")
    tab.run(f"({row('Castle')}.querySelector('.plan-form').requestSubmit(), 1)")
    tab.until(f"!{row('Castle')}.querySelector('.plan').open && {row('Castle')}.textContent.includes('3 h')", "the form closes")
    # Past the last day is no day, also where everything has one.
    expect(tab.run("$('#plans') === null"), "something is not planned yet")
    tab.run(f"({row('Castle')}.querySelector('h3 a').focus(), 1)")
    alt(tab, "ArrowDown")
    tab.until(f"{day_of('Castle')} === '' && document.activeElement.textContent === 'Castle'", "Castle goes to no day, and the focus follows")
    expect(tab.run("$('.present') === null"), "something is on though nothing is")
    jie.do("plan", "Museum", "--on", time.strftime("%Y-%m-%d"), "--at", time.strftime("%H:%M"), "--for", "2h", "--zone", "none")
    tab.until("$('.present')?.textContent.includes('Museum') && $('.present strong').textContent === 'Now'", "what is on now")
    tab.until("$('.days .today h2 mark') !== null", "today")
