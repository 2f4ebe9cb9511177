/** A pool of workers: many files at once, and BLAKE3 of one large file by all of them. */

import { Hmac } from "./hmac.js";
import { bytesOfFile } from "./internal/file.js";
import { type Blob, type URL, type Worker } from "./internal/globals.js";
import { modules } from "./internal/batch.js";
import { Hasher } from "./internal/hasher.js";
import { known } from "./internal/options.js";
import { begin, parts } from "./internal/parts.js";
import { type Answer, STOP, type Task, type TaskSource } from "./internal/task.js";
import { Tree } from "./internal/tree.js";
import { type Hashing } from "./many.js";
import { type StreamOptions } from "./stream.js";
import { abytes, anumber } from "./utils.js";

/**
 * What a pool hashes: a `Blob`, such as a `File`; bytes, which are copied for the worker unless they
 * are in a `SharedArrayBuffer`; and in Node, Bun and Deno the path of a file.
 */
export type PoolSource = Blob | Uint8Array | string | URL;

export interface PoolOptions {
    /** The most workers; by default as many as the machine runs threads at once. */
    workers?: number;
    /**
     * Makes a worker whose script is `hashmill/worker`, for bundlers that do not find it by
     * themselves in `new Worker(new URL(…, import.meta.url))`.
     */
    create?: () => Worker;
}

/** Node's workers are not those of the web. */
type NodeWorker = import("node:worker_threads").Worker;
type Either = Worker | NodeWorker;

/** A worker, and the task that it works on. */
interface Member {
    worker: Either;
    job: Job | undefined;
}

interface Job {
    task: Task;
    /** Bytes absorbed so far. */
    bytes: number;
    progress: () => void;
    resolve: (result: Uint8Array) => void;
    reject: (error: unknown) => void;
}

/** Bytes of a segment of a message that several workers hash: at least, and at most. */
const LEAST = 1 << 20;
const MOST = 1 << 24;

const node = (): typeof process | undefined => (globalThis as { process?: typeof process }).process;

/** Starts Node's worker, where there is none of the web. */
function started(): NodeWorker {
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    // A bundler that found the script's name in `new URL` would copy the script a second time.
    return new Worker(new URL(import.meta.url.replace(/[^/]+$/, "worker.js")));
}

/** A pool of workers, which start when they are needed and stay until `close`. */
export class WorkerPool {
    readonly #most: number;
    readonly #create: (() => Worker) | undefined;
    readonly #members = new Set<Member>();
    #waiting: Job[] = [];
    #closed = false;

