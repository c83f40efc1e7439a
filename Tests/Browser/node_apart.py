"""Mailboxes on the page, for members who are never online together; with real nodes and a folder."""

import json

from browsers import expect, until
from homes import card, friends, live, page
from scenarios import scenario

PHONE = {"viewport": {"width": 375, "height": 740}}
SECRET = "hunter2hunter2"


def members(tab):
    tab.open(tab.run("location.origin + location.pathname") + "?view=members")
    live(tab)


def add(tab, address, code=""):
    tab.type("#mailbox-address", address)
    if code:
        tab.type("#mailbox-code", code)
    tab.press("Enter")


def mailboxes(home):
    return json.loads(home.do("mailbox", "list", "--json"))


@scenario("a mailbox is added by its folder, shows its code, is tested and removed; a password that was typed is kept nowhere",
          needs_caravan=True, seconds=30)
def mailbox(stage):
    jie, = friends(stage, ("Jie",))
    folder = stage.folder / "Nextcloud"
    folder.mkdir()
    tab = page(stage, jie, **PHONE)
    members(tab)
    expect(tab.run("$('.mailbox')") is None, "there is a mailbox")
    add(tab, f"https://jie:{SECRET}@127.0.0.1:1/trip")
    expect(SECRET not in tab.run("JSON.stringify(localStorage)"), "the browser keeps the password")
    tab.until("$('#toast').classList.contains('problem')", "it is refused")
    expect(SECRET not in tab.run("document.documentElement.outerHTML"), "the page shows the password")
    tab.reload()
    live(tab)
    expect(tab.run("$('#mailbox-address').value") == "", "what was typed is there again")
    add(tab, str(folder))
    tab.until("$('.mailbox') !== null && $('#mailbox-address').value === ''", "the mailbox is there")
    code = mailboxes(jie)[0]["code"]
    expect(tab.run("$('#mailbox-1-code').value") == code, "another code")
    expect(tab.run("$('#mailbox-1-command').value") == f"caravan mailbox add FOLDER --code {code}", "another command")
    tab.until("$('.mailbox').innerText.includes('works, last read')", "it was read", 20)
    tab.run("($('input[value=test-mailboxes]').form.requestSubmit(), 1)")
    tab.until("$('#toast').textContent.includes('works: written in')", "the test")
    tab.run("($('.mailbox .take-out summary').click(), $('input[value=remove-mailbox]').form.requestSubmit(), 1)")
    tab.until("$('.mailbox') === null", "it is gone")
    expect(mailboxes(jie) == [], "the node keeps it")


@scenario("a vote for a member who is away is in the mailbox, and the page says so until they have it", needs_caravan=True, seconds=60)
def posted(stage):
    jie, noah = friends(stage, ("Jie", "Noah"), [("Casa do Rio",)])
    folder = stage.folder / "Nextcloud"
    folder.mkdir()
    tab = page(stage, jie, **PHONE)
    members(tab)
    add(tab, str(folder))
    tab.until("$('.mailbox') !== null", "the mailbox is there")
    theirs = page(stage, noah, **PHONE)
    members(theirs)
    add(theirs, str(folder), mailboxes(jie)[0]["code"])
    theirs.until("$('.mailbox') !== null", "the mailbox is there for Noah")
    noah.down()
    tab.open(tab.run("location.origin + location.pathname"))
    live(tab)
    tab.until("$('#sync').textContent.includes('up to date')", "Noah has everything")
    tab.run(f"{card('Casa do Rio')}.querySelector('.pill .for').click()")
    tab.until("$('#sync').innerText.includes('in the mailbox, not yet with Noah')", "the third state", 30)
    noah.up()
    tab.until("$('#sync').innerText.includes('up to date')", "Noah has it", 30)
    until(lambda: noah.items()["Casa do Rio"]["tally"] == 1, 10, "the vote is there")
