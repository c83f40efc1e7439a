"""What people do on the page of one node: what they press and tick, where the focus goes, and many pages at once."""

import time

from browsers import WAIT_SECONDS, ChromiumTab, expect, until
from homes import friends, live, page
from scenarios import scenario


@scenario("the words on a toast's buttons stay on one line, and a vote that is given looks so, on a phone", needs_caravan=True)
def buttons(stage):
    title = "Quinta das Flores with a name that is so long that it does not fit into one line of a phone"
    jie, = friends(stage, ("Jie",), [(title,)])
    tab = page(stage, jie, viewport={"width": 375, "height": 740})
    tab.click("#cards h3 a")
    button = ".expanded [value=if-need-be]"
    tab.until(f"$({button!r}) !== null", "the third vote")
    look = "(it => getComputedStyle(it).backgroundColor)($('.third-vote [aria-pressed]'))"
    before = tab.run(look)
    tab.click(button)
    tab.until("$('#toast button') !== null", "the toast")
    lines = ("(it => { const range = document.createRange(); range.selectNodeContents(it); return range.getClientRects().length; })"
             "($('#toast button'))")
    expect(tab.run(lines) == 1, f"“Undo” takes {tab.run(lines)} lines")
    tab.until("$('.third-vote [aria-pressed=true]') !== null", "it is pressed")
    expect(tab.run(look) != before, "pressed, it looks the same")
    tab.press("e")
    tab.until("$('.save-bar .primary') !== null && document.activeElement.name === 'title'", "the form is open")
    expect(tab.run("$('#toast').classList.contains('shown')"), "the toast is gone")
    expect(tab.run("(it => $('.save-bar .primary').contains(document.elementFromPoint((it.left + it.right) / 2, (it.top + it.bottom) / 2)))"
                   "($('.save-bar .primary').getBoundingClientRect())"), "something covers “Save”")


@scenario("what is ticked stays in its place while the pointer is there, and goes to the end once that leaves", needs_caravan=True)
def ticks(stage):
    jie, = friends(stage, ("Jie",), [(title, "--quantity", "1") for title in ("Speaker", "Towels", "Rope")])
    tab = page(stage, jie)
    tab.open(tab.run("location.origin + location.pathname") + "?view=bring")
    live(tab)
    order = "[...document.querySelectorAll('#bring h3')].map(it => it.innerText.trim())"
    first = f"#{tab.run('$(`#bring > *`).id')} .tick"
    tab.click(first)
    until(lambda: jie.items()["Speaker"].get("done"), 10, "it is ticked")
    tab.until(f"$({first!r}).getAttribute('aria-pressed') === 'true' && !$('[data-pending]')", "it looks so")
    time.sleep(1)
    expect(tab.run(order) == ["Speaker", "Towels", "Rope"], f"under the pointer: {tab.run(order)}")
    jie.do("add", "Tent", "--quantity", "1")
    tab.until("$('#bring').children.length === 4", "what others add comes all the same")
    tab.run("document.activeElement.blur()")
    # Pointed away again until it is so: the screen's own pointer, which may be over the list, can report itself at any moment.
    until(lambda: (tab.point_away(), tab.glance(f"{order}.join() === 'Towels,Rope,Tent,Speaker'"))[1], WAIT_SECONDS,
          "it is last once the pointer is elsewhere")


