"use strict";
// Fifth of ten parts: a map is moved with a pointer or the arrow keys, and made larger by its buttons, by two fingers, by a
// double click, or by the wheel and Ctrl. Patches leave where it is looked at: the style of its drawing says so.

const MAP_ZOOM_MAX = 32, MAP_STEP = 1.6, MAP_PAN = .2, DRAG_PX = 6;
const MAP_KEYS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const grips = new Map(); // the pointers on the drawing that is moved, by their ids: where each was last
let gripped = null, hasDragged = false;

const drawingOf = node => node?.closest?.('[data-mark="map"]')?.querySelector("svg");
/** The drawing that an event is on, and not beside it. */
const drawingAt = ({ target }) => target.closest?.("svg") && drawingOf(target);

/** How much larger a drawing is shown, and how far it is moved, in its own units. */
const lookAt = svg => ["zoom", "left", "top"].map(name => Number(svg.style.getPropertyValue(`--map-${name}`)) || Number(name === "zoom"));

/** Shows a part of a drawing, which always fills its frame. */
function showPart(svg, zoom, left, top) {
    const { width, height } = svg.viewBox.baseVal, bounded = (value, size) => Math.min(0, Math.max(value, size - size * zoom));
    if (zoom <= 1) return svg.removeAttribute("style");
    const part = { zoom, left: bounded(left, width), top: bounded(top, height) };
    for (const [name, value] of Object.entries(part)) svg.style.setProperty(`--map-${name}`, value.toFixed(3));
}

/** Makes a drawing larger around a point of its frame; around its middle where none is named. */
function zoomMap(svg, factor, { x, y } = middleOf(svg)) {
    const [zoom, left, top] = lookAt(svg), wanted = Math.min(Math.max(zoom * factor, 1), MAP_ZOOM_MAX), real = wanted / zoom;
    showPart(svg, wanted, x - (x - left) * real, y - (y - top) * real);
}

function panMap(svg, x, y) {
    const [zoom, left, top] = lookAt(svg);
    showPart(svg, zoom, left + x, top + y);
}

const middleOf = svg => ({ x: svg.viewBox.baseVal.width / 2, y: svg.viewBox.baseVal.height / 2 });
const pointOf = (svg, { clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());

document.addEventListener("pointerdown", event => {
    const svg = drawingAt(event);
    if (!svg || event.button) return;
    if (gripped !== svg) grips.clear();
    [gripped, hasDragged] = [svg, grips.size > 0];
    grips.set(event.pointerId, event);
});
document.addEventListener("pointermove", event => {
    const last = grips.get(event.pointerId);
    if (!last || !gripped.isConnected) return;
    if (!hasDragged && Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) < DRAG_PX) return;
    const [from, to] = [last, event].map(it => pointOf(gripped, it));
    const other = [...grips].find(([id]) => id !== event.pointerId)?.[1];
    hasDragged = true;
    grips.set(event.pointerId, event);
    if (!other) return panMap(gripped, to.x - from.x, to.y - from.y);
    const still = pointOf(gripped, other), reach = ({ x, y }) => Math.hypot(x - still.x, y - still.y);
    if (reach(from)) zoomMap(gripped, reach(to) / reach(from), { x: (still.x + to.x) / 2, y: (still.y + to.y) / 2 });
});
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, event => grips.delete(event.pointerId));
// A pin that was dragged is not opened, nor is it dragged away as a link.
document.addEventListener("click", event => {
    if (hasDragged && drawingAt(event)) event.preventDefault(), event.stopPropagation();
    hasDragged = false;
}, true);
document.addEventListener("dragstart", event => drawingOf(event.target) && event.preventDefault());
document.addEventListener("dblclick", event => {
    const svg = drawingAt(event);
    if (svg) zoomMap(svg, MAP_STEP * MAP_STEP, pointOf(svg, event));
});
document.addEventListener("wheel", event => {
    const svg = event.ctrlKey && drawingAt(event);
    if (!svg) return;
    event.preventDefault();
    zoomMap(svg, event.deltaY < 0 ? MAP_STEP : 1 / MAP_STEP, pointOf(svg, event));
}, { passive: false });
document.addEventListener("click", ({ target }) => {
    const tool = target.closest?.(".map-tools [data-mark]"), svg = drawingOf(tool);
    if (svg) zoomMap(svg, { "map-in": MAP_STEP, "map-out": 1 / MAP_STEP, "map-whole": 0 }[tool.dataset.mark]);
});
document.addEventListener("keydown", event => {
    const svg = event.target.closest?.(".map-tools") && drawingOf(event.target), step = MAP_KEYS[event.key];
    if (!svg || !step) return;
    event.preventDefault();
    const { width, height } = svg.viewBox.baseVal;
    panMap(svg, step[0] * width * MAP_PAN, step[1] * height * MAP_PAN);
});
