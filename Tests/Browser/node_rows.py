"""Lists that are longer than what is drawn of them, and toasts that go by themselves: pages of a real node, with its style."""

import time

from browsers import expect, until
from homes import friends, live, page
from scenarios import scenario

ROWS, DRAWN_MAX, STEP_PX = 400, 150, 500
# The first row that the bar does not hide, by its number and where it stands; and every number that can be seen.
FIRST = "(it => [it.querySelector('h3').textContent, Math.round(it.getBoundingClientRect().top)])(" \
        "[...document.querySelectorAll('#cards > [data-card]')].find(it => it.getBoundingClientRect().bottom > 80))"
SEEN = "[...document.querySelectorAll('#cards > [data-card]')].filter(it => (box => box.bottom > 0 && box.top < innerHeight)" \
       "(it.getBoundingClientRect())).map(it => it.querySelector('h3').textContent)"
IS_SETTLED = "['earlier', 'later'].every(id => (box => box.bottom < 0 || box.top > innerHeight || !box.height)" \
             "(document.getElementById(id).getBoundingClientRect()))"


def long_list(stage, **options):
    """A page of so many cards, all of which a search finds."""
    jie, = friends(stage, ("Jie",))
    tab = page(stage, jie, **options)
    lines = "\\n".join(f"Stay {number:03}a" for number in range(ROWS))
    tab.run(f"(fetch(location.pathname + 'act', {{ method: 'POST', body: new URLSearchParams({{ do: 'add', lines: '{lines}',"
            " stream: 'none' }) }), 1)")
    tab.until(f"$('#just-now').textContent.includes('added')", "all are added")
    tab.open(tab.run("location.origin + location.pathname") + "?find=stay")
    live(tab)
    return jie, tab


def settle(tab, what):
    tab.until(IS_SETTLED, what)


def stand(tab):
    """The first row and where it stands, once rows that scrolled into view have their heights."""
    def twice():
        before = tab.run(FIRST)
        time.sleep(0.5)
        return before == tab.run(FIRST) and before
    return until(twice, 10, "the rows stand still")


@scenario("a list of 400 is walked to its end and back, of which 150 are drawn; each is seen, and none is left out",
          engines=("chromium",), needs_caravan=True)
def rows(stage):
    _, tab = long_list(stage)
    wanted = [f"Stay {number:03}a" for number in range(ROWS)]
    for direction in (1, -1):
        seen = set()
        while not seen >= set(wanted):
            count, place = len(seen), tab.run("scrollY")
            seen.update(tab.run(SEEN))
            expect(tab.run("$('#cards').children.length") <= DRAWN_MAX, "more is drawn than is near")
            tab.run(f"(scrollBy(0, {direction * STEP_PX}), 1)")
            settle(tab, "the rows in sight are drawn")
            expect(len(seen) > count or tab.run("scrollY") != place, f"stuck with {len(seen)} of {ROWS}")
    tab.run("(scrollTo(0, document.documentElement.scrollHeight / 2), 1)")
    settle(tab, "the rows of a far place are drawn")
    tab.until("new URLSearchParams(location.search).get('at') > 60", "the address says where")
    before = tab.run(FIRST)
    tab.reload()
    live(tab)
    settle(tab, "the rows are there again")
    after = tab.run(FIRST)
    expect(abs(int(before[0][5:8]) - int(after[0][5:8])) < 60, f"loaded again at {after}, was at {before}")


