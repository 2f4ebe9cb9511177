// The package and its page in Chromium: `node tools/browser.mjs [BYTES [SCREENSHOT]]`, after a build.
// A file of BYTES bytes (64 MiB) is hashed on the page, under its Content-Security-Policy.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import crypto from "node:crypto";
import { closeSync, createReadStream, existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const [size = String(64 << 20), screenshot] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css" };

const server = createServer(({ url }, response) => {
    const file = join(here, new URL(url, "http://localhost").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const dir = mkdtempSync(join(tmpdir(), "hashmill-chromium-"));
const options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = spawn("chromium", [...options, ...quiet, "--remote-debugging-pipe", `--user-data-dir=${join(dir, "profile")}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
});
const ended = new Promise((resolve) => browser.on("exit", resolve));

// The protocol: JSON, with a zero byte after each message.
const calls = new Map();
let text = "";
browser.stdio[4].setEncoding("utf8").on("data", (part) => {
    const messages = (text + part).split("\0");
    text = messages.pop();
    for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
        const call = calls.get(id);
        calls.delete(id);
        if (error) call?.reject(new Error(error.message));
        else call?.resolve(result);
    }
});
let sessionId;
const call = (method, params = {}) =>
    new Promise((resolve, reject) => {
        const id = Math.floor(Math.random() * 2 ** 31);
        calls.set(id, { resolve, reject });
        browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
const evaluate = async (expression) => {
    const given = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await call("Runtime.evaluate", given);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
};
const until = async (expression, seconds) => {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
        if (await evaluate(expression)) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`not within ${seconds} s: ${expression}; the page says: ${await evaluate("document.body.innerText")}`);
};

const limit = setTimeout(() => browser.kill(), 300_000);
try {
    const { targetId } = await call("Target.createTarget", { url: "about:blank" });
    ({ sessionId } = await call("Target.attachToTarget", { targetId, flatten: true }));
    const { product } = await call("Browser.getVersion");
    await call("Page.navigate", { url: `http://127.0.0.1:${server.address().port}/demo/index.html` });
    await until('document.querySelectorAll("#functions input").length > 0', 20);

    // Every function of the page, and many messages, against node:crypto.
    const message = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * i) % 256));
    const names = { "SHA-256": "sha256", "SHA-512": "sha512", "SHA3-256": "sha3-256", BLAKE2b: "blake2b512", BLAKE2s: "blake2s256" };
    for (const [name, node] of Object.entries(names)) {
        const got = await evaluate(`(async () => {
            const { FUNCTIONS } = await import("./functions.mjs");
            const { many } = await import("../dist/many.js");
            const message = Uint8Array.from({ length: 1000 }, (_, i) => i * i);
            const hash = FUNCTIONS[${JSON.stringify(name)}];
            const list = Array.from({ length: 9 }, (_, i) => message.subarray(0, 100 * i));
            const outputs = [hash(message), ...Array.from({ length: 9 }, () => many(hash, list))];
            return outputs.map((bytes) => Array.from(bytes));
        })()`);
        const wanted = (bytes) => crypto.createHash(node).update(bytes).digest();
        assert(wanted(message).equals(Buffer.from(got[0])), name);
        const all = Buffer.concat(Array.from({ length: 9 }, (_, i) => wanted(message.subarray(0, 100 * i))));
        for (const outputs of got.slice(1)) assert(all.equals(Buffer.from(outputs)), `${name}, many`);
    }

    // A file and a list on the page.
    const [file, list] = [join(dir, "large.bin"), join(dir, "SHA256SUMS")];
    const [output, hash, part] = [openSync(file, "w"), crypto.createHash("sha256"), crypto.randomBytes(1 << 20)];
    for (let left = Number(size); left > 0; left -= part.length) {
        const bytes = part.subarray(0, Math.min(left, part.length));
        writeSync(output, bytes);
        hash.update(bytes);
        part[left % part.length] ^= 1;
    }
    closeSync(output);
    const digest = hash.digest("hex");
    writeFileSync(list, `${digest}  large.bin\n${"0".repeat(64)}  SHA256SUMS.none\n`);
    const { root } = await call("DOM.getDocument");
    const { nodeId } = await call("DOM.querySelector", { nodeId: root.nodeId, selector: "#files" });
    const state = 'document.getElementById("state").textContent';
    await call("DOM.setFileInputFiles", { nodeId, files: [file] });
    await until(`${state}.startsWith("done")`, 240);
    assert((await evaluate("document.body.innerText")).includes(digest), "the digest of the file");
    const heap = await evaluate("performance.memory.totalJSHeapSize");
    await call("DOM.setFileInputFiles", { nodeId, files: [file, list] });
    await until(`${state}.includes("1 match, 0 differ, 1 missing")`, 240);
    await call("Emulation.setDeviceMetricsOverride", { width: 390, height: 800, deviceScaleFactor: 2, mobile: true });
    assert(await evaluate("document.documentElement.scrollWidth <= 390"), "the page fits a phone");
    if (screenshot) {
        await call("Emulation.setDeviceMetricsOverride", { width: 900, height: 640, deviceScaleFactor: 1, mobile: false });
        const { data } = await call("Page.captureScreenshot", { format: "png" });
        writeFileSync(screenshot, Buffer.from(data, "base64"));
    }
    console.log(`${product}: ${Object.keys(names).length} functions; the page: ${await evaluate(state)}; heap of the page ${(heap / 1e6).toFixed(1)} MB`);
} finally {
    clearTimeout(limit);
    server.close();
    browser.kill();
    await ended;
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
