"""The pictures of the page that the README shows, drawn where --screenshots names a folder."""

from PIL import Image

from browsers import until
from homes import friends, live, page
from painted import paint
from scenarios import scenario

ITEMS = [
    ("Casa do Rio", "--price", "€120 a night", "--host", "Ana", "--note", "River view, tram 28", "--place", "38.7110,-9.1290"),
    ("Alfama loft", "--price", "€95 a night", "--host", "Rui", "--place", "38.7130,-9.1265"),
    ("Quinta in Sintra", "--price", "€140 a night", "--note", "A garden for everyone", "--place", "38.7980,-9.3880"),
    ("Surf hostel Ericeira", "--price", "€28 each", "--place", "38.9630,-9.4170"),
    ("Boat on the Tejo", "--price", "€35 each", "--link", "https://boats.example/tejo"),
    ("Mussels party", "--note", "Friday, by the market"),
]
PHOTOS = {"Casa do Rio": "river", "Alfama loft": "roofs", "Quinta in Sintra": "garden", "Surf hostel Ericeira": "surf",
          "Boat on the Tejo": "sail", "Mussels party": "lights"}
VOTES = {
    "Jie": (("Casa do Rio", "Boat on the Tejo", "Mussels party"), ("Surf hostel Ericeira",)),
    "Noah": (("Casa do Rio", "Quinta in Sintra"), ()),
    "Mia": (("Casa do Rio", "Boat on the Tejo"), ("Alfama loft",)),
}
SIZES = {"page": {"width": 1280, "height": 940}, "page-phone": {"width": 375, "height": 800}}


@scenario("the README's pictures are drawn, where --screenshots names a folder", engines=("chromium",), needs_caravan=True, seconds=180)
def pictures(stage):
    if stage.screenshots is None:
        return
    people = friends(stage, tuple(VOTES), ITEMS)
    jie = people[0]
    for title, scene in PHOTOS.items():
        jie.do("photo", title, paint(scene, stage.folder / f"{scene}.jpg"))
    # The photo that the Tour attaches.
    Image.open(stage.folder / "river.jpg").resize((600, 450)).save(stage.screenshots / "terrace.jpg", quality=80)
    for person in people:
        until(lambda: len(person.items()) == len(ITEMS), 20, f"{person.name} has everything")
        wanted, unwanted = VOTES[person.name]
        person.do("vote", *wanted)
        if unwanted:
            person.do("vote", *unwanted, "--against")
    until(lambda: jie.items()["Casa do Rio"]["tally"] == len(people), 20, "the votes")
    for name, size in SIZES.items():
        tab = page(stage, jie, viewport=size)
        live(tab)
        tab.until("[...document.querySelectorAll('#cards img')].filter(it => it.complete && it.naturalWidth).length >= 3", "the photos")
        picture = stage.screenshots / f"{name}.png"
        tab.page.screenshot(path=picture)
        # 256 colours are a third of the bytes.
        Image.open(picture).convert("RGB").quantize(256).save(picture, optimize=True)
