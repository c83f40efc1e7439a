"use strict";
// Seventh of ten parts: notes, which several people write at once. What is typed goes to the node in pieces, and what others write is
// put into the text without moving a caret. Places are counted in UTF-16 units, as in TextSplice.swift, and no surrogate pair is cut.

const NOTE_MS = 400, KEEP_MS = 500, ASK_MS = 300, PLACE_MS = 500, ALIVE_MS = 5_000, AWAY_MS = 60_000, RUNS_MAX = 400;
const COMPOSED_MS = 1_500; // phones compose whole words, and end none until the next begins

// MARK: - What differs

/** How much two sequences have in common at their start and, beyond that, at their end. */
function common(one, other) {
    const most = Math.min(one.length, other.length);
    let start = 0, end = 0;
    while (start < most && one[start] === other[start]) start++;
    while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
    return { start, end };
}

const isLead = code => (code & 0xFC00) === 0xD800, isTrail = code => (code & 0xFC00) === 0xDC00;

/** What makes one text of another, in one piece. */
function splice(before, after) {
    let { start, end } = common(before, after);
    if (isLead(before.charCodeAt(start - 1))) start--;
    if (isTrail(before.charCodeAt(before.length - end))) end--;
    return { at: start, out: before.length - start - end, text: after.slice(start, after.length - end) };
}

const spliced = (whole, { at, out, text }) => whole.slice(0, at) + text + whole.slice(at + out);

/** Where two sequences differ, as [start, end] in one and in the other (Myers, "An O(ND) difference algorithm", 1986). Beyond RUNS_MAX
    that differ, all between the first and the last does. */
function runs(one, other) {
    const { start, end } = common(one, other), [width, height] = [one, other].map(it => it.length - start - end);
    if (!width && !height) return [];
    const whole = [[start, start + width, start, start + height]], most = Math.min(width + height, RUNS_MAX), middle = most + 1;
    if (!width || !height) return whole;
    const reach = new Int32Array(2 * most + 3), trace = [];
    for (let steps = 0; steps <= most; steps++) {
        trace.push(reach.slice());
        for (let line = -steps; line <= steps; line += 2) {
            let x = goesDown(reach, middle, line, steps) ? reach[middle + line + 1] : reach[middle + line - 1] + 1;
            while (x < width && x - line < height && one[start + x] === other[start + x - line]) x++;
            reach[middle + line] = x;
            if (x >= width && x - line >= height) return stepsOf(trace, middle, width, height).map(run => run.map(place => place + start));
        }
    }
    return whole;
}

/** Whether the furthest way to a line of that many steps ends with one down, and not to the right. */
const goesDown = (reach, middle, line, steps) =>
    line === -steps || (line !== steps && reach[middle + line - 1] < reach[middle + line + 1]);

/** The steps that led to an end, those together that follow one another. */
function stepsOf(trace, middle, x, y) {
    const found = [];
    for (let steps = trace.length - 1; steps > 0; steps--) {
        const reach = trace[steps], line = x - y, isDown = goesDown(reach, middle, line, steps);
        const before = line + (isDown ? 1 : -1), from = reach[middle + before], next = found[0];
        const step = [from, isDown ? from : from + 1, from - before, isDown ? from - before + 1 : from - before];
        if (next && next[0] === step[1] && next[2] === step[3]) [next[0], next[2]] = [step[0], step[2]];
        else found.unshift(step);
        [x, y] = [from, from - before];
    }
    return found;
}

/** What makes one text of another: pieces of the first, in their order, and what takes the place of each. */
function changes(before, after) {
    const { at, out, text } = splice(before, after);
    if (!out && !text) return [];
    if (!out || !text) return [{ start: at, end: at + out, text }];
    return differing(before, after, it => it.split(/(?<=\n)/)).flatMap(({ start, end, text: line }) =>
        differing(before.slice(start, end), line, it => [...it])
            .map(one => ({ start: start + one.start, end: start + one.end, text: one.text })));
}

/** The same by what both are split into. */
function differing(before, after, split) {
    const [old, now] = [before, after].map(split);
    const [from, to] = [old, now].map(tokens => tokens.reduce((ends, token) => (ends.push(ends.at(-1) + token.length), ends), [0]));
    return runs(old, now).map(([start, end, first, last]) => ({ start: from[start], end: from[end], text: after.slice(to[first], to[last]) }));
}

