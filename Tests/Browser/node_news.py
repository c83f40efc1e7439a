"""What is new since a person last looked: its marks, the way to it, and the tab's title."""

from browsers import expect, until
from homes import friends, live, page
from node_everyone import violations
from scenarios import scenario
from script_stream import HIDE


@scenario("what others add is marked, and counted in the header and the tab's title, until it was seen and the page is left",
          needs_caravan=True, seconds=40)
def news(stage):
    jie, noah = friends(stage, ("Jie", "Noah"), [("Casa do Rio",)])
    tab = page(stage, noah, viewport={"width": 390, "height": 800})
    marks = "[...document.querySelectorAll('[data-mark=new]')].map(it => it.parentElement.querySelector('a').textContent).join()"
    expect(tab.run(f"{marks} === '' && document.title === 'Lisbon in June'"), "new at the first look")
    jie.do("add", "Quinta")
    tab.until(f"{marks} === 'Quinta'", "what Jie added is marked")
    tab.until("document.title === '(1) Lisbon in June' && $('.news').textContent === '1 new'", "and counted")
    found = violations(tab, "new") if tab.name == "chromium" else []
    expect(not found, f"axe: {found}")
    tab.until("seen.size === 1", "it was in sight for a second")
    tab.run(HIDE.format("true"))
    tab.until("document.title === 'Lisbon in June'", "nothing is new once the page was left")
    jie.do("add", "Loft")
    until(lambda: "Loft" in noah.items(), 10, "the loft came")
    tab.run("void nameTab()")
    tab.until("document.title === '(1) Lisbon in June'", "a tab that nobody sees says what came")
    tab.run(HIDE.format("false"))
    live(tab)
    tab.until(f"{marks} === 'Loft'", "only the loft is new")
    tab.click(".news")
    tab.until("location.search === '?sort=new' && $('.news-bar button') !== null", "the way to it")
    expect(tab.run("$('#cards h3').textContent.startsWith('Loft')"), "it stands first")
    tab.click("#cards h3 a")
    tab.until("document.title === 'Lisbon in June' && $('.news') === null", "what is opened is seen")
    jie.do("comment", "Casa do Rio", "By the sea")
    tab.until(f"{marks} === 'Casa do Rio'", "a comment makes its card new")
    tab.click(".news-bar button")
    tab.until(f"{marks} === '' && $('#toast').textContent.includes('Nothing is marked as new')", "all is marked as seen")
