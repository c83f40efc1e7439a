"""Sharing from what is one's own: a wish list, what was looked at, feeds; on the page of a real node."""

from browsers import expect, until
from homes import card, friends, live, page
from scenarios import scenario

PHONE = {"viewport": {"width": 375, "height": 740}}
HOUSES = 300
FEED = "".join(f"House {number},https://example.org/houses/{number},{number} EUR/night\n" for number in range(1, HOUSES + 1))


def sharing(stage, *items):
    """A home with a feed of houses, some of whose rows bear what a page must not believe."""
    jie, = friends(stage, ("Jie",), items)
    table = stage.folder / "houses.csv"
    table.write_text("title,link,price\n" + FEED + "<b>Loft</b><script>alert(1)</script>,,5 EUR\n", encoding="utf-8")
    jie.do("feeds", "add", table)
    return jie


def row(title):
    """An expression that finds a row by its title."""
    return f"[...document.querySelectorAll('#sources > article')].find(it => it.querySelector('h3').textContent === {title!r})"


def follow(tab, words):
    tab.run(f"([...document.querySelectorAll('#add a')].find(it => it.textContent === {words!r}).click(), 1)")


@scenario("a feed is opened, searched and shared from with one tap, live; what is shared says so; wishes are kept and shared; "
          "what one looked at is there", needs_caravan=True, seconds=25)
def sources(stage):
    jie = sharing(stage, ("House 7", "--link", "https://www.example.org/houses/7/"), ("Hostel",))
    tab = page(stage, jie, **PHONE)
    follow(tab, "Add from your wish list or a feed")
    tab.until("$('nav.sources [aria-current=page]')?.textContent === 'Your wish list'", "the wish list")
    follow(tab, "houses.csv")
    tab.until(f"{row('House 1')} !== undefined", "the feed")
    expect(tab.run("$('#sources').children.length") == 60, "more is drawn than is near")
    expect(tab.run(f"{row('House 7')}.textContent.includes('in the trip')"), "what the trip has already is offered")
    tab.type("#find", "house 30")
    tab.until("$('#sources').children.length === 4", "what is found: 30, 130, 230 and 300")
    tab.run(f"({row('House 30')}.querySelector('.primary').click(), 1)")
    tab.until(f"{row('House 30')}?.textContent.includes('in the trip')", "the row says so")
    expect("from=feed" in tab.run("location.search"), "sharing leads elsewhere")
    expect(jie.items()["House 30"].get("price") == "30 EUR/night", "it is not shared as it is")
    tab.run(f"({row('House 300')}.querySelector('.quiet').click(), 1)")
    tab.until(f"{row('House 300')}.textContent.includes('on your wish list')", "it is kept")
    follow(tab, "Your wish list")
    tab.until(f"{row('House 300')} !== undefined", "the wish")
    jie.do("wish", "Boat trip", "--price", "40 EUR/person")
    tab.until(f"{row('Boat trip')} !== undefined", "a wish of the command")
    tab.type("#wish", "Tiles museum")
    tab.press("Enter")
    tab.until(f"{row('Tiles museum')} !== undefined && $('#wish').value === ''", "a wish of the page")
    tab.run(f"({row('Boat trip')}.querySelector('.primary').click(), 1)")
    tab.until(f"{row('Boat trip')} === undefined", "what is shared is a wish no more")
    tab.run(f"({row('House 300')}.querySelector('.quiet').click(), 1)")
    tab.until(f"{row('House 300')} === undefined", "it is off the list")
    expect(set(jie.items()) == {"House 7", "Hostel", "House 30", "Boat trip"}, f"shared: {set(jie.items())}")
    expect("Tiles museum" in jie.do("wishes") and "House 300" not in jie.do("wishes"), jie.do("wishes"))
    tab.open(tab.run("location.origin + location.pathname"))
    live(tab)
    tab.run(f"({card('Hostel')}.querySelector('h3 a').click(), 1)")
    tab.until("$('.expanded') !== null", "the card")
    until(lambda: "Hostel" in jie.do("recent"), 10, "the command hears of it")
    tab.open(tab.run("location.origin + location.pathname") + "?view=sources&from=viewed")
    expect(tab.run("[...$('#sources').children].map(it => it.querySelector('h3').innerText.trim())") == ["Hostel"], "what was looked at")
    tab.run("($('#sources .in-the-list').click(), 1)")
    tab.until("$('.expanded') !== null", "it leads to the card")


@scenario("what was typed for the wish list and not saved stays there, and what was typed for the trip stays with the trip; over a "
          "reload too", needs_caravan=True)
def sources_unsaved(stage):
    jie = sharing(stage, ("Hostel",))
    tab = page(stage, jie, **PHONE)
    trip = tab.run("location.origin + location.pathname")
    tab.type("#what", "Boat trip")
    follow(tab, "Add from your wish list or a feed")
    tab.until("$('#wish') !== null", "the wish list")
    expect(tab.run("$('#wish').value") == "", f"the wish list's box holds {tab.run('$(`#wish`).value')!r}")
    tab.type("#wish", "Surprise for Noah")
    tab.run("([...document.querySelectorAll('#nav > a')].find(it => it.textContent.includes('Cards')).click(), 1)")
    tab.until("$('#what') !== null", "the cards")
    expect(tab.run("$('#what').value") == "Boat trip", f"the trip's box holds {tab.run('$(`#what`).value')!r}")
    tab.open(trip)
    live(tab)
    tab.until("$('#what').value === 'Boat trip'", "the trip's text after a load")
    tab.open(trip + "?view=sources")
    live(tab)
    tab.until("$('#wish').value === 'Surprise for Noah'", "the wish after a load")


@scenario("the sources without script, and by keyboard in the order in which they are read", engines=("chromium",), needs_caravan=True)
def sources_plain(stage):
    jie = sharing(stage)
    plain = stage.tab(java_script_enabled=False, **PHONE)
    plain.open(jie.link())
    plain.page.get_by_role("link", name="Add from your wish list or a feed").click()
    plain.page.get_by_role("navigation", name="Add from").get_by_role("link", name="houses.csv").click()
    plain.page.get_by_role("searchbox").fill("loft")
    plain.page.get_by_role("searchbox").press("Enter")
    plain.page.get_by_role("button", name="Share <b>Loft</b>").click()
    plain.page.get_by_role("link", name="Already in the trip: <b>Loft</b>").wait_for()
    expect(list(jie.items()) == ["<b>Loft</b><script>alert(1)</script>"], f"{jie.items()}")
    tab = page(stage, jie)
    tab.open(tab.run("location.origin + location.pathname") + "?view=sources&from=feed%3Ahouses.csv&find=house+299")
    live(tab)
    tab.run("document.activeElement.blur()")
    seen = []
    while (name := tab.run("(it => it.getAttribute('aria-label') || it.innerText?.trim() || it.labels?.[0]?.innerText)"
                           "(document.activeElement)")) != "Save House 299 to your wish list" and len(seen) < 40:
        seen.append(name)
        tab.press("Tab")
    wanted = ["Your wish list", "Recently viewed", "houses.csv", "Search", "clear", "House 299", "Share House 299 with the trip"]
    expect(seen[-len(wanted):] == wanted, f"the order is {seen}")
    tab.press("j")
    tab.press("Tab")
    tab.press("Enter")
    until(lambda: "House 299" in jie.items(), 10, "it is shared by keyboard")
    tab.until(f"{row('House 299')}.textContent.includes('in the trip')", "the row says so")