/** The same changes of a text that `own` changes have changed: what they wrote stays, also within what is taken out. Where both write at
    one place, own text comes first, so that a caret goes on behind it. */
function rebased(changed, own) {
    const found = [];
    for (const { start, end, text } of changed) {
        let shift = 0, from = start, rest = text;
        const take = until => {
            found.push({ start: from + shift, end: until + shift, text: rest });
            rest = "";
        };
        for (const one of own) {
            const growth = one.text.length - (one.end - one.start);
            if (one.end > start) {
                if (one.start >= end) break;
                if (from < one.start) take(one.start);
                from = Math.max(from, one.end);
            }
            shift += growth;
        }
        if (from < end || rest) take(Math.max(from, end));
    }
    return found.filter(one => one.end > one.start || one.text);
}

const applied = (whole, changed) => changed.reduceRight((done, { start, end, text }) => done.slice(0, start) + text + done.slice(end), whole);

/** Where a place is once a text has changed: behind the character that it was behind. What is put in right there comes after it. */
const placeAfter = (place, changed) => place + changed.reduce((shift, { start, end, text }) => shift
    + (start >= place ? 0 : end <= place ? text.length - (end - start) : Math.min(0, text.length - (place - start))), 0);

/** Whether a text has what was changed in another one. */
const holds = (before, after, text) => changes(before, after).every(one => changes(before, text)
    .some(other => other.start <= one.start && other.end >= one.end && other.text.includes(one.text)));

// MARK: - Notes on this page

/** By the ids of their boxes: `text` as its person sees it, `server` the node's text that is in it, `heard` what the stream said last,
    `sent` what was sent and not answered, `answer` to that. */
const notes = new Map();
let lastReading = 0; // of the trip by the node, as of the last patch: a text of a later reading is a later one

/** A text as the node keeps it: no control characters, and no white space at its ends. The classes are those of TextClasses.swift. */
const NOTE_ENDS = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;
const written = text => text.toWellFormed().replace(/\r\n?|[\x85\u2028\u2029]/g, "\n").replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "")
    .replace(NOTE_ENDS, "");

const isUnsent = note => Boolean(note.sent) || written(note.text) !== note.server;
const stateLine = note => byId(`${note.id}-state`);

/** Says beneath a note what is wrong; nothing for an empty text. */
function tellNote(note, text) {
    const line = stateLine(note);
    if (line && line.textContent !== text) line.textContent = text;
}

/** Notes what a patch says of a note whose box is drawn anew: its text is put in when all else is in its place. */
function hearNote(control, fresh) {
    const note = notes.get(control.id);
    if (note) note.heard = { text: fresh.defaultValue, mark: fresh.dataset.shown, reading: lastReading };
}

/** Notes what changed in texts that this page has. */
function hearNotes(changed, reading) {
    lastReading = reading ?? lastReading;
    for (const { id, mark, splice: piece } of changed) {
        const note = notes.get(id), text = note && spliced(note.heard.text, piece);
        if (text?.length !== piece.length) throw new Error(`${id} is another text than the node’s: all is asked for again`);
        note.heard = { text, mark, reading: lastReading };
    }
}

/** Begins with the boxes that came, and puts in what was heard. */
function takeNotes() {
    for (const control of document.querySelectorAll('[data-mark="note"]')) {
        const note = notes.get(control.id);
        if (note?.control === control) continue;
        const heard = { text: control.defaultValue, mark: control.dataset.shown, reading: lastReading };
        if (!note) beginNote(control, heard);
        else [note.control, note.heard, control.value] = [control, heard, note.text];
        grow(control);
    }
    for (const [id, note] of notes) {
        takeNote(note);
        if (!note.control.isConnected && !isUnsent(note)) notes.delete(id);
    }
}

function beginNote(control, heard) {
    const { text: server, mark, reading } = heard, item = control.form.elements.namedItem("item")?.value;
    const note = { id: control.id, control, item, text: control.value, server, mark, reading, heard, sent: null, answer: null };
    notes.set(note.id, note);
    resumeNote(note);
}

function takeNote(note) {
    putIn(note);
    drawCarets(note);
}

