"use strict";
// Makes the page what the node's patches say, and keeps every element that stays, and so its focus, caret and scroll.
// First of ten parts that are served as one: page.js begins at the end.

const STREAM = document.body.dataset.stream; // "/t/ID/stream"; absent on pages that do not change
/** The address of the same trip at which something else lies. */
const addressOf = name => STREAM.replace(/stream$/, name);
const GLIDE_MS = 250, GLIDE_PX = 2, COVER_PX = 8;

const byId = id => document.getElementById(id);
const marked = (name, within = document) => within.querySelector(`[data-mark="${name}"]`);
const controlOf = field => field.querySelector("input:not([type=hidden]), textarea, select");
const box = node => node.getBoundingClientRect();
const isInSight = node => box(node).bottom > 0 && box(node).top < innerHeight;
const isTopInSight = node => box(node).top >= 0 && box(node).top < innerHeight / 2;

// MARK: - Morphing

/** Makes `old` like `fresh` and keeps each element that both have, and so its focus, caret and scroll. */
function morph(old, fresh) {
    if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.data === fresh.data || (old.data = fresh.data));
    if (["progress", "note-state"].includes(old.dataset.mark)) return; // photos.js and notes.js write there
    if (old.dataset.mark === "note") return hearNote(old, fresh);
    if (old.classList.contains("field") && drafts.has(controlOf(old))) return meet(old, fresh);
    if (drafts.has(old) || isBeingWritten(old)) return;
    if (toggles.has(old)) toggles.set(old, fresh.getAttribute("aria-pressed") ?? "false");
    if (toggles.get(old) === old.getAttribute("aria-pressed")) settle(old);
    for (const { name } of [...old.attributes, ...fresh.attributes]) {
        const value = fresh.getAttribute(name);
        if (value === old.getAttribute(name) || isKept(old, name)) continue;
        if (value === null) old.removeAttribute(name); else old.setAttribute(name, value);
    }
    if (!("list" in old.dataset)) morphChildren(old, fresh); // a list's children come, go and move by themselves
    for (const name of ["value", "checked"]) if (name in old && old[name] !== fresh[name]) old[name] = fresh[name];
}

/** A form that is saved as a whole stays as its person sees it, from the first key: what it shows is what they answer to. */
const isBeingWritten = node => node.dataset.mark === "whole" && [...node.elements].some(control => drafts.has(control));

/** A disclosure is its reader's; a height is set here; a toggle shows what was pressed until a patch shows it too. */
const isKept = (node, name) => (name === "open" && node.nodeName === "DETAILS") || name === "style"
    || name === "data-pending" || (name === "aria-pressed" && toggles.has(node));

/** Children are matched by id, or else by kind and name, in order. */
function morphChildren(old, fresh) {
    const key = node => node.id || `${node.nodeName} ${node.name ?? ""}`, free = Map.groupBy(old.childNodes, key);
    arrange(old, [...fresh.childNodes].map(node => {
        const match = free.get(key(node))?.shift();
        if (match?.nodeName !== node.nodeName) return node;
        if (match.dataset?.mark !== "fault") morph(match, node); // what is wrong stays until the form is sent again
        return match;
    }));
}

/** Gives `parent` just these children. The one that holds the focus is never removed: the others move around it. */
function arrange(parent, children) {
    let still = document.activeElement, next = parent.firstChild;
    while (still && still.parentNode !== parent) still = still.parentNode;
    const pass = work => { const node = next; next = next.nextSibling; work(node); };
    for (const child of children) {
        while (child === still && next !== still) pass(node => parent.append(node));
        if (child === next) next = next.nextSibling;
        else parent.insertBefore(child, next);
    }
    while (next) pass(node => node.remove());
}

// MARK: - Patches

const TOUCH_MS = 3_000;
const late = new Map(); // lists that keep an older order while somebody is at them, and the order that is wanted
let finger = null, touched = { at: 0 };

/** The rows of all lists, and where they are. */
const rowsNow = () => new Map([...document.querySelectorAll("[data-list] > *")].map(row => [row, box(row)]));

/** How much a form's own bar covers of the control that somebody writes in. */
function coverage() {
    const control = document.activeElement, bar = document.querySelector(".save-bar");
    if (!bar || bar.contains(control) || !control.matches("input, textarea, select")) return 0;
    return box(control).top < box(bar).bottom ? Math.max(0, box(control).bottom - box(bar).top) : 0;
}

function apply({ title, put = [], drop = [], place = [], lists = {}, notes: changed = [], reading }) {
    hearNotes(changed, reading);
    const before = rowsNow(), wasCovered = coverage() > 0;
    // A row that goes to another list, such as a card that is removed, is not followed there.
    const seen = scrollY > 0 ? [...before.keys()].filter(row => row.closest("main") && isInSight(row)) : [];
    const homes = new Map(seen.map(row => [row, row.parentNode]));
    const moves = Map.groupBy(place, ([, list]) => list), arrived = new Map(), start = startOfRows();
    if (title !== undefined) document.title = title;
    for (const id of drop) byId(id)?.remove();
    for (const { id, html } of put) {
        const template = document.createElement("template");
        template.innerHTML = html;
        const fresh = template.content.firstElementChild;
        if (byId(id)) morph(byId(id), fresh);
        else arrived.set(id, fresh);
    }
    for (const id of new Set([...moves.keys(), ...Object.keys(lists)])) {
        order(byId(id), lists[id] ?? moved(byId(id), moves.get(id)), arrived);
    }
    const stays = seen.filter(row => row.isConnected && row.parentNode === homes.get(row)), anchor = stays.find(isHeld) ?? stays[0];
    fit(anchor, before.get(anchor)?.top, start);
    glide(before);
    refresh(put);
    // A bar that says more than before is higher.
    const covered = wasCovered ? 0 : coverage();
    if (covered) scrollBy(0, covered + COVER_PX);
}

