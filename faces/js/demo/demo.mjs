// The page: takes files, hashes them in workers, and compares a list.

import { WorkerPool } from "../dist/pool.js";
import { bytesToHex } from "../dist/utils.js";
import { BY_LENGTH, FUNCTIONS } from "./functions.mjs";

const find = (id) => document.getElementById(id);
const make = (tag, text = "", parent = undefined, className = "") => {
    const element = Object.assign(document.createElement(tag), { textContent: text, className });
    parent?.append(element);
    return element;
};

for (const name of Object.keys(FUNCTIONS)) {
    const label = make("label", "", find("functions"));
    const box = Object.assign(document.createElement("input"), { type: "checkbox", value: name });
    box.checked = name === "SHA-256";
    label.append(box, ` ${name}`);
}

const pool = new WorkerPool();

/**
 * The lines of a list: `digest  name`, `digest *name`, `SHA256 (name) = digest`, or a digest alone, which
 * is that of the only file. Returns the other lines, too, except comments.
 */
function lines(text) {
    const unknown = [];
    const list = text.split(/\r?\n/).flatMap((line) => {
        const plain = /^\\?([0-9a-fA-F]{56,128})(?:[ \t]+\*?(.+))?$/.exec(line.trim());
        const tagged = /^[\w/-]+ \((.+)\) = ([0-9a-fA-F]{56,128})$/.exec(line.trim());
        const [digest, name = ""] = plain ? [plain[1], plain[2]] : tagged ? [tagged[2], tagged[1]] : [];
        const fn = digest && BY_LENGTH[digest.length];
        if (!fn && line.trim() && !line.startsWith("#")) unknown.push(line);
        return fn ? [{ fn, digest: digest.toLowerCase(), name: name.replace(/^\.\//, "") }] : [];
    });
    return { list, unknown };
}

const pathOf = (file) => file.path || file.webkitRelativePath || file.name;
const same = (file, name) => name === "" || pathOf(file) === name || pathOf(file).endsWith(`/${name}`);
const isList = (file) => /(sums?(\.txt)?|\.sha(224|256|384|512))$/i.test(file.name) && file.size < 1 << 24;

/** A number with its noun, and a number of bytes. */
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const size = (bytes) => (bytes < 1e6 ? count(bytes, "byte") : `${(bytes / 1e6).toFixed(1)} MB`);

function row(name, fn, digest, className) {
    find("results").hidden = false;
    const tr = make("tr", "", find("results").tBodies[0], className);
    for (const text of [name, fn, digest]) make("td", text, tr);
}

let running = Promise.resolve();
const hash = (files) => {
    running = running.then(() => all(files)).catch((error) => {
        find("progress").hidden = true;
        say(error.message, "wrong");
    });
};

/** Writes the result. Its kind is "right" or "wrong", or none. */
function say(text, kind = "") {
    Object.assign(find("state"), { textContent: text, className: kind });
    if (kind) find("state").scrollIntoView({ block: "nearest" });
}

async function all(given) {
    find("results").tBodies[0].replaceChildren();
    const chosen = Array.from(document.querySelectorAll("#functions input:checked"), (box) => box.value);
    let text = find("list").value;
    for (const file of given.filter(isList)) text += `\n${await file.text()}`;
    const { list, unknown } = lines(text);
    if (text.trim() && list.length === 0) {
        throw new Error("The list has no line with a digest of SHA-224, SHA-256, SHA-384 or SHA-512 in hexadecimal.");
    }
    const files = list.length ? given.filter((file) => !isList(file)) : given;
    if (list.length && files.length === 0) {
        // So that the next files are checked against it.
        find("list").value = text.trim();
        say(`The list has ${count(list.length, "line")}. Now choose or drop the files that it names.`);
        return;
    }
    const jobs = files.map((file) => {
        const wanted = list.filter((line) => same(file, line.name));
        return { file, wanted, names: [...new Set([...(list.length ? [] : chosen), ...wanted.map((line) => line.fn)])] };
    });
    const total = jobs.reduce((sum, { file, names }) => sum + file.size * names.length, 0);
    const start = performance.now();
    let done = 0;
    const counts = { right: 0, wrong: 0, missing: 0, failed: 0 };
    /** The digest of a file, or why there is none. */
    const digest = async (file, fn) => {
        let before = 0;
        const onProgress = (bytes) => {
            done += bytes - before;
            before = bytes;
            const speed = done / (performance.now() - start) / 1000;
            find("progress").value = total ? done / total : 1;
            say(`${(done / 1e6).toFixed(0)} of ${(total / 1e6).toFixed(0)} MB, ${speed.toFixed(0)} MB/s`);
        };
        try {
            return bytesToHex(await pool.digestOf(FUNCTIONS[fn], file, { onProgress }));
        } catch (error) {
            counts.failed += 1;
            return `could not be read: ${error.message}`;
        }
    };
    find("progress").hidden = false;
    const digests = jobs.map(({ file, names }) => names.map((fn) => digest(file, fn)));
    for (const [i, { file, wanted, names }] of jobs.entries()) {
        for (const [j, found] of (await Promise.all(digests[i])).entries()) {
            const lines = wanted.filter((line) => line.fn === names[j]);
            const right = lines.every((line) => line.digest === found);
            if (lines.length) counts[right ? "right" : "wrong"] += 1;
            const failed = found.startsWith("could not");
            const verdict = lines.length && !failed ? (right ? "matches: " : "DIFFERS: ") : "";
            const others = right || failed ? [] : lines.map((line) => line.digest).filter((digest) => digest !== found);
            const wants = others.length ? `; the list has: ${others.join(", ")}` : "";
            row(pathOf(file), names[j], verdict + found + wants, failed ? "wrong" : lines.length ? (right ? "right" : "wrong") : "");
        }
    }
    for (const line of list.filter((line) => !files.some((file) => same(file, line.name)))) {
        counts.missing += 1;
        row(line.name || "(no file)", line.fn, "not among the files", "wrong");
    }
    find("progress").hidden = true;
    const seconds = (performance.now() - start) / 1000;
    const strange = unknown.length ? `; ${count(unknown.length, "line")} of the list not understood, first "${unknown[0].trim().slice(0, 60)}"` : "";
    const failed = counts.failed ? `; ${counts.failed} could not be read` : "";
    const checked = list.length ? `; ${counts.right} match, ${counts.wrong} differ, ${counts.missing} missing` : "";
    const bad = counts.wrong + counts.missing + counts.failed + unknown.length > 0;
    const kind = bad ? "wrong" : list.length ? "right" : "";
    say(`done: ${count(files.length, "file")}, ${size(total)} in ${seconds.toFixed(1)} s${checked}${failed}${strange}`, kind);
}

/** All files of a dropped folder. */
async function walk(entry, path = "") {
    if (entry.isFile) {
        const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
        return [Object.assign(file, { path: path + file.name })];
    }
    const reader = entry.createReader();
    const files = [];
    for (;;) {
        const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (entries.length === 0) return files;
        for (const inner of entries) files.push(...(await walk(inner, `${path}${entry.name}/`)));
    }
}

for (const id of ["files", "folder"]) {
    find(id).addEventListener("change", ({ target }) => {
        hash(Array.from(target.files));
        // So that the same files can be chosen again.
        target.value = "";
    });
}
// The whole page takes what is dropped: beside the box, the browser would leave the page and open the file.
const over = (is) => find("drop").classList.toggle("over", is);
for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        over(true);
    });
}
document.addEventListener("dragleave", ({ relatedTarget }) => over(relatedTarget !== null));
document.addEventListener("drop", async (event) => {
    over(false);
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    const given = Array.from(event.dataTransfer.items).filter(({ kind }) => kind === "file");
    // Both at once: after the first wait, nothing is there any more.
    const dropped = given.map((item) => [item.webkitGetAsEntry(), item.getAsFile()]);
    const files = dropped.map(([entry, file]) => (entry ? walk(entry) : [file]));
    hash((await Promise.all(files)).flat());
});
