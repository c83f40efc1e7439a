"use strict";
// Second of ten parts: what makes the page easy on its readers: words for screen readers, copies, moments as people
// say them, keys.

const SPEAK_MS = 5_000, MOMENTS_MS = 30_000, COPIED_MS = 2_000, OWN_MS = 1_000, SECOND_MS = 1_000, MINUTE_MS = 60_000;

const speech = Object.assign(document.createElement("div"), { className: "unseen", role: "status" });
let speaking, spoken = 0, words = "", heard = null;

/** What readers are told of a patch. */
function readPatch(put) {
    localize();
    for (const choice of document.querySelectorAll('[data-mark="keys"]')) choice.checked = areKeysOn();
    const news = [...document.querySelectorAll("#just-now li:first-child p:not(.hint)")].map(it => it.textContent).join(" ");
    if (news !== heard && heard !== null && Date.now() > sentAt + OWN_MS) say(news); // a toast says what was one's own
    heard = news;
    if (put.some(({ id }) => id === "toast")) for (const time of byId("toast").getAnimations()) time.currentTime = 0;
}

/** Announces a text to screen readers: the latest one, at most every five seconds. */
function say(text) {
    words = text;
    speaking ??= setTimeout(() => {
        [speaking, spoken] = [undefined, Date.now()];
        speech.textContent = words;
    }, Math.max(0, spoken + SPEAK_MS - Date.now()));
}

function showToast(text, kind = "") {
    const toast = byId("toast"), element = (name, values) => Object.assign(document.createElement(name), values);
    toast.replaceChildren(...text ? [element("p", { textContent: text })] : []);
    toast.className = `toast ${kind}`;
    if (!kind.includes("problem")) return;
    toast.append(element("button", { textContent: "Dismiss", className: "button", type: "button" }));
    toast.lastChild.dataset.mark = "dismiss";
}

/** By the command that needs no secure origin: guests' pages have none. */
function copy(button) {
    const field = Object.assign(document.createElement("textarea"), { value: button.dataset.copy, readOnly: true });
    button.after(field);
    field.select();
    const label = button.textContent;
    const said = document.execCommand("copy") ? "Copied" : "Couldn’t copy: select it and copy it by hand";
    field.remove();
    button.focus();
    if (label === said) return;
    say(button.textContent = said);
    setTimeout(() => { button.textContent = label; }, COPIED_MS);
}

const ago = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const civil = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", hourCycle: "h23" });
const justNow = ago.resolvedOptions().locale.startsWith("en") ? "just now" : ago.format(0, "second");

/** "Sat 21 November, 03:51", as the page writes all dates: with the year if it isn't this one. */
function full(moment) {
    const { weekday, day, month, year, hour, minute } = Object.fromEntries(civil.formatToParts(moment).map(
        ({ type, value }) => [type, value]));
    const other = Number(year) === new Date().getFullYear() ? "" : ` ${year}`;
    return `${weekday.slice(0, 3)} ${day} ${month}${other}, ${hour}:${minute}`;
}

