"""Photos in a view of their own, by key, tap, swipe and link; and days picked from calendars."""

import re

from PIL import Image

from browsers import expect, until
from homes import card, friends, live, page
from scenarios import scenario

PHONE = {"viewport": {"width": 375, "height": 740}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
SWIPE = """(() => {
    const view = $('.photo-view'), at = (name, x) => view.dispatchEvent(new PointerEvent(name,
        { bubbles: true, pointerType: 'touch', clientX: x, clientY: 300 }));
    at('pointerdown', 300), at('pointerup', 120);
})()"""


def shows(tab, words):
    tab.until(f"$('.photo-count')?.textContent.startsWith({words!r})", f"photo {words}")


@scenario("a photo opens large: the next by key, tap and swipe, and Escape leads back to where it was", needs_caravan=True, seconds=40)
def gallery(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    for colour in ("navy", "teal", "olive"):
        Image.new("RGB", (1200, 800), colour).save(stage.folder / f"{colour}.jpg")
        jie.do("photo", "Casa do Rio", stage.folder / f"{colour}.jpg")
    tab = page(stage, jie, **PHONE)
    live(tab)
    # A press and no script: Back in WebKit passes over what a page opened without its reader.
    tab.click("#cards h3 a")
    tab.until("document.querySelectorAll('.gallery a').length === 3", "the photos")
    expect(tab.run("document.documentElement.scrollWidth <= innerWidth && innerWidth < 600"), "the photos widen the page")
    tab.click(".gallery li:nth-child(2) a")
    shows(tab, "2 of 3")
    tab.until("document.activeElement?.dataset.mark === 'close-photo'", "the focus is in the view")
    for key, words in (("ArrowRight", "3 of 3"), ("ArrowRight", "1 of 3"), ("ArrowLeft", "3 of 3")):
        tab.run(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key: {key!r}, bubbles: true }}))")
        shows(tab, words)
    tab.run("$('.photo-step.step-ArrowLeft').click()")
    shows(tab, "2 of 3")
    tab.run(SWIPE)
    shows(tab, "3 of 3")
    for _ in range(9):
        tab.press("Tab")
        expect(tab.run("$('.photo-view').contains(document.activeElement)"), "the tab key leaves the view")
    tab.press("Escape")
    tab.until("!$('.photo-view') && $('.expanded')", "the card again")
    tab.until("document.activeElement?.matches('.gallery li:nth-child(3) a')", "the focus is where the photo is")
    tab.back()
    tab.until("!$('.photo-view') && !$('.expanded')", "Back leads to where the card was opened")


@scenario("days are picked, Save is in sight, and the pencil of the kind leads to its choice", needs_caravan=True, seconds=30)
def picked_days(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio", "--kind", "stay", "--dates", "2026-06-12..2026-06-15")])
    tab = page(stage, jie, **PHONE)
    live(tab)
    tab.run(f"{card('Casa do Rio')}.querySelector('h3 a').click()")
    tab.until("$('.row-dates .pencil')", "the card is open")
    tab.run("$('.row-kind .pencil').click()")
    tab.until("document.activeElement?.name === 'kind'", "the pencil leads to the choice of kinds")
    expect(tab.run("(it => it.bottom <= innerHeight && it.top > 0)($('.save-bar button').getBoundingClientRect())"), "Save is out of sight")
    tab.run("(it => { it.value = '2026-06-17'; it.dispatchEvent(new Event('input', { bubbles: true })); })($('[name=dates-to]'))")
    tab.run("$('.save-bar button').click()")
    tab.until("$('.row-dates dd')?.textContent.includes('12–17 June')", "the days as people read them")


@scenario("pictures of cards load three at once, so a vote doesn't wait for them", engines=("chromium",), needs_caravan=True, seconds=40)
def few_pictures(stage):
    names = [f"Casa {number}" for number in range(8)]
    jie, = friends(stage, ("Jie",), [(name,) for name in names])
    for name in names:
        Image.new("RGB", (600, 400), "teal").save(stage.folder / "a.jpg")
        jie.do("photo", name, stage.folder / "a.jpg")
    tab, waiting = stage.tab(**PHONE), []
    tab.page.route(re.compile("/photo/"), lambda route: waiting.append(route))
    tab.open(jie.link())
    live(tab)
    until(lambda: tab.run("1") and len(waiting) == 3, 10, f"three are asked for: {len(waiting)}")
    tab.run(f"{card(names[0])}.querySelector('.for').click()")
    tab.until(f"!$('[data-pending]') && {card(names[0])}.querySelector('.for[aria-pressed=true]')", "the vote is answered")
    expect(len(waiting) == 3, f"{len(waiting)} pictures are asked for at once")
    for done in range(len(names)):
        waiting[done].continue_()
        wanted = min(done + 4, len(names))
        until(lambda: tab.run("1") and len(waiting) == wanted, 10, f"one more is asked for: {len(waiting)} of {wanted}")
    tab.until("[...document.querySelectorAll('.picture img')].every(image => image.complete && image.naturalWidth)", "all are here")
