"use strict";
// Sixth of ten parts: what a person is writing stays theirs, whatever comes, and outlives a reload. What they left unsaved is
// offered the next time its form is opened, and nothing else saves it.

const DRAFTS_MAX = 100, OFFER_MAX = 200; // characters of an offer

const sentValues = new WeakMap(); // controls, and what was last sent of each: what comes back as that is nobody else's
const drafts = new Set(); // controls that are their person's, from the first key until their form was sent
const DRAFTS = `draft ${STREAM} `, draftKey = control => `${DRAFTS}[name="${control.name}"][id="${control.id}"]`;
const shownInputs = field => [...field.querySelectorAll("input[name^=shown-]")];

/** What a person entered in a control; nothing for a box that isn't ticked. */
const entered = control => control.type === "checkbox" && !control.checked ? "" : control.value;

/** Keeps what is written over a reload, with its field as that was when writing began. */
function keepDraft(control) {
    if (control.dataset.mark === "note") return; // notes.js keeps it
    const field = control.closest(".field"), draft = { value: entered(control), html: field?.innerHTML, at: Date.now() };
    // What is searched for, what may be a password, and ticks that say nothing by themselves are kept nowhere. Of forms that are
    // saved as a whole, a new question is kept: nobody else changes it.
    const marks = [control.dataset.mark, control.form?.dataset.mark], isWhole = marks.includes("whole") && control.form.id !== "ask";
    if (control.form?.method === "get" || marks.includes("secret") || isWhole) return drafts.add(control);
    if (!control.form) return;
    if (entered(control) === (control.dataset.shown ?? "") && !field?.theirs) return forget(control);
    drafts.add(control);
    if (control.id && drafts.size <= DRAFTS_MAX) stored(it => it.setItem(draftKey(control), JSON.stringify(draft)));
}

function forget(control) {
    drafts.delete(control);
    sentValues.delete(control);
    stored(it => it.removeItem(draftKey(control)));
}

/** Brings back what was being written here. Only a document that is loaded again goes on with a field. */
function restoreDrafts(isSameForm = false) {
    for (const control of drafts) if (!control.isConnected) drafts.delete(control);
    // What is on its way is not brought back where its form is drawn again, in another place: it is no draft any more.
    const sent = new Set(queue.flatMap(({ written }) => written.map(([control]) => draftKey(control))));
    for (const key of stored(it => Object.keys(it), []).filter(key => key.startsWith(DRAFTS) && !sent.has(key))) {
        const control = document.querySelector(key.slice(DRAFTS.length)), field = control?.closest(".field");
        const draft = control && !drafts.has(control) && stored(it => JSON.parse(it.getItem(key)));
        if (!draft) continue;
        if (!field) {
            if (control.type === "checkbox") control.checked = draft.value !== "";
            else control.value = draft.value;
            drafts.add(control);
            unfold(control);
        } else if (isSameForm) resume(field, draft);
        else offer(field, draft);
    }
}

/** Opens what a control is folded in. */
function unfold(control) {
    for (let fold = control.closest("details"); fold; fold = fold.parentNode.closest("details")) fold.open = true;
}

/** Goes on with a draft: its field is what it was when writing began, and what came since stands beneath. */
function resume(field, draft) {
    const fresh = field.cloneNode(true);
    field.innerHTML = draft.html;
    controlOf(field).value = draft.value;
    drafts.add(controlOf(field));
    meet(field, fresh);
}

/** Says beneath a field what was left unsaved there. */
function offer(field, draft) {
    if (draft.value === controlOf(field).value) return forget(controlOf(field));
    const value = shownAs(controlOf(field), draft.value);
    const text = value.length > OFFER_MAX ? `${value.slice(0, OFFER_MAX)}…` : value;
    field.left = draft;
    marked("unsaved", field).textContent = `Unsaved text from ${since(draft.at ?? Date.now())}: “${text}”`;
    marked("left", field).hidden = false;
}

/** Goes on with what was left unsaved, or lets it go. */
function decide(field, isKept) {
    const control = controlOf(field), draft = field.left;
    marked("left", field).hidden = true;
    if (!drafts.has(control)) forget(control);
    field.left = null;
    if (isKept) resume(field, draft), keepDraft(controlOf(field));
    controlOf(field).focus();
}

/** A value as a person reads it: of a choice or a day, its words. */
function shownAs(control, value) {
    if (control.type === "date" && value) return new Date(`${value}T00:00`).toLocaleDateString("en-GB", { dateStyle: "long" });
    return [...(control.options ?? [])].find((option) => option.value === value)?.textContent ?? value;
}

/** What others wrote into a field that is being written in stands beneath it; nothing is overwritten. */
function meet(field, fresh) {
    const { shown, author } = controlOf(fresh).dataset, line = marked("theirs", field), said = marked("said", field);
    // What its person saved and then wrote on: the next save replaces that.
    if (sentValues.get(controlOf(field)) === shown && shownInputs(fresh).length < 2) adopt(field, fresh), keepDraft(controlOf(field));
    const words = `${author || "Somebody"} ${shown === "" ? "cleared this" : `changed this to “${shownAs(controlOf(fresh), shown)}”`}`;
    line.hidden = shown === controlOf(field).dataset.shown;
    field.theirs = line.hidden ? null : fresh;
    if (line.hidden) return;
    marked("take", field).textContent = author ? `use ${author}’s` : "use theirs";
    if (said.textContent !== words) say(said.textContent = words);
}

/** Notes what a field shows by now, which what is being written answers to. */
function adopt(field, fresh) {
    shownInputs(field).forEach(input => input.remove());
    field.append(...shownInputs(fresh));
    controlOf(field).dataset.shown = controlOf(fresh).dataset.shown;
}

/** Takes what others wrote, or keeps one's own in place of that. */
function choose(field, isTheirs) {
    const control = controlOf(field), { theirs } = field;
    field.theirs = null;
    forget(control);
    if (isTheirs) return morph(field, theirs), control.focus();
    adopt(field, theirs);
    marked("theirs", field).hidden = true;
    keepDraft(control);
    control.focus();
}
