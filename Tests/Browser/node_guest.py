"""Guests join by a link: a phone that has nothing but a browser, and phones that are too late."""

import re
import shutil
import subprocess
import time
from pathlib import Path

from browsers import expect, until
from homes import Home, card, friends, live, page
from scenarios import scenario

PHONE = {"viewport": {"width": 375, "height": 740}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}


def door(home):
    """Opens a home's door to guests; the link of the code that phones scan."""
    return re.search(r"http://\S+/enter/\S+", home.do("guests", "--minutes", "30"))[0]


def come_in(tab, link, name):
    tab.open(link)
    tab.until("$('#who-name') !== null", "Who are you?")
    tab.type("#who-name", name)
    tab.click(".new-name button")
    live(tab, f"{name}'s page")


@scenario("a guest's phone on an insecure origin: two taps to the first vote, live, back as itself, and out with the door",
          needs_caravan=True)
def guest(stage):
    jie, noah = friends(stage, ("Jie", "Noah"), [("Casa do Rio", "--price", "90"), ("Hostel",)])
    link = door(jie)
    phone = stage.tab(**PHONE)
    come_in(phone, link, "Rui")
    expect(not phone.run("isSecureContext"), "this origin is a secure one: the test shows nothing")
    phone.run(f"{card('Casa do Rio')}.querySelector('.pill .for').click()")
    until(lambda: {vote["name"]: vote["vote"] for vote in noah.items()["Casa do Rio"].get("votes", [])} == {"Rui": "for"},
          10, "the guest's vote is on Noah's home")
    phone.run(f"{card('Hostel')}.querySelector('h3 a').click()")
    phone.until("$('.expanded .answers [value=going]')", "the card is open")
    phone.run("$('.expanded .answers [value=going]').click()")
    until(lambda: [(one["name"], one["attendance"]) for one in noah.items()["Hostel"].get("attendance", [])] == [("Rui", "going")],
          10, "the guest's answer is on Noah's home")
    phone.until("$('.expanded .attendance').textContent.includes('Haven’t answered')", "who has not answered")
    phone.run("$('.expanded h3 a').click()")
    phone.until("!$('.expanded')", "the card is closed")
    phone.type("#what", "Tenda na praia")
    phone.press("Enter")
    until(lambda: "Tenda na praia" in noah.items(), 10, "what the guest added is on Noah's home")
    noah.do("vote", "Casa do Rio")
    phone.until(f"{card('Casa do Rio')}.querySelector('.tally').textContent === '2'", "Noah's vote is on the phone")
    for view in ("members", "history", "status", "trips", "sources"):
        phone.open(link.partition("/enter/")[0] + f"/t/{trip_of(phone)}/?view={view}")
        expect("view=" not in phone.run("location.search"), f"a guest sees {view}")
    expect(phone.run("$('a[href*=\"view=members\"], a[href*=\"view=history\"]')") is None, "a link to what guests do not see")
    phone.open(link.partition("/enter/")[0] + "/")
    live(phone, "the phone that comes back")
    expect(phone.run(f"{card('Casa do Rio')}.querySelector('.pill .for').getAttribute('aria-pressed')") == "true",
           "not back as oneself")
    again = stage.tab(**PHONE)
    again.open(link)
    expect("Who are you?" in again.run("document.body.textContent"), "the code serves one phone only")
    expect(phone.run("$('#sync').textContent") == "hosted on Jie’s computer", phone.run("$('#sync').textContent"))
    notice = phone.run("$('.guest-notice').textContent")
    expect("You’re Jie’s guest. This page closes in 30 minutes." in notice, f"the notice: {notice!r}")
    jie.do("guests", "--close")
    phone.until("$('.guest-notice')?.textContent.startsWith('Jie stopped letting guests in')", "the phone is told")
    expect(phone.text("#toast") == "", "the message repeats the notice")
    expect(phone.text("#sync") == "not connected", f"the word: {phone.text('#sync')!r}")
    against = f"{card('Casa do Rio')}.querySelector('.pill .against')"
    phone.run(f"{against}.click()")
    phone.until("$('#toast').textContent.includes('Jie stopped letting guests in')", "a vote is refused with the reason")
    phone.until(f"{against}.getAttribute('aria-pressed') === 'false' && !{against}.hasAttribute('data-pending')", "it is not pressed")
    expect(jie.items()["Casa do Rio"]["tally"] == 2, "the guest's vote went with the door")
    phone.run(f"{card('Hostel')}.querySelector('h3 a').click()")
    phone.until("$('#toast').classList.contains('lost')", "what is opened can't be shown")
    expect(phone.text("#toast").startswith("Jie stopped letting guests in"), f"the reason: {phone.text('#toast')!r}")
    # What is loaded again says why, in the page's look; what is open stays, and comes back.
    again.reload()
    again.until("document.body.textContent.includes('Guests can’t use this page now.')", "a page that says so")
    expect(again.run("getComputedStyle($('.refusal')).maxInlineSize !== 'none'"), "it has no style")
    phone.run("(tries = 4, 1)")
    phone.until("tries > 4", "the phone asks whether it is still let in")
    time.sleep(1)
    expect(phone.run("$('.guest-notice') !== null"), "the open page is gone")
    door(jie)
    live(phone, "the page of a phone whose host opened again")
    again.click("a.button")
    again.until("document.body.textContent.includes('Who are you?')", "“Try again” leads on")
    phone.until("$('.guest-notice').textContent.startsWith('You’re Jie’s guest.')", "the notice is as it was")


