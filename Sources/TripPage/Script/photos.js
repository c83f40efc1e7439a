"use strict";
// Third of ten parts: photos that are chosen, dropped or pasted. They are made small before they are sent: so they go
// quickly, and where they were taken does not leave the phone.

const PHOTO_PIXELS = 2048, PHOTO_QUALITY = 0.85, PHOTO_MS = 60_000, PHOTO_TRIES = 5, PHOTO_NAMES = 3;
const PHOTO_LOST = "Not sent: this photo didn’t arrive. Please try again.";

/** A picture as a small JPEG; the file as it is where this browser cannot read it. */
async function shrink(file) {
    try {
        const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
        const scale = Math.min(1, PHOTO_PIXELS / Math.max(picture.width, picture.height));
        const [width, height] = [picture.width, picture.height].map(side => Math.max(1, Math.round(side * scale)));
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        const pen = canvas.getContext("2d");
        pen.fillStyle = "#fff"; // what shows through where a picture has holes
        pen.fillRect(0, 0, width, height);
        pen.drawImage(picture, 0, 0, width, height);
        picture.close();
        return await new Promise(done => canvas.toBlob(done, "image/jpeg", PHOTO_QUALITY)) ?? file;
    } catch {
        return file;
    }
}

/** Sends a photo, again with the same action id where no answer came, so that it counts once. Null where none came at all. */
async function sendPhoto(item, file) {
    const fields = new FormData();
    fields.set("item", item);
    fields.set("action", crypto.getRandomValues(new Uint32Array(4)).join("-"));
    fields.set("stream", streamID ?? "none");
    fields.set("photo", await shrink(file), "photo");
    for (let tries = 0; tries < PHOTO_TRIES; tries++) {
        const signal = AbortSignal.timeout(PHOTO_MS);
        const answer = await fetch(addressOf("photo"), { method: "POST", body: fields, signal }).catch(() => null);
        sentAt = Date.now();
        const patch = parsed(await answer?.text().catch(() => ""));
        if (patch) return { patch, isAdded: answer.ok };
        if (farewell) break;
        if (answer && answer.status !== 429 && answer.status < 500) break;
        await new Promise(done => setTimeout(done, backoff(tries)));
    }
    return null;
}

/** What a patch says was done, or why not. */
function saidIn({ put = [] }) {
    const template = document.createElement("template");
    template.innerHTML = put.find(({ id }) => id === "toast")?.html ?? "";
    return template.content.querySelector("p")?.textContent ?? "";
}

let photosSent = Promise.resolve();

/** Sends photos to an item one after the other, and says how far that is where its card is open. Of several, one line at the end
    says what became of them, with the names for each reason: each one's own would replace the one before. */
function sendPhotos(item, files) {
    const isPicture = file => file.type.startsWith("image/"), all = [...files], pictures = all.filter(isPicture);
    if (all.length && !pictures.length) return showToast("Not sent: those files aren’t pictures.", "shown problem");
    const tell = text => {
        const form = document.querySelector(`[data-card="${item}"] form.photos`);
        if (form) marked("progress", form).textContent = text;
    };
    photosSent = photosSent.then(async () => {
        const refused = all.filter(file => !isPicture(file)).map(({ name }) => [name, "This is not a picture."]);
        let answer = null, added = 0;
        for (const [place, file] of pictures.entries()) {
            tell(`Sending ${place + 1} of ${pictures.length}…`);
            answer = await sendPhoto(item, file);
            if (answer?.isAdded) added++;
            else if (answer) refused.push([file.name, saidIn(answer.patch)]);
            if (answer) continue;
            // None of the others is sent either.
            refused.push(...pictures.slice(place).map(({ name }) => [name, farewell ?? PHOTO_LOST]));
            break;
        }
        tell("");
        if (all.length === 1 && answer) return apply(answer.patch);
        if (added === all.length) return showToast(`${added} photos added.`, "shown done");
        if (all.length === 1) return showToast(refused[0][1], "shown problem");
        const reasons = Map.groupBy(refused, ([, reason]) => reason.replace(/\.?$/, "."));
        const lines = [...reasons].map(([reason, files]) => {
            const names = files.slice(0, PHOTO_NAMES).map(([name]) => name).concat(files.length > PHOTO_NAMES ? ["…"] : []);
            return `Not added: ${names.join(", ")}. ${reason}`;
        });
        showToast([`${added} of ${all.length} photos added.`, ...lines].join(" "), "shown problem");
    });
}