/** Puts in what the node answered and what the stream said since. What would change the text waits while a letter is composed. */
function putIn(note) {
    const { sent, answer, heard } = note, isQuiet = answer?.splice && !answer.splice.out && !answer.splice.text;
    if (note.control.isConnected) note.text = note.control.value;
    if (note.isComposing && !isQuiet) return;
    if (answer) {
        [note.sent, note.answer, note.refused] = [null, null, answer.refusal ? sent.text : undefined];
        tellNote(note, answer.refusal ?? "");
        // What was sent may have been done by a node that ended before it answered; a browser tries once more without telling.
        const base = answer.splice || holds(sent.base, sent.text, answer.text ?? "") ? sent.text : sent.base;
        if (answer.splice) join(note, base, { ...answer, text: spliced(sent.text, answer.splice) });
        else if (!answer.refusal) join(note, base, answer);
    }
    if (!note.sent && !note.isComposing && heard.reading > note.reading) join(note, note.server, heard);
    if (note.isKept || isUnsent(note)) keepNote(note);
    if (!note.sent && isUnsent(note) && written(note.text) !== note.refused) note.timer ??= setTimeout(sendNote, NOTE_MS, note);
}

/** Makes of what stands in a note, which was written over `base`, the same over another text. */
function join(note, base, { text, mark, reading }) {
    change(note, rebased(changes(base, text), changes(base, note.text)));
    [note.server, note.mark, note.reading] = [text, mark, reading];
}

/** Changes what stands in a note. Its caret stays with its character, and that where it is on the screen. */
function change(note, changed) {
    const { control, text } = note;
    if (!changed.length) return;
    note.text = applied(text, changed);
    if (!control.isConnected) return;
    const { selectionStart: start, selectionEnd: end, selectionDirection, scrollTop } = control;
    const isHere = document.activeElement === control, behind = changed.filter(one => one.start >= start);
    const show = whole => {
        control.value = whole;
        grow(control);
        return control.scrollHeight;
    };
    const height = behind.length ? show(applied(text, behind)) : control.scrollHeight;
    const grown = behind.length < changed.length ? show(note.text) - height : 0;
    // WebKit gives the focus to what gets a selection.
    if (isHere) control.setSelectionRange(placeAfter(start, changed), placeAfter(end, changed), selectionDirection);
    control.scrollTop = scrollTop + (isHere ? grown : 0);
    if (isHere) scrollBy(0, scrollTop + grown - control.scrollTop);
}

const GROWS = CSS.supports("field-sizing", "content");

/** Makes a box as high as its text, where the browser doesn't. */
function grow(control) {
    if (GROWS || !control.isConnected) return;
    const top = scrollY;
    control.style.blockSize = "auto";
    control.style.blockSize = `${control.scrollHeight + control.offsetHeight - control.clientHeight}px`;
    if (scrollY !== top) scrollTo(scrollX, top);
}

// MARK: - Sending

/** Sends what was written over the node's text, as one piece of it. What is under way comes first. */
function sendNote(note) {
    note.timer = void clearTimeout(note.timer);
    const text = written(note.text);
    if (!note.sent && text === note.server && note.refused !== undefined) note.refused = void tellNote(note, "");
    if (note.sent || text === note.server || text === note.refused) return;
    if (note.isComposing && Date.now() - note.typedAt < COMPOSED_MS) return void (note.timer = setTimeout(sendNote, NOTE_MS, note));
    const { at, out, text: added } = splice(note.server, text), action = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const fields = new URLSearchParams({ ...placeIn(note, text), action, at, out, added });
    note.sent = { base: note.server, text, fields, tries: 0 };
    storeNote(note);
    tryNote(note);
}

/** What is sent again has the same action id, so it counts once. */
async function tryNote(note) {
    const { sent } = note;
    note.retry = void clearTimeout(note.retry);
    sentAt = Date.now(); // readers need not hear what they type
    const answer = await post(addressOf("note"), sent.fields), line = await answer?.text().catch(() => null);
    if (line == null || answer.status === 429 || answer.status >= 500) {
        if (++sent.tries >= SENDS_QUIET) tellNote(note, farewell ?? `Not sent yet: ${silence()} This page keeps trying.`);
        note.retry = setTimeout(tryNote, backoff(sent.tries), note);
        return;
    }
    note.answer = parsed(line) ?? { refusal: `Not sent: ${line.trim()}` };
    takeNote(note);
}

/** Tries again at once, where the node is back. */
function retryNotes() {
    for (const note of notes.values()) if (note.retry) tryNote(note);
}

// MARK: - Over a reload

const NOTES = `note ${STREAM} `, noteKey = note => `${NOTES}${note.id} ${pageID}`;
const claims = new Map(); // what was left unsent, by its key, and the wait for a page that says that it is its own
const noteTalk = "BroadcastChannel" in window ? new BroadcastChannel("notes") : null;