    constructor(opts: PoolOptions = {}) {
        const { workers, create } = known(opts, ["workers", "create"]);
        this.#most = anumber(workers ?? globalThis.navigator?.hardwareConcurrency ?? 4, "workers");
        if (this.#most === 0) throw new RangeError('"workers" expected integer >= 1, got 0');
        this.#create = create;
    }

    /**
     * Returns the digest of a file, a blob or bytes. Calls do not wait for each other: as many run
     * at once as there are workers. BLAKE3 of a message of 2 MiB or more is computed by all workers.
     */
    async digestOf(hash: Hashing, source: PoolSource, opts: StreamOptions = {}): Promise<Uint8Array> {
        const hasher = begin(hash);
        try {
            await this.#absorb(hasher instanceof Hmac ? hasher.inner : hasher, source, opts);
            return hasher.digest();
        } finally {
            hasher.destroy();
        }
    }

    /** Ends the workers. What they have not finished is rejected. */
    async close(): Promise<void> {
        this.#closed = true;
        const members = [...this.#members];
        this.#members.clear();
        const jobs = [...members.flatMap(({ job }) => job ?? []), ...this.#waiting.splice(0)];
        for (const { reject } of jobs) reject(new Error("hashmill: the pool was closed"));
        await Promise.all(members.map(({ worker }) => worker.terminate()));
    }

    /** Has the workers absorb the whole source. */
    async #absorb(hasher: unknown, source: PoolSource, opts: StreamOptions): Promise<void> {
        const { onProgress, signal } = known(opts, ["onProgress", "signal"]);
        if (!(hasher instanceof Hasher)) throw new TypeError("expected a hash function, a hasher or an HMAC of hashmill");
        const { given, size } = await sized(source);
        signal?.throwIfAborted();
        if (this.#closed) throw new Error("hashmill: the pool was closed");
        const { family, code, lanesFrom } = hasher.kind;
        const compiled = modules(family);
        if (!compiled) return here(hasher, given, onProgress, signal);
        const segment = hasher instanceof Tree && hasher.divides ? this.#segment(size) : Infinity;
        const count = Math.max(1, Math.ceil(size / segment));
        const subtree = count > 1;
        const jobs: Job[] = [];
        const stop = (reason: unknown) => this.#stop(jobs, reason);
        const aborted = () => stop(signal?.reason);
        const progress = () => onProgress?.(jobs.reduce((sum, { bytes }) => sum + bytes, 0));
        const run = (_: unknown, i: number): Promise<Uint8Array> => {
            const start = subtree ? i * segment : 0;
            const end = subtree ? Math.min(size, start + segment) : Infinity;
            const state = hasher._bytes().slice();
            const bytes = given instanceof Uint8Array ? part(given, start, end) : given;
            const task = { modules: compiled, name: family.name, long: family.long, code, lanesFrom, state, source: bytes, start, end, subtree };
            return new Promise((resolve, reject) => {
                jobs.push({ task, bytes: 0, progress, resolve, reject });
            });
        };
        const results = Promise.all(Array.from({ length: count }, run));
        signal?.addEventListener("abort", aborted);
        try {
            this.#waiting.push(...jobs);
            this.#next();
            if (subtree) (hasher as Tree).end(await results);
            else hasher._resume((await results)[0] as Uint8Array);
        } catch (error) {
            stop(error);
            throw error;
        } finally {
            signal?.removeEventListener("abort", aborted);
        }
    }

    /** Returns the bytes of a segment: a power of two, so that each worker gets several of a message. */
    #segment(size: number): number {
        if (this.#most === 1 || size < 2 * LEAST) return Infinity;
        let segment = LEAST;
        while (segment < MOST && segment * 8 * this.#most < size) segment *= 2;
        return segment;
    }

    /** Rejects what is left of these jobs. A worker that is at one ends at the next part of its source. */
    #stop(jobs: readonly Job[], reason: unknown): void {
        this.#waiting = this.#waiting.filter((job) => !jobs.includes(job));
        for (const { worker, job } of this.#members) if (job && jobs.includes(job)) worker.postMessage(STOP);
        for (const { reject } of jobs) reject(reason);
    }

    /** Gives waiting tasks to idle workers, and starts workers for the others. */
    #next(): void {
        while (this.#waiting.length > 0) {
            let member = [...this.#members].find(({ job }) => job === undefined);
            if (!member && this.#members.size >= this.#most) return;
            const job = this.#waiting.shift() as Job;
            try {
                member ??= this.#start();
                member.job = job;
                hold(member.worker, true);
                const { task } = job;
                const moved = task.source instanceof Uint8Array ? transferable(task.source) : [];
                member.worker.postMessage(task, [task.state.buffer as ArrayBuffer, ...moved]);
            } catch (error) {
                if (member) member.job = undefined;
                job.reject(error);
            }
        }
    }

    #start(): Member {
        const web = this.#create !== undefined || typeof Worker !== "undefined";
        const worker: Either = web
            ? (this.#create?.() ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module" }))
            : started();
        const member: Member = { worker, job: undefined };
        const failed = (cause: unknown, text: unknown): void => {
            const reason = text || "its script was not found, or the page's Content-Security-Policy forbids it";
            this.#members.delete(member);
            member.job?.reject(new Error(`hashmill: a worker failed: ${reason}`, { cause }));
            void worker.terminate();
            this.#next();
        };
        if ("on" in worker) {
            worker.on("message", (answer: Answer) => this.#answered(member, answer));
            worker.on("error", (error) => failed(error, error.message));
        } else {
            worker.onmessage = ({ data }: { data: Answer }) => this.#answered(member, data);
            worker.onerror = (event) => {
                event.preventDefault?.();
                failed(event, event.message);
            };
        }
        this.#members.add(member);
        return member;
    }

    #answered(member: Member, { bytes, result, error }: Answer): void {
        const { job } = member;
        if (job && bytes !== undefined) {
            job.bytes = bytes;
            job.progress();
        }
        if (!result && !error) return;
        member.job = undefined;
        hold(member.worker, false);
        if (result) job?.resolve(result);
        else job?.reject(error);
        this.#next();
    }
}

/** Absorbs a source in this thread: functions in JavaScript have no module that a worker could get. */
async function here(hasher: Hasher, source: TaskSource, onProgress: StreamOptions["onProgress"], signal?: AbortSignal): Promise<void> {
    let bytes = 0;
    const all = typeof source === "string" ? bytesOfFile(source) : parts(source instanceof Uint8Array ? [source] : source);
    for await (const part of all) {
        signal?.throwIfAborted();
        hasher.update(part);
        bytes += part.length;
        onProgress?.(bytes);
    }
}

/** Has a worker keep the process alive, or not, where that can be said. */
function hold(worker: Either, alive: boolean): void {
    const { ref, unref } = worker as Partial<NodeWorker>;
    (alive ? ref : unref)?.call(worker as NodeWorker);
}

/** A part of an array for a worker: a copy, which moves there, or the same memory if threads share it. */
function part(bytes: Uint8Array, start: number, end: number): Uint8Array {
    return isShared(bytes) ? bytes.subarray(start, end) : bytes.slice(start, end);
}

const isShared = ({ buffer }: Uint8Array): boolean =>
    typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;

const transferable = (bytes: Uint8Array): ArrayBuffer[] => (isShared(bytes) ? [] : [bytes.buffer as ArrayBuffer]);

/** The source as a worker takes it, and its length in bytes; 0 if only its end tells, as of a pipe. */
async function sized(source: PoolSource): Promise<{ given: TaskSource; size: number }> {
    if (typeof Blob !== "undefined" && source instanceof Blob) return { given: source, size: source.size };
    if (typeof source !== "string" && !(source instanceof URL)) {
        const given = abytes(source as Uint8Array, undefined, "source");
        return { given, size: given.length };
    }
    if (!node()?.getBuiltinModule) throw new TypeError("a path is a source only in Node, Bun and Deno");
    const { fileURLToPath } = process.getBuiltinModule("node:url");
    const { stat } = process.getBuiltinModule("node:fs").promises;
    const given = typeof source === "string" ? source : fileURLToPath(source);
    const { size } = await stat(given);
    return { given, size };
}
