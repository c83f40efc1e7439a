"""page.js by itself: photos that are chosen, and files that are dropped, wherever that is."""

from browsers import expect, until
from scenarios import scenario
from script_morph import trip

FORM = ('<form class="photos" method="post" action="/t/T/photo"><input type="hidden" name="item" value="{}">'
        '<input type="file" id="p-{}" name="photo" multiple><output data-mark="progress"></output></form>')
# Drops a small picture on an element as browsers do; whether the page keeps the browser from opening it.
DROP = """(node => {{
    const files = new DataTransfer();
    files.items.add(new File(["not much of a picture"], "{name}", {{ type: "{kind}" }}));
    return ["dragover", "drop"].map(name => {{
        const event = new DragEvent(name, {{ bubbles: true, cancelable: true, dataTransfer: files }});
        node.dispatchEvent(event);
        return event.defaultPrevented;
    }}).join();
}})($({selector!r}))"""


def drop(tab, selector, name="a.jpg", kind="image/jpeg"):
    return tab.run(DROP.format(selector=selector, name=name, kind=kind))


@scenario("a photo that is chosen is sent, without an error on the way", engines=("chromium",))
def chosen_photo(stage):
    wire, tab = trip(stage, cards=1, inside=lambda item: FORM.format(item, item))
    photo = stage.folder / "a.jpg"
    photo.write_bytes(b"\xff\xd8\xff\xe0 not much of a picture")
    tab.page.set_input_files("#p-1", photo)
    until(lambda: wire.photos == ["1"], 10, f"the photo is sent: {wire.photos}")
    # One that is refused keeps no other one from being sent.
    refused = stage.folder / "b.jpg"
    refused.write_bytes(b"\xff\xd8\xff\xe0 REFUSE")
    tab.page.set_input_files("#p-1", [refused, photo])
    until(lambda: wire.photos == ["1", "1", "1"], 10, f"both are sent: {wire.photos}")
    tab.until("$('#toast').textContent.includes('1 of 2 photos added. Not added: b.jpg. This is not a picture')",
              f"what became of them is told: {tab.text('#toast')!r}")
    # Nor is a file of another kind dropped without a word.
    notes = stage.folder / "notes.txt"
    notes.write_text("no picture")
    tab.page.set_input_files("#p-1", [notes, photo, photo])
    tab.until("$('#toast').textContent.includes('2 of 3 photos added. Not added: notes.txt.')", "what was left out is told")
    # Each reason is told, with the files that it is about.
    known = stage.folder / "known.jpg"
    known.write_bytes(b"\xff\xd8\xff\xe0 KNOWN")
    tab.page.set_input_files("#p-1", [notes, known, refused, photo, known])
    tab.until("$('#toast').textContent.includes('1 of 5 photos added. Not added: notes.txt, b.jpg. This is not a picture. "
              "Not added: known.jpg, known.jpg. The card already has this photo.')", f"the reasons: {tab.text('#toast')!r}")
    tab.page.set_input_files("#p-1", [photo, photo])
    tab.until("$('#toast').textContent === '2 photos added.'", "all are added")
    tab.run("1")  # what went wrong is told with the next answer
    expect(all("422" in fault for fault in tab.faults), f"errors: {tab.faults}")


@scenario("a file that is dropped goes to the card under the pointer, open or not, and anywhere else it opens nothing")
def dropped(stage):
    wire, tab = trip(stage, cards=2, inside=lambda item: FORM.format(item, item) if item == "1" else "")
    tab.run("$('#c-1').classList.add('expanded')")
    expect(drop(tab, "#c-2 h3") == "true,true", "a drop on a closed card leaves the page")
    until(lambda: wire.photos == ["2"], 10, f"it goes to that card: {wire.photos}")
    for place in ("header", "body", "#toast"):
        expect(drop(tab, place) == "true,true", f"a drop on {place} leaves the page")
    expect("Drop photos on a card" in tab.text("#toast"), f"said: {tab.text('#toast')!r}")
    expect(drop(tab, "#c-1 h3", "notes.txt", "text/plain") == "true,true", "a drop of a text leaves the page")
    expect("aren’t pictures" in tab.text("#toast"), f"said: {tab.text('#toast')!r}")
    drop(tab, "#c-1 output")
    until(lambda: wire.photos == ["2", "1"], 10, f"sent: {wire.photos}")


@scenario("a picture in place of a list is refused in words that say so, and a list is read", engines=("chromium",))
def chosen_list(stage):
    wire, tab = trip(stage, cards=1, inside=lambda _: (
        '<form method="post" action="/t/T/act"><textarea id="list" name="list" data-most="100"></textarea>'
        '<input type="file" id="file" aria-controls="list"></form>'))
    for name, content, said, held in [
            ("a.jpg", b"\xff\xd8\xff\xe0" + bytes(200), "isn’t text", ""), ("long.txt", b"x" * 101, "too long", ""),
            ("list.csv", b"title\nCasa", None, "title\nCasa")]:
        (stage.folder / name).write_bytes(content)
        tab.page.set_input_files("#file", stage.folder / name)
        if said:
            tab.until(f"$('#toast').textContent.includes({said!r})", f"{name}: {tab.text('#toast')!r}")
        tab.until(f"$('#list').value === {held!r}", f"{name} is read")
    expect(not tab.faults, f"errors: {tab.faults}")
