"use strict";
// Last of ten parts: forms and links, which work without script too, and what happens on the page. It begins at the end.

const REQUEST_MS = 10_000, DOWNLOAD_MS = 60_000, SENDS_MAX = 40, SENDS_QUIET = 2, QUEUE_MAX = 32, SETTLE_MS = 3_000, TYPING_MS = 250;

// MARK: - Forms and links

const toggles = new Map(); // pressed, and not yet shown by a patch: what the last patch showed, by button
const queue = []; // what was sent and not answered yet, in order
let sending = false, sentAt = 0, typing, query = location.search, looking = Promise.resolve(), landing = null, usesKeys = false;
let isOverPage = false; // whether a photo is open that Back closes

/** Whether the days of a form are in order; if not, the last one says so. */
function areDaysInOrder(form) {
    const [first, last] = form.querySelectorAll(".field-pair input[type=date]");
    last?.setCustomValidity(first.value && last.value && last.value < first.value ? "The last day is before the first day." : "");
    return !last || last.reportValidity();
}

const faultLines = form => [...form.querySelectorAll('[data-mark="fault"]')];

function submit(form, button) {
    use();
    if (!areDaysInOrder(form)) return;
    const fields = new URLSearchParams(new FormData(form, button)), isToggle = button?.hasAttribute("aria-pressed");
    if (button?.hasAttribute("data-pending")) return;
    if (queue.length >= QUEUE_MAX) return showToast("Not sent: too many changes are waiting to be sent.", "shown problem");
    fields.set("action", crypto.getRandomValues(new Uint32Array(4)).join("-"));
    fields.set("stream", streamID ?? "none");
    const group = isToggle ? [...form.querySelectorAll("[aria-pressed]")] : [];
    for (const one of group) {
        toggles.set(one, one.getAttribute("aria-pressed"));
        one.setAttribute("aria-pressed", String(one === button && toggles.get(one) === "false"));
    }
    button?.setAttribute("data-pending", "");
    for (const line of faultLines(form)) line.textContent = "";
    const written = [...form.elements].filter(control => drafts.has(control)).map(control => [control, control.value]);
    for (const [control, value] of written) sentValues.set(control, value);
    queue.push({ form, button, group, written, fields, tries: 0 });
    pump();
}

/** Saves the file that a form asks for; what is wrong with the form is told as for any other. */
async function download(form, button) {
    if (button?.hasAttribute("data-pending")) return;
    button?.setAttribute("data-pending", "");
    const fields = new URLSearchParams(new FormData(form));
    fields.set("stream", streamID ?? "none");
    const signal = AbortSignal.timeout(DOWNLOAD_MS);
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields, signal }).catch(() => null);
    button?.removeAttribute("data-pending");
    if (!answer?.ok) {
        const patch = parsed(await answer?.text() ?? "");
        return patch ? apply(patch) : showToast(`No file: ${silence()} Please try again.`, "shown problem");
    }
    const link = document.createElement("a"), [, name] = /filename\*=UTF-8''(\S+)/.exec(answer.headers.get("Content-Disposition")) ?? [];
    link.href = URL.createObjectURL(await answer.blob());
    link.download = decodeURIComponent(name ?? "");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_MS);
    for (const control of form.elements) drafts.delete(control);
    form.reset();
    showToast("Saved the backup. Store it on another disk.", "shown done");
}

/** The answer; null if none arrived in time. */
const post = (address, body) => fetch(address, { method: "POST", body, signal: AbortSignal.timeout(REQUEST_MS) })
    .catch(() => null);

const parsed = text => { try { return JSON.parse(text); } catch { return null; } };

/** Sends what waits, one after the other. What is sent again has the same action id, so it counts once. */
async function pump() {
    if (sending || !queue.length) return;
    sending = true;
    const [job] = queue, answer = await post(job.form.getAttribute("action"), job.fields);
    const line = await answer?.text().catch(() => ""), patch = parsed(line);
    [sending, sentAt] = [false, Date.now()];
    if ((!answer || answer.status === 429 || answer.status >= 500) && !farewell && ++job.tries < SENDS_MAX) {
        if (job.tries === SENDS_QUIET) showToast(`Not sent yet: ${silence()} This page keeps trying.`, "shown problem");
        return void setTimeout(pump, backoff(job.tries));
    }
    try {
        if (patch) apply(patch);
        else if (!answer?.ok) showToast(farewell ?? `Not sent: ${line || `${silence()} Please try again.`}`, "shown problem");
    } finally {
        queue.shift(); // until here, what was written is no draft for a form that a stream drew in another place
    }
    finish(job, answer?.ok);
    pump();
}

