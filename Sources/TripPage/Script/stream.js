"use strict";
// Ninth of ten parts: the stream by which the page stays up to date, and how the pages of one browser share the few
// connections that it opens to a host.

const WATCHDOG_MS = 40_000, RECONNECTING_MS = 3_000, SILENT_MS = 10_000, BACKOFF_MS = 500, BACKOFF_MAX_MS = 8_000, REFUSALS_MAX = 5;
const STREAMS_MAX = 3, GLIMPSE_MS = 1_000, GLANCE_MS = 15_000, USE_MS = 1_000;

const backoff = tries => Math.min(BACKOFF_MS * 2 ** tries, BACKOFF_MAX_MS) * (0.75 + Math.random() / 2);

let source = null, streamID = null, tries = 0, drawn = document.body.dataset.drawn, watchdog, reconnecting, opening;
let isLost = false; // whether the page said that it is not up to date
let isSilent = false, silent; // whether it said what helps, and the wait for that
let hadDoor = false; // whether guests could come for some minutes when the stream was lost
let farewell = null, told = null; // why there is no stream, in the node's words; and what of that the reader was told

/** Opens the stream, unless nobody looks or other pages are used more. */
function connect(isGlimpse = false) {
    clearTimeout(opening);
    if (!STREAM || source || document.hidden || (isOutnumbered() && !isGlimpse)) return;
    query = location.search;
    const asked = new URLSearchParams(query), on = (name, work) => stream.addEventListener(name, event => {
        if (stream !== source) return;
        reconnecting = void clearTimeout(reconnecting);
        watch();
        try { work(JSON.parse(event.data), event); } catch (error) { console.error(error), lose(); }
    });
    asked.set("drawn", drawn); // what stands here already is not sent again
    const stream = source = new EventSource(`${STREAM}?${asked}`);
    on("hello", hello => {
        if (byId("toast").classList.contains("lost")) showToast();
        [streamID, tries, isLost, isSilent, farewell, told] = [hello.stream, 0, false, false, null, null];
        silent = void clearTimeout(silent);
        pump();
        retryNotes();
    });
    on("patch", (patch, { lastEventId }) => {
        drawn = "";
        // A toast answers what was done here; a stream knows of none.
        patch.put = patch.put?.filter(({ id }) => id !== "toast");
        apply(patch);
        drawn = lastEventId;
        if (hadDoor) tellDoor();
        if (isOutnumbered()) disconnect();
        else pages?.postMessage({ isNews: true });
    });
    on("beat", () => {});
    on("bye", ({ text }) => { farewell = text, lose(); });
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
    const closes = Number(marked("guest")?.querySelector("time")?.dataset.moment ?? Infinity);
    if (Date.now() > closes) farewell ??= marked("guest").dataset.closed;
    if (farewell) tellLost();
    else reconnecting ??= setTimeout(tellLost, RECONNECTING_MS);
    // Somebody who is no longer let in is told so by the page itself. A door that is closed may open again.
    const isOver = answer => !answer.ok && answer.status !== 503;
    if (tries % REFUSALS_MAX === 0) fetch(location.href).then(answer => isOver(answer) && location.reload(), () => {});
}

/** Says that the page is not up to date, and why where that is known. */
function tellLost() {
    document.querySelector("#sync .sync-sign")?.replaceChildren("↻");
    (document.querySelector("#sync [dir]") ?? byId("sync"))?.replaceChildren(farewell ? "not connected" : "reconnecting…");
    [isLost, drawn] = [true, ""];
    silent ??= setTimeout(tellSilent, SILENT_MS - RECONNECTING_MS);
    hadDoor ||= isDoorOpen();
    if (farewell === told) return;
    told = farewell;
    const guest = marked("guest");
    guest?.replaceChildren(told);
    if (!guest || !isInSight(guest)) return showToast(told, "shown problem lost");
    showToast(); // the notice says it
    say(told);
}

const isDoorOpen = () => Boolean(document.querySelector(".door-notice time, .guests .door time"));

/** Says that a node which ended let nobody in again: guests themselves can't tell. */
function tellDoor() {
    hadDoor = false;
    if (isDoorOpen()) return;
    showToast("Guests can no longer use the page. To let them in again, open “Members and invites”.", "shown problem");
}

/** Who doesn't answer: guests have never heard of Caravan, and its owner may have to start it. */
const silence = () => marked("guest")?.dataset.silent
    ?? `Caravan doesn’t answer.${isSilent ? " Start it with “caravan up” in a terminal." : ""}`;

/** Says what helps, once nothing was heard for a while. What is counted down to may have come: no page says it then. */
function tellSilent() {
    silent = undefined;
    if (!isLost || farewell || document.hidden) return;
    isSilent = true;
    const guest = marked("guest"), closes = guest?.querySelector("time");
    for (const time of document.querySelectorAll("time[data-countdown]")) time.closest(".door-notice, .lead")?.remove();
    if (closes) closes.hidden = true; // `lose` looks whether it has come
    guest?.replaceChildren(silence(), closes ?? "");
    showToast((queue.length ? "Not sent yet: " : "") + silence() + (guest ? "" : " This page goes on by itself then."), "shown problem lost");
}

/** A page that nobody sees holds no stream. */
function rest() {
    tellSeen();
    disconnect();
    reconnecting = void clearTimeout(reconnecting);
    pages?.postMessage({ page: pageID, usedAt: 0 });
}

const wake = () => (tries = 0, use(), connect(), pump());

// MARK: - Several pages in one browser

// Browsers open six connections to a host at most, and whatever needs a seventh waits: so three pages hold a stream, those
// that were used last. Each other one that is seen looks what there is when one of those hears of something.

const pages = "BroadcastChannel" in window ? new BroadcastChannel("pages") : null, pageID = Math.random();
const others = new Map(); // pages that hold a stream, and when each was used last
let usedAt = 0, glimpsing;

const isOutnumbered = () => [...others.values()].filter(at => at > usedAt).length >= STREAMS_MAX;

/** Notes that somebody is at this page. */
function use() {
    if (!STREAM || document.hidden || (source && Date.now() - usedAt < USE_MS)) return;
    usedAt = Date.now();
    pages?.postMessage({ page: pageID, usedAt });
    connect();
}

function glimpse() {
    glimpsing = undefined;
    if (source || !isOutnumbered()) return connect();
    connect(true);
    setTimeout(() => isOutnumbered() && disconnect(), GLIMPSE_MS);
}

pages?.addEventListener("message", ({ data: { page, usedAt: at, isNews } }) => {
    if (isNews) return void (source ?? (glimpsing ??= setTimeout(glimpse, Math.random() * GLIMPSE_MS)));
    if (at) others.set(page, at);
    else others.delete(page);
    if (!at) connect();
    else if (source && isOutnumbered()) disconnect(), reconnecting = void clearTimeout(reconnecting);
});
setInterval(() => isOutnumbered() && glimpse(), GLANCE_MS); // where the others have gone without a word
for (const name of ["focus", "pointerdown", "keydown"]) addEventListener(name, use, true);
