// The package and its page in a browser, and a page that forbids WebAssembly, after a build:
// `node tools/browser.mjs chromium|firefox [BYTES [SCREENSHOT]]`.
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
const [which = "chromium", size = String(64 << 20), screenshot] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css" };

/** A page whose policy forbids WebAssembly. */
const STRICT = "/strict.html";

const server = createServer(({ url }, response) => {
    if (url === STRICT) {
        const headers = { "content-type": "text/html", "content-security-policy": "default-src 'none'; script-src 'self'" };
        return response.writeHead(200, headers).end("<!doctype html><title>strict</title><p>strict");
    }
    const file = join(here, new URL(url, "http://localhost").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const dir = mkdtempSync(join(tmpdir(), "hashmill-browser-"));

/** Sends calls as JSON, and resolves them by the answers. */
function protocol(send) {
    const calls = new Map();
    const answered = ({ id, result, error, message }) => {
        const call = calls.get(id);
        calls.delete(id);
        if (error) call?.reject(new Error(message ?? error.message));
        else call?.resolve(result);
    };
    const call = (method, params = {}, more = {}) =>
        new Promise((resolve, reject) => {
            const id = Math.floor(Math.random() * 2 ** 31);
            calls.set(id, { resolve, reject });
            send(JSON.stringify({ id, method, params, ...more }));
        });
    return { call, answered };
}

/** Chromium by its own protocol, over a pipe: JSON, with a zero byte after each message. */
async function chromium() {
    const options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
    const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
    const browser = spawn("chromium", [...options, ...quiet, "--remote-debugging-pipe", `--user-data-dir=${dir}`], {
        detached: true,
        stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    const { call: send, answered } = protocol((text) => browser.stdio[3].write(`${text}\0`));
    let text = "";
    browser.stdio[4].setEncoding("utf8").on("data", (part) => {
        const messages = (text + part).split("\0");
        text = messages.pop();
        messages.forEach((message) => answered(JSON.parse(message)));
    });
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const call = (method, params) => send(method, params, { sessionId });
    const size = (width, height, deviceScaleFactor) =>
        call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor, mobile: deviceScaleFactor > 1 });
    return {
        browser,
        name: (await call("Browser.getVersion")).product,
        navigate: (url) => call("Page.navigate", { url }),
        async evaluate(expression) {
            const given = { expression, awaitPromise: true, returnByValue: true };
            const { result, exceptionDetails } = await call("Runtime.evaluate", given);
            if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
            return result.value;
        },
        async choose(selector, files) {
            const { root } = await call("DOM.getDocument");
            const { nodeId } = await call("DOM.querySelector", { nodeId: root.nodeId, selector });
            await call("DOM.setFileInputFiles", { nodeId, files });
        },
        size,
        screenshot: async () => (await call("Page.captureScreenshot", { format: "png" })).data,
    };
}

/** Firefox by WebDriver BiDi. Before Node 22 it needs `node --experimental-websocket`. */
async function firefox() {
    // Debian's name.
    const browser = spawn("firefox-esr", ["--headless", "--no-remote", "--profile", dir, "--remote-debugging-port=0"], {
        detached: true,
        stdio: ["ignore", "ignore", "pipe"],
    });
    const address = await new Promise((resolve) => {
        let text = "";
        browser.stderr.setEncoding("utf8").on("data", (part) => {
            text += part;
            const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(text) ?? [];
            if (found) resolve(found);
        });
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
    const { call, answered } = protocol((text) => socket.send(text));
    socket.onmessage = ({ data }) => answered(JSON.parse(data));
    const { capabilities } = await call("session.new", { capabilities: {} });
    const [{ context }] = (await call("browsingContext.getTree")).contexts;
    const target = { context };
    const evaluate = async (expression) => {
        // JSON, because BiDi describes each value of an object.
        const json = `(async () => JSON.stringify(await (${expression})))()`;
        const { result, exceptionDetails } = await call("script.evaluate", { expression: json, target, awaitPromise: true });
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return result.value === undefined ? undefined : JSON.parse(result.value);
    };
    return {
        browser,
        name: `${capabilities.browserName} ${capabilities.browserVersion}`,
        navigate: (url) => call("browsingContext.navigate", { context, url, wait: "complete" }),
        evaluate,
        async choose(selector, files) {
            const expression = `document.querySelector(${JSON.stringify(selector)})`;
            const { result } = await call("script.evaluate", { expression, target, awaitPromise: false });
            await call("input.setFiles", { context, element: { sharedId: result.sharedId }, files });
        },
        size: (width, height, devicePixelRatio) =>
            call("browsingContext.setViewport", { context, viewport: { width, height }, devicePixelRatio }),
        screenshot: async () => (await call("browsingContext.captureScreenshot", { context })).data,
    };
}

const until = async (expression, seconds) => {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
        if (await evaluate(expression)) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`not within ${seconds} s: ${expression}; the page says: ${await evaluate("document.body.innerText")}`);
};

const { browser, name, navigate, evaluate, choose, size: resize, screenshot: capture } =
    await { chromium, firefox }[which]();
const ended = new Promise((resolve) => browser.on("exit", resolve));
/** Ends the browser with its helpers, which write to the profile until then. */
const kill = () => browser.exitCode ?? process.kill(-browser.pid, "SIGKILL");
const limit = setTimeout(kill, 300_000);
try {
    const origin = `http://127.0.0.1:${server.address().port}`;
    await navigate(origin + STRICT);
    await until('document.title === "strict"', 20);
    const [error, digest, digests] = await evaluate(`(async () => {
        const { sha256 } = await import("/dist/sha2.js");
        let error;
        try {
            sha256(new Uint8Array(3));
        } catch ({ message }) {
            error = message;
        }
        const { many } = await import("/dist/many.js");
        await import("/dist/javascript/sha256.js");
        return [error, Array.from(sha256(new Uint8Array(3))), Array.from(many(sha256, [new Uint8Array(3), new Uint8Array(3)]))];
    })()`);
    assert.match(error, /forbids WebAssembly; import "hashmill\/javascript", or on a page add 'wasm-unsafe-eval'/);
    const zeros = crypto.createHash("sha256").update(Buffer.alloc(3)).digest();
    assert.deepEqual([Buffer.from(digest), Buffer.from(digests)], [zeros, Buffer.concat([zeros, zeros])], "by JavaScript");

    await navigate(`${origin}/demo/index.html`);
    await until('document.querySelectorAll("#functions input").length > 0', 20);

    // Every function of the page, and many messages, against node:crypto.
    const message = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * i) % 256));
    const names = { "SHA-256": "sha256", "SHA-512": "sha512", "SHA3-256": "sha3-256", BLAKE2b: "blake2b512", BLAKE2s: "blake2s256" };
    for (const [title, node] of Object.entries(names)) {
        const got = await evaluate(`(async () => {
            const { FUNCTIONS } = await import("./functions.mjs");
            const { many } = await import("../dist/many.js");
            const message = Uint8Array.from({ length: 1000 }, (_, i) => i * i);
            const hash = FUNCTIONS[${JSON.stringify(title)}];
            const list = Array.from({ length: 9 }, (_, i) => message.subarray(0, 100 * i));
            const outputs = [hash(message), ...Array.from({ length: 9 }, () => many(hash, list))];
            return outputs.map((bytes) => Array.from(bytes));
        })()`);
        const wanted = (bytes) => crypto.createHash(node).update(bytes).digest();
        assert(wanted(message).equals(Buffer.from(got[0])), title);
        const all = Buffer.concat(Array.from({ length: 9 }, (_, i) => wanted(message.subarray(0, 100 * i))));
        for (const outputs of got.slice(1)) assert(all.equals(Buffer.from(outputs)), `${title}, many`);
    }

    // A file and a list on the page.
    const [file, sums] = [join(dir, "large.bin"), join(dir, "SHA256SUMS")];
    const [output, hash, part] = [openSync(file, "w"), crypto.createHash("sha256"), crypto.randomBytes(1 << 20)];
    for (let left = Number(size); left > 0; left -= part.length) {
        const bytes = part.subarray(0, Math.min(left, part.length));
        writeSync(output, bytes);
        hash.update(bytes);
        part[left % part.length] ^= 1;
    }
    closeSync(output);
    const sum = hash.digest("hex");
    writeFileSync(sums, `${sum}  large.bin\n${"0".repeat(64)}  SHA256SUMS.none\n`);
    const state = 'document.getElementById("state").textContent';
    await choose("#files", [file]);
    await until(`${state}.startsWith("done")`, 240);
    assert((await evaluate("document.body.innerText")).includes(sum), "the digest of the file");
    const heap = await evaluate("performance.memory?.totalJSHeapSize");
    await choose("#files", [file, sums]);
    await until(`${state}.includes("1 match, 0 differ, 1 missing")`, 240);
    const kind = 'document.getElementById("state").className';
    assert.equal(await evaluate(kind), "wrong", "a missing file is an error");
    const list = (text) => evaluate(`void (document.getElementById("list").value = ${JSON.stringify(text)})`);
    await list(sum);
    await choose("#files", [file]);
    await until(`${state}.includes("1 match, 0 differ, 0 missing") && ${kind} === "right"`, 240);
    if (screenshot) {
        await resize(900, 640, 1);
        writeFileSync(screenshot, Buffer.from(await capture(), "base64"));
    }
    await list(sum.replace(/^./, (digit) => (digit === "0" ? "1" : "0")));
    await choose("#files", [file]);
    await until(`${state}.includes("0 match, 1 differ, 0 missing") && ${kind} === "wrong"`, 240);
    await list("<html>not a list</html>");
    await choose("#files", [file]);
    await until(`${state}.startsWith("The list has no line with a digest") && ${kind} === "wrong"`, 20);
    await list("");
    for (const width of [360, 390, 500, 1280]) {
        await resize(width, 800, width < 600 ? 2 : 1);
        assert(await evaluate(`document.documentElement.scrollWidth <= ${width}`), `the page fits ${width} px`);
        if (screenshot) writeFileSync(screenshot.replace(/(\.\w+)?$/, `-${width}.png`), Buffer.from(await capture(), "base64"));
    }
    // A hidden input or a removed outline would shut out the keyboard.
    const inputs = await evaluate(`Array.from(document.querySelectorAll("textarea, input"), (it) => (it.focus(), document.activeElement === it))`);
    assert(inputs.length > 10 && inputs.every(Boolean), "every control takes the focus");
    const memory = heap ? `; heap of the page ${(heap / 1e6).toFixed(1)} MB` : "";
    console.log(`${name}: ${Object.keys(names).length} functions; the page: ${await evaluate(state)}${memory}`);
} finally {
    clearTimeout(limit);
    server.close();
    kill();
    await ended;
    rmSync(dir, { recursive: true, force: true, maxRetries: 20 });
}
