"use strict";
// Keeps the page live: streams, forms, links, and what a person is writing. The page is links and forms, and all that
// stands here has a way without it.

const STREAM = document.body.dataset.stream; // "/t/ID/stream"; absent on pages that do not change
const WATCHDOG_MS = 40_000, RECONNECTING_MS = 3_000, BACKOFF_MS = 500, BACKOFF_MAX_MS = 8_000, REFUSALS_MAX = 5;
const REQUEST_MS = 10_000, SENDS_MAX = 40, QUEUE_MAX = 32, SETTLE_MS = 3_000, TYPING_MS = 250, DRAFTS_MAX = 100;

const backoff = tries => Math.min(BACKOFF_MS * 2 ** tries, BACKOFF_MAX_MS) * (0.75 + Math.random() / 2);

// MARK: - Drafts

const drafts = new Set(); // controls that are their person's, from the first key until their form was sent
const DRAFTS = `draft ${STREAM} `, draftKey = control => `${DRAFTS}[name="${control.name}"][id="${control.id}"]`;
const shownInputs = field => [...field.querySelectorAll("input[name^=shown-]")];

/** Keeps what is written over a reload, with its field as that was when writing began. */
function keepDraft(control) {
    const field = control.closest(".field"), draft = { value: control.value, html: field?.innerHTML };
    if (control.form?.method === "get") return drafts.add(control); // what is searched for
    if (!control.form) return;
    if (control.value === (control.dataset.shown ?? "") && !field?.theirs) return forget(control);
    drafts.add(control);
    if (control.id && drafts.size <= DRAFTS_MAX) stored(it => it.setItem(draftKey(control), JSON.stringify(draft)));
}

function forget(control) {
    drafts.delete(control);
    stored(it => it.removeItem(draftKey(control)));
}

function restoreDrafts() {
    for (const control of drafts) if (!control.isConnected) drafts.delete(control);
    for (const key of stored(it => Object.keys(it), []).filter(key => key.startsWith(DRAFTS))) {
        const find = () => document.querySelector(key.slice(DRAFTS.length)), field = find()?.closest(".field");
        const draft = find() && !drafts.has(find()) && stored(it => JSON.parse(it.getItem(key)));
        if (!draft) continue;
        const fresh = field?.cloneNode(true);
        if (field) field.innerHTML = draft.html;
        find().value = draft.value;
        drafts.add(find());
        if (field) meet(field, fresh);
    }
}

/** What others wrote into a field that is being written in stands beneath it; nothing is overwritten. */
function meet(field, fresh) {
    const { shown, author } = controlOf(fresh).dataset, line = marked("theirs", field), said = marked("said", field);
    const words = `${author || "Somebody"} ${shown === "" ? "emptied this" : `wrote “${shown}”`}`;
    line.hidden = shown === controlOf(field).dataset.shown;
    field.theirs = line.hidden ? null : fresh;
    if (!line.hidden && said.textContent !== words) say(said.textContent = words);
}

/** Takes what others wrote, or keeps one's own in place of that. */
function choose(field, isTheirs) {
    const control = controlOf(field), { theirs } = field;
    field.theirs = null;
    forget(control);
    if (isTheirs) return morph(field, theirs), control.focus();
    shownInputs(field).forEach(input => input.remove());
    field.append(...shownInputs(theirs));
    control.dataset.shown = controlOf(theirs).dataset.shown;
    marked("theirs", field).hidden = true;
    keepDraft(control);
    control.focus();
}

// MARK: - Stream

let source = null, streamID = null, tries = 0, drawn = document.body.dataset.drawn, watchdog, reconnecting, opening;

function connect() {
    clearTimeout(opening);
    if (!STREAM || source || document.hidden) return;
    query = location.search;
    const asked = new URLSearchParams(query), on = (name, work) => stream.addEventListener(name, event => {
        if (stream !== source) return;
        reconnecting = void clearTimeout(reconnecting);
        watch();
        try { work(JSON.parse(event.data), event); } catch (error) { console.error(error), lose(); }
    });
    if (!late.size) asked.set("drawn", drawn); // what stands here already is not sent again
    const stream = source = new EventSource(`${STREAM}?${asked}`);
    on("hello", hello => { [streamID, tries] = [hello.stream, 0]; pump(); });
    on("patch", (patch, { lastEventId }) => { drawn = ""; apply(patch); drawn = lastEventId; });
    on("beat", () => {});
    stream.onerror = () => stream === source && lose();
    watch();
}

