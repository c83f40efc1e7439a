"use strict";
// Keeps the page live: streams, forms, links, and what a person is writing. The page is links and forms, and all that
// stands here has a way without it.

const STREAM = document.body.dataset.stream; // "/t/ID/stream"; absent on pages that do not change
const WATCHDOG_MS = 40_000, RECONNECTING_MS = 3_000, BACKOFF_MS = 500, BACKOFF_MAX_MS = 8_000, REFUSALS_MAX = 5;
const REQUEST_MS = 10_000, SENDS_MAX = 40, QUEUE_MAX = 32, SETTLE_MS = 3_000, TYPING_MS = 250, DRAFTS_MAX = 100;

const backoff = tries => Math.min(BACKOFF_MS * 2 ** tries, BACKOFF_MAX_MS) * (0.75 + Math.random() / 2);

// MARK: - Drafts

const drafts = new Map(); // what is being written, by control: its value, and what its field showed when that began
const draftKey = control => `draft ${STREAM} ${control.name} ${control.id}`;
const shownInputs = field => [...field?.querySelectorAll("input[name^=shown-]") ?? []];
const shownIn = field => ({ base: controlOf(field).dataset.shown, shown: shownInputs(field).map(input => input.value) });

/** From the first key on a control is its person's, until its form was sent. */
function keepDraft(control) {
    if (control.form?.method === "get") drafts.set(control, {}); // what is searched for
    if (control.form?.method !== "post") return;
    const field = control.closest(".field"), draft = drafts.get(control) ?? (field ? shownIn(field) : { base: "", shown: [] });
    if (control.value === draft.base && !field?.theirs) return forget(control);
    drafts.set(control, { ...draft, value: control.value });
    if (control.id && drafts.size <= DRAFTS_MAX) stored(it => it.setItem(draftKey(control), JSON.stringify(drafts.get(control))));
}

function forget(control) {
    drafts.delete(control);
    stored(it => it.removeItem(draftKey(control)));
}

/** Puts what was written before a reload back where it was written. */
function restoreDrafts() {
    for (const control of drafts.keys()) if (!control.isConnected) drafts.delete(control);
    const start = `draft ${STREAM} `;
    for (const key of stored(it => Object.keys(it), []).filter(key => key.startsWith(start))) {
        const [name, id] = key.slice(start.length).split(" "), control = byId(id);
        const field = control?.closest(".field"), fresh = field?.cloneNode(true);
        const draft = control?.name === name && !drafts.has(control) && stored(it => JSON.parse(it.getItem(key)));
        if (!draft) continue;
        drafts.set(control, draft);
        control.value = draft.value;
        if (field) showAs(field, draft), meet(field, fresh);
    }
}

/** Writes into a field's form what its writer was shown. */
function showAs(field, { shown }) {
    const name = `shown-${controlOf(field).name}`, type = "hidden";
    for (const old of shownInputs(field)) old.remove();
    field.append(...shown.map(value => Object.assign(document.createElement("input"), { type, name, value })));
}

/** What others wrote into a field that is being written in stands beneath it; nothing is overwritten. */
function meet(field, fresh) {
    const theirs = controlOf(fresh), { shown, author } = theirs?.dataset ?? {}, line = marked("theirs", field);
    if (!line || shown === undefined) return;
    const words = `${author || "Somebody"} ${shown === "" ? "emptied this" : `wrote “${shown}”`}`;
    line.hidden = shown === drafts.get(controlOf(field)).base;
    field.theirs = line.hidden ? undefined : { ...shownIn(fresh), value: theirs.value };
    if (!line.hidden && marked("said", field).textContent !== words) say(marked("said", field).textContent = words);
}

function choose(button, isTheirs) {
    const field = button.closest(".field"), control = controlOf(field), { theirs } = field;
    if (!theirs) return;
    [marked("theirs", field).hidden, field.theirs] = [true, undefined];
    showAs(field, theirs);
    control.dataset.shown = theirs.base;
    if (isTheirs) control.value = theirs.value;
    drafts.set(control, { ...theirs, value: control.value });
    keepDraft(control);
    control.focus();
}

// MARK: - Stream

let source = null, streamID = null, tries = 0, watchdog, reconnecting, opening;