/** The item whose card this is; nothing for rows that are no item's, or are removed. */
const itemOf = card => /^[0-9a-f]+$/.test(card?.dataset.card) && !card.matches(".removed") ? card.dataset.card : null;
const cardAt = node => { const card = node.closest?.("[data-card]"); return itemOf(card) && card; };
const holdsFiles = event => event.dataTransfer?.types.includes("Files") && !event.target.closest?.("input[type=file]");
const unmark = () => document.querySelector(".dropping")?.classList.remove("dropping");

document.addEventListener("change", ({ target }) => {
    if (target.type !== "file" || !target.form?.matches("form.photos") || !STREAM) return;
    sendPhotos(target.form.querySelector("[name=item]").value, [...target.files]);
    target.value = "";
});
// A file that is dropped beside a card would be opened in place of the page.
document.addEventListener("dragover", event => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    unmark();
    cardAt(event.target)?.classList.add("dropping");
});
document.addEventListener("dragleave", unmark);
document.addEventListener("drop", event => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    unmark();
    const item = itemOf(cardAt(event.target));
    if (item && STREAM) sendPhotos(item, event.dataTransfer.files);
    else showToast("Drop photos on a card.", "shown");
});
document.addEventListener("paste", event => {
    const files = event.clipboardData?.files ?? [];
    const item = itemOf(cardAt(event.target) || document.querySelector(".expanded[data-card]"));
    if (!files.length || !item || !STREAM) return;
    event.preventDefault();
    sendPhotos(item, files);
});

// MARK: - Pictures of cards

// A browser opens six connections to a node, and on a slow network pictures would take all of them, before a vote. So they take three.
const PICTURES = 3, PICTURES_PX = 800;
const near = new Set(), loading = new Set();
const sights = new IntersectionObserver(seen => {
    for (const { target, isIntersecting } of seen) near[isIntersecting ? "add" : "delete"](target);
    loadPictures();
}, { rootMargin: `${PICTURES_PX}px` });

/** Has pictures that are new in the page loaded when they are near. */
function watchPictures() {
    for (const image of document.querySelectorAll(".picture > img")) if (!image.style.display) sights.observe(image.parentElement);
}

function loadPictures() {
    for (const picture of near) {
        if (loading.size >= PICTURES) return;
        near.delete(picture);
        sights.unobserve(picture);
        const image = picture.querySelector("img");
        if (!image?.isConnected) continue;
        const end = () => loading.delete(image) && loadPictures();
        for (const kind of ["load", "error"]) image.addEventListener(kind, end, { once: true });
        loading.add(image);
        Object.assign(image, { loading: "eager" }).style.display = "block"; // photos.css hides it until then, so that it does not load
        if (image.complete) end();
    }
}

// MARK: - One photo, large

const SWIPE_PX = 48;
let swipe = null;

document.addEventListener("pointerdown", ({ target, pointerType, clientX: x, clientY: y }) => {
    swipe = pointerType === "touch" && target.closest(".photo-view") ? { x, y } : null;
});
document.addEventListener("pointerup", ({ clientX, clientY }) => {
    const [x, y] = swipe ? [clientX - swipe.x, clientY - swipe.y] : [0, 0];
    swipe = null;
    if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(y)) return;
    document.querySelector(`.photo-view [data-key="${x > 0 ? "ArrowLeft" : "ArrowRight"}"]`)?.click();
});
// What lies beneath is out of reach of the tab key.
document.addEventListener("keydown", event => {
    const view = document.querySelector(".photo-view"), stops = [...view?.querySelectorAll("a[href], button") ?? []];
    if (event.key !== "Tab" || !stops.length) return;
    event.preventDefault();
    const place = stops.indexOf(document.activeElement);
    stops.at((event.shiftKey ? Math.max(place, 0) - 1 : place + 1) % stops.length).focus();
});