/** A moment as people say it: how far it is within a day, else its date; to the second where it is counted down to. */
function since(moment, isCountdown) {
    const left = Math.floor((moment - Date.now()) / 1000);
    if (isCountdown && left >= 0 && left < 600) return `in ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const minutes = Math.round((moment - Date.now()) / MINUTE_MS), hours = Math.round(minutes / 60);
    if (minutes === 0 && moment <= Date.now()) return justNow;
    return Math.abs(minutes) < 60 ? ago.format(minutes, "minute")
        : Math.abs(minutes) < 1440 ? ago.format(hours, "hour") : full(moment);
}

/** Writes moments in the reader's own manner, and how long ago what happened within a day. */
function localize(times = "time[data-moment]") {
    for (const time of document.querySelectorAll(times)) {
        const moment = Number(time.dataset.moment), text = since(moment, "countdown" in time.dataset);
        if (time.textContent !== text) [time.textContent, time.title] = [text, full(moment)];
    }
}

// MARK: - What is new

const SEEN_MS = 1_000, TITLE_MS = 60_000;
const seen = new Set(); // cards marked as new that were in sight for a second
let glanced = [];

/** Notes which of the cards that are marked as new are in sight. */
function glance() {
    const marks = document.hidden ? [] : [...document.querySelectorAll('[data-mark="new"]')].filter(isInSight);
    const now = marks.map(mark => mark.closest("[data-card]").dataset.card);
    for (const card of now) if (glanced.includes(card)) seen.add(card);
    glanced = now;
}

/** Tells the node what was seen, once the page is left: until then marks stay where they are. */
function tellSeen() {
    if (!seen.size) return;
    const fields = [["do", "see"], ["stream", "none"], ...[...seen].map(card => ["item", card])];
    navigator.sendBeacon(addressOf("act"), new URLSearchParams(fields));
    seen.clear();
    setTimeout(nameTab, SEEN_MS);
}

/** The title of a page that nobody sees says how much is new: it has no stream. A guest's page says nothing of the kind. */
async function nameTab() {
    if (!STREAM || !document.hidden || marked("guest")) return;
    const answer = await fetch(addressOf("title")).catch(() => null), title = answer?.ok && await answer.text();
    if (title && document.hidden) document.title = title.trim();
}

// MARK: - Keys

/** A browser may refuse to store anything: then nothing is kept over a reload. */
const stored = (work, otherwise) => { try { return work(localStorage); } catch { return otherwise; } };
const areKeysOn = () => stored(it => it.getItem("keys"), null) !== "off";
const isTyping = node => node.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

/** A key does what the control does that names it by `data-key`: in the card at hand, or else outside of all cards. */
function press(event) {
    const { key, target } = event, open = document.querySelector(".expanded[data-card]");
    const card = document.activeElement.closest("[data-card]") ?? open;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || key === "Enter") return;
    if (key === "Escape" && target.type === "search" && target.value) {
        // Browsers empty it only later, and tell nobody.
        target.value = "";
        target.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (key === "Escape") return isTyping(target) && !target.closest(".field") ? target.blur() : escape(open);
    if (isTyping(target) || !areKeysOn()) return;
    const named = [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
    const cards = [...document.querySelectorAll("[data-card]")], step = { j: 1, k: -1 }[key];
    const found = step ? (card ? cards[cards.indexOf(card) + step] ?? card : cards.find(isInSight))
        : key === "u" ? card?.querySelector('[name=vote][aria-pressed="true"]')
        : named.find(one => card?.contains(one)) ?? named.find(one => !one.closest("[data-card]"));
    const closed = card && marked("editable", card);
    if (!found && key === "e" && closed) go(new URL(`${closed.search}&edit=1`, location));
    if (!found && key === "z") showToast("Nothing to undo on this page. The history undoes earlier changes.", "shown done");
    const elsewhere = { n: "#what", "/": "#find" }[key]; // the boxes of Cards, for views that have none
    if (!found && elsewhere && STREAM && new URLSearchParams(location.search).has("view")) {
        event.preventDefault();
        go(new URL(elsewhere, location.origin + location.pathname));
    }
    // `u` withdraws a vote; the key of the vote itself only votes.
    if (!found || (key !== "u" && found.matches('[name=vote][aria-pressed="true"]'))) return;
    event.preventDefault();
    // The title, where the first control is a tick that Enter would press.
    if (step) (found.querySelector('[data-key="Enter"]') ?? found.querySelector("a[href], button, summary") ?? found).focus();
    else if (isTyping(found)) found.focus();
    else found.click();
}

/** Closes what is open: a menu, or else a photo, the form or the card. What was written is kept. */
function escape(card) {
    const menu = document.querySelector("nav details[open]");
    const form = marked("whole"), photo = marked("close-photo");
    const link = form ? marked("cancel", form) : card && (marked("cancel", card) ?? card.querySelector('[data-key="Enter"]'));
    if (menu) menu.open = false;
    else if (photo) closePhoto(photo);
    else if (link) go(addressIn(link));
}

document.body.append(speech);
document.addEventListener("keydown", press);
document.addEventListener("change", ({ target }) => {
    if (target.dataset.mark === "keys") stored(it => it.setItem("keys", target.checked ? "on" : "off"));
});
// It goes, and what it undoes can still be undone by its key.
document.addEventListener("animationend", ({ target }) => target.id === "toast" && target.classList.add("past"));
setInterval(glance, SEEN_MS);
setInterval(nameTab, TITLE_MS);
setInterval(localize, MOMENTS_MS);
setInterval(localize, SECOND_MS, "time[data-countdown]");