function connect() {
    clearTimeout(opening);
    if (!STREAM || source || document.hidden) return;
    query = location.search;
    const stream = source = new EventSource(STREAM + location.search);
    const on = (name, work) => stream.addEventListener(name, ({ data }) => {
        if (stream !== source) return;
        reconnecting = void clearTimeout(reconnecting);
        watch();
        try { work(data ? JSON.parse(data) : {}); } catch (error) { console.error(error), lose(); }
    });
    on("hello", hello => { [streamID, tries] = [hello.stream, 0]; unplaced.clear(); late.clear(); pump(); });
    on("patch", apply);
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
    reconnecting ??= setTimeout(() => (document.querySelector("#sync [dir]") ?? byId("sync"))?.replaceChildren("reconnecting…"),
        RECONNECTING_MS);
    // Whoever is no longer let in is told so by the page itself.
    if (tries % REFUSALS_MAX === 0) fetch(location.href).then(answer => answer.ok || location.reload(), () => {});
}

/** A page that nobody sees holds no stream: browsers open six of one host at most. */
const rest = () => (disconnect(), reconnecting = void clearTimeout(reconnecting));
const wake = () => (tries = 0, connect(), pump());

// MARK: - Forms and links

const toggles = new Map(); // pressed, and not yet shown by a patch: what the last patch showed, by button
const queue = []; // what was sent and not answered yet, in order
let sending = false, sentAt = 0, typing, query = location.search, looking = Promise.resolve();

function submit(form, button) {
    const fields = new URLSearchParams(new FormData(form)), isToggle = button?.hasAttribute("aria-pressed");
    if (button?.hasAttribute("data-pending")) return;
    if (queue.length >= QUEUE_MAX) return problem("Not sent: too much is waiting to be sent.");
    if (button?.name) fields.append(button.name, button.value);
    fields.set("action", crypto.getRandomValues(new Uint32Array(4)).join("-"));
    fields.set("stream", streamID ?? "none");
    const group = isToggle ? [...form.querySelectorAll("[aria-pressed]")] : [];
    for (const one of group) {
        const isPressed = one === button && one.getAttribute("aria-pressed") === "false";
        toggles.set(one, one.getAttribute("aria-pressed"));
        one.setAttribute("aria-pressed", String(isPressed));
    }
    button?.setAttribute("data-pending", "");
    const written = [...form.elements].filter(control => drafts.has(control)).map(control => [control, control.value]);
    queue.push({ form, button, group, written, fields, tries: 0 });
    pump();
}

/** The answer; null where none came in time. */
const post = (address, fields) => fetch(address, {
    method: "POST", body: new URLSearchParams(fields), signal: AbortSignal.timeout(REQUEST_MS),
}).catch(() => null);

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
    else if (!answer?.ok) problem("Not sent: Caravan does not answer. Please try again.");
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
    const view = search => new URLSearchParams(search).get("view"), isOther = view(url.search) !== view(query);
    if (url.href !== location.href) history[how](null, "", url);
    if (isOther || url.hash) landing = { hash: url.hash, isOther };
    const wanted = query = url.search;
    // One after the other, so that the last one stands.
    looking = looking.then(async () => {
        if (wanted !== query) return;
        const answer = streamID && await post(STREAM.replace(/stream$/, "look"), { stream: streamID, query: wanted.slice(1) });
        if (!answer?.ok) reconnect();
    });
}

/** Puts the reader where a link led to, once it is there. */
function land() {
    const { hash, isOther } = landing, target = hash && byId(hash.slice(1));
    landing = null;
    if (target) target.scrollIntoView({ block: "nearest" });
    else if (isOther) scrollTo(0, 0);
    if (isOther && document.activeElement === document.body) document.querySelector("main")?.focus({ preventScroll: true });
}

const isOurs = link => link && !link.target && !link.hasAttribute("download") && link.origin === location.origin
    && link.pathname === location.pathname && (link.search || !link.hash);
const nearEnd = new IntersectionObserver(entries => {
    const more = entries.find(entry => entry.isIntersecting)?.target;
    if (more) nearEnd.disconnect(), go(new URL(more.href), "replaceState");
}, { rootMargin: "1500px" });

// MARK: - What happens

document.addEventListener("input", ({ target }) => {
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
    const link = event.target.closest("a[href]"), button = event.target.closest("[data-mark]"), mark = button?.dataset.mark;
    if (mark === "keep" || mark === "take") choose(button, mark === "take");
    else if (mark === "order") button.hidden = isOrderAsked = true, reconnect();
    else if (STREAM && isOurs(link) && !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
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
refresh();
connect();
