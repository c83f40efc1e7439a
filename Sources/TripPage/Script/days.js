"use strict";
// Fourth of ten parts: an item of the days goes to another day by drag and drop, or by Alt and an arrow key. Both send what
// the form of its row is for, with the other day.

let carried = null; // the row under the pointer
let followed = null; // the id of the row that a key or its form moved, and its day then: it has the focus again on its new day

const dayOf = node => node?.closest?.("[data-day]");
const movableOf = node => node?.closest?.('[data-mark="movable"]');

/**
 * Sends what a row's form says, with another day, and nothing that is only typed in it; for "" it is taken off its day. True
 * where there is something to send: not while the row's last move is on its way, which the next would contradict.
 */
function plan(row, day) {
    const source = row.querySelector(day ? ".plan-form" : ".plan > form:not(.plan-form)");
    if (!source || day === undefined || day === dayOf(row).dataset.day || queue.some(({ form }) => form.dataset.moves === row.id)) return false;
    const form = document.createElement("form");
    for (const { name, value } of source.attributes) if (name !== "class") form.setAttribute(name, value);
    form.dataset.moves = row.id;
    form.hidden = true;
    for (const field of source.querySelectorAll('input[type="hidden"]')) form.append(field.cloneNode());
    if (day) form.append(Object.assign(document.createElement("input"), { name: "day", value: day }));
    row.append(form);
    form.requestSubmit();
    form.remove();
    return true;
}

function markDay(day) {
    for (const one of document.querySelectorAll(".drop")) one.classList.toggle("drop", one === day);
    day?.classList.add("drop");
}

/** Gives the focus back to a row that went to another day, unless it is elsewhere by now. */
function follow() {
    const row = followed && byId(followed.id);
    if (!row || dayOf(row).dataset.day === followed.day || document.activeElement !== document.body) return;
    followed = null;
    row.querySelector("h3 a").focus();
}

document.addEventListener("dragstart", ({ target, dataTransfer }) => {
    carried = target.closest?.("form") ? null : movableOf(target); // a text that is dragged out of a field is no row
    if (carried && dataTransfer) dataTransfer.effectAllowed = "move";
});
document.addEventListener("dragover", event => {
    const day = carried && dayOf(event.target);
    if (carried) markDay(day);
    if (day) event.preventDefault(); // it may be dropped here
});
document.addEventListener("drop", event => {
    if (!carried) return;
    event.preventDefault();
    if (carried.isConnected) plan(carried, dayOf(event.target)?.dataset.day);
    else showToast("Not moved: somebody else has just moved it.", "shown problem");
    carried = null, markDay(null);
});
document.addEventListener("dragend", () => { carried = null, markDay(null); });
document.addEventListener("submit", ({ target }) => {
    const row = target.matches(".plan-form") && target.closest("li[id]"), day = row && dayOf(row)?.dataset.day;
    if (row && target.elements.day?.value !== day) followed = { id: row.id, day };
});
document.addEventListener("keydown", event => {
    const { key, target } = event, row = movableOf(target), step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (!row || !step || !event.altKey || event.ctrlKey || event.metaKey || target.form || event.repeat || !areKeysOn()) return;
    event.preventDefault();
    const days = [...document.querySelectorAll("[data-day]")], { day } = dayOf(row).dataset;
    // Past the last day is no day, also where nothing is on none yet.
    const next = days[days.indexOf(dayOf(row)) + step]?.dataset.day ?? (step > 0 ? "" : undefined);
    if (plan(row, next)) followed = { id: row.id, day };
});
