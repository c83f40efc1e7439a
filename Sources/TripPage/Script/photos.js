"use strict";
// Third of four parts: photos that are chosen, dropped or pasted. They are made small before they are sent: so they go
// quickly, and where they were taken does not leave the phone.

const PHOTO_PIXELS = 2048, PHOTO_QUALITY = 0.85, PHOTO_MS = 60_000, PHOTO_TRIES = 5;

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

/** Sends a photo, again with the same action id where no answer came, so that it counts once. Says whether it came. */
async function sendPhoto(form, file) {
    const fields = new FormData(form);
    fields.delete("photo");
    fields.set("action", crypto.getRandomValues(new Uint32Array(4)).join("-"));
    fields.set("stream", streamID ?? "none");
    fields.set("photo", await shrink(file), "photo");
    for (let tries = 0; tries < PHOTO_TRIES; tries++) {
        const signal = AbortSignal.timeout(PHOTO_MS);
        const answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields, signal }).catch(() => null);
        sentAt = Date.now();
        const patch = await answer?.json().catch(() => null);
        if (patch) return apply(patch), answer.ok;
        if (answer && answer.status !== 429 && answer.status < 500) break;
        await new Promise(done => setTimeout(done, backoff(tries)));
    }
    showToast("Not sent: Caravan does not take this photo. Please try again.", "shown problem");
    return false;
}

let photosSent = Promise.resolve();

/** Sends photos one after the other, and says how far that is. */
function sendPhotos(form, files) {
    const pictures = [...files].filter(file => file.type.startsWith("image/"));
    if (files.length && !pictures.length) return showToast("Not sent: these are no pictures.", "shown problem");
    photosSent = photosSent.then(async () => {
        for (const [place, file] of pictures.entries()) {
            const progress = marked("progress", form);
            if (progress) progress.textContent = `Sending ${place + 1} of ${pictures.length}…`;
            if (!await sendPhoto(form, file)) break;
        }
        marked("progress", form)?.replaceChildren();
    });
}

/** The form of the card at hand, or of the one that is open. */
const photoForm = node => (node?.closest?.("[data-card]") ?? document.querySelector(".expanded[data-card]"))
    ?.querySelector("form.photos");
const holdsFiles = event => event.dataTransfer?.types.includes("Files");
const unmark = () => document.querySelector(".dropping")?.classList.remove("dropping");

document.addEventListener("change", ({ target }) => {
    if (target.type !== "file" || !target.form?.matches("form.photos") || !STREAM) return;
    sendPhotos(target.form, [...target.files]);
    target.value = "";
});
document.addEventListener("dragover", event => {
    const form = holdsFiles(event) && photoForm(event.target);
    unmark();
    if (!form) return;
    event.preventDefault();
    form.closest("[data-card]").classList.add("dropping");
});
document.addEventListener("dragleave", unmark);
document.addEventListener("drop", event => {
    const form = holdsFiles(event) && photoForm(event.target);
    unmark();
    if (!form) return;
    event.preventDefault();
    sendPhotos(form, event.dataTransfer.files);
});
document.addEventListener("paste", event => {
    const form = event.clipboardData?.files.length && photoForm(event.target);
    if (!form) return;
    event.preventDefault();
    sendPhotos(form, event.clipboardData.files);
});