@scenario("what is in sight stays where it is while rows around it come and go, and while others add", needs_caravan=True)
def anchored(stage):
    jie, tab = long_list(stage)
    tab.run("(scrollBy(0, 2500), 1)")
    tab.until("$('#cards').children.length > 60", "more rows")
    settle(tab, "the rows in sight are drawn")
    tab.run("(scrollBy(0, 6000), 1)")
    settle(tab, "the rows in sight are drawn")
    title, top = stand(tab)
    card = f"[...document.querySelectorAll('#cards > [data-card]')].find(it => it.querySelector('h3').textContent === {title!r})"
    jie.do("vote", "Stay 001a")
    jie.do("add", "Stay with us")
    tab.until("$('#just-now').textContent.includes('with us')", "what was added is told")
    tab.run("(scrollBy(0, 1200), 1)")
    settle(tab, "further rows")
    tab.run("(scrollBy(0, -1200), 1)")
    settle(tab, "the rows before")
    stand(tab)
    now = tab.run(f"Math.round({card}.getBoundingClientRect().top)")
    expect(abs(now - top) <= 2, f"{title} stood at {top} and stands at {now}")


@scenario("Back leads to the row of a list at which its reader left for another view", needs_caravan=True)
def back_to_row(stage):
    _, tab = long_list(stage)
    tab.run("(scrollBy(0, 2500), 1)")
    tab.until("$('#cards').children.length > 60", "more rows")
    settle(tab, "the rows in sight are drawn")
    tab.run("(scrollBy(0, 6000), 1)")
    settle(tab, "the rows in sight are drawn")
    title, _ = stand(tab)
    tab.until("Number(new URLSearchParams(location.search).get('at')) > 0", "the address says where")
    # A press and no script: Back in WebKit passes over what a page opened without its reader.
    tab.click("#sync a")
    tab.until("$('#cards').children.length === 0 && scrollY === 0", "another view, from its beginning")
    tab.back()
    tab.until("$('#cards').children.length > 0", "the list")
    settle(tab, "the rows in sight are drawn")
    now = stand(tab)
    expect(title in tab.run(SEEN), f"left at {title}, and came back to {now}")
    expect(tab.run("Number(new URLSearchParams(location.search).get('at'))") > 0, "the address says the beginning")


@scenario("a link to a card far down shows it, and closing it leaves its reader there", needs_caravan=True)
def far(stage):
    jie, tab = long_list(stage)
    jie.do("vote", "Stay 333a")
    tab.until("$('#leaders').textContent.includes('333')", "most wanted")
    in_sight = "(it => it && it.top >= 0 && it.top < innerHeight)($('.expanded')?.getBoundingClientRect())"
    tab.run("($('#leaders a').click(), 1)")
    tab.until(in_sight, "a thing to bring is open among the cards")
    # The same one among all that a search finds.
    tab.open(tab.run("location.origin + location.pathname") + "?find=stay")
    live(tab)
    tab.run("($('#leaders a').search += '&find=stay', $('#leaders a').click(), 1)")
    tab.until(in_sight, "the card is open in sight")
    tab.until("$('.expanded').previousElementSibling", "the rows before it")
    tab.reload()
    live(tab)
    tab.until(in_sight, "the card is in sight after a reload")
    tab.press("Escape")
    tab.until("!$('.expanded')", "it is closed")
    tab.until(f"{SEEN}.includes('Stay 333a')", "its row is in sight")


# In WebKit a window behind others has no focus, so nothing in it waits under it.
@scenario("a toast goes by itself after eight seconds, and stays while the focus is on it",
          engines=("chromium",), needs_caravan=True)
