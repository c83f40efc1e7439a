"use strict";
// Fourth of seven parts: an item of the days goes to another day by drag and drop, or by Alt and an arrow key. Both send the
// form of its row, which has a field for the day.

let carried = null; // the row under the pointer
let followed = null; // the id of the row that a key moved, and its day then: it has the focus again on its new day

const dayOf = node => node?.closest?.("[data-day]");
const movableOf = node => node?.closest?.('[data-mark="movable"]');

/** Sends a row's form with another day; what has none is taken off its day. True where there is something to send. */
function plan(row, day) {
    if (!day || day === dayOf(row)) return false;
    const form = row.querySelector(day.dataset.day ? ".plan-form" : ".plan > form:not(.plan-form)"), field = form?.elements.day;
    const written = field?.value;
    if (field) field.value = day.dataset.day;
    form?.requestSubmit();
    if (field) field.value = written; // until a patch shows it on its new day
    return Boolean(form);
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
    carried = movableOf(target);
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
    plan(carried, dayOf(event.target));
});
document.addEventListener("dragend", () => { carried = null, markDay(null); });
document.addEventListener("keydown", event => {
    const { key, target } = event, row = movableOf(target), step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (!row || !step || !event.altKey || event.ctrlKey || event.metaKey || target.form || event.repeat) return;
    event.preventDefault();
    const days = [...document.querySelectorAll("[data-day]")], { day } = dayOf(row).dataset;
    if (plan(row, days[days.indexOf(dayOf(row)) + step])) followed = { id: row.id, day };
});