@scenario("Edit leads into the form, Escape closes it from within, and the focus is back at Edit", needs_caravan=True)
def edit_focus(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio", "--price", "90")])
    # As high as a card: where Edit is out of sight when the form closes, the title has the focus.
    tab = page(stage, jie, viewport={"width": 1000, "height": 1100})
    tab.click("#cards h3 a")
    tab.until("$('.expanded [data-key=e]') !== null", "the card is open")
    tab.click(".expanded [data-key=e]")
    tab.until("$('form.edit')?.contains(document.activeElement)", "the form has the focus")
    tab.press("Escape")
    tab.until("$('form.edit') === null", "the form closes")
    tab.until("document.activeElement.matches('[data-key=e]')", "Edit has the focus")
    tab.press("e")
    tab.until("document.activeElement.name === 'title'", "the title can be written")
    tab.press("Enter")
    tab.until("$('form.edit') === null && document.activeElement.matches('[data-key=e]')", "saved, Edit has the focus")


@scenario("a card opens and closes under the keyboard's focus, and the closed one is in sight, also from far below its title",
          needs_caravan=True)
def card_focus(stage):
    jie, = friends(stage, ("Jie",), [(f"Stay {number}", "--note", "\n".join(["A line"] * 40)) for number in range(12)])
    tab = page(stage, jie)
    title = "[...document.querySelectorAll('#cards h3 a')].find(it => it.textContent === 'Stay 5')"
    has_focus = f"document.activeElement === {title}"
    tab.run(f"({title}.focus(), 1)")
    for turn in ("first", "second"):
        tab.press("Enter")
        tab.until(f"$('.expanded')?.contains({title}) && {has_focus}", f"opened for the {turn} time, its title has the focus")
        tab.press("Enter")
        tab.until(f"!$('.expanded') && {has_focus}", f"closed for the {turn} time, its title has the focus")
    tab.press("Enter")
    tab.until("$('.expanded') !== null", "it is open again")
    tab.run("($('.expanded .origin').scrollIntoView({ block: 'end' }), document.activeElement.blur(), 1)")
    tab.until(f"{title}.getBoundingClientRect().bottom < 0", "its title is above the window")
    tab.press("Escape")
    tab.until("!$('.expanded')", "it is closed")
    tab.until(f"(it => it.top >= 0 && it.bottom <= innerHeight)({title}.closest('article').getBoundingClientRect())", "it is in sight")


@scenario("on a phone the card is in sight once its form is saved", needs_caravan=True)
def saved_card(stage):
    jie, = friends(stage, ("Jie",), [(f"Stay {number}", "--note", "\n".join(["A line"] * 40)) for number in range(12)])
    tab = page(stage, jie, viewport={"width": 375, "height": 740})
    title = "[...document.querySelectorAll('#cards h3 a')].find(it => it.textContent === 'Stay 5')"
    tab.run(f"({title}.click(), 1)")
    tab.until("$('.expanded [data-key=e]') !== null", "the card is open")
    tab.run("($('.expanded [data-key=e]').click(), 1)")
    tab.until("$('form.edit') !== null", "the form is open")
    tab.type("form.edit [name=details]", "Keys at the café")
    tab.run("($('form.edit .save-bar').scrollIntoView({ block: 'end' }), 1)")
    tab.until("$('.expanded h3').getBoundingClientRect().bottom < 0", "its title is above the window")
    tab.click("form.edit .save-bar .primary")
    tab.until("$('form.edit') === null", "it is saved")
    tab.until("(it => it.top >= 56 && it.bottom < innerHeight / 2)($('.expanded h3').getBoundingClientRect())", "its title is in sight")


def form_on_phone(stage):
    """The page of a phone on which the form of a card opens."""
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    tab = page(stage, jie, viewport={"width": 375, "height": 667})
    tab.click("#cards h3 a")
    tab.until("$('.expanded [data-key=e]') !== null", "the card is open")
    tab.press("e")
    return tab


@scenario("on a phone what is wrong with a field is told above the form’s own bar, also of a field right above that", needs_caravan=True)
def fault_in_sight(stage):
    tab = form_on_phone(stage)
    tab.until("$('form.edit') !== null", "the form is open")
    tab.run("($('.edit [name=beds]').scrollIntoView({ block: 'center' }), $('.edit [name=beds]').focus(), 1)")
    tab.write("two")
    top = "$('.save-bar').getBoundingClientRect().top"
    tab.run(f"(scrollBy(0, $('.edit [name=beds]').getBoundingClientRect().bottom - {top} + 4), 1)")
    tab.click("form.edit .save-bar .primary")
    tab.until("$('.field-beds .fault').textContent !== '' && document.activeElement.name === 'beds'", "it is refused at its field")
    tab.until(f"$('.field-beds .fault').getBoundingClientRect().bottom <= {top} + 1", "the line is above the bar")


# WebKit leaves scroll padding out as Tab moves the focus.
@scenario("on a phone the Tab key leads to fields above the form’s own bar", engines=("chromium",), needs_caravan=True)
def tab_above_bar(stage):
    tab = form_on_phone(stage)
    tab.until("$('form.edit')?.contains(document.activeElement)", "the form has the focus")
    hidden = ("(it => it.closest('.edit .field') && it.getBoundingClientRect().bottom > $('.save-bar').getBoundingClientRect().top"
              " ? it.name : '')(document.activeElement)")
    for _ in range(24):
        tab.press("Tab")
        tab.until(f"{hidden} === ''", "the bar covers no field that has the focus")


@scenario("on a phone the field that one writes in stays in sight when the bar beneath it grows, as somebody removed the item",
          needs_caravan=True)
def removed_in_sight(stage):
    jie, noah = friends(stage, ("Jie", "Noah"), [("Casa do Rio",)])
    tab = page(stage, jie, viewport={"width": 375, "height": 667})
    tab.click("#cards h3 a")
    tab.until("$('.expanded [data-key=e]') !== null", "the card is open")
    tab.press("e")
    tab.until("$('form.edit') !== null", "the form is open")
    tab.run("($('.edit [name=price]').scrollIntoView({ block: 'center' }), $('.edit [name=price]').focus(), 1)")
    tab.write("90")
    top = "$('.save-bar').getBoundingClientRect().top"
    tab.run(f"(scrollBy(0, $('.edit [name=price]').getBoundingClientRect().bottom - {top} + 4), 1)")
    noah.do("remove", "Casa do Rio")
    tab.until("$('.removed-bar') !== null", "it is told")
    tab.until(f"document.activeElement.name === 'price' && $('.edit [name=price]').getBoundingClientRect().bottom <= {top}",
              "the field is above the bar")


@scenario("on a phone the way to the comparison is in sight where rows far down the ranking are ticked", needs_caravan=True)
def compare_in_sight(stage):
    jie, = friends(stage, ("Jie",), [(f"Stay {number:02}",) for number in range(14)])
    tab = page(stage, jie, viewport={"width": 375, "height": 667})
    tab.open(tab.run("location.origin + location.pathname") + "?view=ranking")
    live(tab)
    seen = ("(it => it?.contains(document.elementFromPoint((it.getBoundingClientRect().left + it.getBoundingClientRect().right) / 2,"
            " (it.getBoundingClientRect().top + it.getBoundingClientRect().bottom) / 2)))($('.compare-bar > *'))")
    for place, words in ((0, "Tick one or two more"), (11, "Compare 2 side by side")):
        tick = f"document.querySelectorAll('#ranking .compare-link')[{place}]"
        tab.run(f"({tick}.scrollIntoView({{ block: 'center' }}), {tick}.click(), 1)")
        tab.until(f"$('.compare-bar > *')?.textContent.includes({words!r}) && {seen}", f"{words} is in sight")


@scenario("on a phone a menu that is opened while a message is shown is above it, to its last row", needs_caravan=True)
def menu_above(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    tab = page(stage, jie, viewport={"width": 375, "height": 667})
    tab.click("#cards .for")
    tab.until("$('#toast p') !== null", "the message")
    tab.click(".further summary")
    tab.until("[...document.querySelectorAll('.further li a')].every(it => (box => it.contains(document.elementFromPoint("
              "(box.left + box.right) / 2, (box.top + box.bottom) / 2)))(it.getBoundingClientRect()))", "every row can be tapped")


@scenario("seven pages of one browser, all seen, are live: each votes, and each shows what the others did",
          engines=("chromium",), needs_caravan=True, seconds=40)
def seven(stage):
    jie, = friends(stage, ("Jie",), [(f"Stay {number}",) for number in range(7)])
    first = page(stage, jie)
    address = first.run("location.href")
    tabs = [first]
    for number in range(2, 8):
        tabs.append(ChromiumTab(first.page.context.new_page()))
        tabs[-1].page.goto(address, timeout=8_000)
        live(tabs[-1], f"page {number}")
    for number, tab in enumerate(tabs):
        tab.page.bring_to_front()
        tab.run("($('.pill .for'), 1)")
        tab.click(f"[data-card]:has(a[href*='{jie.items()[f'Stay {number}']['id'][:12]}']) .pill .for")
        until(lambda: jie.items()[f"Stay {number}"].get("tally") == 1, 3, f"the vote of page {number + 1}")
    for number, tab in enumerate(tabs):
        tab.until("[...document.querySelectorAll('#cards .tally')].every(it => it.textContent === '1')",
                  f"page {number + 1} shows all votes", 5)
    streams = sum(tab.run("source !== null") for tab in tabs)
    expect(1 <= streams <= 4, f"{streams} streams are open")