def toast(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    tab = page(stage, jie)
    shown, clock = "$('#toast p') !== null", "$('#toast').getAnimations()[0]"
    tab.click("#cards .for")
    tab.until(shown, "the toast")
    tab.run(f"({clock}.currentTime = 7500, 1)")
    tab.click("#cards .against")
    tab.until(f"{clock} && {clock}.currentTime < 5000", "another toast has all of its time")
    expect(tab.run(f"{clock}.effect.getTiming().duration") == 8000, "not eight seconds")
    tab.run(f"({clock}.currentTime = 0, $('#toast button').focus(), 1)")
    tab.until(f"{clock}.playState === 'paused'", "it waits under the focus")
    tab.run(f"(document.activeElement.blur(), {clock}.currentTime = 7900, 1)")
    tab.until("$('#toast').getClientRects().length === 0", "it is gone")
    votes = lambda: [vote["vote"] for vote in jie.items()["Casa do Rio"].get("votes", [])]
    until(lambda: votes() == ["against"], 10, "the vote")
    tab.press("z")
    until(lambda: votes() == ["for"], 10, "its key undoes it all the same")


@scenario("a pencil leads into its own field, and the key e opens the form of a card that is closed", needs_caravan=True)
def pencil(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio", "--price", "90", "--host", "Ana")])
    tab = page(stage, jie)
    tab.click("#cards h3 a")
    tab.until("$('.row-host .pencil') !== null", "the card is open")
    tab.click(".row-host .pencil")
    tab.until("document.activeElement.name === 'host'", "the host can be written")
    tab.write(" Lopes")
    tab.press("Enter")
    until(lambda: jie.items()["Casa do Rio"].get("host") == "Ana Lopes", 10, "it is saved")
    tab.until("$('.expanded form.edit') === null", "the form closes")
    # What the node refuses is said at each field, and the first of them has the focus.
    tab.press("e")
    tab.until("$('.expanded form.edit') !== null", "the form")
    for name, value in (("link", "ftp://x"), ("beds", "0")):
        tab.run(f"(it => (it.value = '{value}', it.dispatchEvent(new Event('input', {{ bubbles: true }})), 1))($('.edit [name={name}]'))")
    tab.run("($('form.edit').requestSubmit(), 1)")
    tab.until("$('.field-beds .fault').textContent.includes('9999') && $('.field-link .fault').textContent !== ''", "the lines at the fields")
    tab.until("document.activeElement.name === 'beds' && document.activeElement.getAttribute('aria-invalid') === 'true'", "the focus")
    jie.do("edit", "1", "--host", "Ana")
    tab.until("$('.edit [name=host]').value === 'Ana'", "another value comes")
    expect(tab.run("$('.field-beds .fault').textContent !== ''"), "the line went")
    for name, value in (("link", ""), ("beds", "3")):
        tab.run(f"(it => (it.value = '{value}', it.dispatchEvent(new Event('input', {{ bubbles: true }})), 1))($('.edit [name={name}]'))")
    tab.run("($('form.edit').requestSubmit(), 1)")
    until(lambda: jie.items()["Casa do Rio"].get("beds") == "3", 10, "it is saved")
    tab.until("$('.expanded form.edit') === null", "the form closes")
    tab.press("Escape")
    tab.until("!$('.expanded')", "the card is closed")
    tab.press("j")
    tab.press("e")
    tab.until("$('.expanded form.edit') !== null", "the form")


@scenario("the key e does nothing on a card that its reader can't edit, closed or open", needs_caravan=True)
def no_form(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    jie.do("archive")
    tab = page(stage, jie)
    tab.press("j")
    tab.until("document.activeElement.closest('.card')", "the card has the focus")
    for key, query in ((None, "location.search === ''"), ("Enter", "/^[?]open=[0-9a-f]+$/.test(location.search)")):
        if key:
            tab.press(key)
            tab.until("$('.expanded')", "the card is open")
        tab.press("e")
        time.sleep(0.5)
        expect(tab.run(f"location.pathname.endsWith('/') && {query}"), f"the address: {tab.run('location.href')}")
        expect(tab.run("$('.expanded') !== null") == bool(key), "the card changed")


@scenario("an edit whose last day is before the first is marked at that day, and not sent", needs_caravan=True)
def day_order(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    tab = page(stage, jie)
    tab.click("#cards h3 a")
    tab.until("$('.expanded [data-key=e]') !== null", "the card is open")
    tab.press("e")
    tab.until("$('.expanded form.edit') !== null", "the form")
    set_days = "(([first, last]) => {{ for (const [it, day] of [[first, '2026-06-{}'], [last, '2026-06-{}']]) " \
               "{{ it.value = day; it.dispatchEvent(new Event('input', {{ bubbles: true }})); }} return 1; }})" \
               "($('.field-pair').querySelectorAll('input[type=date]'))"
    tab.run(set_days.format(20, 12))
    tab.click(".expanded form.edit .primary")
    tab.until("$('.field-pair').querySelectorAll('input[type=date]')[1].validationMessage.includes('before the first')", "it is marked")
    expect("dates" not in jie.items()["Casa do Rio"], "it was saved")
    tab.run(set_days.format(12, 20))
    tab.click(".expanded form.edit .primary")
    until(lambda: jie.items()["Casa do Rio"].get("dates") == "2026-06-12/2026-06-20", 10, "it is saved")


@scenario("the order that is selected is in sight on a phone, after a load and after a tap elsewhere", needs_caravan=True)
def order_in_sight(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio", "--price", "90"), ("Casa do Tejo",)])
    tab = page(stage, jie, viewport={"width": 375, "height": 740})
    current = "$('.orders[aria-label=Order] [aria-current]')"
    is_in_sight = f"(it => it.left >= 0 && it.right <= innerWidth)({current}.getBoundingClientRect())"
    tab.open(tab.run("location.origin + location.pathname") + "?sort=unvoted")
    live(tab)
    tab.until(f"{current}?.textContent.startsWith('Not voted yet') && {is_in_sight}", "the order after a load")
    tab.run("($('.orders[aria-label=Order] a').click(), 1)")
    tab.until(f"{current}?.textContent === 'As added' && {is_in_sight}", "the first order")


@scenario("the keys n and / lead to the boxes of Cards from a view that has none", needs_caravan=True)
def keys_elsewhere(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    tab = page(stage, jie)
    start = tab.run("location.origin + location.pathname")
    for key, box in (("n", "what"), ("/", "find")):
        tab.open(start + "?view=history")
        live(tab)
        tab.press(key)
        tab.until(f"location.search === '' && document.activeElement.id === '{box}'", f"{key} leads to its box")
        expect(tab.run("document.activeElement.value") == "", f"{key} is typed into the box")


@scenario("a long word in the packing list breaks, and the buttons of all rows stay within the list", needs_caravan=True)
def long_word(stage):
    jie, = friends(stage, ("Jie",), [("Rope", "--kind", "bring", "--quantity", "2"), ("W" * 52, "--kind", "bring")])
    tab = page(stage, jie, viewport={"width": 375, "height": 740})
    tab.open(tab.run("location.origin + location.pathname") + "?view=bring")
    live(tab)
    expect(tab.run("$('#bring').children.length === 2 && $('#bring .stepper') !== null"), "the rows are not there")
    width = tab.run("[$('#bring').scrollWidth, $('#bring').clientWidth]")
    expect(width[0] <= width[1], f"the rows are {width[0]} pixels wide in a list of {width[1]}")
    expect(tab.run("[...document.querySelectorAll('#bring button')].every(it => it.getBoundingClientRect().right <= innerWidth)"),
           "a button is out of sight")


@scenario("in the packing list, j leads to the title: Enter opens the card and ticks nothing, and e opens its form", needs_caravan=True)
def packing_keys(stage):
    jie, = friends(stage, ("Jie",), [(title, "--kind", "bring", "--quantity", "1") for title in ("Rope", "Torch")])
    tab = page(stage, jie)
    tab.open(tab.run("location.origin + location.pathname") + "?view=bring")
    live(tab)
    for title in ("Rope", "Torch"):
        tab.press("j")
        expect(tab.run("document.activeElement.textContent") == title, f"{title} has no focus")
    tab.press("Enter")
    tab.until("$('#bring .expanded h3')?.textContent.includes('Torch')", "the card opens")
    expect(not jie.items()["Torch"].get("done"), "it is ticked")
    tab.press("Escape")
    tab.until("!$('.expanded') && document.activeElement.textContent === 'Torch'", "it closes, and its title has the focus")
    tab.press("e")
    tab.until("$('#bring .expanded form.edit') !== null", "the form")


@scenario("removing an open card leaves the list where its reader is", engines=("chromium",), needs_caravan=True, seconds=40)
def removal_stays(stage):
    jie, = friends(stage, ("Jie",), [(f"Stay {number:02}",) for number in range(66)])
    tab = page(stage, jie, viewport={"width": 1280, "height": 800})
    live(tab)
    tab.click("#cards article:has-text('Stay 20') h3 a")
    tab.until("$('.expanded') !== null", "the card opens")
    tab.page.locator(".expanded form:has(input[value=remove]) button").scroll_into_view_if_needed()
    before = tab.run("scrollY")
    expect(before > 400, f"the card is far down: {before}")
    tab.click(".expanded form:has(input[value=remove]) button")
    tab.until("$('#toast').textContent.includes('Removed')", "it is removed")
    tab.until("$('#cards .expanded') === null", "and away from the list")
    time.sleep(0.5)
    after = tab.run("scrollY")
    # Its neighbour stays where it was; an open card is about 860 pixels high.
    expect(abs(after - before) < 1_000, f"the page went from {before} to {after}")


class Finger:
    """A finger on the glass, in Chromium alone."""

    def __init__(self, tab):
        self.tab, self.devtools = tab, tab.page.context.new_cdp_session(tab.page)

    def send(self, kind, points):
        self.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def put_on(self, selector):
        """Rests at the left edge of an element, where no button is."""
        box = self.tab.run(f"$({selector!r}).getBoundingClientRect().toJSON()")
        self.send("touchStart", [{"x": box["left"] + 4, "y": box["top"] + box["height"] / 2}])

    def lift(self):
        """Without a tap, as where the page begins to scroll."""
        self.send("touchCancel", [])


@scenario("rows stand still under a finger that rests on them: by rank, of things to bring, and of the most wanted cards",
          engines=("chromium",), needs_caravan=True, seconds=60)
def finger(stage):
    jie, = friends(stage, ("Jie",), [(f"Casa {name}",) for name in "ABCD"])
    for name in "ABCD":
        jie.do("add", f"Rope {name}", "--kind", "bring")
    tab = page(stage, jie, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    start = tab.run("location.origin + location.pathname")
    moves = {
        "ranking": ("?view=ranking", "#ranking", "Casa D", lambda: jie.do("vote", "Casa D"),
                    lambda: jie.do("unvote", "Casa D")),
        "things to bring": ("?view=bring", "#bring", "Rope A", lambda: jie.do("edit", "Rope A", "--done"),
                            lambda: jie.do("edit", "Rope A", "--no-done")),
        "most wanted": ("?sort=votes", "#cards", "Casa C", lambda: jie.do("vote", "Casa C"),
                        lambda: jie.do("unvote", "Casa C")),
    }
    hand = Finger(tab)
    for what, (query, listing, name, act, back) in moves.items():
        tab.open(start + query)
        live(tab)
        order = f"[...document.querySelectorAll('{listing} > *')].map(it => it.id).join()"
        tab.until(f"$('{listing}').textContent.includes('{name}')", f"the rows of {what}")
        before = tab.run(order)
        act()
        tab.until(f"{order} !== '{before}'", f"without a finger the rows of {what} move")
        moved = tab.run(order)
        back()
        tab.until(f"{order} === '{before}'", f"the rows of {what} are as before")
        hand.put_on(f"{listing} > :first-child")
        act()
        time.sleep(1.5)
        expect(tab.run(order) == before, f"the rows of {what} moved under a finger")
        hand.lift()
        tab.until(f"{order} === '{moved}'", f"the rows of {what} move once the finger is off")
        back()
