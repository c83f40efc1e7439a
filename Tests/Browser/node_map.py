"""The map: moved and made larger, with its pins where they belong, whatever comes meanwhile."""

from browsers import expect, until
from homes import friends, page
from scenarios import scenario

PLACES = [("Casa do Rio", "38.7118,-9.1365"), ("Sintra", "38.7980,-9.3880"), ("Caparica", "38.6446,-9.2356")]


@scenario("a map is moved and made larger by mouse, buttons and keys, keeps its part while others add, and opens a card by its pin",
          engines=("chromium",), needs_caravan=True, seconds=40)
def map_moves(stage):
    jie, = friends(stage, ("Jie",), [(title, "--place", place) for title, place in PLACES])
    tab = page(stage, jie, viewport={"width": 390, "height": 800})
    tab.open(tab.run("location.origin + location.pathname") + "?view=map")
    tab.until("document.querySelectorAll('.map-figure .map-pin').length >= 3", "the pins")
    look = "lookAt($('.map-figure svg')).map(Math.round).join()"
    size = tab.run("box($('.map-figure .map-pin circle')).width")
    gap = tab.run("box($('.map-figure')).width")
    tab.until("$('.map-towns text') || $('.map-credits').textContent.includes('towns (')", "towns, where any are installed")
    apart = ("[...document.querySelectorAll('.map-towns text')].map(box).map((text, place) => (dot => Math.hypot("
             "text.x + text.width / 2 - dot.x, text.y - dot.y))(box(document.querySelectorAll('.map-towns circle')[place])))")
    names = tab.run(apart)
    tab.click("[data-mark=map-in]")
    tab.click("[data-mark=map-in]")
    expect(all(abs(one - other) < 1 for one, other in zip(names, tab.run(apart))), f"names of towns leave their dots: {tab.run(apart)}")
    expect(tab.run("lookAt($('.map-figure svg'))[0] > 2.5"), "two clicks make it larger")
    expect(abs(tab.run("box($('.map-figure .map-pin circle')).width") - size) < 1, "a pin keeps its size")
    expect(tab.run("getComputedStyle($('.map-scale')).display === 'none'"), "the scale of the whole map")
    expect(tab.run("box($('.map-figure')).width") == gap, "the frame keeps its size")
    before = tab.run(look)
    box = tab.run("(it => [it.left, it.top, it.width, it.height])(box($('.map-figure svg')))")
    x, y = box[0] + box[2] * .2, box[1] + box[3] * .2
    mouse = tab.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 20, steps=4)
    mouse.up()
    moved = tab.run(look)
    expect(moved != before, "the mouse moves it")
    expect("view=map" in tab.run("location.search"), "and opens nothing")
    tab.press("Tab")
    tab.page.focus("[data-mark=map-in]")
    tab.press("ArrowRight")
    keyed = tab.run(look)
    expect(keyed != moved, "an arrow key moves it")
    jie.do("add", "Cascais", "--place", "38.6979,-9.4215")
    tab.until("document.body.textContent.includes('Cascais')", "a place comes")
    expect(tab.run(look) == keyed, "its part stays while others add")
    tab.click("[data-mark=map-whole]")
    expect(tab.run("!$('.map-figure svg').hasAttribute('style')"), "the whole map again")
    mouse.dblclick(box[0] + box[2] / 2, box[1] + box[3] / 2)
    expect(tab.run("$('.map-figure svg').hasAttribute('style')"), "a double click makes it larger")
    tab.click("[data-mark=map-whole]")
    tab.click(".map-figure .map-pin")
    tab.until("$('.expanded') !== null", "a pin opens its card")
