"""The people of one trip come along to the next one."""

from browsers import expect, until
from homes import friends, page
from scenarios import scenario


@scenario("the people of a trip see the next one among its cards, and come along with one tap",
          needs_caravan=True, seconds=60)
def along(stage):
    jie, noah = friends(stage, ("Jie", "Noah"), [("Casa do Rio",)])
    tab = page(stage, noah, viewport={"width": 390, "height": 800})
    jie.do("new", "Porto in May", "--with", "Lisbon in June")
    tab.until("[...document.querySelectorAll('#cards h3')].some(it => it.textContent.includes('Porto in May'))", "the card of the next trip")
    tab.run("([...document.querySelectorAll('#cards h3 a')].find(it => it.textContent.includes('Porto in May')).click(), 1)")
    tab.until("$('button[form=come-along]')", "the button")
    box = tab.run("(it => [it.width, it.height])($('button[form=come-along]').getBoundingClientRect())")
    expect(min(box) >= 24, f"a button of {box}")
    expect("caravan:" not in tab.run("$('.expanded .note-links').textContent"), "the link is shown beside its button")
    tab.click("button[form=come-along]")
    tab.until("document.title.includes('Porto in May')", "the page of the next trip", 30)
    until(lambda: "Noah" in jie.do("members"), 20, "Noah is in the next trip")
