// Runs the Motoko compiler of the npm package `motoko`, and the programs that it compiles.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import v8 from 'node:v8';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { instrument } from './wasm.mjs';

// Needed by engines in which 64-bit memories are not yet the default.
v8.setFlagsFromString('--experimental-wasm-memory64');
// The kernels' functions are long: V8's optimizing compiler would take longer than the functions
// run.
v8.setFlagsFromString('--no-wasm-tier-up');
v8.setFlagsFromString('--wasm-lazy-compilation');

/** The modes of the compiler. The first is its default. */
export const MODES = [
  { name: 'wasm64', flag: 'enhancedOP', title: 'enhanced orthogonal persistence, 64 bits' },
  { name: 'wasm32', flag: 'classicOP', title: 'classic persistence, 32 bits' },
];

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'src/compat', 'src/hmac', 'src/kernels', 'src/reference', 'test', 'bench', 'example', 'tools/stand-ins/bench'];

/**
 * Compiles each of `jobs` in the mode of the given flag. A job is `{ path, target }` with the
 * target `wasi` for a program, `ic` for an actor, or `check` for a file that is only type-checked.
 * If it has a `text`, that replaces the file's. The result for each job is `{ wasm, stable }`,
 * where `stable` is the actor's stable types, or `{ error }`. A job `{ from, to }` contains two
 * stable types. Its result is `{ error }` if no upgrade from the first to the second is possible.
 *
 * The compiler recurses deeply and needs a far larger stack than the main thread has. It ends
 * without a message when the stack is full, so it runs in a worker.
 */
export function compile(flag, jobs) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), {
      workerData: { flag, jobs },
      resourceLimits: { stackSizeMb: 900, maxOldGenerationSizeMb: 4096 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

if (!isMainThread) {
  const require = createRequire(import.meta.url);
  const moc = require('motoko').default;
  moc.compiler.gcFlags(workerData.flag);
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, folder)).filter((n) => n.endsWith('.mo'))) {
      moc.write(`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8'));
    }
  }
  moc.usePackage('hashmill', 'src');
  moc.usePackage('bench', 'tools/stand-ins/bench');
  moc.loadPackage(require('motoko/packages/latest/core.json'));
  parentPort.postMessage(workerData.jobs.map((job) => (job.path ? compileOne(moc, job) : upgradeOne(moc, job))));
}

function compileOne(moc, { path, target, text }) {
  try {
    if (text !== undefined) moc.write(path, text);
    if (target === 'check') return checkOne(moc, path);
    const { wasm, stable } = moc.wasm(path, target);
    return { wasm, stable };
  } catch (error) {
    return { error: `${path}: ${error.message}` };
  }
}

function checkOne(moc, path) {
  const errors = moc.check(path).filter(({ severity }) => severity === 1);
  if (errors.length === 0) return {};
  return { error: errors.map(({ source, range, message }) => `${source}:${range?.start.line + 1}: ${message}`).join('; ') };
}

function upgradeOne(moc, { from, to }) {
  moc.write('from.most', from);
  moc.write('to.most', to);
  const { diagnostics } = moc.compiler.stableCompatible('from.most', 'to.most');
  const errors = diagnostics.filter(({ severity }) => severity === 1).map(({ message }) => message);
  return errors.length > 0 ? { error: errors.join('; ') } : {};
}

/**
 * Rewrites `wasm` so that it counts (see `instrument`) and compiles it for this machine. `withText`
 * returns the program with one text in it replaced by another of the same length.
 */
export function load(wasm) {
  const { module, functions } = instrument(wasm);
  const withText = (from, to) => {
    const bytes = Buffer.from(module);
    bytes.write(to, bytes.indexOf(from));
    return { module: new WebAssembly.Module(bytes) };
  };
  return { module: new WebAssembly.Module(module), functions, withText };
}

/**
 * Runs a program. Passes every line that it prints to `print`, with the instructions executed so
 * far. Returns the message of the trap, or null if there is none.
 */
export function run({ module }, print) {
  let line = '';
  const decoder = new TextDecoder();
  const fd_write = (_fd, vectors, count, written) => {
    const executed = instance.exports.instructions.value;
    const view = new DataView(instance.exports.memory.buffer);
    let length = 0;
    for (let at = vectors; at < vectors + 8 * count; at += 8) {
      const size = view.getUint32(at + 4, true);
      line += decoder.decode(new Uint8Array(view.buffer, view.getUint32(at, true), size), { stream: true });
      length += size;
    }
    view.setUint32(written, length, true);
    const lines = line.split('\n');
    line = lines.pop();
    for (const text of lines) print(text, executed);
    return 0;
  };
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { fd_write } });
  try {
    instance.exports._start();
    return null;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return error.message;
    throw error;
  }
}