function finish({ form, button, group, written }, isDone) {
    const isWhole = form.dataset.mark === "whole";
    for (const [control, value] of isDone ? written : []) {
        if (control.value !== value) continue; // written on, meanwhile
        forget(control);
        // What is drawn with a value shows the one that was saved.
        if (!isWhole && !control.closest(".field") && !control.defaultValue) control.value = "";
    }
    if (!group.length) button?.removeAttribute("data-pending");
    setTimeout(() => group.forEach(settle), isDone ? SETTLE_MS : 0);
    const isSaved = isDone && written.every(([control]) => !drafts.has(control));
    // What it asked stands below it, in a patch that came before the answer.
    if (isSaved && form.id === "ask") form.reset();
    if (isSaved && (isWhole || form.querySelector(".field"))) return go(new URL(`?${new FormData(form).get("back") ?? ""}`, location));
    if (isWhole || faultLines(form).length) markFaults(form);
    if (isSaved) fold(form.closest("details:is(.plan, .import)"));
    if (!isDone) restoreDrafts();
}

/** Closes what held a form that is done, and leaves the focus at its heading. */
function fold(details) {
    if (!details?.open) return;
    if (details.contains(document.activeElement)) details.querySelector("summary").focus();
    details.open = false;
}

/** Marks the controls of a form that the node refused, as the lines beneath them say, and leads to the first. */
function markFaults(form) {
    const isFaulty = node => Boolean(byId(node.getAttribute("aria-describedby"))?.textContent);
    const described = [...form.querySelectorAll("[aria-describedby]")], first = described.find(isFaulty);
    for (const node of described) if (node.nodeName !== "FIELDSET") node.setAttribute("aria-invalid", isFaulty(node));
    const details = first?.closest("details");
    if (details) details.open = true;
    (first?.nodeName === "FIELDSET" ? controlOf(first) : first)?.focus();
    byId(first?.getAttribute("aria-describedby"))?.scrollIntoView({ block: "nearest" });
}

/** Shows of a toggle what the last patch showed. */
function settle(button) {
    if (!toggles.has(button)) return;
    button.setAttribute("aria-pressed", toggles.get(button));
    button.removeAttribute("data-pending");
    toggles.delete(button);
}

/** Where the reader is: how far down and at which row, for another number of rows may be drawn before it later. */
function placeNow() {
    const row = scrollY > 0 ? [...document.querySelectorAll("main [data-list] > [id]")].find(isInSight) : null;
    return { y: scrollY, row: row?.id, top: row && box(row).top };
}

function putBack(place) {
    scrollTo(0, place.y);
    alignRow(place, 3);
}

/** Again in a few frames, for rows have their heights only once they are in sight. */
function alignRow({ row, top }, frames) {
    if (byId(row)) scrollBy(0, box(byId(row)).top - top);
    if (frames > 0) requestAnimationFrame(() => alignRow({ row, top }, frames - 1));
}

/** Shows another part of the trip: what differs comes on the stream. `place` is where the reader was when they left it. */
function go(url, how = "pushState", place = null) {
    use();
    const [now, then] = [query, url.search].map(search => new URLSearchParams(search));
    const isOther = now.get("view") !== then.get("view"), open = then.get("open");
    const had = now.get("open"), isForm = then.has("edit"), wasForm = now.has("edit") && open === had;
    if (how === "pushState") isOverPage = url.href !== location.href && then.has("photo") && !now.has("photo");
    if (url.href !== location.href) {
        if (how === "pushState") history.replaceState(placeNow(), "");
        history[how](null, "", url);
    }
    if (isLost) showToast(farewell ?? `${silence()} This opens as soon as it does.`, "shown problem lost");
    else if (isOther && byId("toast").classList.contains("problem")) showToast();
    const [hadPhoto, photo] = [now.get("photo"), then.get("photo")];
    if (isOther || url.hash || open !== had || isForm !== wasForm || photo !== hadPhoto) {
        // A card that is left for another order or a search is none to come back to.
        const others = search => [...search].filter(([name]) => !["open", "edit", "at", "photo"].includes(name)).join();
        const left = !open && others(now) === others(then) ? had : null;
        // People with a mouse keep none in a list: its rows would wait, and move away under the press that takes the focus from it.
        // `:focus-visible` can't tell: WebKit matches it in the active window alone.
        const isOpened = open !== had && usesKeys && document.activeElement !== document.body;
        landing = {
            hash: url.hash, isOther, open, isNew: open !== had, isOpened, left, isForm, wasForm, photo, hadPhoto, place: isOther && place,
        };
    }
    const wanted = query = url.search;
    // One after the other, so that the last one stands.
    looking = looking.then(async () => {
        if (wanted !== query) return;
        const fields = new URLSearchParams({ stream: streamID, query: wanted.slice(1) });
        const answer = streamID && await post(addressOf("look"), fields);
        if (!answer?.ok) reconnect();
    });
}

