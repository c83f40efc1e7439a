"use strict";
// Eighth of ten parts: where others' carets are in a note. A box to write in has no markup, so a layer lies over it: with the same text,
// which is not seen, and a mark at each caret. It is there only while somebody else writes.

const NAME_PX = 18; // as high as a name is

/** Others who write in a note, by the places of their carets in what stands in the box. The node counts in the text that it sent last. */
function caretsIn(note) {
    const lines = [...byId(`${note.id}-who`)?.querySelectorAll("[data-at]") ?? []];
    const changed = lines.length ? changes(note.heard.text, note.text) : [];
    return lines.map(line => ({
        at: Math.min(placeAfter(Number(line.dataset.at), changed), note.text.length),
        hue: /hue-\d+/.exec(line.querySelector(".avatar").className)[0], name: line.querySelector("[dir]").textContent,
    })).sort((one, other) => one.at - other.at);
}

/** Draws others' carets over a note. Nothing is changed that is so already: a long text is laid out only where it is another one. */
function drawCarets(note) {
    const { control } = note, carets = control.isConnected ? caretsIn(note) : [];
    let layer = control.parentNode?.querySelector(".note-carets");
    if (!carets.length) return layer && (sizes.unobserve(control), layer.remove());
    layer ??= layerOver(control);
    // Where a line breaks depends on the rest of it, and on nothing beneath.
    const last = carets.at(-1).at, end = note.text.indexOf("\n", last), text = end < 0 ? note.text : note.text.slice(0, end);
    const places = [0, ...carets.map(({ at }) => at), text.length], inside = layer.firstChild;
    while (inside.childNodes.length > 2 * carets.length + 1) inside.lastChild.remove();
    while (inside.childNodes.length < 2 * carets.length + 1) inside.append(inside.childNodes.length % 2 ? newMark() : "");
    carets.forEach((caret, number) => setMark(inside.childNodes[2 * number + 1], caret));
    places.slice(1).forEach((place, number) => {
        const node = inside.childNodes[2 * number], part = text.slice(places[number], place);
        if (node.data !== part) node.data = part;
    });
    fitCarets(layer, control);
}

function layerOver(control) {
    const layer = document.createElement("div"), inside = document.createElement("div");
    [layer.className, inside.dir] = ["note-carets", "auto"];
    layer.setAttribute("aria-hidden", "true");
    layer.append(inside);
    control.after(layer);
    sizes.observe(control);
    return layer;
}

function newMark() {
    const mark = document.createElement("span"), name = document.createElement("span");
    name.dir = "auto";
    mark.append(name);
    return mark;
}

/** The name of a caret that moved is shown again (notes.css). */
function setMark(mark, { hue, name, at }) {
    if (!mark.classList.contains(hue)) mark.className = `note-caret ${hue}`;
    if (mark.firstChild.textContent !== name) mark.firstChild.textContent = name;
    if (mark.at !== at) for (const fading of mark.firstChild.getAnimations()) fading.currentTime = 0, fading.play();
    mark.at = at;
}

/** Lays the layer over what is seen of the text; a name stands where it is whole. */
function fitCarets(layer, control) {
    const { scrollTop, clientWidth: width, clientHeight: height } = control, inside = layer.firstChild;
    const [left, top] = [control.offsetLeft + control.clientLeft, control.offsetTop + control.clientTop];
    for (const [name, px] of Object.entries({ left, top, width, height })) layer.style[name] = `${px}px`;
    inside.style.transform = `translateY(${-scrollTop}px)`;
    for (const mark of inside.children) {
        mark.classList.toggle("high", mark.offsetTop - scrollTop < NAME_PX);
        mark.classList.toggle("far", mark.offsetLeft > width / 2);
    }
}

const sizes = new ResizeObserver(entries => {
    for (const { target } of entries) drawCaretsOver(target);
});

function drawCaretsOver(control) {
    const note = notes.get(control.id), layer = note?.control === control && control.parentNode?.querySelector(".note-carets");
    if (layer) fitCarets(layer, control);
}

document.addEventListener("scroll", ({ target }) => drawCaretsOver(target), { capture: true, passive: true });