/** A stream that does not even beat is dead: phones end them without an error. */
function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, WATCHDOG_MS);
}

function disconnect() {
    source?.close();
    source = streamID = null;
    for (const timer of [watchdog, opening]) clearTimeout(timer);
}

const reconnect = () => (disconnect(), connect());

function lose() {
    disconnect();
    opening = setTimeout(connect, backoff(tries++));
    reconnecting ??= setTimeout(() => {
        (document.querySelector("#sync [dir]") ?? byId("sync"))?.replaceChildren("reconnecting…");
        drawn = "";
    }, RECONNECTING_MS);
    // Whoever is no longer let in is told so by the page itself.
    if (tries % REFUSALS_MAX === 0) fetch(location.href).then(answer => answer.ok || location.reload(), () => {});
}

/** A page that nobody sees holds no stream: browsers open six of one host at most. */
const rest = () => (disconnect(), reconnecting = void clearTimeout(reconnecting));
const wake = () => (tries = 0, connect(), pump());

// MARK: - Forms and links

const toggles = new Map(); // pressed, and not yet shown by a patch: what the last patch showed, by button
const queue = []; // what was sent and not answered yet, in order
let sending = false, sentAt = 0, typing, query = location.search, looking = Promise.resolve(), landing = null;

function submit(form, button) {
    const fields = new URLSearchParams(new FormData(form, button)), isToggle = button?.hasAttribute("aria-pressed");
    if (button?.hasAttribute("data-pending")) return;
    if (queue.length >= QUEUE_MAX) return showToast("Not sent: too much is waiting to be sent.", "shown problem");
    fields.set("action", crypto.getRandomValues(new Uint32Array(4)).join("-"));
    fields.set("stream", streamID ?? "none");
    const group = isToggle ? [...form.querySelectorAll("[aria-pressed]")] : [];
    for (const one of group) {
        toggles.set(one, one.getAttribute("aria-pressed"));
        one.setAttribute("aria-pressed", String(one === button && toggles.get(one) === "false"));
    }
    button?.setAttribute("data-pending", "");
    const written = [...form.elements].filter(control => drafts.has(control)).map(control => [control, control.value]);
    queue.push({ form, button, group, written, fields, tries: 0 });
    pump();
}

/** The answer; null where none came in time. */
const post = (address, body) => fetch(address, { method: "POST", body, signal: AbortSignal.timeout(REQUEST_MS) })
    .catch(() => null);

/** Sends what waits, one after the other. What is sent again has the same action id, so it counts once. */
async function pump() {
    if (sending || !queue.length) return;
    sending = true;
    const [job] = queue, answer = await post(job.form.getAttribute("action"), job.fields);
    const patch = await answer?.json().catch(() => null);
    [sending, sentAt] = [false, Date.now()];
    if ((!answer || answer.status === 429 || answer.status >= 500) && ++job.tries < SENDS_MAX) {
        return void setTimeout(pump, backoff(job.tries));
    }
    queue.shift();
    if (patch) apply(patch);
    else if (!answer?.ok) showToast("Not sent: Caravan does not answer. Please try again.", "shown problem");
    finish(job, answer?.ok);
    pump();
}

function finish({ form, button, group, written }, isDone) {
    for (const [control, value] of isDone ? written : []) {
        if (control.value !== value) continue; // written on, meanwhile
        forget(control);
        if (!control.closest(".field")) control.value = "";
    }
    if (!group.length) button?.removeAttribute("data-pending");
    setTimeout(() => group.forEach(settle), isDone ? SETTLE_MS : 0);
    const isClosing = isDone && form.querySelector(".field") && written.every(([control]) => !drafts.has(control));
    if (isClosing) go(new URL(`?${new FormData(form).get("back") ?? ""}`, location));
}

/** Shows of a toggle what the last patch showed. */
function settle(button) {
    if (!toggles.has(button)) return;
    button.setAttribute("aria-pressed", toggles.get(button));
    button.removeAttribute("data-pending");
    toggles.delete(button);
}