const idsOf = list => [...list.children].map(row => row.id);

/** The order that moves make of the one that the node knows. */
const moved = (list, moves) => moves.reduce((ids, [id, , before]) => {
    const others = ids.filter(other => other !== id), place = others.indexOf(before);
    return others.toSpliced(place < 0 ? others.length : place, 0, id);
}, (late.get(list.id) ?? idsOf(list)).filter(byId));

/** Gives a list an order. Nothing moves under a finger or the focus: what is new follows its neighbour there. */
function order(list, wanted, arrived) {
    const chip = marked("order", list.parentElement);
    late.delete(list.id);
    if (mustWait(list)) {
        const kept = idsOf(list).filter(id => wanted.includes(id));
        for (const [place, id] of wanted.entries()) {
            if (!kept.includes(id)) kept.splice(kept.indexOf(wanted[place - 1]) + 1, 0, id);
        }
        if (kept.join() !== wanted.join()) late.set(list.id, wanted);
        wanted = kept;
    }
    if (chip) chip.hidden = !late.has(list.id);
    arrange(list, wanted.map(id => arrived.get(id) ?? byId(id)).filter(Boolean));
}

const isHeld = node => node.contains(document.activeElement) || (finger && node.contains(finger));

/** Whether a list's rows wait: until its reader is elsewhere, or has not touched it for a moment. */
function mustWait(list) {
    const wasTouched = list.contains(touched.node) && Date.now() < touched.at + TOUCH_MS;
    if (list.id !== "bring") return marked("order", list.parentElement) && (isHeld(list) || wasTouched);
    return list.contains(finger) || list.querySelector(":focus-visible") || wasTouched;
}

/** Gives lists that waited the order that is wanted, once nobody is at them or somebody asks for it. */
function catchUp(isAsked = false) {
    const before = rowsNow(), ready = [...late.keys()].map(byId).filter(list => isAsked || !mustWait(list));
    for (const list of ready) {
        arrange(list, late.get(list.id).map(byId).filter(Boolean));
        late.delete(list.id);
        marked("order", list.parentElement)?.toggleAttribute("hidden", true);
    }
    if (ready.length) glide(before);
}

/** Rows in sight glide to where they move, but for those who want no motion. */
function glide(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [row, { left, top }] of before) {
        const now = box(row), [x, y] = [left - now.left, top - now.top], transform = `translate(${x}px, ${y}px)`;
        if (!row.isConnected || !isInSight(row) || Math.hypot(x, y) < GLIDE_PX) continue;
        row.animate([{ transform }, {}], { duration: GLIDE_MS, easing: "ease-out" });
    }
}

// MARK: - Rows that are not drawn

const ROWS_STEP = 30, LOOK_MS = 300; // as ListWindow has it; browsers bear a hundred addresses in 30 s
let asking;

const ends = () => ["earlier", "later"].map(byId).filter(Boolean);
const rowsBeyond = end => Number(end.dataset.rows);
const drawnList = () => document.querySelector("#earlier ~ [data-list]:not(:empty)");

const startOfRows = () => box(document.querySelector("main")).top;

/** Makes what stands for such rows as high as they are, and keeps a row that stays where it is on the screen: it was at
    `top` when the rows began at `start`. Browsers that keep it themselves have scrolled already. */
function fit(anchor, top, start) {
    const list = drawnList(), height = list ? list.offsetHeight / list.children.length : 0;
    for (const end of ends()) {
        const rows = rowsBeyond(end), grown = anchor ? box(anchor).top - startOfRows() - (top - start) : 0;
        const wanted = anchor && end.id === "earlier" ? end.offsetHeight - grown : rows * height;
        end.style.blockSize = rows ? `${Math.max(0, wanted)}px` : "";
    }
    const shift = anchor ? box(anchor).top - top : 0;
    if (Math.abs(shift) >= 1) scrollBy(0, shift);
}

/** Asks for the rows around those in sight. */
function lookAround() {
    const list = drawnList(), [earlier, later] = ends().map(rowsBeyond);
    asking = undefined;
    if (!list || !(earlier + later) || landing?.place) return; // a reader who is to be put back is not there yet
    const { top, height } = box(list), drawn = list.children.length, url = new URL(location);
    const row = Math.min(Math.max(0, earlier - top / height * drawn), earlier + drawn + later);
    url.searchParams.set("at", Math.floor(row / ROWS_STEP) * ROWS_STEP);
    if (url.search !== location.search) go(url, "replaceState");
}

/** Puts the reader where a document's address says, at an open card or further down, unless the browser has done so. Above
    rows that are not drawn it cannot: it goes back to a height, which is a guess by then. */
function arrive() {
    const list = drawnList(), rows = [...list?.children ?? []], earlier = list ? rowsBeyond(ends()[0]) : 0;
    const at = new URLSearchParams(location.search).get("at"), place = Math.max(0, Number(at) - earlier);
    const open = document.querySelector("main .expanded"), isLeft = at && Math.abs(rows.indexOf(open) - place) > ROWS_STEP;
    const card = isLeft ? null : open;
    if (earlier) isInSight(card ?? list) || (card ?? rows[place])?.scrollIntoView();
    else if (!scrollY && card && box(card).top > innerHeight / 2) card.scrollIntoView();
}

addEventListener("scroll", () => { asking ??= setTimeout(lookAround, LOOK_MS); }, { passive: true });