function keepNote(note) {
    note.keeping ??= setTimeout(storeNote, KEEP_MS, note);
}

/** Keeps what is not sent, with the text that it was written over. */
function storeNote(note) {
    note.keeping = void clearTimeout(note.keeping);
    note.isKept = isUnsent(note);
    if (!note.isKept) return stored(it => it.removeItem(noteKey(note)));
    stored(it => it.setItem(noteKey(note), JSON.stringify({ text: note.text, base: note.server, sent: note.sent?.text })));
}

/** Takes over what a page that is gone left unsent in a note. */
function resumeNote(note) {
    const keys = stored(it => Object.keys(it), []).filter(key => key.startsWith(`${NOTES}${note.id} `) && key !== noteKey(note));
    for (const key of keys) {
        claims.set(key, setTimeout(takeOver, noteTalk ? ASK_MS : 0, note, key));
        noteTalk?.postMessage({ whose: key });
    }
}

function takeOver(note, key) {
    const left = stored(it => JSON.parse(it.getItem(key)), null);
    claims.delete(key);
    stored(it => it.removeItem(key));
    if (!left) return;
    const base = left.sent && holds(left.base, left.sent, note.server) ? left.sent : left.base;
    change(note, rebased(changes(base, left.text), changes(base, note.text)));
    takeNote(note);
}

noteTalk?.addEventListener("message", ({ data: { whose, mine } }) => {
    if ([...notes.values()].some(note => noteKey(note) === whose)) noteTalk.postMessage({ mine: whose });
    if (claims.has(mine)) clearTimeout(claims.get(mine)), claims.delete(mine);
});

// MARK: - Where somebody writes

let toldPlace = { caret: "gone", at: 0 };

/** Where the caret is in a text that is, or becomes, the node's. */
function caretIn(note, text) {
    if (document.hidden || document.activeElement !== note.control || Date.now() - usedAt > AWAY_MS) return "gone";
    const { selectionStart, selectionEnd, selectionDirection } = note.control;
    return placeAfter(selectionDirection === "backward" ? selectionStart : selectionEnd, changes(note.text, text));
}

/** What a form says of that, which counts as told. */
function placeIn(note, text = note.server) {
    toldPlace = { id: note.id, caret: caretIn(note, text), at: Date.now() };
    return { stream: streamID ?? "none", ...note.item && { item: note.item }, base: note.mark, caret: toldPlace.caret };
}

/** Tells the others where the caret is, when it moves, and every few seconds. What is being sent tells it anyway. */
function tellPlace() {
    const here = notes.get(document.activeElement?.id), caret = here ? caretIn(here, here.server) : "gone";
    const note = caret === "gone" ? notes.get(toldPlace.id) : here, isSame = caret === toldPlace.caret && note?.id === toldPlace.id;
    if (!note || !streamID || note.timer || note.sent) return;
    if (isSame && (caret === "gone" || Date.now() - toldPlace.at < ALIVE_MS)) return;
    post(addressOf("note"), new URLSearchParams(placeIn(note)));
}

// MARK: - What happens

const noteOf = ({ target }) => { const note = notes.get(target.id); return note?.control === target ? note : null; };

document.addEventListener("input", event => {
    const note = noteOf(event);
    if (!note) return;
    [note.text, note.typedAt] = [note.control.value, Date.now()];
    grow(note.control);
    drawCarets(note);
    keepNote(note);
    note.timer ??= setTimeout(sendNote, NOTE_MS, note);
});
for (const name of ["compositionstart", "compositionend", "focusout"]) {
    document.addEventListener(name, event => {
        const note = noteOf(event);
        if (!note) return;
        note.isComposing = name === "compositionstart";
        takeNote(note);
        if (name === "focusout") sendNote(note), setTimeout(tellPlace);
    });
}
document.addEventListener("submit", event => {
    const note = notes.get(marked("note", event.target)?.id);
    if (!STREAM || !note) return;
    event.preventDefault();
    sendNote(note);
});
addEventListener("pagehide", () => { for (const note of notes.values()) storeNote(note), sendNote(note); });
document.addEventListener("visibilitychange", () => { for (const note of document.hidden ? notes.values() : []) storeNote(note), sendNote(note); });
setInterval(tellPlace, PLACE_MS);
if (STREAM) document.body.classList.add("is-live");