/** Closes the photo that is open: Back then leads to where its reader was before. */
function closePhoto(link) {
    if (!isOverPage) return go(addressIn(link), "replaceState");
    isOverPage = false;
    history.back();
}

/** Puts the reader where a link led to, once it is there. */
function land() {
    const { hash, isOther, open, isNew, isOpened, left, isForm, wasForm, photo, hadPhoto, place } = landing;
    if (place) {
        landing = void putBack(place);
        if (document.activeElement === document.body) byId("main")?.focus({ preventScroll: true });
        return;
    }
    const cardOf = (item, kind = "") => item && document.querySelector(`${kind}[data-card="${CSS.escape(item)}"]`);
    const card = cardOf(open, ".expanded"), closed = cardOf(left);
    const target = hash ? byId(hash.slice(1)) : card, field = card?.querySelector(".field");
    if (!target && (hash || (open && drawnList()))) return;
    if ((card && Boolean(field) !== isForm) || closed?.matches(".expanded")) return;
    const view = card?.querySelector(".photo-view");
    if (photo && !view) return;
    landing = null;
    // A photo covers the page, which stays where it is.
    if (view) return void (view.contains(document.activeElement) || marked("close-photo", view).focus({ preventScroll: true }));
    if (hadPhoto && card) return card.querySelector(`.gallery [href*="photo=${CSS.escape(hadPhoto)}"]`)?.focus({ preventScroll: true });
    // A card that became shorter around its reader: its title leads on, and a closed card is seen whole.
    if (closed) seeWhole(closed);
    // A card that was opened at the lower edge grows out of sight.
    else if (target && isNew && box(target).top > innerHeight * .75) target.scrollIntoView({ block: "nearest" });
    else if (target) (wasForm && !isForm ? isTopInSight(target) : isInSight(target)) || target.scrollIntoView();
    else if (isOther) scrollTo(0, 0);
    const control = target?.matches(".field, form") ? controlOf(target) : target?.matches("input, textarea") ? target
        : field && controlOf(field);
    if (control) control.focus(), typeof control.selectionStart === "number" && control.setSelectionRange(control.value.length, control.value.length);
    else if (document.activeElement === document.body && !isOther) {
        const [edit, title] = ["e", "Enter"].map(key => (card ?? closed)?.querySelector(`[data-key="${key}"]`));
        if (wasForm || isOpened) (wasForm && edit && isInSight(edit) ? edit : title)?.focus({ preventScroll: true });
    }
    if (isOther && document.activeElement === document.body) byId("main")?.focus({ preventScroll: true });
}

/** Scrolls no further than a card that was closed needs. Out of sight, it would be as high as when it was open (page.css). */
function seeWhole(card) {
    card.style.contentVisibility = "visible";
    card.scrollIntoView({ block: "nearest" });
    card.style.contentVisibility = "";
}

/** Scrolls a line of orders that is wider than a phone to the one that is selected, each time another is: the order rather than the kind. */
function showOrders() {
    for (const row of [...document.querySelectorAll(".orders")].reverse()) {
        const one = row.querySelector("[aria-current]");
        if (one === row.current) continue;
        row.current = one;
        const line = row.scrollWidth > row.clientWidth ? row : row.parentElement, [outer, inner] = [line, one ?? line].map(box);
        line.scrollLeft += Math.min(0, inner.left - outer.left) || Math.max(0, inner.right - outer.right);
    }
}

/** What follows from a patch outside the fragments that it names. */
function refresh(put = []) {
    restoreDrafts();
    takeNotes();
    watchPictures();
    showOrders();
    for (const id of late.keys()) marked("order", byId(id).parentElement)?.toggleAttribute("hidden", false);
    readPatch(put);
    follow();
    if (landing) land();
    if (late.size) catchUp();
}

// MARK: - What happens