/** Shows another part of the trip: what differs comes on the stream. */
function go(url, how = "pushState") {
    const [now, then] = [query, url.search].map(search => new URLSearchParams(search));
    const isOther = now.get("view") !== then.get("view"), open = then.get("open");
    if (url.href !== location.href) history[how](null, "", url);
    if (isOther || url.hash || open !== now.get("open")) landing = { hash: url.hash, isOther, open };
    const wanted = query = url.search;
    // One after the other, so that the last one stands.
    looking = looking.then(async () => {
        if (wanted !== query) return;
        const fields = new URLSearchParams({ stream: streamID, query: wanted.slice(1) });
        const answer = streamID && await post(STREAM.replace(/stream$/, "look"), fields);
        if (!answer?.ok) reconnect();
    });
}

/** Puts the reader where a link led to, once it is there. */
function land() {
    const { hash, isOther, open } = landing;
    const card = open && document.querySelector(`.expanded[data-card="${CSS.escape(open)}"]`);
    const target = hash ? byId(hash.slice(1)) : card;
    if (!target && (hash || (open && drawnList()))) return;
    landing = null;
    if (target) isInSight(target) || target.scrollIntoView();
    else if (isOther) scrollTo(0, 0);
    const control = target?.classList.contains("field") && controlOf(target);
    if (control) control.focus(), control.setSelectionRange(control.value.length, control.value.length);
    if (isOther && document.activeElement === document.body) byId("main")?.focus({ preventScroll: true });
}

/** What follows from a patch outside the regions that it names. */
function refresh(put = []) {
    restoreDrafts();
    for (const id of late) marked("order", byId(id).parentElement).hidden = false;
    readPatch(put);
    if (landing) land();
    if (late.size && ![...late].some(id => isHeld(byId(id)))) reconnect(); // which brings the order of every list
}

// MARK: - What happens

const isOurs = link => link && !link.target && !link.hasAttribute("download") && link.origin === location.origin
    && link.pathname === location.pathname && (link.search || !link.hash);

/** A chosen file becomes what the box beside it holds; one that is too long becomes nothing, for half a list is none. */
async function readFile({ files, form }) {
    const box = form.querySelector("textarea"), text = await files[0]?.text() ?? "";
    if (text.length > box.maxLength) showToast("Too long for the page: use caravan import FILE.", "shown problem");
    box.value = text.length > box.maxLength ? "" : text;
    keepDraft(box);
}

document.addEventListener("input", ({ target }) => {
    if (target.type === "file") return void readFile(target);
    keepDraft(target);
    if (target.form?.method !== "get" || !STREAM) return;
    clearTimeout(typing);
    typing = setTimeout(() => target.form.requestSubmit(), TYPING_MS);
});
document.addEventListener("focusout", ({ target }) => target.form?.method === "get" && drafts.delete(target));
document.addEventListener("submit", event => {
    const form = event.target, isAct = form.getAttribute("action")?.endsWith("/act");
    if (!STREAM || (form.method === "post" && !isAct)) return;
    event.preventDefault();
    if (isAct) return submit(form, event.submitter);
    const fields = [...new FormData(form)].filter(([, value]) => value !== "");
    go(new URL(`?${new URLSearchParams(fields)}`, location), "replaceState");
});
document.addEventListener("click", event => {
    const link = event.target.closest("a[href]"), button = event.target.closest("[data-mark], [data-copy]");
    const { mark, copy: text } = button?.dataset ?? {};
    if (text) copy(button);
    else if (mark === "keep" || mark === "take") choose(button.closest(".field"), mark === "take");
    else if (mark === "order") isOrderAsked = true, reconnect();
    else if (mark === "dismiss") event.preventDefault(), showToast();
    else if (STREAM && isOurs(link) && !["button", "ctrlKey", "metaKey", "shiftKey", "altKey"].some(it => event[it])) {
        event.preventDefault();
        if (mark === "cancel") for (const control of link.closest("form")?.elements ?? []) forget(control);
        link.closest("nav details")?.removeAttribute("open");
        go(new URL(link.href));
    }
});
document.addEventListener("pointerover", ({ target }) => { finger = target; });
document.addEventListener("pointerout", ({ relatedTarget }) => { finger = relatedTarget; });
document.addEventListener("visibilitychange", () => document.hidden ? rest() : wake());
addEventListener("pagehide", rest);
addEventListener("pageshow", wake);
addEventListener("online", () => (disconnect(), wake()));
addEventListener("popstate", () => STREAM && location.search !== query && go(new URL(location)));
fit();
refresh();
arrive();
connect();