def trip_of(tab):
    return tab.run("document.body.dataset.stream.split('/')[2]")


@scenario("the host's page opens the door by a button, shows the code, and takes a guest out", needs_caravan=True)
def host(stage):
    jie, = friends(stage, ("Jie",), [("Casa do Rio",)])
    ours = page(stage, jie)
    ours.open(ours.run("location.origin + location.pathname") + "?view=members")
    live(ours)
    ours.run("[...document.querySelectorAll('form input[value=open-to-guests]')][0].form.requestSubmit()")
    ours.until("document.body.textContent.includes('/enter/')", "the address for guests")
    ours.until("/^in \\d+:\\d\\d$/.test($('.door time').textContent) || $('.door time').textContent === 'in 30 minutes'", "a countdown")
    ours.run("$('.door time').dataset.moment = Date.now() + 65000")
    ours.until("/^in 1:0\\d$/.test($('.door time').textContent)", "a countdown by the second")
    expect("read this page" in ours.run("$('main').textContent"), "it does not say that anyone can read it")
    link = ours.text(".plain-address")
    phone = stage.tab(**PHONE)
    come_in(phone, link, "Rui")
    ours.until("$('main').textContent.includes('Rui')", "the guest is among the people")
    ours.run("($('.take-out summary').click(), 1)")
    ours.until("$('.take-out .confirm').checkVisibility()", "it asks again")
    gap = ours.run("(([one, other]) => other.getBoundingClientRect().top - one.getBoundingClientRect().bottom)"
                   "([...document.querySelectorAll('.take-out .confirm button')])")
    expect(gap >= 6, f"the buttons are {gap} px apart")
    ours.run("[...document.querySelectorAll('form input[value=take-out]')][0].form.requestSubmit()")
    phone.until("$('.guest-notice')?.textContent.includes('Jie removed you from this trip')", "the guest is told")
    # The page asks for itself once its stream was refused some times.
    phone.until("document.body.textContent.includes('no longer a guest')", "nothing of the trip stays", 15)


def is_refused(tab, link, words):
    """Whether a link lets nobody in, and says why; without a cookie there is nothing to see."""
    tab.open(link)
    text = tab.run("document.body.textContent")
    expect(words in text, f"{link}: {text!r}")
    tab.open(link.partition("/enter/")[0] + "/")
    expect(tab.run("document.body.dataset.stream === undefined"), f"{link} let somebody in")


@scenario("wrong, used and expired links let nobody in, neither the owner's nor those for guests, and a fresh one does",
          needs_caravan=True)
def links_end(stage):
    library, ahead = stage.folder / "ahead.so", stage.folder / "seconds"
    # Swift brings a compiler of C.
    subprocess.run([shutil.which("clang") or "cc", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("ahead.c"), "-ldl"], check=True)
    jie = Home(stage.caravan, stage.folder, "Jie")
    jie.do("new", "Lisbon in June", "--as", "Jie")
    jie.environment |= {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(ahead)}
    stage.closing.append(jie.down)
    jie.up()
    ours, other = page(stage, jie), stage.tab(**PHONE)
    for whose, fresh, minutes, words in (("the owner's", jie.link, 10, "was used or has expired"),
                                         ("the guests'", lambda: door(jie), 30, "has expired")):
        link = fresh()
        wrong = link[:-4] + ("0000" if link[-4:] != "0000" else "1111")
        is_refused(other, wrong, words)
        used = stage.tab()
        used.open(link)
        used.until("$('#who-name') !== null || typeof streamID === 'string'", f"{whose} link lets one in")
        # A code for guests serves all their phones, as long as the door is open.
        if words.startswith("was used"):
            is_refused(other, link, words)
        link = fresh()
        ahead.write_text(str(minutes * 60 + 1))
        is_refused(other, link, words)
        ahead.unlink()
        if words.startswith("was used"):
            is_refused(other, link, words)
    ours.reload()
    live(ours, "the page of the guest who was in time")
    come_in(other, door(jie), "Rui")