const CARD = /#[a-z]-[0-9a-f]+$/; // where a page without script stands; this one knows that by itself
const addressIn = link => new URL(link.href.replace(CARD, ""));
const isOurs = link => link && !link.target && !link.hasAttribute("download") && link.origin === location.origin
    && link.pathname === location.pathname && (link.search || !addressIn(link).hash);

/** A chosen file becomes what the box beside it holds; one that is no text or too long becomes nothing. */
async function readFile({ files: [file] }, box) {
    const text = await file?.text() ?? "", isText = !/[\0\uFFFD]/.test(text), isShort = text.length <= box.dataset.most;
    if (!isText) showToast("That file isn’t text. Choose a CSV, JSON or text file in UTF-8.", "shown problem");
    else if (!isShort) showToast("That list is too long for this page. Import it in several parts.", "shown problem");
    box.value = isText && isShort ? text : "";
    keepDraft(box);
}

document.addEventListener("input", ({ target }) => {
    if (target.type === "file") {
        const list = byId(target.getAttribute("aria-controls"));
        return void (list && readFile(target, list));
    }
    keepDraft(target);
    for (const day of target.closest(".field-pair")?.querySelectorAll("input") ?? []) day.setCustomValidity("");
    if (target.form?.method !== "get" || !STREAM) return;
    clearTimeout(typing);
    typing = setTimeout(() => target.form.requestSubmit(), TYPING_MS);
});
document.addEventListener("focusout", ({ target }) => target.form?.method === "get" && drafts.delete(target));
document.addEventListener("submit", event => {
    const form = event.target, isAct = form.getAttribute("action")?.split("#")[0].endsWith("/act");
    const isDownload = form.dataset.mark === "download";
    if (!STREAM || (form.method === "post" && !isAct && !isDownload)) return;
    event.preventDefault();
    if (isDownload) return void download(form, event.submitter);
    if (isAct) return submit(form, event.submitter);
    const fields = [...new FormData(form)].filter(([, value]) => value !== "");
    go(new URL(`?${new URLSearchParams(fields)}`, location), "replaceState");
});
document.addEventListener("click", event => {
    const link = event.target.closest("a[href]"), button = event.target.closest("[data-mark], [data-copy]");
    const { mark, copy: text } = button?.dataset ?? {};
    if (text) copy(button);
    else if (mark === "keep" || mark === "take") choose(button.closest(".field"), mark === "take");
    else if (mark === "keep-left" || mark === "discard") decide(button.closest(".field"), mark === "keep-left");
    else if (mark === "order") catchUp(true);
    else if (mark === "dismiss") event.preventDefault(), showToast();
    else if (STREAM && isOurs(link) && !["button", "ctrlKey", "metaKey", "shiftKey", "altKey"].some(it => event[it])) {
        event.preventDefault();
        if (mark === "cancel") for (const control of link.closest("form")?.elements ?? []) drafts.has(control) && forget(control);
        link.closest("nav details")?.removeAttribute("open");
        if (mark === "close-photo") closePhoto(link);
        else go(addressIn(link), mark === "step" ? "replaceState" : "pushState");
    }
});
// Both events are needed: an element that is removed under the pointer reports no "out".
for (const [name, node] of [["pointerover", "target"], ["pointerout", "relatedTarget"]]) {
    document.addEventListener(name, event => {
        finger = event[node];
        if (late.size) catchUp();
    });
}
document.addEventListener("pointerup", ({ target, pointerType }) => {
    if (pointerType !== "touch") return;
    touched = { node: target, at: Date.now() };
    setTimeout(catchUp, TOUCH_MS);
});
document.addEventListener("focusout", () => setTimeout(() => late.size && catchUp()));
document.addEventListener("visibilitychange", () => document.hidden ? rest() : wake());
addEventListener("pagehide", rest);
addEventListener("pageshow", wake);
addEventListener("online", () => (disconnect(), wake()));
if (byId("add")) new IntersectionObserver(([{ isIntersecting }]) => document.body.classList.toggle("at-add", isIntersecting)).observe(byId("add"));
for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, () => { usesKeys = kind === "keydown"; }, true);
addEventListener("popstate", ({ state }) => STREAM && location.search !== query && go(new URL(location), "pushState", state));
fit();
restoreDrafts(performance.getEntriesByType("navigation")[0]?.type !== "navigate");
refresh();
arrive();
// WebKit goes back to a height only now.
addEventListener("load", () => setTimeout(arrive));
use();
connect();
