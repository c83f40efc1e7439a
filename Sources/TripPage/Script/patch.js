"use strict";
// Makes the page what the node's patches say, and keeps every element that stays, and so its focus, caret and scroll.
// First of three parts that are served as one: page.js begins at the end.

const GLIDES_MAX = 200, GLIDE_MS = 250;

const byId = id => document.getElementById(id);
const marked = (name, within = document) => within.querySelector(`[data-mark="${name}"]`);
const controlOf = field => field?.querySelector("input:not([type=hidden]), textarea, select");

// MARK: - Morphing

/** Makes `old` like `fresh` and keeps each element that both have, and so its focus, caret and scroll. */
function morph(old, fresh) {
    if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.data === fresh.data || (old.data = fresh.data));
    if (old.classList.contains("field") && drafts.has(controlOf(old))) return meet(old, fresh);
    if (drafts.has(old)) return;
    if (toggles.has(old)) toggles.set(old, fresh.getAttribute("aria-pressed") ?? "false");
    if (toggles.get(old) === old.getAttribute("aria-pressed")) settle(old);
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isKept(old, name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) {
        if (old.getAttribute(name) !== value && !isKept(old, name)) old.setAttribute(name, value);
    }
    if (!("list" in old.dataset)) morphChildren(old, fresh); // a list's children come, go and move by themselves
    if ("value" in old && old.value !== fresh.value) old.value = fresh.value;
    if ("checked" in old && old.checked !== fresh.checked) old.checked = fresh.checked;
}

/** A disclosure is its reader's; a toggle shows what was pressed until a patch shows it too. */
const isKept = (node, name) => (name === "open" && node.nodeName === "DETAILS")
    || name === "data-pending" || (name === "aria-pressed" && toggles.has(node));

/** Children are matched by id, or else by kind and name, in order. */
function morphChildren(old, fresh) {
    const key = node => node.id || `${node.nodeName} ${node.name ?? ""}`, free = new Map();
    for (const node of old.childNodes) free.set(key(node), [...(free.get(key(node)) ?? []), node]);
    arrange(old, [...fresh.childNodes].map(node => {
        const match = free.get(key(node))?.shift();
        if (match?.nodeName !== node.nodeName) return node;
        morph(match, node);
        return match;
    }));
}

/** Gives `parent` just these children. The one that holds the focus is never taken out: the others move around it. */
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

const unplaced = new Map(); // regions that came and stand nowhere yet, by id
const late = new Set(); // lists that keep an older order while a finger or the focus is on them
let finger = null, landing = null, isOrderAsked = false;

function apply({ title, put = [], drop = [], place = [], lists = {} }) {
    const ordered = [...new Set([...place.map(([, list]) => list), ...Object.keys(lists)])].filter(byId);
    const before = ordered.flatMap(positions);
    if (title !== undefined) document.title = title;
    for (const id of drop) (byId(id)?.remove(), unplaced.delete(id));
    for (const { id, html } of put) {
        const template = document.createElement("template");
        template.innerHTML = html;
        const fresh = template.content.firstElementChild;
        if (!fresh || byId(id)?.isEqualNode(fresh)) continue; // a whole page comes with every stream, mostly as it stands
        if (byId(id)) morph(byId(id), fresh);
        else unplaced.set(id, fresh);
    }
    for (const id of ordered) order(byId(id), lists[id], place.filter(([, list]) => list === id));
    if (Object.keys(lists).length) isOrderAsked = false;
    glide(before);
    refresh(put);
}

/** Gives a list the whole order `ids`, where it is told, and then makes moves in it. */
function order(list, ids, moves) {
    const of = id => unplaced.get(id) ?? byId(id), chip = marked("order", list.parentElement);
    if (chip && isHeld(list) && !isOrderAsked) { // nothing moves under a finger or the focus; what is new comes last for now
        list.append(...(ids ?? moves.map(([id]) => id)).filter(id => unplaced.has(id)).map(of));
        if (!ids || ids.join() !== [...list.children].map(child => child.id).join()) late.add(list.id), chip.hidden = false;
    } else {
        if (ids && chip) chip.hidden = true;
        if (ids) arrange(list, ids.map(of).filter(Boolean));
        for (const [id, , beforeID] of moves) move(of(id), list, byId(beforeID));
    }
    for (const { id } of list.children) unplaced.delete(id);
}

function move(child, list, next) {
    const place = next?.parentNode === list ? next : null;
    if (!child || child === place || (child.parentNode === list && child.nextSibling === place)) return;
    if (!child.contains(document.activeElement)) return void list.insertBefore(child, place);
    const others = [...list.children].filter(other => other !== child);
    others.splice(place ? others.indexOf(place) : others.length, 0, child);
    arrange(list, others);
}

const isHeld = list => list && (list.contains(document.activeElement) || (finger && list.contains(finger)));

/** Where the rows of a short list stand; none where motion is not wanted. */
function positions(listID) {
    const rows = [...byId(listID).children];
    if (rows.length > GLIDES_MAX || matchMedia("(prefers-reduced-motion: reduce)").matches) return [];
    return rows.map(row => [row, row.getBoundingClientRect()]);
}

function glide(before) {
    for (const [row, { left, top }] of before.filter(([row]) => row.isConnected)) {
        const now = row.getBoundingClientRect(), transform = `translate(${left - now.left}px, ${top - now.top}px)`;
        if (now.left !== left || now.top !== top) row.animate([{ transform }, {}], { duration: GLIDE_MS, easing: "ease-out" });
    }
}

/** What follows from a patch outside the regions that it names. */
function refresh(put = []) {
    restoreDrafts();
    nearEnd.disconnect();
    for (const more of document.querySelectorAll("[data-more]")) nearEnd.observe(more);
    for (const id of late) (marked("order", byId(id)?.parentElement ?? document) ?? {}).hidden = false;
    readPatch(put);
    if (landing) land();
    if (late.size && ![...late].some(id => isHeld(byId(id)))) reconnect(); // which brings the order of every list
}
