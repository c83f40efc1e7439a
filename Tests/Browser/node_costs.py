"""Expenses on the page of a real node: added, edited, picked among versions and removed."""

import json

from browsers import expect, until
from homes import friends, live, page
from scenarios import scenario

PHONE = {"viewport": {"width": 375, "height": 740}}


def costs(tab):
    tab.open(tab.run("location.origin + location.pathname") + "?view=costs")
    live(tab)


def expenses(home):
    return {item["title"]: item for item in json.loads(home.do("cost", "list", "--json"))["expenses"]}


def row(title):
    """An expression that finds the row of an expense by its title."""
    return f"[...document.querySelectorAll('.paid > li')].find(it => it.querySelector('h3').textContent === {title!r})"


def tick(tab, legend, name):
    """Ticks a person in a part of the form, or unticks them."""
    tab.run(f"([...document.querySelectorAll('.{legend} label')].find(it => it.textContent === {name!r}).click(), 1)")


def shown(tab, selector):
    return tab.run(f"[...document.querySelectorAll({selector!r})].filter(it => it.checkVisibility({{ visibilityProperty: true }})).length")


@scenario("a row of the costs is no higher than its text and Edit need on a phone", engines=("chromium",), needs_caravan=True)
def costs_row(stage):
    jie, = friends(stage, ("Jie",))
    jie.do("cost", "add", "Dinner", "84 EUR")
    tab = page(stage, jie, viewport={"width": 375, "height": 812})
    costs(tab)
    tab.until("$('.costs .paid > li') !== null", "the row")
    height = tab.run("$('.costs .paid > li').getBoundingClientRect().height")
    expect(height < 72, f"the row has {height} px")


@scenario("an expense is added, corrected where the form says what is wrong, edited and removed, by keyboard and on a phone; the "
          "other page shows it live, and keeps what is being written there", needs_caravan=True, seconds=60)
def expense(stage):
    jie, noah = friends(stage, ("Jie", "Noah"))
    tab, theirs = page(stage, jie, **PHONE), page(stage, noah, **PHONE)
    costs(tab)
    costs(theirs)
    tab.run("(document.activeElement.blur(), 1)")
    tab.press("n")
    tab.until("$('#cost-form') !== null", "the form")
    tab.until("document.activeElement.name === 'title'", "the name has the focus")
    tab.write("Dinner")
    tab.type("#cost-form-amount", "thirty")
    tab.press("Enter")
    tab.until("$('#cost-form-fault-amount').textContent.includes('is not an amount')", "the fault is at its field")
    tab.until("document.activeElement.id === 'cost-form-amount' && document.activeElement.getAttribute('aria-invalid') === 'true'",
              "the field has the focus, and is marked")
    expect(tab.run("$('#cost-form-title').value") == "Dinner", "what was typed is lost")
    # What is being written stays, and what others add comes beside it.
    noah.do("cost", "add", "Taxi", "20 EUR")
    tab.until(f"{row('Taxi')} !== undefined", "the other's expense is here")
    expect(tab.run("[$('#cost-form-title').value, $('#cost-form-amount').value]") == ["Dinner", "thirty"], "the form is drawn again")
    tab.run("($('#cost-form-amount').select(), 1)")
    tab.write("84")
    tab.type("#cost-form-currency", "eur")
    expect(shown(tab, ".tick-list .number") == 0, "numbers that say nothing are seen")
    tick(tab, "payers", "Noah")
    expect(shown(tab, ".payers .number") == 2, "two payers have no numbers")
    tick(tab, "payers", "Noah")
    tab.run("(it => { it.value = 'parts'; it.dispatchEvent(new Event('input', { bubbles: true })); })($('#cost-form-way'))")
    expect(shown(tab, ".sharers .number") == 2, "the parts have no numbers")
    tab.run("[...document.querySelectorAll('.sharers .number')].forEach((it, at) => { it.value = String(at + 1); })")
    tab.run("($('#cost-form').requestSubmit(), 1)")
    tab.until("$('#cost-form') === null", "the form closes")
    theirs.until(f"{row('Dinner')}?.textContent.includes('Jie paid for')", "Noah sees it")
    until(lambda: "Dinner" in expenses(noah), 10, "Noah has it")
    theirs.run(f"({row('Dinner')}.querySelector('a').click(), 1)")
    theirs.until("document.activeElement.name === 'title' && $('.expense h2').textContent.includes('Dinner')", "the form to edit")
    theirs.run("($('.expense [name=amount]').select(), 1)")
    theirs.write("90")
    # What somebody else saves meanwhile wasn't shown in the form: it stays beside what the form says.
    jie.do("cost", "edit", "Dinner", "--amount", "86")
    theirs.until(f"{row('Dinner')}.textContent.includes('€86.00')", "the other's edit is here")
    theirs.press("Enter")
    theirs.until("$('.expense') === null", "it is saved")
    tab.until(f"{row('Dinner')}.querySelectorAll('.versions li').length === 2", "both edits stand")
    tab.run(f"([...{row('Dinner')}.querySelectorAll('.versions li')].find(it => it.textContent.includes('€90.00'))"
            ".querySelector('button').click(), 1)")
    tab.until(f"{row('Dinner')}.querySelector('.versions') === null && {row('Dinner')}.textContent.includes('€90.00')", "one is kept")
    tab.run(f"({row('Dinner')}.querySelector('a').click(), 1)")
    tab.until("$('.expense .danger') !== null", "the form to edit")
    tab.run("($('.expense .danger').click(), 1)")
    tab.until(f"{row('Dinner')} === undefined", "it is removed")
    tab.until("$('.expense') === null || $('.expense-form') === null", "the form goes with it")
    until(lambda: "Dinner" not in expenses(noah), 10, "it is removed there")


@scenario("two versions of an expense are shown, and one tap keeps one", needs_caravan=True, seconds=40)
def versions(stage):
    jie, noah = friends(stage, ("Jie", "Noah"))
    jie.do("cost", "add", "Dinner", "84 EUR")
    until(lambda: "Dinner" in expenses(noah), 10, "Noah has it")
    noah.down()
    noah.do("cost", "edit", "Dinner", "--amount", "85")
    jie.do("cost", "edit", "Dinner", "--amount", "86")
    noah.up()
    tab = page(stage, jie, **PHONE)
    costs(tab)
    tab.until(f"{row('Dinner')}.querySelectorAll('.versions li').length === 2", "two versions", 20)
    tab.run(f"([...{row('Dinner')}.querySelectorAll('.versions li')].find(it => it.textContent.includes('€85.00'))"
            ".querySelector('button').click(), 1)")
    tab.until(f"{row('Dinner')}.querySelector('.versions') === null && {row('Dinner')}.textContent.includes('€85.00')", "one is kept")
