// The package and its page in a browser, and a page that forbids WebAssembly, after a build:
// `node tools/browser.mjs chromium|firefox [BYTES [SCREENSHOT]]`.
// A file of BYTES bytes (64 MiB) is hashed on the page, under its Content-Security-Policy.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import crypto from "node:crypto";
import { closeSync, createReadStream, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
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
        /** Presses Tab or Space. */
        async press(key) {
            const [code, text] = key === "Tab" ? [9, undefined] : [32, " "];
            const of = { key: text ?? key, code: key, windowsVirtualKeyCode: code, text };
            await call("Input.dispatchKeyEvent", { type: "keyDown", ...of });
            await call("Input.dispatchKeyEvent", { type: "keyUp", ...of });
        },
        /** Drops files at a place of the page, as from a file manager. */
        async drop(files, place) {
            const data = { items: [], files, dragOperationsMask: 1 };
            for (const type of ["dragEnter", "dragOver", "drop"]) await call("Input.dispatchDragEvent", { type, ...place, data });
        },
        dark: (is) => call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: is ? "dark" : "light" }] }),
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
        async press(key) {
            const value = key === "Tab" ? "\uE004" : "\uE00D";
            const actions = ["keyDown", "keyUp"].map((type) => ({ type, value }));
            await call("input.performActions", { context, actions: [{ type: "key", id: "keyboard", actions }] });
        },
        /** BiDi drops no files, so the page gets an event with copies of them. */
        async drop(files, { x, y }) {
            const copies = files.map((file) => [basename(file), readFileSync(file, "latin1")]);
            await evaluate(`(() => {
                const dataTransfer = new DataTransfer();
                for (const [name, text] of ${JSON.stringify(copies)}) {
                    dataTransfer.items.add(new File([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], name));
                }
                const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
                document.elementFromPoint(${x}, ${y}).dispatchEvent(event);
            })()`);
        },
        dark: undefined,
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

const { browser, name, navigate, evaluate, choose, size: resize, press, drop, dark, screenshot: capture } =
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
    const names = { "SHA-256": "sha256", "SHA-512": "sha512", "SHA3-256": "sha3-256", BLAKE2b: "blake2b512", BLAKE2s: "blake2s256", SM3: "sm3" };
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

    // What is dropped, beside the box, too: a list alone, then its files; both; a list that is wrong.
    const beside = { x: 20, y: 20 };
    const small = ["one.txt", "two.txt"].map((name) => join(dir, name));
    small.forEach((path) => writeFileSync(path, path));
    const own = small.map((path) => crypto.createHash("sha256").update(path).digest("hex"));
    const listOf = (lines) => writeFileSync(sums, lines.join("\n"));
    await list("");
    listOf([`${own[0]}  one.txt`, `SHA256 (two.txt) = ${own[1]}`]);
    await drop([sums], beside);
    await until(`${state} === "The list has 2 lines. Now choose or drop the files that it names."`, 20);
    await drop(small, beside);
    await until(`${state}.includes("2 match, 0 differ, 0 missing") && ${kind} === "right"`, 20);
    await list("");
    listOf([`${own[1]}  one.txt`, "no digest"]);
    await drop([small[0], sums], beside);
    await until(`${state}.includes('0 match, 1 differ, 0 missing; 1 line of the list not understood, first "no digest"')`, 20);
    const cell = 'document.querySelector("#results td:nth-child(3)").textContent';
    assert.equal(await evaluate(cell), `DIFFERS: ${own[0]}; the list has: ${own[1]}`);

    for (const scheme of dark ? ["light", "dark"] : ["light"]) {
        await dark?.(scheme === "dark");
        for (const width of [360, 390, 500, 1280]) {
            await resize(width, 800, width < 600 ? 2 : 1);
            assert(await evaluate(`document.documentElement.scrollWidth <= ${width}`), `the page fits ${width} px`);
            const file = screenshot?.replace(/(\.\w+)?$/, `-${scheme}-${width}.png`);
            if (file) writeFileSync(file, Buffer.from(await capture(), "base64"));
        }
        // WCAG 2 asks for a contrast of 4.5.
        const contrasts = await evaluate(`(() => {
            const channels = (color) => color.match(/[\\d.]+/g).map(Number);
            const canvas = channels(getComputedStyle(document.documentElement).backgroundColor);
            const page = canvas[3] === 0 ? (matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255]) : canvas;
            const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            return ["body", ".wrong", "#state", "#about"].map((selector) => {
                const [a, b] = [channels(getComputedStyle(document.querySelector(selector)).color), page].map(light);
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            });
        })()`);
        assert(contrasts.every((it) => it >= 4.5), `contrasts of ${scheme}: ${contrasts}`);
    }
    await dark?.(false);

    // By keyboard: every control in turn, and Space.
    await list("");
    await evaluate('void (document.activeElement.blur(), getSelection().removeAllRanges(), document.getElementById("list").focus())');
    const order = [];
    for (let i = 0; i < 30 && order.at(-1) !== "folder"; i++) {
        await press("Tab");
        order.push(await evaluate("document.activeElement.id || document.activeElement.value"));
        // The window of headless Firefox is not active: Space has no effect, and no focus is shown.
        if (i === 1 && which === "chromium") {
            await press("Space");
            await until("document.activeElement.checked", 5);
            await press("Space");
        }
    }
    const boxes = await evaluate('Array.from(document.querySelectorAll("#functions input"), (box) => box.value)');
    assert.deepEqual(order, [...boxes, "files", "folder"], "the order of the controls");
    await evaluate('void document.getElementById("files").focus()');
    const seen = `getComputedStyle(document.querySelector(".button:focus-within")).outlineStyle === "solid"`;
    assert(which !== "chromium" || (await evaluate(seen)), "the focus is seen");
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
